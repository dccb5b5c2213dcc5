"""The same searches on other libraries: an environment of their own, their own tables, the same rows and vectors."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.progress import Progress
from benchmarks.service import StartFault
from benchmarks.speed.data import Person, Step
from benchmarks.speed.given import running
from benchmarks.speed.load import connected, size_of, without_indexes
from benchmarks.speed.measure import HTTP, Bench, K, make_key, posting, reference, serving
from benchmarks.speed.timing import Found, Search, all_at_once, in_turns, told
from benchmarks.speed.wire import Wire, wires

NAMES: Final = ("langgraph", "mem0")
PINS: Final = (
    "mem0ai==2.2.1",
    "langgraph-checkpoint-postgres==3.2.0",
    "langgraph-checkpoint==4.3.2",
    "psycopg[binary,pool]==3.3.9",
    "pgvector==0.5.1",
    "fastapi==0.165.0",
    "uvicorn==0.54.0",
)
LANGGRAPH: Final = "LangGraph AsyncPostgresStore, in process"
MEM0: Final = "mem0 without HNSW, in process"
MEM0_HTTP: Final = "mem0 without HNSW, thin HTTP app"
MEM0_SHIPPED: Final = "mem0 as shipped (HNSW), in process"
_ROOT: Final = Path(__file__).parent.parent.parent
_SCHEMA: Final = "lethe_bench_peers"
_MEM0_HNSW: Final = "mem0_hnsw_idx"
_FILL: Final = {
    "langgraph": (
        ("store", "store_vectors"),
        (
            "insert into store (prefix, key, value, created_at, updated_at) "
            "select tenant_id || '.' || user_id, id::text, "
            "jsonb_build_object('text', content), created_at, updated_at from public.memories",
            "insert into store_vectors (prefix, key, field_name, embedding, created_at, updated_at) "
            "select tenant_id || '.' || user_id, id::text, 'text', embedding::vector, created_at, updated_at "
            "from public.memories",
        ),
    ),
    "mem0": (
        ("mem0",),
        (
            "insert into mem0 (id, vector, payload) select id, embedding::vector, jsonb_build_object("
            "'data', content, 'hash', md5(content), 'created_at', created_at, 'updated_at', updated_at, "
            "'text_lemmatized', content, 'user_id', tenant_id || ':' || user_id) from public.memories",
        ),
    ),
}


def environment(cache: Path, progress: Progress) -> Path:
    """Give the Python of the peers' environment; made in the cache folder when it is not there yet.

    Raises:
        StartFault: The packages cannot be installed.
    """
    label = hashlib.sha256("\n".join([sys.version, *PINS]).encode()).hexdigest()[:12]
    folder = cache / f"peers-{label}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        with progress.phase("installing the peers", 1) as advance:
            shutil.rmtree(folder, ignore_errors=True)
            folder.parent.mkdir(parents=True, exist_ok=True)
            for command in (
                [sys.executable, "-m", "venv", str(folder)],
                [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PINS],
            ):
                done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # fixed words
                if done.returncode:
                    raise StartFault(f"the peers cannot be installed:\n{done.stderr[-2000:]}")
            (folder / "complete").touch()
            advance(1)
    return python


async def beside(
    bench: Bench,
    step: Step,
    names: Sequence[str],
    python: Path,
    owner_url: str,
    progress: Progress,
    save: Callable[[], None],
    cell: dict[str, Any],
) -> None:
    """Fill the peers' tables with the store's rows and search them, beside Lethe over HTTP, into `cell`."""
    people = step.probes[reference(step)]
    keys = await make_key(bench, step)
    try:
        for name in names:
            with progress.phase(f"{step.total:,} memories, {name}", 1) as advance:
                with serving(bench, asked=bench.asked) as address:
                    async with wires(address, 1) as (wire,):
                        ours = posting(wire, keys, people, bench.asked)
                        run = _langgraph if name == "langgraph" else _mem0
                        await run(bench, people, python, owner_url, ours, cell)
                advance(1)
            save()
    finally:
        async with connected(owner_url) as connection:
            await connection.execute(f"drop schema if exists {_SCHEMA} cascade")


async def _langgraph(
    bench: Bench, people: Sequence[Person], python: Path, owner_url: str, ours: Search, cell: dict[str, Any]
) -> None:
    await _schema(owner_url)
    file = _tell(bench, people, owner_url, hnsw=True)
    async with _adapter(python, "langgraph_search", file) as adapter:
        await adapter.ask({"do": "setup"})
        cell["bytes"]["langgraph"] = await _fill(owner_url, "langgraph")
        cell["as_shipped"][LANGGRAPH] = await adapter.long(bench.long)
        cell["in_turns"]["langgraph"] = await in_turns({HTTP: ours, LANGGRAPH: adapter.search}, bench.limits, k=K)


async def _mem0(
    bench: Bench, people: Sequence[Person], python: Path, owner_url: str, ours: Search, cell: dict[str, Any]
) -> None:
    await _schema(owner_url)
    file = _tell(bench, people, owner_url, hnsw=True)
    async with _adapter(python, "mem0_search", file) as adapter:
        await adapter.ask({"do": "setup"})
        cell["bytes"]["mem0"] = await _fill(owner_url, "mem0")
        cell["as_shipped"][MEM0_SHIPPED] = await adapter.long(bench.long)
    async with connected(_dsn(owner_url)) as connection:
        # what its table is without `hnsw`
        await connection.execute(f"drop index {_SCHEMA}.{_MEM0_HNSW}")
        await connection.execute(f"vacuum (analyze) {_SCHEMA}.mem0")
    file = _tell(bench, people, owner_url, hnsw=False)
    command = [str(python), "-m", "benchmarks.peers.mem0_serve", str(file)]
    with running(command, bench.folder / "mem0.log", _clean(), cwd=_ROOT) as address:
        async with _adapter(python, "mem0_search", file) as adapter, wires(address, max(bench.clients)) as opened:
            searches = [_posting_mem0(wire, people, bench) for wire in opened]
            ways = {HTTP: ours, MEM0: adapter.search, MEM0_HTTP: searches[0]}
            cell["in_turns"]["mem0"] = await in_turns(ways, bench.limits, k=K)
            cell["load"][MEM0_HTTP] = [
                await all_at_once(searches[:count], bench.limits.seconds, k=K) for count in bench.clients
            ]


def _posting_mem0(wire: Wire, people: Sequence[Person], bench: Bench) -> Search:
    async def search(number: int) -> int:
        person = people[number % len(people)]
        asked = {
            "query": bench.asked[number % len(bench.asked)].text,
            "k": K,
            "tenant": person.tenant_id,
            "user": person.user_id,
        }
        return len((await wire.post("/search", asked, {}))["results"])

    return search


class _Adapter:
    """A running adapter."""

    def __init__(self, into: asyncio.StreamWriter, out: asyncio.StreamReader, name: str, log: Path) -> None:
        self._into = into
        self._out = out
        self._name = name
        self._log = log

    async def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        """Have one command carried out."""
        self._into.write(json.dumps(command).encode() + b"\n")
        line = await self._out.readline()
        if not line:
            raise StartFault(f"the adapter {self._name} ended:\n{self._log.read_text()[-2000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def search(self, number: int) -> Found:
        """Search once, timed by the adapter: the way to it is no part of the library."""
        answer = await self.ask({"do": "search", "from": number, "to": number + 1})
        return Found(answer["rows"][0], answer["seconds"][0])

    async def long(self, count: int) -> dict[str, Any]:
        """Search many times on one connection: how long it takes, and how many searches gave all rows."""
        answer = await self.ask({"do": "search", "from": 0, "to": count})
        rows: list[int] = answer["rows"]
        return told(answer["seconds"]) | {
            "full": round(sum(found == K for found in rows) / count, 4),
            "rows": round(sum(rows) / count / K, 4),
            "rows_first_ten": round(sum(rows[:10]) / min(10, count) / K, 4),
        }


@asynccontextmanager
async def _adapter(python: Path, module: str, file: Path) -> AsyncIterator[_Adapter]:
    log = file.with_name(f"{module}.log")
    with log.open("w") as errors:
        process = await asyncio.create_subprocess_exec(
            str(python),
            *("-m", f"benchmarks.peers.{module}", str(file)),
            cwd=_ROOT,
            env=_clean(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            limit=1 << 24,
        )
        if process.stdin is None or process.stdout is None:
            raise StartFault("an adapter has no pipes")
        try:
            yield _Adapter(process.stdin, process.stdout, module, log)
        finally:
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), 10)
            except TimeoutError:
                process.kill()
                await process.wait()


def _clean() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LETHE_", "PYTHON"))}
    return kept | {"PYTHONPATH": str(_ROOT)}


def _dsn(owner_url: str) -> str:
    return owner_url.partition("?")[0]


def _tell(bench: Bench, people: Sequence[Person], owner_url: str, *, hnsw: bool) -> Path:
    file = bench.folder / "peers.json"
    file.touch(mode=0o600)
    body = {
        "dsn": f"{_dsn(owner_url)}?options=-csearch_path%3D{_SCHEMA}%2Cpublic",
        "folder": str(bench.folder),
        "dimension": bench.embedder.dimension,
        "k": K,
        "hnsw": hnsw,
        "users": [[person.tenant_id, person.user_id] for person in people],
        "texts": [question.text for question in bench.asked],
        "vectors": {question.text: question.vector for question in bench.asked},
    }
    file.write_text(json.dumps(body), encoding="utf-8")
    return file


async def _schema(owner_url: str) -> None:
    async with connected(owner_url) as connection:
        await connection.execute(f"drop schema if exists {_SCHEMA} cascade; create schema {_SCHEMA}")


async def _fill(owner_url: str, name: str) -> int:
    """Copy the store's rows into a peer's tables, its indexes built afterwards; gives the bytes they take."""
    tables, statements = _FILL[name]
    async with connected(owner_url) as connection:
        await connection.execute(f"set search_path to {_SCHEMA}, public")
        async with connection.transaction():
            await connection.execute("set local maintenance_work_mem = '2GB'")
            await connection.execute("alter table public.memories no force row level security")
            async with without_indexes(connection, tables, apart=True):
                for statement in statements:
                    await connection.execute(statement)
            await connection.execute("alter table public.memories force row level security")
        for table in tables:
            await connection.execute(f"vacuum (analyze) {table}")
        return await size_of(connection, *tables)
