"""Query parameters and headers that a request carries beside its body."""

from __future__ import annotations

from urllib.parse import quote

import httpx
import pytest

from app.domain.filters import AllOf, Condition, Op
from tests.api.double import ScriptedLethe
from tests.api.shapes import faults_of

pytestmark = pytest.mark.anyio

# query string, faults
PARAMETERS: list[tuple[str, list[tuple[str, str]]]] = [
    ("limit=0", [("/limit", "out_of_range")]),
    ("limit=201", [("/limit", "out_of_range")]),
    *[(f"limit={bad}", [("/limit", "wrong_type")]) for bad in ("-1", "five", "2.5", "", "1e2", "%D9%A5", "9" * 30)],
    ("limit=1&limit=2", [("/limit", "too_many")]),
    ("kind=working", [("/kind/0", "kind_not_stored")]),
    ("kind=semantic&kind=x", [("/kind/1", "out_of_range")]),
    ("kind=", [("/kind/0", "out_of_range")]),
    ("status=gone", [("/status/0", "out_of_range")]),
    ("subject=", [("/subject", "blank")]),
    ("subject=%00", [("/subject", "invalid_text")]),
    ("session_id=" + "x" * 257, [("/session_id", "out_of_range")]),
    ("source_type=email", [("/source_type", "out_of_range")]),
    ("pinned=1", [("/pinned", "wrong_type")]),
    ("created_after=2025-01-01T00:00:00", [("/created_after", "naive_time")]),
    ("created_before=2025", [("/created_before", "wrong_type")]),
    ("filters=%7B", [("/filters", "wrong_type")]),
    ("filters=%7B%22session_id%22%3A%22%5Cu0000%22%7D", [("/filters/session_id", "invalid_text")]),
    ("kinds=semantic", [("", "unknown_field")]),
    ("user_id=bob", [("", "user_in_body")]),
    ("page=2", [("", "unknown_field")]),
]


@pytest.mark.parametrize(("query", "faults"), PARAMETERS)
async def test_wrong_query_parameters_of_a_listing_are_refused(
    client: httpx.AsyncClient, query: str, faults: list[tuple[str, str]]
) -> None:
    assert faults_of(await client.get(f"/memories?{query}")) == faults


async def test_filters_of_a_listing_join_the_other_parameters(client: httpx.AsyncClient, lethe: ScriptedLethe) -> None:
    filters = quote('{"importance": {"gte": 6}}')
    assert (await client.get(f"/memories?subject=user&filters={filters}")).status_code == 200
    assert lethe.last().filters == AllOf(
        (Condition("subject", False, Op.EQ, "user"), Condition("importance", False, Op.GTE, 6))
    )
    for nothing in ("{}", "null"):
        assert (await client.get(f"/memories?filters={quote(nothing)}")).status_code == 200
        assert lethe.last().filters is None


@pytest.mark.parametrize("key", ["", "a b", "ü", "x" * 256])
async def test_a_malformed_idempotency_key_is_refused(client: httpx.AsyncClient, key: str) -> None:
    headers = {"Idempotency-Key": key.encode("latin-1")}
    response = await client.post("/memories/write", json={"content": "a"}, headers=headers)  # type: ignore[arg-type]
    assert faults_of(response) == [("", "out_of_range")]
