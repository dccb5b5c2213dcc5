"""What is measured at one size of the store: the floor, the service in process, and the service over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from app.domain.caller import Owner, Scope
from app.domain.commands import RecallCommand
from app.domain.memory import TenantPolicy
from app.metrics import Metrics
from app.providers.ports import Embedder
from app.services.embedding import Embedding
from app.services.recall import RecallService
from app.services.sealing import Sealing
from app.services.tenancy import Tenancy
from app.store.database import Database
from benchmarks.progress import Progress
from benchmarks.speed.data import Person, Question, Step
from benchmarks.speed.floor import floor
from benchmarks.speed.given import GivenVectors, served
from benchmarks.speed.timing import Limits, Search, all_at_once, in_turns
from benchmarks.speed.wire import Wire, wires

K: Final = 10
FLOOR: Final = "floor"
BARE: Final = "floor, statement alone"
SERVICE: Final = "service"
CONTEXT: Final = "service, with the context block"
EMBED: Final = "embedding alone"
EMBEDDED: Final = "service, with embedding"
HTTP: Final = "HTTP, vector given"
HTTP_CONTEXT: Final = "HTTP, vector given, with the context block"
HTTP_EMBEDDED: Final = "HTTP, with embedding"


@dataclass(frozen=True)
class Bench:
    """What a run has at hand.

    Attributes:
        app_url: The loaded database, as the app role.
        secret_key: What owners and keys are derived with.
        folder: For files of the run.
        embedder: The bundled model.
        asked: The queries with their vectors.
        limits: When a figure is good enough.
        clients: How many clients search at once, in turn.
        long: Searches on one connection that must all be complete.
        durable: False lets a server with fsync off pass; for tests.
    """

    app_url: str
    secret_key: str
    folder: Path
    embedder: Embedder
    asked: Sequence[Question]
    limits: Limits
    clients: Sequence[int]
    long: int = 1000
    durable: bool = True

    @property
    def sealing(self) -> Sealing:
        """Give what owners and keys are derived with."""
        return Sealing(self.secret_key)

    def owners(self, people: Sequence[Person]) -> list[Owner]:
        """Name people as the service names them."""
        return [self.sealing.owner(person.tenant_id, person.user_id) for person in people]

    def given(self) -> GivenVectors:
        """Give an embedder that looks the queries up."""
        vectors = {question.text: question.vector for question in self.asked}
        return GivenVectors(vectors, model_id=self.embedder.model_id, dimension=self.embedder.dimension)


def reference(step: Step) -> int:
    """Choose the size of owner that stores are compared by: 100, or the smallest there is."""
    return 100 if 100 in step.probes else min(step.probes)


async def in_process(
    bench: Bench, step: Step, progress: Progress, save: Callable[[], None], cell: dict[str, Any]
) -> None:
    """Measure the floor and the service without HTTP, for each size of owner, into `cell`."""
    async with AsyncExitStack() as stack:
        raw = await stack.enter_async_context(floor(bench.app_url, k=K))
        database = Database(bench.app_url, pool_size=1, statement_timeout_seconds=120)
        stack.push_async_callback(database.close)
        given = RecallService(database, Embedding(bench.given(), Metrics()))
        bundled = RecallService(database, Embedding(bench.embedder, Metrics()))
        for rows, people in step.probes.items():
            owners = bench.owners(people)
            ways: dict[str, Search] = {
                FLOOR: raw.in_transactions(owners, bench.asked),
                BARE: raw.bare(owners, bench.asked),
                SERVICE: recalling(given, owners, bench.asked),
                CONTEXT: recalling(given, owners, bench.asked, token_budget=1024),
                EMBED: embedding(bench.embedder, bench.asked),
                EMBEDDED: recalling(bundled, owners, bench.asked),
            }
            with progress.phase(f"{step.total:,} memories, owner of {rows:,}", 1) as advance:
                cell["in_process"][str(rows)] = await in_turns(ways, bench.limits, k=K)
                advance(1)
            save()
        search = recalling(given, bench.owners(step.probes[reference(step)]), bench.asked)
        with progress.phase(
            f"{step.total:,} memories, {bench.long:,} searches on one connection", bench.long
        ) as advance:
            full = 0
            for number in range(bench.long):
                full += await search(number) == K
                advance(1)
        cell["complete"] = {"searches": bench.long, "share": round(full / bench.long, 4)}
        save()


async def over_http(
    bench: Bench, step: Step, progress: Progress, save: Callable[[], None], cell: dict[str, Any]
) -> None:
    """Measure one worker over HTTP, with the vectors given and with the bundled model, into `cell`."""
    key = await make_key(bench, step)
    for name, asked in ((HTTP, bench.asked), (HTTP_EMBEDDED, None)):
        with serving(bench, asked=asked) as address, progress.phase(f"{step.total:,} memories, {name}", 1) as advance:
            sizes = list(step.probes) if asked is not None else [reference(step)]
            async with wires(address, max(bench.clients)) as opened:
                for rows in sizes:
                    people = step.probes[rows]
                    ways = {name: posting(opened[0], key, people, bench.asked)}
                    if asked is not None:
                        ways[HTTP_CONTEXT] = posting(opened[0], key, people, bench.asked, token_budget=1024)
                    cell["over_http"].setdefault(str(rows), {}).update(await in_turns(ways, bench.limits, k=K))
                    save()
                people = step.probes[reference(step)]
                searches = [posting(wire, key, people, bench.asked) for wire in opened]
                for count in bench.clients:
                    done = await all_at_once(searches[:count], bench.limits.seconds, k=K)
                    cell["load"].setdefault(name, []).append(done)
                    save()
            advance(1)


def serving(bench: Bench, *, asked: Sequence[Question] | None) -> Any:
    """Serve the application in a process of its own."""
    return served(
        bench.folder,
        database_url=bench.app_url,
        secret_key=bench.secret_key,
        asked=asked,
        model_id=bench.embedder.model_id,
        dimension=bench.embedder.dimension,
        durable=bench.durable,
    )


async def make_key(bench: Bench, step: Step) -> Mapping[str, str]:
    """Make a key for each tenant that is asked."""
    database = Database(bench.app_url, pool_size=1, statement_timeout_seconds=15)
    try:
        tenancy = Tenancy(database, bench.sealing)
        tenants = {person.tenant_id for people in step.probes.values() for person in people}
        now = datetime.now(UTC)
        return {
            tenant: await tenancy.add_key(tenant, name="speed", scopes=[Scope.READ], now=now)
            for tenant in sorted(tenants)
        }
    finally:
        await database.close()


def recalling(
    service: RecallService, owners: Sequence[Owner], asked: Sequence[Question], *, token_budget: int = 0
) -> Search:
    """Recall in process: the command as the router would make it."""
    policy = TenantPolicy()

    async def search(number: int) -> int:
        command = RecallCommand(
            query=asked[number % len(asked)].text,
            received_at=datetime.now(UTC),
            k=K,
            min_score=0.0,
            token_budget=token_budget,
        )
        return len((await service.recall(owners[number % len(owners)], command, policy=policy)).memories)

    return search


def embedding(embedder: Embedder, asked: Sequence[Question]) -> Search:
    """Embed the query and do no more."""

    async def search(number: int) -> int:
        await embedder.embed_query(asked[number % len(asked)].text)
        return K

    return search


def posting(
    wire: Wire, keys: Mapping[str, str], people: Sequence[Person], asked: Sequence[Question], *, token_budget: int = 0
) -> Search:
    """Recall over HTTP."""

    async def search(number: int) -> int:
        person = people[number % len(people)]
        answer = await wire.post(
            "/recall",
            {"query": asked[number % len(asked)].text, "k": K, "min_score": 0, "token_budget": token_budget},
            {"Authorization": f"Bearer {keys[person.tenant_id]}", "X-User-Id": person.user_id},
        )
        return len(answer["memories"])

    return search
