"""A held plan or guess that a later statement settles: "I might move to Oslo", then "I moved to Oslo".

What was said with a hedge is kept aside; the plain statement has other words and often an attribute of its own, so that
nothing else would ever bring the two together, and the held one would lie there until its time ran out. It is settled
when the later statement says all of it: the same deed, the same thing. Likeness is no argument here either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.heads import is_head_in
from app.domain.kin import shared
from app.domain.memory import USER_SUBJECT, Code, Memory, Modality, Reason, Status
from app.domain.resolution import Incoming, Resolution, with_retired
from app.domain.terms import query_terms
from app.domain.text import vocabulary, words
from app.domain.timeline import Neighbour

CAME_TRUE: Final = "came_true"
CAME_TO_NOTHING: Final = "came_to_nothing"
_LEAST: Final = 2  # a deed and a thing, or two things

# deeds in all their forms, and those that say the same of a plan and of its end: who was to move there lives there
_DEEDS: Final = tuple(
    vocabulary(row)
    for row in (
        "get gets getting got gotten buy buys buying bought adopt adopts adopting adopted have has having had own owns "
        "owning owned acquire acquired acquiring purchase purchased purchasing rent rents renting rented",
        "move moves moving moved relocate relocates relocating relocated live lives living lived settle "
        "settling settled",
        "join joins joining joined work works working worked",
        "switch switches switching switched use uses using used migrate migrates migrating migrated adopt adopted",
        "go goes going went gone become becomes becoming became turn turns turning turned",
        "quit quits quitting leave leaves leaving left resign resigns resigning resigned",
        "marry marries marrying married wed wedding",
        "learn learns learning learned learnt study studies studying studied",
        "take takes taking took taken",
        "run runs running ran",
        "write writes writing wrote written",
        "begin begins beginning began begun start starts starting started",
        "drive drives driving drove driven",
        "teach teaches teaching taught",
        "sell sells selling sold",
        "find finds finding found",
        "make makes making made",
        "build builds building built",
        "give gives giving gave given",
        "speak speaks speaking spoke spoken",
        "fly flies flying flew flown",
        "ride rides riding rode ridden",
        "sing sings singing sang sung",
        "swim swims swimming swam",
        "break breaks breaking broke broken",
        "see sees seeing saw seen",
        "lose loses losing lost",
        "send sends sending sent",
        "spend spends spending spent",
        "try tries trying tried",
        "apply applies applying applied",
    )
)
_DEED_OF: Final = {form: frozenset(n for n, row in enumerate(_DEEDS) if form in row) for row in _DEEDS for form in row}
_BECOME: Final = next(number for number, row in enumerate(_DEEDS) if "become" in row)
# to be what one was to become
_BE: Final = vocabulary("am is are was were been be i'm we're he's she's they're it's")
# words of doubt, of intention and of time: a plan has them, its end has not
_SAID_OF_PLANS: Final = vocabulary(
    "might may maybe perhaps possibly probably presumably supposedly apparently potentially conceivably could "
    "should would will can ought think thinks thinking thought consider considers considering contemplating "
    "pondering toying idea tempted mulling weighing debating fence undecided torn leaning towards toward "
    "looking open wondering whether if sure certain unsure uncertain know knows decide decided deciding guess "
    "guesses suppose supposes assume reckon suspect believe believes imagine feel feels seem seems seriously "
    "really actually still also just like plan plans planning hope hopes hoping want wants wanting likely able "
    "yet after all someday sometime eventually soon later one day days next this last year years month months "
    "week weeks weekend summer winter spring autumn fall today tomorrow tonight now monday tuesday wednesday "
    "thursday friday saturday sunday january february march april june july august september october november "
    "december new another some own user user's their they there about into again finally recently already "
    "yesterday ago since not never n't don't won't "
)
_PLAIN_GO: Final = re.compile(r"\bgoing (?=to\b)|\bgo (?=to\b)", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"\b(?:not|never|n't|no longer|won't|against|changed (?:my|our|his|her|their) mind|cancel\w*|called off|gave up"
    r"|dropped the idea)\b|n't\b",
    re.IGNORECASE,
)
_DOUBTED: Final = re.compile(
    r"\b(?:not (?:really |quite |so )?(?:sure|certain)|don't know|can't decide)\b", re.IGNORECASE
)


def settles(said: str, held: str) -> bool:
    """Tell whether a plain statement says all that a held one says, whether it came true or not.

    Args:
        said: The plain statement.
        held: The held one, with its hedge.
    """
    deeds, things = _parts(_PLAIN_GO.sub(" ", held))
    if len(deeds) + len(things) < _LEAST:
        return False
    told_deeds, told_things = _parts(said)
    told = frozenset().union(*told_deeds) if told_deeds else frozenset[int]()
    if _BE & set(words(said)):
        told |= {_BECOME}
    if not all(deed & told for deed in deeds):
        return False
    if shared(things, told_things) != things:
        return False
    # "a dog bed" is no dog
    return all(is_head_in(thing, said) for thing in things if is_head_in(thing, held) and thing in told_things)


def with_settled(made: Resolution, incoming: Incoming, rows: Sequence[Neighbour]) -> Resolution:
    """Let held rows give way to the statement that settles them."""
    if incoming.held or incoming.claim.modality is not Modality.ASSERTED:
        return made
    by_id = {row.id: row for row in rows}
    into = by_id.get(made.into) if made.into is not None else None
    if made.status is not Status.ACTIVE and (into is None or not into.active):
        return made
    done = {change.memory_id for change in made.changes}
    old = [
        row
        for row in rows
        if row.memory.status is Status.HELD
        and row.id not in done
        and row.id != made.into
        and row.memory.attribute is None
        and _is_of(incoming.claim.subject, row.memory)
        and row.trust <= incoming.trust
        and row.memory.occurred_at <= incoming.occurred_at
        and settles(incoming.content, row.memory.content)
    ]
    if not old:
        return made
    true = _is_denied(incoming.content) == _is_denied(old[0].memory.content)
    since = f"{old[0].memory.occurred_at:%Y-%m-%d}"
    if true:
        reason, rule = Reason(Code.PROMOTED, f"came true: it was held as a plan or a guess since {since}"), CAME_TRUE
    else:
        reason, rule = (
            Reason(Code.PROMOTED, f"settles what was held since {since}: it came to nothing"),
            CAME_TO_NOTHING,
        )
    done_with = with_retired(replace(made, reasons=(*made.reasons, reason)), incoming, old)
    # it was never believed: the reply claims no fact to be retired, and names none
    plain = made.into is None and not made.supersedes
    return replace(done_with, supersedes=made.supersedes, rule=rule if plain else made.rule)


def _is_of(subject: str, held: Memory) -> bool:
    """Tell whether a held row is about a subject; a hedge about somebody is held under the user."""
    named = frozenset(query_terms(subject.partition(":")[2].replace("_", " ")))
    return held.subject in (subject, USER_SUBJECT) and (held.subject == subject or named <= _parts(held.content)[1])


def _is_denied(text: str) -> bool:
    return _DENIED.search(_DOUBTED.sub(" ", text)) is not None


def _parts(text: str) -> tuple[list[frozenset[int]], frozenset[str]]:
    """Take a statement apart into its deeds and the terms of everything else that tells something."""
    tokens = [token for token in words(text) if token not in _SAID_OF_PLANS]
    deeds = [_DEED_OF[token] for token in tokens if token in _DEED_OF]
    rest = " ".join(token for token in tokens if token not in _DEED_OF and token not in _BE)
    return deeds, frozenset(query_terms(f"{rest} zzfiller")) - {"zzfiller"}
