"""Ordinary messages that only look like changes, told to somebody with many facts: all of them must stay active.

Set a is a reviewer's, written against the rules before they were mended: 103 of 271 English messages and 29 of 66
others retired a true fact then. Sets b to e were told to the rules only when these were thought to be done; at that
first contact 4 of 100 (b), 4 of 72 (c), 4 of 40 (d) and 1 of 40 (e) did, and what they showed was mended by general
kinds. The sets d in other languages came with the weights: at first contact 6 of 240 retired a true fact, all by the
rules; two kinds were mended. In the English sets g and h (in h two of three messages ask for something) 6 of 240 did at
first contact with the weights of 1,062 lives, 2 by the rules, which were mended. Set i came with the pair reader, half
of it traps: 3 of 160 by the rules (two are irony that the next sentence takes back), 2 with the reader. Told
through the gate, as a client offers them, and as they are, one by one and one after another.
"""

from __future__ import annotations

import copy
import json
from datetime import timedelta
from itertools import count

import pytest

from app.domain.changes import marked
from app.domain.extract import extract
from app.domain.gate import judge
from app.domain.memory import Kind, Message, Modality, Role, Status, Threshold, Verdict
from app.domain.screen import screen
from tests.change.telling import FIRST, FOLDER, LATER
from tests.change.weighing import weigh
from tests.domain.shelf import Shelf, incoming

THRESHOLDS = {kind: Threshold() for kind in Kind}
NAMES = [f"{which}_{lang}" for which in "abcd" for lang in ("en", "de", "fr", "es", "zh")] + [
    "e_en",
    "f_en",
    "g_en",
    "h_en",
    "i_en",
]
# how many messages of a set may retire a true fact: as they are offered, and without the gate
MOST = {"a_en": (0, 2), "a_de": (0, 2), "a_fr": (0, 1), "b_es": (0, 1), "c_en": (0, 1), "c_de": (0, 1), "e_en": (0, 1)}
# and in one life, told all messages one after another
OUTLIVED_NOT = {"d_de": 1, "d_fr": 2, "d_zh": 1}
OUTLIVED_NOT |= {"g_en": 1, "i_en": 3}
MOST |= {"g_en": (1, 1), "h_en": (0, 1), "i_en": (3, 3)}
MOST |= {"d_de": (1, 2), "d_fr": (2, 2), "d_es": (0, 1), "d_zh": (1, 1)}


def load(name: str) -> tuple[list[str], list[str]]:
    """The facts and the messages of a set."""
    facts, *rows = map(json.loads, (FOLDER / f"ordinary_{name}.jsonl").read_text(encoding="utf-8").splitlines())
    return facts["facts"], [row["message"] for row in rows]


def say(shelf: Shelf, text: str, day: int, *, gate: bool, weighed: bool = False) -> list[str]:
    """Tell a message; gives the facts that it retired."""
    at = FIRST + day * timedelta(days=1)
    before = {key for key, row in shelf.rows.items() if row.status is Status.ACTIVE}
    message = Message(Role.USER, text, at)
    found = extract(message, index=0, text=text)
    kept = []
    for place, one in enumerate(found):
        kind, held = one.kind, False
        if gate:
            verdict = judge(
                one,
                screened=screen(message),
                trust=3,
                thresholds=THRESHOLDS,
                infer=True,
                asked_next=any(after.claim.modality is Modality.QUESTION for after in found[place + 1 :]),
            )
            if verdict.decision in (Verdict.DROP, Verdict.QUARANTINE):
                continue
            kind, held = verdict.kind or kind, verdict.decision is Verdict.HOLD
        kept.append((one, kind, held))
    chances = weigh(shelf.rows, [one for one, _, held in kept if not held]) if weighed else []
    for one, kind, held in kept:
        ends = chances.pop(0) if chances and not held else None
        said = incoming(one.content, one.claim, kind=kind, change=marked(one), weighed=ends, occurred_at=at, held=held)
        shelf.put(said)
    return [shelf.rows[key].content for key in before if shelf.rows[key].status is not Status.ACTIVE]


def told_facts(facts: list[str]) -> Shelf:
    shelf = Shelf()
    for fact in facts:
        say(shelf, fact, 0, gate=False)
    return shelf


def copied(shelf: Shelf) -> Shelf:
    one = copy.copy(shelf)
    one.rows, one.links, one.log = dict(shelf.rows), set(shelf.links), []
    one.evidence = {key: list(seen) for key, seen in shelf.evidence.items()}
    one._ids = count(len(shelf.rows) + 1)
    return one


@pytest.mark.parametrize("gate", [True, False], ids=["offered", "as it is"])
@pytest.mark.parametrize("name", NAMES)
def test_an_ordinary_message_retires_no_true_fact(name: str, gate: bool) -> None:
    facts, messages = load(name)
    shelf = told_facts(facts)
    assert len(shelf.rows) >= len(facts), "the facts are all kept"
    bad = {text: gone for text in messages if (gone := say(copied(shelf), text, LATER.days, gate=gate))}
    assert len(bad) <= MOST.get(name, (0, 0))[not gate], bad


@pytest.mark.parametrize("name", NAMES)
def test_facts_outlive_all_the_messages_told_one_after_another(name: str) -> None:
    facts, messages = load(name)
    shelf = told_facts(facts)
    known = [key for key, row in shelf.rows.items() if row.status is Status.ACTIVE]
    for day, text in enumerate(messages, LATER.days):
        say(shelf, text, day, gate=True)
    gone = [shelf.rows[key].content for key in known if shelf.rows[key].status is not Status.ACTIVE]
    assert len(gone) <= OUTLIVED_NOT.get(name, 0), gone
