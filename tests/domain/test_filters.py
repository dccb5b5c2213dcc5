"""The filter grammar, what a filter means, and that nothing gets past it (field report R3)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import InvalidRequest
from app.domain.filter_match import matches
from app.domain.filters import AllOf, AnyOf, Condition, Not, Op, parse_filters
from app.domain.memory import Kind, Source, SourceType
from tests.domain.shelf import memory

ROW = memory(
    kind=Kind.SEMANTIC,
    attribute=None,
    importance=6,
    confidence=0.9,
    pinned=True,
    source=Source(SourceType.DOCUMENT, "doc-1"),
    session_id="chat-812",
    valid_from=datetime(2025, 5, 1, tzinfo=UTC),
    metadata={"author": "O'Brien", "rank": 9, "draft": False, "none": None, "tags": ["a"], "n": 1, "when": "2025-05"},
)


def faults(value: object, **options: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequest) as caught:
        parse_filters(value, **options)
    return [(error.pointer, error.code) for error in caught.value.errors]


def test_the_contract_example_is_read() -> None:
    read = parse_filters(
        {
            "metadata.project": "apollo",
            "importance": {"gte": 6},
            "or": [{"session_id": "chat-812"}, {"agent_id": {"in": ["ops", "sre"]}}],
        }
    )
    assert read == AllOf(
        (
            Condition("project", True, Op.EQ, "apollo"),
            Condition("importance", False, Op.GTE, 6),
            AnyOf(
                (
                    Condition("session_id", False, Op.EQ, "chat-812"),
                    Condition("agent_id", False, Op.IN, ("ops", "sre")),
                )
            ),
        )
    )


@pytest.mark.parametrize(
    ("rule", "passes"),
    [
        ({"kind": "semantic"}, True),
        ({"kind": {"ne": "semantic"}}, False),
        ({"kind": {"in": ["episodic", "procedural"]}}, False),
        ({"importance": {"gte": 6, "lt": 7}}, True),
        ({"importance": {"gt": 6}}, False),
        ({"confidence": {"lte": 0.9}}, True),
        ({"pinned": True}, True),
        ({"source_type": "document", "source_id": "doc-1"}, True),
        ({"run_id": "chat-812"}, True),
        ({"valid_from": {"lt": "2025-05-01T01:00:00+02:00"}}, False),
        ({"valid_from": {"lte": "2025-05-01T02:00:00+02:00"}}, True),
        # a null is equal to null only; it is neither less nor greater
        ({"attribute": None}, True),
        ({"attribute": {"ne": "home_city"}}, True),
        ({"valid_to": {"lt": "2030-01-01T00:00:00Z"}}, False),
        ({"not": {"valid_to": {"lt": "2030-01-01T00:00:00Z"}}}, True),
        # metadata is compared by JSON type
        ({"metadata.author": "O'Brien"}, True),
        ({"metadata.rank": {"gte": 10}}, False),  # as text 9 would be greater
        ({"metadata.rank": "9"}, False),
        ({"metadata.rank": 9.0}, True),
        ({"metadata.n": True}, False),
        ({"metadata.draft": False}, True),
        ({"metadata.draft": 0}, False),
        ({"metadata.missing": None}, False),
        ({"metadata.none": None}, True),
        ({"metadata.missing": {"ne": 1}}, True),
        ({"metadata.missing": {"nin": [1, 2]}}, True),
        ({"metadata.rank": {"ne": "9"}}, True),
        ({"metadata.when": {"gte": "2025-01"}}, True),
        ({"metadata.rank": {"lt": "a"}}, False),
        ({"metadata.tags": "a"}, False),
        # lists and connectives
        ({"session_id": {"in": []}}, False),
        ({"session_id": {"nin": []}}, True),
        ({"or": []}, False),
        ({"OR": [{"importance": 1}, {"NOT": {"importance": 1}}]}, True),
        ({"AND": [{"importance": 6}, {"pinned": False}]}, False),
        ({"not": {"session_id": {"in": []}}}, True),
        ({}, True),
    ],
)
def test_a_filter_means_what_it_says(rule: dict[str, Any], passes: bool) -> None:
    assert matches(parse_filters(rule), ROW) is passes


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ({"colour": "red"}, ("/filters", "unknown_field")),
        ({"metadata": {"a": 1}}, ("/filters", "unknown_field")),
        ({"metadata.": 1}, ("/filters", "unknown_field")),
        ({"memory_type": "semantic"}, ("/filters", "unknown_field")),
        ({"author' = 'x' OR '1'='1' --": 1}, ("/filters", "unknown_field")),
        ({"user_id": "bob"}, ("/filters", "user_in_body")),
        ({"or": [{"user_id": "bob"}]}, ("/filters/or/0", "user_in_body")),
        ({"importance": {"$regex": "x"}}, ("/filters/importance", "unknown_operator")),
        ({"subject": {"gt": "a"}}, ("/filters/subject", "unknown_operator")),
        ({"metadata.a": {"b": 1}}, ("/filters", "unknown_operator")),
        ({"importance": {}}, ("/filters/importance", "blank")),
        ({"importance": "6"}, ("/filters/importance", "wrong_type")),
        ({"importance": 6.5}, ("/filters/importance", "wrong_type")),
        ({"importance": True}, ("/filters/importance", "wrong_type")),
        ({"importance": {"gte": None}}, ("/filters/importance/gte", "wrong_type")),
        ({"importance": None}, ("/filters/importance", "wrong_type")),
        ({"importance": [1]}, ("/filters/importance", "wrong_type")),
        ({"importance": {"in": 1}}, ("/filters/importance/in", "wrong_type")),
        ({"importance": {"in": [1, "2"]}}, ("/filters/importance/in", "wrong_type")),
        ({"importance": 10**30}, ("/filters/importance", "out_of_range")),
        ({"confidence": float("nan")}, ("/filters/confidence", "out_of_range")),
        ({"pinned": "true"}, ("/filters/pinned", "wrong_type")),
        ({"pinned": {"gt": False}}, ("/filters/pinned", "unknown_operator")),
        ({"kind": "working"}, ("/filters/kind", "kind_not_stored")),
        ({"kind": "fact"}, ("/filters/kind", "out_of_range")),
        ({"source_type": "blog"}, ("/filters/source_type", "out_of_range")),
        ({"occurred_at": "2025-06-03T09:12:00"}, ("/filters/occurred_at", "naive_time")),
        ({"occurred_at": "yesterday"}, ("/filters/occurred_at", "wrong_type")),
        ({"occurred_at": "2025-02-30T00:00:00Z"}, ("/filters/occurred_at", "out_of_range")),
        ({"occurred_at": "0001-01-01T00:00:00+14:00"}, ("/filters/occurred_at", "out_of_range")),
        ({"metadata.a": {"gt": True}}, ("/filters", "wrong_type")),
        ({"metadata.a\x00": 1}, ("/filters", "invalid_text")),
        ({"metadata.a": "\ud800"}, ("/filters", "invalid_text")),
        ({"subject": "\x00"}, ("/filters/subject", "invalid_text")),
        ({"session_id": "a", "run_id": "a"}, ("/filters", "alias_conflict")),
        ({"or": [], "OR": []}, ("/filters", "alias_conflict")),
        ({"or": {}}, ("/filters/or", "wrong_type")),
        ({"or": [1]}, ("/filters/or/0", "wrong_type")),
        ({"not": []}, ("/filters/not", "wrong_type")),
        ([], ("/filters", "wrong_type")),
        ("x", ("/filters", "wrong_type")),
        ({"session_id": {"in": ["a"] * 101}}, ("/filters/session_id/in", "too_many")),
        ({"and": [{"importance": 1}] * 33}, ("/filters/and", "too_many")),
        ({"not": {"not": {"not": {"not": {"importance": 1}}}}}, ("/filters/not/not/not/not", "out_of_range")),
    ],
)
def test_what_is_wrong_is_said_where_it_is(rule: object, fault: tuple[str, str]) -> None:
    assert fault in faults(rule)


def test_pointers_never_hold_the_callers_text() -> None:
    rule = {"metadata.s3cret": {"s3cret": 1}, "s3cret": 1, "or": [{"metadata.s3cret": [1]}]}
    with pytest.raises(InvalidRequest) as caught:
        parse_filters(rule)
    assert "s3cret" not in repr(caught.value.errors)


def test_the_clause_limit_counts_over_the_whole_tree() -> None:
    assert parse_filters({"or": [{"importance": 1, "trust": 1}] * 16}) is not None
    assert ("/filters/or/16/importance", "too_many") in faults({"or": [{"importance": 1, "trust": 1}] * 17})


@pytest.mark.parametrize(
    "rule",
    [None, {}, {"and": []}, {"and": [{}]}, {"or": [{}]}, {"session_id": {"nin": []}}, {"not": {"or": []}}],
)
def test_what_restricts_nothing_is_refused_where_it_selects_what_is_erased(rule: object) -> None:
    assert parse_filters(rule) is None
    assert faults(rule, allow_empty=False) == [("/filters", "blank")]


def test_double_negation_and_pointer_prefix() -> None:
    assert parse_filters({"not": {"pinned": True}}) == Not(Condition("pinned", False, Op.EQ, True))
    assert faults({"a": 1}, pointer="/selector")[0][0] == "/selector"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["and", "or", "not", "AND", "importance", "kind", "occurred_at", "metadata.a", "gte", "in", "ne", "eq"]
            )
            | st.text(max_size=8),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@settings(deadline=None)
@given(JSON, st.booleans())
def test_any_json_gives_a_filter_or_a_refusal(value: object, allow_empty: bool) -> None:
    try:
        read = parse_filters(value, allow_empty=allow_empty)
    except InvalidRequest as refused:
        faulty = refused.errors
    else:
        assert allow_empty or read is not None
        assert matches(read, ROW) in (True, False)
        json.dumps(value)  # what was accepted is plain JSON
        return
    assert 1 <= len(faulty) <= 20
    assert all(error.pointer.startswith("/filters") for error in faulty)


@settings(deadline=None)
@given(JSON)
def test_a_negated_filter_matches_exactly_the_rest(value: object) -> None:
    try:
        read, negated = parse_filters(value), parse_filters({"not": value})
    except InvalidRequest:
        return
    assert matches(read, ROW) is not matches(negated, ROW)
