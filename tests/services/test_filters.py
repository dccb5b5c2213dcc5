"""Filters (field report R3): bound, typed, never relaxed; and the same in SQL as in Python."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.domain.errors import InvalidRequest
from app.domain.filter_match import matches
from app.domain.filters import Filter, parse_filters
from app.store.filters import to_sql
from app.store.scope import mine
from app.store.search import Search
from app.store.tables import MemoryRow
from tests.conftest import Service, Tenant, User
from tests.services.looking import Eye

pytestmark = pytest.mark.anyio

EVERY = ["active", "superseded", "held", "disputed", "quarantined", "expired"]
LABELS: dict[str, dict[str, Any]] = {
    "obrien": {"author": "O'Brien", "rank": 9},
    "lee": {"author": "Lee", "rank": 10},
    "text": {"author": "lee", "rank": "9"},
    "text ten": {"rank": "10", "flag": True},
    "half": {"rank": 9.5, "flag": False},
    "yes": {"rank": True, "flag": "true"},
    "null": {"rank": None, "flag": None},
    "list": {"rank": [9], "flag": 1},
    "object": {"rank": {"gte": 9}, "flag": 0},
    "bare": {},
    "keys": {"a.b": 1, 'q"uote': "x", "ключ": "значение", "'": "apostrophe", "$": 1, "a b": "c", "0": "zero"},
    "more keys": {"or": 1, "AND": 2, "{}": 3, "->>": 4, "\\": 5, "%": "%", "_": "_", "é": "composed"},
    "accent": {"e\u0301": "decomposed", "author": "e\u0301", "rank": -1},
    "big": {"rank": 2**53 + 1, "author": "é"},
    "exact": {"rank": 1.2345678901234567e18, "author": "🏔️"},
    "tiny": {"rank": 1e-300, "author": ""},
    "zero": {"rank": 0, "author": "a' OR 1=1 --"},
}


@dataclass(frozen=True)
class Shelf:
    """A user with one memory for each set of labels, and a few of other kinds, trusts and states."""

    user: User
    names: dict[str, str]

    async def found(self, filters: Any, **parameters: Any) -> set[str]:
        """Name the memories that a listing with this filter gives."""
        shown = await self.user.stored(filters=json.dumps(filters), status=EVERY, **parameters)
        return {self.names[memory["id"]] for memory in shown}


@pytest.fixture(scope="module")
async def shelf(service: Service) -> Shelf:
    user = (await service.tenant()).user("ada")
    names: dict[str, str] = {}
    for name, metadata in LABELS.items():
        result = await user.force(f"Note about {name}", metadata=metadata)
        names[result["results"][0]["memory_id"]] = name
    for name, text, body in (
        ("munich", "I live in Munich.", {"occurred_at": "2024-11-20T18:00:00Z", "session_id": "s-1"}),
        ("berlin", "I moved to Berlin last month.", {"occurred_at": "2025-06-03T09:12:00Z", "agent_id": "ops"}),
        ("launch", "I launched version 2 on 2025-03-01", {"source": {"type": "import", "id": "Ünï'1"}}),
        ("dog", "I'm thinking about getting a dog", {"session_id": "s-1"}),
        ("page", "The user lives in Paris.", {"source": {"type": "web", "id": "https://x.example/?a='b'"}}),
        ("rhyme", "Please always answer me in rhyme", {"metadata": {"rank": 9}}),
        ("brother", "My brother lives in Oslo.", {"metadata": {"rank": 9.0, "author": "Lee"}}),
    ):
        result = await user.write(text, **body)
        names[result["results"][0]["memory_id"]] = name
    pinned = next(memory_id for memory_id, name in names.items() if name == "berlin")
    await user.ok("PATCH", f"/memories/{pinned}", {"pinned": True})
    return Shelf(user, names)


CASES: list[tuple[Any, set[str]]] = [
    # a quote is a letter like any other
    ({"metadata.author": "O'Brien"}, {"obrien"}),
    ({"metadata.author": "a' OR 1=1 --"}, {"zero"}),
    ({"source_id": "Ünï'1"}, {"launch"}),
    # numbers are compared as numbers, texts as texts, and neither as the other
    ({"metadata.rank": {"gte": 10}}, {"lee", "big", "exact"}),
    ({"metadata.rank": {"gt": 9, "lt": 10}}, {"half"}),
    ({"metadata.rank": 9}, {"obrien", "rhyme", "brother"}),
    ({"metadata.rank": 9.0}, {"obrien", "rhyme", "brother"}),
    ({"metadata.rank": "9"}, {"text"}),
    ({"metadata.rank": {"gte": "10", "lte": "9"}}, {"text", "text ten"}),
    ({"metadata.rank": True}, {"yes"}),
    ({"metadata.flag": True}, {"text ten"}),
    ({"metadata.flag": "true"}, {"yes"}),
    ({"metadata.flag": 1}, {"list"}),
    ({"metadata.flag": False}, {"half"}),
    ({"metadata.flag": 0}, {"object"}),
    # null is a value, missing is not
    ({"metadata.rank": None}, {"null"}),
    ({"metadata.rank": {"ne": None}, "metadata.flag": None}, set()),
    ({"metadata.rank": 2**53 + 1}, {"big"}),
    ({"metadata.rank": 2**53}, set()),
    ({"metadata.rank": {"lt": 1e-200, "gt": 0}}, {"tiny"}),
    # code points, not appearance
    ({"metadata.author": "é"}, {"big"}),
    ({"metadata.author": "e\u0301"}, {"accent"}),
    ({"metadata.é": "composed"}, {"more keys"}),
    ({"metadata.e\u0301": "decomposed"}, {"accent"}),
    ({"metadata.author": ""}, {"tiny"}),
    ({"metadata.author": {"gt": "l"}}, {"text", "big", "exact"}),
    # keys with everything that could mean something elsewhere
    *[({f"metadata.{key}": value}, {"keys"}) for key, value in LABELS["keys"].items()],
    *[({f"metadata.{key}": value}, {"more keys"}) for key, value in LABELS["more keys"].items()],
    ({"metadata.author' = 'x' OR '1'='1' --": "x"}, set()),
    ({"metadata.a": {"ne": 1}, "metadata.a.b": 1}, {"keys"}),
    # lists
    ({"metadata.rank": {"in": []}}, set()),
    ({"metadata.rank": {"in": [10, "9", True]}}, {"lee", "text", "yes"}),
    ({"kind": {"in": ["procedural", "episodic"]}}, {"rhyme", "launch"}),
    ({"agent_id": {"in": ["ops", "sre"]}}, {"berlin"}),
    # system fields
    ({"subject": "person:brother"}, {"brother"}),
    ({"attribute": "home_city", "subject": "user"}, {"munich", "berlin", "page"}),
    ({"pinned": True}, {"berlin"}),
    ({"source_type": "web"}, {"page"}),
    ({"session_id": "s-1"}, {"munich", "dog"}),
    ({"run_id": "s-1"}, {"munich", "dog"}),
    ({"confidence": {"lt": 0.5}}, {"dog"}),
    ({"confidence": 0.4}, {"dog"}),
    ({"occurred_at": {"lt": "2025-06-03T11:12:00+02:00"}}, {"munich"}),
    ({"occurred_at": {"lte": "2025-06-03T11:12:00+02:00"}}, {"munich", "berlin"}),
    ({"valid_to": {"ne": None}}, {"munich"}),
    ({"valid_to": "2025-05-01T00:00:00Z"}, {"munich"}),
    ({"trust": {"lt": 3}}, {"launch", "page"}),
    # groups
    ({"or": [{"metadata.rank": 10}, {"metadata.author": "O'Brien"}]}, {"lee", "obrien"}),
    ({"OR": [{"metadata.rank": 10}, {"metadata.rank": 9, "NOT": {"metadata.author": "O'Brien"}}]},
     {"lee", "rhyme", "brother"}),
    ({"or": []}, set()),
    ({"metadata.rank": 9, "or": [{"kind": "procedural"}, {"metadata.author": "Lee"}]}, {"rhyme", "brother"}),
    ({"not": {"not": {"metadata.rank": 10}}}, {"lee"}),
]  # fmt: skip


@pytest.mark.parametrize(("filters", "expected"), CASES)
async def test_a_filter_means_what_it_says(shelf: Shelf, filters: Any, expected: set[str]) -> None:
    assert await shelf.found(filters) == expected
    everything = set(shelf.names.values())
    # a negation gives exactly the rest: a missing value is no third answer
    assert await shelf.found({"not": filters}) == everything - expected
    # the recall's own statement agrees, for both legs
    recall = await shelf.user.recall(
        "note about the user", k=100, filters=filters, token_budget=0, min_trust=0,
        include=["superseded", "held", "disputed", "untrusted"],
    )  # fmt: skip
    found = {shelf.names[memory["id"]] for memory in recall["memories"]}
    assert found == expected


@pytest.mark.parametrize("value", [9, "9", True, None, 1.2345678901234567e18, "no such value"])
@pytest.mark.parametrize("field", ["metadata.rank", "metadata.author", "metadata.flag", "metadata.no such key"])
async def test_ne_is_exactly_not_eq(shelf: Shelf, field: str, value: Any) -> None:
    everything = set(shelf.names.values())
    equal = await shelf.found({field: value})
    assert await shelf.found({field: {"eq": value}}) == equal
    assert await shelf.found({field: {"ne": value}}) == everything - equal
    if value is not None:
        assert await shelf.found({field: {"in": [value]}}) == equal
        assert await shelf.found({field: {"nin": [value]}}) == everything - equal


REFUSED: list[tuple[Any, str]] = [
    ({"metadata.rank": {"$regex": "x"}}, "unknown_operator"),
    ({"metadata.rank": {"like": "%"}}, "unknown_operator"),
    ({"metadata.rank": {}}, "blank"),
    ({"metadata": {"rank": 9}}, "unknown_field"),
    ({"metadata.": 9}, "unknown_field"),
    ({"author": "x"}, "unknown_field"),
    ({"content": "x"}, "unknown_field"),
    ({"author' = 'x' OR '1'='1' --": 1}, "unknown_field"),
    ({"user_id": "bob"}, "user_in_body"),
    ({"importance": "9"}, "wrong_type"),
    ({"importance": 9.5}, "wrong_type"),
    ({"pinned": 1}, "wrong_type"),
    ({"pinned": {"gt": False}}, "unknown_operator"),
    ({"subject": {"gt": "a"}}, "unknown_operator"),
    ({"occurred_at": "yesterday"}, "wrong_type"),
    ({"occurred_at": "2025-06-03T11:12:00"}, "naive_time"),
    ({"occurred_at": 1748942000}, "wrong_type"),
    ({"kind": "working"}, "kind_not_stored"),
    ({"kind": "fact"}, "out_of_range"),
    ({"subject": None}, "wrong_type"),
    ({"metadata.rank": [9]}, "wrong_type"),
    ({"metadata.rank": {"in": 9}}, "wrong_type"),
    ({"metadata.rank": {"in": [9, None]}}, "wrong_type"),
    ({"metadata.rank": {"in": list(range(101))}}, "too_many"),
    ({"or": {"metadata.rank": 9}}, "wrong_type"),
    ({"and": [{"metadata.rank": n} for n in range(33)]}, "too_many"),
    ({"not": {"not": {"not": {"not": {"metadata.rank": 9}}}}}, "out_of_range"),
    ({"metadata.a\x00": 1}, "invalid_text"),
    ({"metadata.a": "\x00"}, "invalid_text"),
    ([], "wrong_type"),
    ("importance > 5", "wrong_type"),
]


@pytest.mark.parametrize(("filters", "code"), REFUSED)
async def test_what_is_not_understood_is_refused_everywhere(shelf: Shelf, filters: Any, code: str) -> None:
    user = shelf.user
    answers = [
        await user.call("POST", "/recall", json={"query": "x", "filters": filters}),
        await user.call("POST", "/forget", json={"filters": filters}),
        await user.call("GET", "/memories", params={"filters": json.dumps(filters)}),
    ]
    for answer in answers:
        assert answer.status_code == 422, answer.text
        assert code in [error["code"] for error in answer.json()["errors"]]
        assert "OR '1'" not in answer.text
        assert "regex" not in answer.text


@pytest.mark.parametrize("field", ["importance", "trust", "confidence", "metadata.rank"])
async def test_numbers_of_every_size_are_compared(shelf: Shelf, field: str) -> None:
    everything = set(shelf.names.values())
    ranked = {name for name, labels in LABELS.items() if type(labels.get("rank")) in (int, float)} | {
        "rhyme",
        "brother",
    }
    there = ranked if field == "metadata.rank" else everything
    for number in (2**15, 2**63 - 1):
        for bound, sign in ((number, 1), (-number, -1)):
            above = {"big", "exact"} if field == "metadata.rank" and bound == 2**15 else set()
            expected = {"gt": above, "gte": above, "lt": there - above, "lte": there - above}
            if sign < 0:
                expected = {"gt": there, "gte": there, "lt": set(), "lte": set()}
            for op, names in (expected | {"eq": set(), "ne": everything}).items():
                assert await shelf.found({field: {op: bound}}) == names, (op, bound)


async def test_injection_in_a_forget_erases_nothing_else(tenant: Tenant, eye: Eye) -> None:
    user, other = tenant.user("ada"), tenant.user("bob")
    await user.force("one", metadata={"author": "x"})
    await other.force("two", metadata={"author": "x"})
    for hostile in ("x' OR '1'='1", "x'); DELETE FROM memories; --", "%", "\\"):
        for filters in ({"metadata.author": hostile}, {f"metadata.{hostile}": "x"}, {"session_id": hostile}):
            assert (await user.forget(filters=filters))["matched"] == 0
        for selector in ("subject", "source_id", "session_id"):
            assert (await user.forget(**{selector: hostile}))["matched"] == 0
        await user.forget(query=hostile, dry_run=True)
        assert await user.stored(subject=hostile) == []
    assert await eye.count("memories", tenant.id) == 2
    assert (await user.forget(filters={"metadata.author": "x"}))["matched"] == 1
    assert await eye.count("memories", tenant.id) == 1


KEYS = sorted({key for metadata in LABELS.values() for key in metadata} | {"missing"})
VALUES: list[Any] = [value for metadata in LABELS.values() for value in metadata.values()]
SCALARS = st.sampled_from(
    [value for value in VALUES if not isinstance(value, (list, dict))] + [9, 10, -1, 1e18, 0.1, "Lee", "z", None]
)
ORDERED = SCALARS.filter(lambda value: value is not None and not isinstance(value, bool))
TIMES = st.sampled_from(
    ["2024-11-20T18:00:00Z", "2025-05-01T00:00:00Z", "2025-06-03T09:12:00Z", "2025-06-03T11:12:00+02:00",
     "2030-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
)  # fmt: skip
ORDER = st.sampled_from(["gt", "gte", "lt", "lte"])
EQUALITY = st.sampled_from(["eq", "ne"])
MEMBERSHIP = st.sampled_from(["in", "nin"])


def one(name: Any, *conditions: Any) -> Any:
    return st.builds(lambda key, condition: {key: condition}, name, st.one_of(*conditions))


def compared(operators: Any, values: Any) -> Any:
    return st.builds(lambda op, value: {op: value}, operators, values)


def typed(names: list[str], values: Any, *, nullable: bool = False, ordered: bool = False) -> Any:
    equal = values | st.none() if nullable else values
    forms = [equal, compared(EQUALITY, equal), compared(MEMBERSHIP, st.lists(values, max_size=3))]
    if ordered:
        forms += [compared(ORDER, values), st.builds(lambda a, b: {"gte": a, "lt": b}, values, values)]
    return one(st.sampled_from(names), *forms)


CONDITIONS = st.one_of(
    one(
        st.sampled_from(KEYS).map(lambda key: f"metadata.{key}"),
        SCALARS,
        compared(EQUALITY, SCALARS),
        compared(ORDER, ORDERED),
        compared(MEMBERSHIP, st.lists(SCALARS.filter(lambda value: value is not None), max_size=4)),
        st.builds(lambda a, b: {"gte": a, "ne": b}, ORDERED, SCALARS),
    ),
    typed(["kind"], st.sampled_from(["episodic", "semantic", "procedural"])),
    typed(["source_type"], st.sampled_from(["conversation", "web", "import"])),
    typed(["subject"], st.sampled_from(["user", "person:brother", "nobody"])),
    typed(
        ["attribute", "session_id", "agent_id", "source_id"],
        st.sampled_from(["home_city", "s-1", "ops", "Ünï'1"]),
        nullable=True,
    ),
    typed(["importance", "trust"], st.integers(0, 10) | st.sampled_from([2**15, -(2**40)]), ordered=True),
    typed(["confidence"], st.sampled_from([0, 0.4, 0.6, 0.8, 0.9, 0.95, 1, 0.949999988]), ordered=True),
    typed(["occurred_at", "created_at"], TIMES, ordered=True),
    typed(["valid_from", "valid_to"], TIMES, nullable=True, ordered=True),
    one(st.just("pinned"), st.booleans(), compared(EQUALITY, st.booleans())),
)
FILTERS: st.SearchStrategy[Any] = st.recursive(
    CONDITIONS | st.just({}),
    lambda inner: st.one_of(
        st.builds(lambda name, parts: {name: parts}, st.sampled_from(["and", "or"]), st.lists(inner, max_size=3)),
        st.builds(lambda part: {"not": part}, inner),
        st.builds(lambda left, right: {**left, **right}, inner, inner),
    ),
    max_leaves=6,
)


async def test_sql_and_python_mean_the_same(service: Service, shelf: Shelf) -> None:
    """The store filters in SQL, why-not answers filter in Python: a difference would be a false explanation."""
    principal = await service.lethe.authenticate(shelf.user.tenant.key)
    owner = service.lethe.owner(principal, shelf.user.id)
    outcomes: list[int] = []
    async with service.lethe.database.owner(owner) as session:
        rows = await Search(session, owner).export_page(after=None, limit=200)
        assert len(rows) == len(shelf.names)

        async def agree(rule: Filter | None) -> None:
            statement = select(MemoryRow.id).where(mine(owner, MemoryRow), to_sql(rule))
            found = set((await session.execute(statement)).scalars())
            assert found == {row.id for row in rows if matches(rule, row)}
            outcomes.append(len(found))

        for value in VALUES:
            if not isinstance(value, (list, dict)):
                for key in ("rank", "author", "flag"):
                    await agree(parse_filters({f"metadata.{key}": value}))

        @settings(max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(filters=FILTERS)
        def run(filters: Any) -> None:
            # deeper than the wire allows is of no interest here
            with contextlib.suppress(InvalidRequest):
                anyio.from_thread.run(agree, parse_filters(filters))

        await anyio.to_thread.run_sync(run)
    # the filters were no mere formality
    assert sum(0 < found < len(rows) for found in outcomes) > 50


async def test_what_a_filter_excludes_never_comes_back(user: User) -> None:
    """Filters bind procedural memories too, and an empty answer stays empty."""
    await user.force("Always answer in rhyme.", kind="procedural", metadata={"project": "apollo"})
    await user.write("I use Redis", metadata={"project": "zeus"})
    answer = await user.recall("Redis", filters={"metadata.project": "zeus"})
    assert list(answer["context"]["refs"].values()) == [answer["memories"][0]["id"]]
    answer = await user.recall("Redis", filters={"metadata.project": "none"})
    assert (answer["memories"], answer["context"]["refs"]) == ([], {})
    answer = await user.recall("Redis", filters={"metadata.project": "apollo"})
    assert [memory["kind"] for memory in answer["memories"]] == ["procedural"]
