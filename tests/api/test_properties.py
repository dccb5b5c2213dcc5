"""Whatever is sent, nothing ends in a 5xx; whatever the contract allows ends in a 200."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import anyio.from_thread
import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.main import create_app
from app.settings import Settings
from tests.api.double import KEY, KNOWN, ScriptedLethe, opener
from tests.api.shapes import JSON, MEMBERS
from tests.api.test_text import BODIES, SELECTORS

ID = str(KNOWN)
Post = Callable[[str, str, bytes], httpx.Response]
EXAMPLES = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

# every code point, lone surrogates too
TEXT = st.text(st.characters(codec=None, categories=None), max_size=12)
NUMBERS = st.integers() | st.floats() | st.sampled_from([2**63, -(2**63), 10**400, 1e308, -0.0])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
FIELD_NAMES = sorted(
    {name for body in (*BODIES.values(), *SELECTORS) for name in body}
    | {"content", "k", "top_k", "limit", "infer", "force", "importance", "pinned", "everything", "recall_id", "user_id"}
)
CALLS = [*(("POST", path) for path in BODIES), ("POST", f"/memories/{ID}/reject"), ("PATCH", f"/memories/{ID}")]


@pytest.fixture(scope="module")
def post() -> Iterator[Post]:
    options = Settings(_env_file=None, log_level="ERROR")
    app = create_app(options, open_lethe=opener(ScriptedLethe(options)))
    headers = {"Authorization": f"Bearer {KEY}", "X-User-Id": "anna", **JSON}
    transport = httpx.ASGITransport(app)
    with (
        anyio.from_thread.start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
        portal.wrap_async_context_manager(
            httpx.AsyncClient(transport=transport, base_url="http://lethe.test", headers=headers)
        ) as client,
    ):

        async def request(method: str, path: str, body: bytes) -> httpx.Response:
            return await client.request(method, path, content=body)

        yield lambda method, path, body: portal.call(request, method, path, body)


def never_5xx(response: httpx.Response) -> None:
    assert response.status_code < 500, response.text
    if response.status_code != 200:
        assert set(response.json()) == MEMBERS


@EXAMPLES
@given(call=st.sampled_from(CALLS), body=JSON_VALUES)
def test_any_json(post: Post, call: tuple[str, str], body: Any) -> None:
    never_5xx(post(*call, json.dumps(body).encode()))


@EXAMPLES
@given(call=st.sampled_from(CALLS), body=st.dictionaries(st.sampled_from(FIELD_NAMES), JSON_VALUES, max_size=5))
def test_any_value_in_the_right_fields(post: Post, call: tuple[str, str], body: Any) -> None:
    never_5xx(post(*call, json.dumps(body).encode()))


@EXAMPLES
@given(call=st.sampled_from(CALLS), body=st.binary(max_size=200))
def test_any_bytes(post: Post, call: tuple[str, str], body: bytes) -> None:
    never_5xx(post(*call, body))


def inner_places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in ((*path, key), *inner_places(item, (*path, key)))]


@st.composite
def almost_right(draw: st.DrawFn) -> tuple[str, Any]:
    """A valid body with one value replaced by anything."""
    path = draw(st.sampled_from([*BODIES, *["/forget"] * len(SELECTORS)]))
    body: Any = copy.deepcopy(draw(st.sampled_from(SELECTORS)) if path == "/forget" else BODIES[path])
    place = draw(st.sampled_from(inner_places(body)))
    target = body
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = draw(JSON_VALUES)
    return path, body


@EXAMPLES
@given(sent=almost_right())
def test_a_right_body_with_one_thing_wrong(post: Post, sent: tuple[str, Any]) -> None:
    path, body = sent
    never_5xx(post("POST", path, json.dumps(body).encode()))


# --- what the contract allows

STORABLE = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=40)
WORDS = STORABLE.map(lambda text: "a" + text)
TIMES = st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2025, 6, 3), timezones=st.just(UTC)).map(  # noqa: DTZ001 (the zone is given beside it)
    datetime.isoformat
)
KINDS = st.sampled_from(["episodic", "semantic", "procedural"])
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | STORABLE
METADATA = st.dictionaries(STORABLE, SCALARS | st.lists(SCALARS, max_size=3), max_size=5)


def maybe(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Any choice of these fields, null included: it means left out."""
    return st.fixed_dictionaries({}, optional={name: st.none() | value for name, value in fields.items()})


MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "tool", "developer", "function"])},
    optional={
        "content": st.none() | TEXT | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXT})),
        "occurred_at": st.none() | TIMES,
        "name": st.none() | WORDS,
        # not ours, so not looked at
        "tool_calls": st.lists(METADATA, max_size=2),
        "id": SCALARS | TEXT,
    },
)
WRITES = st.builds(
    lambda text, rest: {**rest, **text},
    st.fixed_dictionaries({"content": TEXT})
    | st.fixed_dictionaries({"messages": st.lists(MESSAGES, min_size=1, max_size=5)}),
    maybe(
        session_id=WORDS,
        agent_id=WORDS,
        source=maybe(type=st.sampled_from(["conversation", "document", "web", "tool", "import"]), id=WORDS),
        metadata=METADATA,
        subject=WORDS,
        kind=KINDS,
        attribute=WORDS,
        occurred_at=TIMES,
        derived_from=st.lists(STORABLE, max_size=32),
        infer=st.booleans(),
        dry_run=st.booleans(),
    ),
)
RECALLS = st.builds(
    lambda query, rest: {**rest, "query": query},
    WORDS,
    maybe(
        k=st.integers(1, 100),
        kinds=st.lists(KINDS, min_size=1, max_size=3),
        subject=WORDS,
        min_score=st.floats(0, 1) | st.integers(0, 1),
        min_trust=st.integers(0, 4),
        include=st.lists(st.sampled_from(["superseded", "held", "disputed", "untrusted"]), max_size=4),
        token_budget=st.integers(0, 32_000),
        as_of=st.fixed_dictionaries({"valid_at": TIMES}, optional={"known_at": TIMES}),
        trace=st.booleans(),
    ),
)


@EXAMPLES
@given(body=WRITES)
def test_every_write_that_the_contract_allows_is_taken(post: Post, body: dict[str, Any]) -> None:
    response = post("POST", "/memories/write", json.dumps(body).encode())
    assert response.status_code == 200, response.text


@EXAMPLES
@given(body=RECALLS)
def test_every_recall_that_the_contract_allows_is_taken(post: Post, body: dict[str, Any]) -> None:
    response = post("POST", "/recall", json.dumps(body).encode())
    assert response.status_code == 200, response.text
