"""Headings that name a topic: what their items say, and of whom. "My wife's allergies" tells of the wife."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.subjects import is_name, person_of
from app.domain.text import normalise, straight


@dataclass(frozen=True, slots=True)
class Topic:
    """What the items under a heading say: "am" and "allergic to {}"; without a verb, the heading is theirs.

    `identity` marks what every address and every form has as well, so that it is the user's only where it says so;
    `single` what has one value, so that a comma does not divide it.
    """

    heads: re.Pattern[str]
    verb: str | None
    rest: str = "{}"
    identity: bool = False
    single: bool = False

    @property
    def common(self) -> bool:
        """Tell whether its items are ordinary words, and no names."""
        return self.verb in {"am", "like", "dislike", "take"} or (self.verb is None and not self.single)


@dataclass(frozen=True, slots=True)
class Heading:
    """A topic as a heading names it; `owner` is whose it is, None for the user; `mine` tells that it says so."""

    topic: Topic
    plain: str
    owner: str | None = None
    mine: bool = False

    @property
    def is_bare_identity(self) -> bool:
        """Tell whether it may be the line of anybody's address."""
        return self.topic.identity and not self.mine and self.owner is None

    def say(self, item: str, *, owner: str | None = None, negative: bool = False) -> str | None:
        """Say an item in full; None where that cannot be said."""
        who, verb = owner or self.owner, self.topic.verb
        said = self.topic.rest.format(item)
        if verb is None:
            whose = f"{who}'s" if who else "my"
            return None if negative else f"{whose} {self.plain} is {said}"
        if verb == "am":
            being = f"{who} is" if who else "I'm"
            return f"{being} not {said}" if negative else f"{being} {said}"
        if negative:
            return f"{who} doesn't {verb} {said}" if who else f"I don't {verb} {said}"
        return f"{who} {verb}s {said}" if who else f"I {verb} {said}"


def _topic(heads: str, verb: str | None, rest: str = "{}", *, identity: bool = False, single: bool = False) -> Topic:
    return Topic(re.compile(heads, re.IGNORECASE), verb, rest, identity, single)


_TOPICS: Final = (
    _topic(r"(?:allerg(?:y|ies|ens)|allergic to)", "am", "allergic to {}"),
    _topic(r"intolerances?", "am", "intolerant to {}"),
    _topic(r"(?:spoken )?languages?(?: (?:that )?i speak)?", "speak"),
    _topic(r"(?:likes|(?:things|food|foods|stuff) (?:that )?i (?:like|love|enjoy)|favou?rites)", "like"),
    _topic(r"(?:dislikes|(?:things|food|foods|stuff) (?:that )?i (?:don't like|do not like|dislike|hate))", "dislike"),
    _topic(r"(?:medications?|meds|medicines?|prescriptions?)", "take"),
    _topic(r"(?:tech stack|stack|tools?|tooling)(?: (?:that )?i use)?", "use"),
    _topic(r"(?:city|location|based in|home(?: ?town)?|where i live)", "live", "in {}", identity=True, single=True),
    _topic(r"(?:job|occupation|profession|role|job title)", "work", "as {}", identity=True, single=True),
    _topic(r"(?:employer|company|workplace)", "work", "at {}", identity=True, single=True),
    _topic(
        r"(?:(?:full )?name|age|(?:home |postal |street |e-?mail )?address|phone(?: number)?|e-?mail"
        r"|date of birth|birthday)",
        None,
        identity=True,
        single=True,
    ),
    _topic(r"(?:diet|time ?zone|pronouns|dog's name|cat's name)", None, single=True),
)
# each item is one of them
_HOBBIES: Final = _topic(r"(?:hobb(?:y|ies)|pastimes?)", None)
_MINOR: Final = re.compile(
    r"(?:(?:my|our|the|food|known|current|dietary|main|other|medical|personal|daily|regular|all)\s+)+", re.IGNORECASE
)
_MINE: Final = re.compile(r"(?:my|our)\b|.{0,60}\bi\b", re.IGNORECASE)
_OWNED: Final = re.compile(
    r"(?:(?P<my>my|our) )?(?P<who>[\w-]+(?: [\w-]+)?)'s? (?P<what>[\w' ]+)"
    r"|(?P<rest>[\w' ]+?) (?:of|for) (?:my|our) (?P<whose>[\w-]+(?: [\w-]+)?)",
    re.IGNORECASE,
)
_HERS: Final = {"her": "she", "his": "he"}


def heading_of(head: str) -> Heading | None:
    """Read a heading as a topic, or find that it names none."""
    written = straight(head).strip()
    first, _, others = written.partition(" ")
    if first.casefold() in _HERS and others:
        return _named(others, _HERS[first.casefold()], mine=False)
    owned = _OWNED.fullmatch(written)
    if owned is not None:
        who = owned["who"] or owned["whose"]
        if (owned["my"] or owned["whose"]) and person_of(who.split()[0], {}):
            return _named(owned["what"] or owned["rest"], f"my {who}", mine=False)
        if owned["who"] and not owned["my"] and who[:1].isupper() and is_name(who) and not person_of(who, {}):
            return _named(owned["what"], who, mine=False)
    return _named(written, None, mine=_MINE.match(written) is not None)


def _named(words_of_it: str, owner: str | None, *, mine: bool) -> Heading | None:
    bare = normalise(_MINOR.sub("", words_of_it))
    if _HOBBIES.heads.fullmatch(bare):
        return Heading(_HOBBIES, "hobby", owner, mine)
    topic = next((one for one in _TOPICS if one.heads.fullmatch(bare)), None)
    return None if topic is None else Heading(topic, "name" if bare == "full name" else bare, owner, mine)
