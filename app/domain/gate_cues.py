"""Word classes by which the gate's model recognises what kind of thing a statement says, as data.

The words of other languages stand in `gate_cues_foreign`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.domain.gate_cues_foreign import FOREIGN, UNSPACED
from app.domain.text import vocabulary, without_accents

# the first class that lists a word gives its place in the sentence's shape; every class counts as a cue
_CLASSES: Final[Mapping[str, frozenset[str]]] = {
    "i": vocabulary("i i'm i've i'd i'll im ive me myself mine"),
    "my": vocabulary("my"),
    "we": vocabulary("we we're we've we'll us our ours"),
    "you": vocabulary("you your you're you've you'll yours u ur yourself"),
    "they": vocabulary("he she they him her his them their he's she's they're he'll she'll"),
    "it": vocabulary("it it's its that that's this these those there there's here"),
    "kin": vocabulary(
        "mom mum mother dad father sister brother wife husband son daughter kid kids child children baby girlfriend "
        "boyfriend partner fiance fiancee aunt uncle cousin niece nephew grandma grandpa grandmother grandfather gran "
        "nan parents family twins toddler friend friends roommate flatmate boss colleague manager teammate neighbour "
        "neighbor ex coach teacher tutor doctor client clients team dog cat puppy kitten pet mate buddy sis bro"
    ),
    "time": vocabulary(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays "
        "saturdays sundays january february march april june july august september october november december jan feb "
        "mar apr jun jul aug sep sept oct nov dec tomorrow yesterday week weekend month year weeks months years spring "
        "summer autumn fall winter christmas easter birthday anniversary semester term last next ago since until till"
    ),
    "now": vocabulary(
        "now today tonight currently moment minute sec second morning evening afternoon brb rn atm already just yet"
    ),
    "habit": vocabulary(
        "always never every usually often daily weekly each most mostly normally generally sometimes rarely whenever "
        "only"
    ),
    "be": vocabulary("am is are was were be been being"),
    "have": vocabulary("have has had having got get gets"),
    "past": vocabulary(
        "went bought saw met made took came left ran flew drove won lost found gave sold began broke wrote read built "
        "taught heard spoke ate drank slept swam sang fell held kept paid sent spent told became chose did was were "
        "had got quit hit cut put set started moved signed joined finished passed failed"
    ),
    "future": vocabulary("will gonna going i'll we'll he'll she'll shall"),
    "could": vocabulary("would could should may can't can cannot i'd must"),
    "hedge": vocabulary(
        "maybe perhaps probably might guess thinking considering wondering unsure possibly dunno suppose hopefully "
        "leaning tempted somewhat kinda"
    ),
    "if": vocabulary("if imagine pretend unless"),
    "wish": vocabulary("want wanna need hope wish plan planning goal dream aim"),
    "taste": vocabulary(
        "love loves like likes hate hates prefer prefers enjoy enjoys favourite favorite adore dislike fan into "
        "obsessed"
    ),
    "lasting": vocabulary(
        "do work works working live lives living study studies use uses using run runs own owns play plays drive "
        "drives teach manage lead speak speaks train sleep eat drink take takes cook keep keeps"
    ),
    "praise": vocabulary(
        "great awesome amazing cool nice wow congrats congratulations lovely beautiful fantastic wonderful perfect "
        "brilliant sweet proud glad impressive inspiring incredible good thanks thank welcome haha lol yeah yes yep "
        "totally absolutely exactly definitely agree sure ok okay sounds right true hi hey hello bye cheers sorry luck"
    ),
    "feeling": vocabulary(
        "tired hungry bored excited happy sad angry stressed sleepy cold hot exhausted annoyed confused grateful "
        "nervous busy late sick"
    ),
    "not": vocabulary(
        "not no don't doesn't didn't isn't won't wasn't aren't haven't without nothing none never can't cannot"
    ),
    "asking": vocabulary("what which who where when why how whose what's who's where's how's"),
    "request": vocabulary(
        "explain write show tell give help fix summarise summarize translate create make generate find list compare "
        "describe draft rewrite resend continue check look add remove change"
    ),
    "manner": vocabulary(
        "answer answers reply replies respond format bullet bullets short brief concise tone emoji emojis formal "
        "language metric units call stop avoid summary summaries code examples explain"
    ),
    "health": vocabulary(
        "allergic allergy intolerant asthma diabetic diabetes pregnant medication meds diagnosed surgery vegan "
        "vegetarian coeliac celiac gluten halal kosher migraine blood disability wheelchair deaf blind epilepsy adhd "
        "insulin inhaler therapy"
    ),
    "task": vocabulary(
        "function error output text line file question example result option paragraph code "
        "answer exercise chapter slide row column step section"
    ),
    "told": vocabulary("said says told asked quote joke kidding"),
    "fiction": vocabulary(
        "character hero heroine novel story scene plot poem verse dialogue protagonist villain movie film lyrics"
    ),
}
_ENGLISH: Final = frozenset[str]().union(*_CLASSES.values())
RUNNING_WORDS: Final = tuple(
    sorted(
        {word for code in UNSPACED for row in FOREIGN[code].values() for word in row.split()},
        key=lambda word: (-len(word), word),
    )
)
"""Words of languages without spaces, the longest first."""


_SHORT: Final = 3  # "él" without its accent is another word


def _all_classes() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, listed in _CLASSES.items():
        for word in sorted(listed):
            found.setdefault(word, []).append(name)
    for row in FOREIGN.values():
        for name, told in row.items():
            for word in told.split():
                if word not in _ENGLISH and name not in found.setdefault(word, []):
                    found[word].append(name)
    for word in [word for word in found if not word.isascii() and len(word) > _SHORT]:
        # people leave the accents out
        found.setdefault(without_accents(word), found[word])
    return {word: tuple(names) for word, names in found.items()}


_CLASSES_OF: Final[Mapping[str, tuple[str, ...]]] = _all_classes()
CLASS_OF: Final[Mapping[str, str]] = {word: names[0] for word, names in _CLASSES_OF.items()}
FUNCTION: Final = vocabulary(
    "the a an and or but of to in on at for with from by as so than then very too also please about out up off over "
    "after before because while"
)
SPEAKERS: Final = ("i", "my", "we", "you", "they", "it")
# classes that mean something else with another speaker
COMBINED: Final = (
    "kin", "time", "now", "habit", "taste", "lasting", "praise", "feeling", "have", "be", "future", "wish", "not",
    "health", "task", "could",
)  # fmt: skip


def classes_of(word: str) -> tuple[str, ...]:
    """Give the classes of a lower-case word."""
    return _CLASSES_OF.get(word, ())
