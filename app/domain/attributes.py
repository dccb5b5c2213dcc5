"""The attribute registry, as data: what a subject can have, how many at once, and how much it weighs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.memory import Kind
from app.domain.text import slug, vocabulary, words


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute.

    `single` says that a subject holds one value at a time, so that a new one takes the place of
    the old. `importance` is what the gate starts from. `registered` is False for attributes that
    were read off the statement ("my badge code is ...").
    """

    name: str
    importance: int
    single: bool = False
    kind: Kind = Kind.SEMANTIC
    registered: bool = True


# name, importance, single-valued
_ROWS: Final = (
    # who someone is
    Attribute("name", 8, single=True),
    Attribute("preferred_name", 8, single=True),
    Attribute("pronouns", 8, single=True),
    Attribute("birthday", 7, single=True),
    Attribute("birthplace", 6, single=True),
    Attribute("origin", 7, single=True),
    Attribute("nationality", 7, single=True),
    Attribute("surname", 8, single=True),
    Attribute("phone", 8, single=True),
    Attribute("weight", 6, single=True),
    Attribute("age", 6, single=True),
    Attribute("marital_status", 7, single=True),
    Attribute("spouse", 7, single=True),
    Attribute("children_count", 7, single=True),
    Attribute("native_language", 7, single=True),
    # where and when someone lives
    Attribute("home_city", 8, single=True),
    Attribute("time_zone", 7, single=True),
    # work and study
    Attribute("employer", 8, single=True),
    Attribute("job_title", 8, single=True),
    Attribute("manager", 7, single=True),
    Attribute("hourly_rate", 7, single=True),
    Attribute("commute", 6, single=True),
    Attribute("project", 7, single=True),
    Attribute("team", 7, single=True),
    Attribute("studies", 7),
    Attribute("learning", 7),
    Attribute("builds", 8),
    # health and food
    Attribute("allergic_to", 9),
    Attribute("health_condition", 9),
    Attribute("medication", 9),
    Attribute("diet", 8, single=True),
    Attribute("avoids", 8),
    # tastes, tools, possessions, plans; eating and drinking count as liking until said otherwise
    Attribute("likes", 6),
    Attribute("prefers", 7),
    Attribute("uses", 8),
    Attribute("speaks", 7),
    Attribute("plays", 6),
    Attribute("has_pet", 7),
    Attribute("owns", 6),
    Attribute("drives", 6),
    Attribute("habit", 6),
    Attribute("wants", 5),
    Attribute("goal", 7),
)
REGISTRY: Final = {row.name: row for row in _ROWS}

# "my <words> is ..." for attributes of the registry
_NAMED: Final = {
    "name": "name",
    "first name": "name",
    "full name": "name",
    "nickname": "preferred_name",
    "preferred name": "preferred_name",
    "pronouns": "pronouns",
    "surname": "surname",
    "last name": "surname",
    "family name": "surname",
    "phone": "phone",
    "phone number": "phone",
    "mobile": "phone",
    "mobile number": "phone",
    "cell": "phone",
    "cell number": "phone",
    "weight": "weight",
    "hourly rate": "hourly_rate",
    "commute": "commute",
    "boss": "manager",
    "manager": "manager",
    "line manager": "manager",
    "supervisor": "manager",
    "time zone": "time_zone",
    "timezone": "time_zone",
    "birthday": "birthday",
    "date of birth": "birthday",
    "birth date": "birthday",
    "birthdate": "birthday",
    "birthplace": "birthplace",
    "place of birth": "birthplace",
    "age": "age",
    "nationality": "nationality",
    "job": "job_title",
    "job title": "job_title",
    "role": "job_title",
    "title": "job_title",
    "profession": "job_title",
    "occupation": "job_title",
    "employer": "employer",
    "company": "employer",
    "home city": "home_city",
    "city": "home_city",
    "home": "home_city",
    "project": "project",
    "current project": "project",
    "team": "team",
    "diet": "diet",
    "native language": "native_language",
    "mother tongue": "native_language",
    "first language": "native_language",
    "goal": "goal",
    "marital status": "marital_status",
}
# what one can be said to have one of, although the words are not in the registry
_FUNCTIONAL: Final = vocabulary(
    "code number address target port colour color word name "
    "id key host url branch version budget deadline language editor shell database "
    "framework size weight height limit theme font plan address "
    "server region zone provider bank airline seat team song film movie book food "
    "drink sport game band artist city country dish author capital "
    "ceo president mayor leader owner founder director headquarters currency "
    "password pin email phone extension username handle login "
    "account license licence plate postcode zip street floor room desk manager boss "
    "doctor dentist insurance policy type style format level "
    "status priority date location route path device laptop car bike "
    "anniversary commute keyboard phone os browser terminal "
    "stack cloud repo repository model brand blood group rate "
    "salary title subject major school university"
)
_PLURAL: Final = vocabulary("children kids hobbies people men women mice feet teeth")
_NOT_PLURAL: Final = re.compile(r"(?:ss|us|is|ws|address|news|series|os|pronouns|headquarters|whereabouts|species)\Z")
_QUALIFIER: Final = vocabulary("favourite favorite main primary default current preferred usual go-to home work")
_SPELLING: Final = {
    "favourite": "favorite",
    "colour": "color",
    "neighbour": "neighbor",
    "licence": "license",
    "theatre": "theater",
}


