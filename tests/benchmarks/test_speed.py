"""The speed benchmark on a store of a few hundred memories: its shape, and that nothing is missing. No timings."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from app.cli import app
from app.domain.indexing import indexed_terms
from app.embedded import Addresses
from app.services.sealing import Sealing
from app.store.migrate import migrate
from app.store.tables import USER_TABLES
from benchmarks.speed import measure, peers
from benchmarks.speed.command import Options, run_speed
from benchmarks.speed.data import Step, memories, plan, questions
from benchmarks.speed.floor import packed
from benchmarks.speed.load import connected, load
from benchmarks.speed.report import put_into, sheets, to_markdown
from benchmarks.speed.targets import targets
from benchmarks.speed.timing import Found, Limits, all_at_once, in_turns, told
from tests.conftest import THROW_AWAY, throw_away_postgres

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "speed.json"
NOW = datetime(2026, 1, 1, tzinfo=UTC)

pytestmark = pytest.mark.timeout(240)


def quiet() -> Console:
    return Console(file=io.StringIO())


def test_a_tiny_run_measures_every_way_and_loses_no_row(tmp_path: Path) -> None:
    options = Options(
        stores=(400,),
        owners=(20, 100),
        clients=(1, 2),
        limits=Limits(searches=10, seconds=1.0),
        peers=(),
        long=40,
        postgres=THROW_AWAY,
        json_file=tmp_path / "speed.json",
        markdown_file=tmp_path / "speed.md",
    )
    out = quiet()
    err = io.StringIO()
    assert run_speed(options, out=out, err=Console(file=err)) == 0, err.getvalue()
    results = json.loads((tmp_path / "speed.json").read_text())
    assert results["complete"]
    assert not results["faults"]
    assert [cell["store"] for cell in results["stores"]] == [400]
    assert results["peers"] == []
    for cell in results["stores"]:
        assert cell["complete"] == {"searches": 40, "share": 1.0}
        for rows in ("20", "100"):
            ways = cell["in_process"][rows]
            assert list(ways) == [
                measure.FLOOR,
                measure.BARE,
                measure.SERVICE,
                measure.CONTEXT,
                measure.EMBED,
                measure.EMBEDDED,
            ]
            over_http = cell["over_http"][rows]
            assert {measure.HTTP, measure.HTTP_CONTEXT} <= set(over_http)
            for figures in (*ways.values(), *over_http.values()):
                assert figures["n"] == 10
                assert figures["full"] == 1.0
        for name in (measure.HTTP, measure.HTTP_EMBEDDED):
            assert [row["clients"] for row in cell["load"][name]] == [1, 2]
            assert all(row["full"] == 1.0 for row in cell["load"][name])
    judged = [row["name"] for row in results["targets"]]
    assert "complete after 40 searches on one connection, owner of 100 in 400" in judged
    assert (tmp_path / "speed.md").read_text() == to_markdown(results)
    printed = out.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert all(sheet.title.split(",")[0] in printed for sheet in sheets(results))


def test_options_that_make_no_sense_are_refused_before_anything_starts() -> None:
    for options in (
        Options(stores=(10,)),
        Options(stores=(100,), owners=(80,)),
        Options(clients=(0,)),
        Options(peers=("another",)),
        Options(database_url="postgresql://app@127.0.0.1:1/x"),
    ):
        assert run_speed(options, out=quiet(), err=quiet()) == 2
    assert CliRunner().invoke(app, ["bench", "speed", "--stores", "many"]).exit_code == 2


@pytest.fixture(scope="module")
def addresses() -> Iterator[Addresses]:
    with throw_away_postgres(major=18) as found:
        asyncio.run(migrate(found.owner_url, app_role="lethe_app"))
        yield found


def step_of(number: int, *, store: int = 400) -> Step:
    """A step of its own people; numbers keep tests apart in one database."""
    (step,) = plan([store], [20, 50])
    people = {
        person: type(person)(f"{person.tenant_id}-{number}", person.user_id, person.rows) for person in step.people
    }
    probes = {rows: tuple(people[person] for person in found) for rows, found in step.probes.items()}
    return Step(number, step.total, tuple(people.values()), probes)


async def shape(connection: Any) -> list[tuple[Any, ...]]:
    """Indexes, constraints and walls of the tables that are loaded."""
    tables = ["tenants", *USER_TABLES]
    indexes = await connection.fetch("select indexname, indexdef from pg_indexes where tablename = any($1)", tables)
    constraints = await connection.fetch(
        "select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid::regclass::text = any($1)", tables
    )
    walls = await connection.fetch(
        "select relname, relrowsecurity, relforcerowsecurity from pg_class where relname = any($1)", tables
    )
    return sorted(tuple(row) for row in (*indexes, *constraints, *walls))


@pytest.mark.parametrize("rebuild_from", [1, 10_000])
def test_loading_leaves_the_tables_as_the_migrations_made_them(addresses: Addresses, rebuild_from: int) -> None:
    step = step_of(rebuild_from)
    loaded: list[int] = []

    async def work() -> None:
        async with connected(addresses.owner_url) as connection:
            before = await shape(connection)
            await load(
                addresses.owner_url,
                step,
                sealing=Sealing(addresses.secret_key),
                model="m",
                dimension=8,
                now=NOW,
                advance=loaded.append,
                rebuild_from=rebuild_from,
            )
            assert await shape(connection) == before
        async with connected(addresses.superuser_url) as connection:
            counts = await connection.fetch(
                "select tenant_id, user_id, count(*) as n, count(distinct content_key) as texts from memories "
                "join memory_counters using (tenant_id, user_id) where memory_id = id group by 1, 2"
            )
            found = {(row["tenant_id"], row["user_id"]): (row["n"], row["texts"]) for row in counts}
            for person in step.people:
                assert found[person.tenant_id, person.user_id] == (person.rows, person.rows)
            row = await connection.fetchrow(
                "select subject, content, terms, tsv is not null as indexed from memories where tenant_id = $1",
                step.people[0].tenant_id,
            )
            assert row["indexed"]
            assert row["terms"] == indexed_terms(row["subject"], row["content"])

    asyncio.run(work())
    assert sum(loaded) == step.rows


def test_the_same_seed_gives_the_same_rows_and_another_step_gives_others() -> None:
    (step,) = plan([300], [20])
    first, again = (list(memories(step, dimension=8, model="m", now=NOW)) for _ in range(2))
    assert first == again
    told = [(row["user_id"], row["session_id"], row["session_ordinal"]) for chunk in first for row in chunk]
    assert len(set(told)) == step.rows
    one = step.people[0]
    assert [place for user, session, place in told if (user, session) == (one.user_id, f"{one.user_id}-0")] == list(
        range(10)
    )
    later = Step(1, step.total, step.people, step.probes)
    others = list(memories(later, dimension=8, model="m", now=NOW))
    assert {row["id"] for chunk in first for row in chunk}.isdisjoint(row["id"] for chunk in others for row in chunk)


def test_a_plan_gives_every_asked_size_its_people_and_fills_each_store_exactly() -> None:
    steps = plan([100_000, 10_000], [100, 1000, 10_000])
    assert [step.total for step in steps] == [10_000, 100_000]
    assert [step.rows for step in steps] == [10_000, 90_000]
    assert set(steps[0].probes) == {100, 1000}
    assert set(steps[1].probes) == {100, 1000, 10_000}
    for step in steps:
        for rows, people in step.probes.items():
            assert all(person.rows == rows for person in people)
        others = [person.rows for person in step.people if person not in {p for ps in step.probes.values() for p in ps}]
        assert sum(rows > 140 for rows in others) == 0
    assert len({person.user_id for step in steps for person in step.people}) == sum(len(step.people) for step in steps)


def test_questions_are_different_texts_with_unit_vectors() -> None:
    asked = questions(50, dimension=16)
    assert len({question.text for question in asked}) == 50
    for question in asked:
        assert sum(x * x for x in question.vector) == pytest.approx(1.0, abs=1e-5)
        assert len(packed(question.vector)) == 4 + 2 * 16


def test_percentiles_are_times_that_were_measured() -> None:
    figures = told([n / 1000 for n in range(1, 101)])
    assert (figures["n"], figures["p5"], figures["p50"], figures["p95"], figures["p99"]) == (100, 5, 50, 95, 99)
    assert told([0.002])["p99"] == 2


def test_a_search_with_too_few_rows_counts_as_not_full() -> None:
    async def every_other(number: int) -> int:
        return 10 if number % 2 else 9

    async def elsewhere(number: int) -> Found:
        return Found(10, 0.25)

    async def work() -> None:
        found = await in_turns({"a": every_other, "b": elsewhere}, Limits(searches=20, seconds=5), k=10)
        assert (found["a"]["full"], found["b"]["full"]) == (0.5, 1.0)
        # timed where it ran
        assert found["b"]["p50"] == 250
        busy = await all_at_once([every_other, every_other], 0.01, k=10)
        assert busy["clients"] == 2
        assert busy["full"] < 1.0

    asyncio.run(work())


def test_a_client_that_fails_ends_the_load() -> None:
    async def broken(number: int) -> int:
        raise OSError("gone")

    async def work() -> None:
        await all_at_once([broken, broken], 5, k=10)

    with pytest.raises(OSError, match="gone"):
        asyncio.run(work())


def results_of(**p50: float) -> dict[str, Any]:
    """Results with two stores and both peers."""
    ways = {
        name: {"p50": p50.get(key, 1.0), "p5": 1.0}
        for name, key in (
            (measure.FLOOR, "floor"),
            (measure.BARE, "bare"),
            (measure.SERVICE, "service"),
            (measure.CONTEXT, "context"),
            (measure.EMBED, "embed"),
            (measure.EMBEDDED, "embedded"),
        )
    }
    cells = [
        {"store": store, "reference": 100, "in_process": {"100": ways}, "complete": {"searches": 1000, "share": 1.0}}
        for store in (10_000, 1_000_000)
    ]
    beside = {
        "store": 10_000,
        "in_turns": {
            "langgraph": {
                measure.HTTP: {"p50": p50.get("http", 1.0), "p5": 0.5},
                peers.LANGGRAPH: {"p50": 2.0, "p5": 2.0},
            },
            "mem0": {
                measure.HTTP: {"p50": 1.0, "p5": 0.5},
                peers.MEM0: {"p50": 3.0, "p5": 2.0},
                peers.MEM0_HTTP: {"p50": 2.9, "p5": 2.0},
            },
        },
        "as_shipped": {peers.LANGGRAPH: {"rows": 1.0}, peers.MEM0_SHIPPED: {"rows": 0.5}},
    }
    return {"stores": cells, "peers": [beside]}


def test_targets_are_judged_on_ratios() -> None:
    rows = targets(results_of(floor=1.0, service=3.5, embed=9.0, embedded=14.1, http=1.3))
    judged = {row["name"]: (row["value"], row["met"]) for row in rows}
    assert judged["service to floor, owner of 100 in 10,000"] == (3.5, True)
    assert judged["service with embedding to embedding + floor, owner of 100 in 1,000,000"] == (1.41, False)
    assert judged["service, 1,000,000 to 10,000 memories"] == (1.0, True)
    assert judged["Lethe over HTTP to LangGraph in process, in 10,000"] == (0.65, False)
    assert judged[f"{peers.MEM0}, to Lethe over HTTP, in 10,000"] == (3.0, True)
    assert judged[f"{peers.MEM0_HTTP}, to Lethe over HTTP, in 10,000"] == (2.9, False)
    quiet = {row["name"]: row["quiet"] for row in rows}
    assert quiet["Lethe over HTTP to LangGraph in process, in 10,000"] == 0.25
    assert quiet["service with embedding to embedding + floor, owner of 100 in 10,000"] == 0.5
    assert judged[f"{peers.MEM0_SHIPPED}: share of the rows, in 10,000"] == (0.5, None)


def test_an_interrupted_run_is_judged_on_what_it_has() -> None:
    assert targets({}) == []
    assert targets({"stores": [{"store": 10, "reference": 5, "in_process": {}}], "peers": []}) == []


def test_the_tables_of_the_document_are_those_of_the_results_file() -> None:
    document = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert results["complete"]
    assert not results["faults"]
    assert put_into(document, results) == document
