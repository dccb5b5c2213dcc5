"""The same cases and ordinary messages with the trained weights and the pair reader, as with the bundled models.

None of them was trained on. What is right where an aim is missed is held by the floors.
"""

from __future__ import annotations

import pytest

from tests.change import test_ordinary as ordinary
from tests.change.telling import LATER, cases, told
from tests.change.weighing import vector

# share of updates found, share of look-alikes kept; without the weights .467 and .200 of the updates in English. The
# sets c, d and e were written later, by writers who knew nothing of the others, and are harder: in two of five updates
# of e and in more of c and d the change is told by its consequence or within a request. Set e was written when the pair
# reader was trained, and looked at once before its threshold was set
FLOORS = {
    "en-a": (0.90, 0.98),
    "en-b": (0.92, 0.99),
    "en-c": (0.62, 0.98),
    "en-d": (0.65, 0.94),
    "en-e": (0.58, 0.97),
    "de-a": (0.84, 0.94),
    "fr-a": (0.79, 0.99),
    "es-a": (0.84, 0.99),
    "zh-a": (0.94, 0.94),
    "de-b": (0.64, 0.99),
    "fr-b": (0.64, 0.94),
    "es-b": (0.59, 0.99),
    "zh-b": (0.74, 0.99),
}
# how many of its messages retire a true fact: 6 of 891; set f is a reviewer's, against earlier weights, set i was
# written last, half of it traps
MOST = {"a_en": 3, "b_en": 0, "c_en": 0, "d_en": 1, "e_en": 0, "f_en": 0, "g_en": 0, "h_en": 0, "i_en": 2} | {
    f"{which}_{tongue}": 0 for which in "abc" for tongue in ("de", "fr", "es", "zh")
}
# of 891, 100, 93, 92 and 93 messages, told to somebody of whom the nearest fact alone is known
ALONE = {"en": 11, "de": 0, "fr": 1, "es": 0, "zh": 2}
# what the rules do already, and nothing more
MOST |= {"d_de": 1, "d_fr": 2, "d_es": 0, "d_zh": 1}


@pytest.mark.parametrize("kind", ["update", "lookalike"])
@pytest.mark.parametrize("name", FLOORS)
def test_changes_in_other_words_are_told_from_look_alikes(name: str, kind: str) -> None:
    chosen = [case for case in cases(name) if case.kind == kind]
    failed = {case.id: found for case in chosen if any(found := told(case, weighed=True))}
    share = 1 - len(failed) / len(chosen)
    assert share >= FLOORS[name][kind == "lookalike"], failed


def test_of_the_changes_in_english_as_many_are_right_as_was_asked_for() -> None:
    chosen = [case for name in ("en-a", "en-b") for case in cases(name)]
    failed = [case.id for case in chosen if any(told(case, weighed=True))]
    assert len(chosen) == 600
    assert 1 - len(failed) / len(chosen) >= 0.95, failed


@pytest.mark.parametrize("name", MOST)
def test_an_ordinary_message_seldom_retires_a_true_fact(name: str) -> None:
    facts, messages = ordinary.load(name)
    shelf = ordinary.told_facts(facts)
    bad = {}
    for text in messages:
        gone = ordinary.say(ordinary.copied(shelf), text, LATER.days, gate=True, weighed=True)
        if gone:
            bad[text] = gone
    assert len(bad) <= MOST[name], bad


@pytest.mark.parametrize("tongue", ALONE)
def test_so_it_does_to_somebody_of_whom_one_thing_is_known(tongue: str) -> None:
    bad = {}
    for name in (name for name in MOST if name.endswith(tongue)):
        facts, messages = ordinary.load(name)
        vectors = [vector(fact) for fact in facts]
        for text in messages:
            nearest = max(range(len(facts)), key=lambda place: float(vectors[place] @ vector(text)))
            shelf = ordinary.told_facts([facts[nearest]])
            if gone := ordinary.say(shelf, text, LATER.days, gate=True, weighed=True):
                bad[text] = gone
    assert len(bad) <= ALONE[tongue], bad