PROGRESS: Final = "progress"
"""How an attribute begins of which the number only rises: `progress_read_books`."""


def is_plural(name: str) -> bool:
    """Tell whether a name stands for many: "favourite foods", "hobbies", "children"."""
    last = words(name)[-1:] or [""]
    return last[0] in _PLURAL or (last[0].endswith("s") and not _NOT_PLURAL.search(last[0]))


def named(name: str) -> Attribute | None:
    """Find the attribute that "my <name> is ..." speaks of, or derive one.

    Returns:
        None when the words name a thing with a state ("my flight is late"), not an attribute.
    """
    tokens = words(name)
    while tokens and tokens[0] in {"current", "new", "the", "own", "actual"}:
        tokens = tokens[1:]
    if not tokens or len(tokens) > 6:
        return None
    known = _NAMED.get(" ".join(tokens))
    if known:
        return REGISTRY[known]
    if tokens[-1] not in _FUNCTIONAL and not _QUALIFIER.intersection(tokens) and not is_plural(tokens[-1]):
        return None
    return derived(" ".join(tokens), single=not is_plural(name))


_AMOUNTS: Final = vocabulary(
    "rent mortgage wage income fee price bill tuition premium deposit loan debt allowance pension bonus score gpa ping"
    " latency uptime throughput coverage quota capacity mileage temperature speed distance runway headcount revenue"
    " turnover profit rating dose dosage cost balance overdraft budget salary limit rate"
)
_AMOUNT: Final = re.compile(
    r"(?:(?:now|about|around|roughly|nearly|over|under|only|at) )*[$€£]? ?\d[\d.,:]*(?:k|m|%)?(?: [a-zé€$£]+)?"
    r"(?: (?:a|an|per) \w+| (?:now|monthly|weekly|yearly))*",
    re.IGNORECASE,
)


def amount(name: str, value: str) -> Attribute | None:
    """Find the attribute of "my <name> is <value>" where it is a number with its unit: a rent, a score.

    Returns:
        None when the name is of no amount, or the value is none ("my rent is late").
    """
    tokens = [token for token in words(name) if token not in {"current", "new", "own", "actual"}]
    fits = 0 < len(tokens) <= 4 and tokens[-1] in _AMOUNTS and _AMOUNT.fullmatch(value.strip()) is not None
    return derived(" ".join(tokens), single=True) if fits else None


def is_amount(attribute: Attribute) -> bool:
    """Tell whether an attribute is a number, so that nothing else can be its value."""
    return not attribute.registered and attribute.name.rpartition("_")[2] in _AMOUNTS


def derived(name: str, *, single: bool) -> Attribute:
    """Make an attribute of a statement's own words; spelling variants fall together."""
    canonical = " ".join(_SPELLING.get(token, token) for token in words(name))
    return Attribute(slug(canonical) or "value", 7, single=single, registered=False)


def lookup(name: str | None) -> Attribute | None:
    """Find a registered attribute by its name."""
    return REGISTRY.get(name) if name else None
