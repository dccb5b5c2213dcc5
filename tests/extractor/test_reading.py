"""Whatever a model writes is read as far as it can be; nothing makes the reader fall over."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memory import Kind
from app.domain.proposal import Proposal
from app.providers.extractor import read_body
from app.providers.proposals import MAX_ANSWER, read_answer
from tests.extractor.endpoint import completion, item

GOOD = json.dumps({"candidates": [item("I use PostgreSQL")]})
ONE = json.dumps(item("I use PostgreSQL"))
TWO = f"{GOOD}\n{json.dumps({'candidates': [item('I live in Berlin')]})}"


def quotes(text: str) -> list[str] | None:
    found = read_answer(text, limit=10)
    return None if found is None else [proposal.quote for proposal in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(GOOD, ["I use PostgreSQL"], id="as asked"),
        pytest.param(f"```json\n{GOOD}\n```", ["I use PostgreSQL"], id="fenced"),
        pytest.param(f"Sure! Here it is:\n{GOOD}\nAnything else?", ["I use PostgreSQL"], id="prose around"),
        pytest.param(f"Of [1] and {{that}}: {GOOD}", ["I use PostgreSQL"], id="brackets in the prose"),
        pytest.param(f"<think>maybe {{}}</think>{GOOD}", ["I use PostgreSQL"], id="thoughts before"),
        pytest.param(f"[{ONE}]", ["I use PostgreSQL"], id="a bare list"),
        pytest.param(ONE, ["I use PostgreSQL"], id="a bare statement"),
        pytest.param('["I use PostgreSQL"]', ["I use PostgreSQL"], id="a list of texts"),
        pytest.param('{"facts": ["I use PostgreSQL"]}', ["I use PostgreSQL"], id="another word for the list"),
        pytest.param(f'{{"result": {GOOD}}}', ["I use PostgreSQL"], id="one level down"),
        pytest.param(TWO, ["I use PostgreSQL", "I live in Berlin"], id="two objects"),
        pytest.param(f'{{"candidates": [{ONE}, {{"quote": "I l', ["I use PostgreSQL"], id="broken off"),
        pytest.param(f"```json\n[{ONE}, {ONE[:40]}", ["I use PostgreSQL"], id="a list broken off"),
        pytest.param('{"candidates": []}', [], id="nothing there"),
        pytest.param("[]", [], id="an empty list"),
        pytest.param(f'{{"candidates": [null, 7, true, {ONE}]}}', ["I use PostgreSQL"], id="odd items among them"),
        pytest.param("{}", None, id="an empty object"),
        pytest.param('{"facts": null}', None, id="null for the list"),
        pytest.param('{"candidates": "none"}', None, id="text for the list"),
        pytest.param("", None, id="nothing"),
        pytest.param("   \n", None, id="white space"),
        pytest.param("<html><body>busy</body></html>", None, id="HTML"),
        pytest.param("I'm sorry, I can't help with that.", None, id="a refusal"),
        pytest.param("null", None, id="null"),
        pytest.param("42", None, id="a number"),
        pytest.param('{"candidates": [{"quote": "I u', None, id="broken off in the first"),
        pytest.param('{"error": "overloaded"}', None, id="an error"),
        pytest.param("[" * 100_000, None, id="nested without end"),
        pytest.param('{"a":' * 20_000, None, id="objects without end"),
        pytest.param("{" * 50_000, None, id="braces"),
    ],
)
def test_statements_are_found_in_any_wrapping(text: str, expected: list[str] | None) -> None:
    assert quotes(text) == expected


IMPORTANCES: list[tuple[Any, int | None]] = [
    *[(8, 8), ("8", 8), (" 8 ", 8), (8.0, 8), (7.9, 7), ("7.5", 7), (1, 1), (10, 10)],
    *[(11, None), (-1, None), (0, None), ("11", None), ("high", None), ("", None), (None, None), (True, None)],
    *[([8], None), ({}, None), (math.nan, None), (math.inf, None), ("NaN", None), (10**400, None)],
]
CONFIDENCES: list[tuple[Any, float | None]] = [
    *[(0.7, 0.7), ("0.7", 0.7), (1, 1.0), (0, 0.0), ("1", 1.0)],
    *[(1.7, None), (-0.1, None), ("high", None), (math.nan, None), (math.inf, None), (None, None), (False, None)],
    *[("70%", None), ([0.7], None), (1e400, None)],
]


@pytest.mark.parametrize(("given", "importance"), IMPORTANCES)
def test_importance_is_read_or_left_out_and_never_clamped(given: Any, importance: int | None) -> None:
    (proposal,) = read_answer(json.dumps({"candidates": [item("x", importance=given)]}), limit=10) or []
    assert proposal.importance == importance
    assert proposal.confidence == 0.9


@pytest.mark.parametrize(("given", "confidence"), CONFIDENCES)
def test_confidence_is_read_or_left_out_and_never_clamped(given: Any, confidence: float | None) -> None:
    (proposal,) = read_answer(json.dumps({"candidates": [item("x", confidence=given)]}), limit=10) or []
    assert proposal.confidence == confidence
    assert proposal.importance == 8


def test_unknown_kinds_and_unknown_keys_mean_nothing() -> None:
    odd = item("x", kind="vibes", action="supersede", memory_id="0; drop table", id=12, trust=4, keep=True)
    assert read_answer(json.dumps([odd]), limit=10) == [
        Proposal("x", "x", message=0, speaker="user", kind=None, importance=8, confidence=0.9)
    ]
    assert read_answer(json.dumps([{"quote": ["x"], "content": "y", "message": "0", "speaker": 1}]), limit=10) == [
        Proposal("y", "y")
    ]
    assert read_answer(json.dumps([item("x", kind="episodic", speaker=" User ")]), limit=10) == [
        Proposal("x", "x", message=0, speaker="user", kind=Kind.EPISODIC, importance=8, confidence=0.9)
    ]


def test_no_more_than_asked_for_are_taken() -> None:
    many = json.dumps({"candidates": [item(f"I like number {number}") for number in range(500)]})
    assert len(read_answer(many, limit=10) or []) == 10


def test_an_endless_answer_is_read_up_to_its_limit() -> None:
    many = json.dumps({"candidates": [item(f"I like number {number}") for number in range(5_000)]})
    assert len(many) > 10 * MAX_ANSWER
    assert len(read_answer(many, limit=10) or []) == 10


@given(st.text(alphabet=st.sampled_from('{}[]",:0123quotecandidates \n\\'), max_size=300))
def test_no_answer_makes_the_reader_fall_over(text: str) -> None:
    found = read_answer(text, limit=10)
    assert found is None or len(found) <= 10


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["candidates", "quote", "content", "importance", "message"]), inner)
        ),
        max_leaves=20,
    )
)
def test_no_json_makes_the_reader_fall_over(value: Any) -> None:
    for proposal in read_answer(json.dumps(value), limit=10) or []:
        assert proposal.importance is None or 1 <= proposal.importance <= 10
        assert proposal.confidence is None or 0 <= proposal.confidence <= 1


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{}",
        "[]",
        '{"choices": []}',
        '{"choices": null}',
        '{"choices": [{"message": null}]}',
        '{"choices": [{"message": {"content": null, "refusal": "no"}}]}',
        '{"choices": [{"message": {"content": 7}}]}',
        '{"error": {"message": "overloaded"}}',
        "<html>busy</html>",
        "[" * 100_000,
        "\xff",
        " " * 1_000_001,
    ],
)
def test_what_is_no_completion_is_no_answer(body: str) -> None:
    assert read_body(body.encode("latin-1"), limit=10) is None


def test_text_in_parts_and_odd_token_counts_are_read() -> None:
    parts = [{"type": "text", "text": GOOD[:20]}, {"type": "image"}, {"type": "text", "text": GOOD[20:]}]
    found = read_body(completion(parts, tokens=None).encode(), limit=10)
    assert found is not None
    assert (len(found[0]), found[1]) == (1, 0)
    for usage in ("null", "7", '{"total_tokens": "9"}', '{"total_tokens": -5}', '{"total_tokens": 1e99}'):
        body = completion(GOOD, tokens=None)[:-1] + f', "usage": {usage}}}'
        assert read_body(body.encode(), limit=10) == (found[0], 0)
