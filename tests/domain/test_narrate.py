"""Explanations a person would say: dated, short, and never another line than one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain import narrate
from app.domain.answers import EvidenceView, HistoryEntry, Quote, Strength, WriteResult
from app.domain.commands import RecallCommand
from app.domain.memory import Code, Kind, Memory, Outcome, Reason, Role, Source, SourceType, Status
from app.domain.ranker import Signals, rank
from app.domain.whynot import View, checks
from tests.domain.shelf import DAY_ONE, memory, uid

MOVED = datetime(2025, 6, 3, 9, 12, tzinfo=UTC)
BEFORE = datetime(2024, 11, 20, 18, tzinfo=UTC)


def evidence(quote: str | None = "I moved to Berlin last month.", **changes: Any) -> EvidenceView:
    fields: dict[str, Any] = {
        "role": Role.USER,
        "source": Source(),
        "session_id": None,
        "quote": quote,
        "occurred_at": MOVED,
        "trust": 3,
        "write_id": None,
    } | changes
    return EvidenceView(**fields)


def strength(weight: float = 0.98, **changes: Any) -> Strength:
    fields: dict[str, Any] = {
        "weight": weight,
        "age_days": 12.0,
        "half_life_days": 400.0,
        "mentions": 1,
        "reinforcements": 0,
        "confirmed_at": None,
        "fades": True,
        "floor": 0.05,
        "reaches_floor_at": None,
    } | changes
    return Strength(**fields)


MUNICH = memory(2, content="User lives in Munich", value="Munich", status=Status.SUPERSEDED, occurred_at=BEFORE)
BERLIN = memory(1, value="Berlin", occurred_at=MOVED, supersedes=(uid(2),))


def tell(row: Memory, *quotes: EvidenceView, chain: tuple[Memory, ...] = (), **changes: Any) -> str:
    return narrate.explain_memory(
        row,
        evidence=quotes or (evidence(),),
        history=changes.pop("history", ()),
        strength=changes.pop("strength", strength()),
        chain=chain or (row,),
    )


def test_a_change_is_told_with_both_times() -> None:
    assert tell(BERLIN, chain=(MUNICH, BERLIN)) == (
        'You said on 2025-06-03: "I moved to Berlin last month." This replaced Munich, told on 2024-11-20. '
        "It is still strong (0.98)."
    )


def test_what_was_replaced_says_by_what() -> None:
    old = replace(MUNICH, superseded_by=uid(1))
    told = tell(old, evidence("I live in Munich", occurred_at=BEFORE), chain=(old, BERLIN))
    assert 'It was replaced by "User lives in Berlin" on 2025-06-03.' in told
    assert "strong" not in told
    late = replace(old, created_at=MOVED.replace(year=2026))
    assert "already out of date when it came" in tell(late, chain=(late, BERLIN))
    assert "erased since" in tell(old, chain=(old,))


@pytest.mark.parametrize(
    ("role", "source", "words"),
    [
        (Role.USER, SourceType.CONVERSATION, "You said on"),
        (Role.ASSISTANT, SourceType.CONVERSATION, "The assistant said on"),
        (Role.TOOL, SourceType.CONVERSATION, "A tool said on"),
        (Role.USER, SourceType.WEB, "A web page said on"),
        (Role.USER, SourceType.DOCUMENT, "A document said on"),
        (Role.USER, SourceType.IMPORT, "It was imported, said on"),
    ],
)
def test_who_said_it_is_told(role: Role, source: SourceType, words: str) -> None:
    assert tell(BERLIN, evidence(role=role, source=Source(source))).startswith(words)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status.HELD, "held until"),
        (Status.DISPUTED, "disputed"),
        (Status.QUARANTINED, "quarantined"),
        (Status.EXPIRED, "expired"),
    ],
)
def test_the_status_is_told(status: Status, words: str) -> None:
    assert words in tell(memory(status=status))


def test_repeats_fading_and_erasure_are_told() -> None:
    assert "said 3 times, 2 of them independent" in tell(BERLIN, strength=strength(mentions=3, reinforcements=2))
    assert "It does not fade." in tell(BERLIN, strength=strength(fades=False))
    assert "faint (0.05)" in tell(BERLIN, strength=strength(0.05))
    gone = HistoryEntry(memory_id=None, content=None, event="erased", at=None, reasons=())
    assert "What it replaced was erased." in tell(memory(), history=(gone,))
    assert "the words it came from are gone" in tell(BERLIN, evidence(None))


ANY_VIEW = View(RecallCommand("q", MOVED), 2, 0.0, True, 0.5, 1)


@pytest.mark.parametrize("code", [*(check.check for check in checks(BERLIN, ANY_VIEW)), None])
def test_every_place_has_its_words(code: str | None) -> None:
    hit = rank([Signals(BERLIN, 0.8, 0.05)], now=MOVED)[0]
    told = narrate.explain_place(
        MUNICH,
        code=code,
        by=BERLIN,
        rank=1 if code is None else None,
        would_rank=None if code is None else 2,
        score=hit.score,
        scores=hit.scores,
    )
    assert told.startswith("Returned 1st with a score of" if code is None else "Not returned: ")
    assert code is None or code not in ("held", "expired") or "Otherwise it would have ranked 2nd." in told
    assert "_" not in told.replace("min_score", "")


def test_the_contract_example_of_a_place_holds() -> None:
    told = narrate.explain_place(MUNICH, code="superseded", by=BERLIN, would_rank=2)
    assert told == (
        'Not returned: it was replaced by "User lives in Berlin" on 2025-06-03. '
        "Had it been current it would have ranked 2nd."
    )


def test_a_returned_memory_outside_the_block_says_why() -> None:
    told = narrate.explain_place(BERLIN, code=None, rank=3, score=0.5, left_out="over_token_budget")
    assert told == ("Returned 3rd with a score of 0.50. It is not in the context block: the token budget was used up.")


def test_a_recall_and_a_write_are_summed_up() -> None:
    assert narrate.explain_recall(returned=1, best=0.82, excluded={"held": 1, "below_min_score": 2}) == (
        "1 memory was returned, the best with a score of 0.82. Left out: 2 below_min_score, 1 held."
    )
    assert narrate.explain_recall(returned=0, best=None, excluded={}) == "No memory was returned."

    def result(outcome: Outcome, code: Code) -> WriteResult:
        return WriteResult(
            candidate=None,
            outcome=outcome,
            reasons=(Reason(code, ""),),
            kind=Kind.SEMANTIC,
            importance=1,
            confidence=1.0,
            trust=3,
            memory_id=None,
            supersedes=(),
            related=(),
            evidence=Quote(0, Role.USER, None),
        )

    results = [
        result(Outcome.SUPERSEDED, Code.CHANGED_VALUE),
        result(Outcome.DROPPED, Code.SMALL_TALK),
        result(Outcome.DROPPED, Code.ASSISTANT_ECHO),
    ]
    assert narrate.explain_write(results, at=MOVED) == (
        "On 2025-06-03 1 of 3 candidates were kept. 1 superseded (changed_value); "
        "2 dropped (small_talk, assistant_echo)."
    )
    assert narrate.no_match() == "I remember nothing that answers this."
    assert narrate.no_match("User uses Postgres", 0.284) == (
        'I remember nothing that answers this. The nearest is "User uses Postgres" (score 0.28).'
    )


@pytest.mark.parametrize(
    ("place", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (21, "21st")]
)
def test_places_are_spelled(place: int, word: str) -> None:
    assert narrate.ordinal(place) == word


@settings(deadline=None)
@given(st.text(max_size=900), st.integers(1, 600))
def test_cutting_keeps_the_limit_and_short_texts(text: str, limit: int) -> None:
    short = narrate.cut(text, limit)
    assert len(short) <= limit
    assert short == text if len(text) <= limit else short.endswith("…")


@settings(deadline=None)
@given(st.text(max_size=2000), st.text(max_size=2000), st.text(max_size=2000))
def test_no_text_makes_it_longer_than_the_limit_or_two_lines(quote: str, content: str, value: str) -> None:
    row = memory(1, content=content or "-", value=value, supersedes=(uid(2),))
    old = memory(2, content=content or "-", value=value or None)
    for told in (
        tell(row, evidence(quote), chain=(old, row), strength=strength(mentions=9)),
        narrate.explain_place(old, code="superseded", by=row, would_rank=2),
    ):
        assert 0 < len(told) <= narrate.LIMIT
        assert told.splitlines() == [told]
    assert DAY_ONE
