"""The database goes away and comes back; the service says so meanwhile, and needs no restart."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import asyncpg
import pytest
from sqlalchemy import event

from app.domain.caller import Owner
from app.domain.commands import WriteCommand
from app.domain.memory import Message, Role
from app.embedded import Addresses, EmbeddedPostgres
from app.metrics import Metrics
from app.services.container import open_lethe
from app.services.startup import StartupFault, wait_for_database
from app.store.database import Database
from app.store.migrate import migrate_now
from tests.conftest import THROW_AWAY, Service, User, running, settings_for
from tests.operations.doubles import ScriptedEmbedder
from tests.store.rows import database_of
from tests.store.scratch import ask_now, run_now

pytestmark = pytest.mark.anyio


@dataclass
class Server:
    """A server of this module's own that can be stopped and started."""

    folder: Path
    addresses: Addresses
    postgres: EmbeddedPostgres

    async def stop(self) -> None:
        await anyio.to_thread.run_sync(self.postgres.stop)

    async def start(self) -> None:
        self.postgres = EmbeddedPostgres(self.folder, options=THROW_AWAY)
        assert await anyio.to_thread.run_sync(self.postgres.start) == self.addresses


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        home = Path(folder) / "pg"
        postgres = EmbeddedPostgres(home, options=THROW_AWAY)
        addresses = postgres.start()
        try:
            migrate_now(addresses.owner_url, app_role="lethe_app")
            server = Server(home, addresses, postgres)
            yield server
        finally:
            server.postgres.stop()


@pytest.fixture
async def service(server: Server) -> AsyncIterator[Service]:
    async for service in running(settings_for(server.addresses), ScriptedEmbedder()):
        yield service


CALLS: list[tuple[str, str, Any]] = [
    ("POST", "/memories/write", {"content": "I live in Berlin."}),
    ("POST", "/recall", {"query": "Berlin"}),
    ("POST", "/forget", {"everything": True}),
    ("POST", "/explain", {"question": "Berlin?"}),
    ("GET", "/memories", None),
    ("GET", "/memories/export", None),
]


async def test_while_the_database_is_down_every_call_says_so_and_afterwards_none_fails(
    server: Server, service: Service
) -> None:
    user = (await service.tenant()).user("ada")
    await user.write("I live in Berlin.")
    await server.stop()
    try:
        for method, path, body in CALLS:
            response = await user.call(method, path, json=body, headers={"Idempotency-Key": "k"} if body else None)
            assert (response.status_code, response.json()["code"]) == (503, "unavailable"), path
            assert int(response.headers["Retry-After"]) >= 1
            for word in ("postgres", "asyncpg", "127.0.0.1", "Connect", "select"):
                assert word not in response.text
        assert (await service.http.get("/healthz")).status_code == 200
        ready = await service.http.get("/readyz")
        assert ready.status_code == 503
        assert {error["pointer"] for error in ready.json()["errors"]} == {"/checks/database", "/checks/migrations"}
        assert (await service.http.get("/metrics")).status_code == 200
        # a wrong key is wrong without a database, too
        garbage = await service.http.get("/memories", headers={"Authorization": "Bearer x", "X-User-Id": "a"})
        assert garbage.status_code == 401
    finally:
        await server.start()
    assert [memory["content"] for memory in await user.stored()] == ["User lives in Berlin"]
    assert (await service.http.get("/readyz")).status_code == 200
    for method, path, body in CALLS:
        assert (await user.call(method, path, json=body)).status_code == 200, path


async def test_a_restart_between_requests_costs_none(server: Server, service: Service) -> None:
    user = (await service.tenant()).user("ada")
    await user.write("I live in Berlin.")
    await asyncio.gather(*(user.recall("Berlin") for _ in range(10)))
    await _cut_connections(server)
    answers = await asyncio.gather(*(user.call("POST", "/recall", json={"query": "Berlin"}) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}


@pytest.mark.parametrize("way", ["reading", "owner"])
async def test_a_connection_lost_a_moment_ago_costs_nothing(server: Server, service: Service, way: str) -> None:
    """Lost, and not noticed yet: the event loop had no turn since."""
    owner, database = await _an_owner(service), service.lethe.database
    async with getattr(database, way)(owner):
        pass
    cutting = threading.Thread(target=lambda: asyncio.run(_cut_connections(server)))
    cutting.start()
    cutting.join()
    async with getattr(database, way)(owner):
        pass


async def test_all_connections_lost_cost_nothing(server: Server, service: Service) -> None:
    owner, database = await _an_owner(service), service.lethe.database
    async with database.reading(owner), database.reading(owner), database.reading(owner):
        pass
    await _cut_connections(server)
    await asyncio.sleep(0.2)
    for _ in range(3):
        async with database.reading(owner):
            pass


async def _an_owner(service: Service) -> Owner:
    tenant = await service.tenant()
    return service.lethe.auth._sealing.owner(tenant.id, "ada")


@pytest.mark.parametrize("first", ["begin read only", "set local app.tenant_id"])
async def test_a_fault_that_is_no_lost_connection_is_not_tried_again(
    server: Server, service: Service, first: str
) -> None:
    user = (await service.tenant()).user("ada")
    owner = service.lethe.auth._sealing.owner(user.tenant.id, "ada")
    database, sent = service.lethe.database, []

    def refuse(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(first):
            sent.append(statement)
            raise RuntimeError("refused")

    event.listen(database.engine.sync_engine, "before_cursor_execute", refuse)
    opened = database.reading(owner) if first.startswith("begin") else database.owner(owner)
    try:
        with pytest.raises(RuntimeError, match="refused"):
            async with opened:
                pass
    finally:
        event.remove(database.engine.sync_engine, "before_cursor_execute", refuse)
    assert len(sent) == 1
    assert await user.stored() == []


async def _cut_connections(server: Server) -> None:
    await ask_now(
        server.addresses.superuser_url,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lethe'",
    )


async def test_a_connection_that_is_cut_in_the_middle_is_a_503_and_stores_nothing(
    server: Server, service: Service
) -> None:
    user = (await service.tenant()).user("ada")
    await user.write("I live in Berlin.")
    async with _locked(server, user):
        writing = asyncio.create_task(
            user.call("POST", "/memories/write", json={"content": "I work at Acme."}, headers={"Idempotency-Key": "k"})
        )
        await _waits_for_the_lock(server)
        await _cut_connections(server)
        response = await writing
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert len(await user.stored()) == 1
    # the key was given back: the retry runs at once, and stores
    again = await user.ok("POST", "/memories/write", {"content": "I work at Acme."}, {"Idempotency-Key": "k"})
    assert again["counts"]["stored"] == 1


@asynccontextmanager
async def _locked(server: Server, user: User) -> AsyncIterator[None]:
    """Hold the lock on a user's row, so that a write waits."""
    connection = await asyncpg.connect(server.addresses.superuser_url)
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute("select 1 from owners where tenant_id = $1 for update", user.tenant.id)
    try:
        yield
    finally:
        await transaction.rollback()
        await connection.close()


async def _waits_for_the_lock(server: Server) -> None:
    waiting = "select 1 from pg_stat_activity where application_name = 'lethe' and wait_event_type = 'Lock'"
    await eventually(server, waiting)


async def eventually(server: Server, sql: str) -> None:
    """Ask until there is a row; the database has no event to wait for."""
    async with asyncio.timeout(20):
        while not await ask_now(server.addresses.superuser_url, sql):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_full_server_is_a_503(server: Server, service: Service) -> None:
    """No connection to be had: that is overload, not a fault of ours."""
    user = (await service.tenant()).user("ada")
    await service.lethe.database.engine.dispose()
    name = server.addresses.app_url.rsplit("/", 1)[1]
    await run_now(server.addresses.superuser_url, f"alter database {name} connection limit 0")
    try:
        response = await user.call("GET", "/memories")
        assert response.status_code == 503
        assert "Retry-After" in response.headers
    finally:
        await run_now(server.addresses.superuser_url, f"alter database {name} connection limit -1")
    assert await user.stored() == []


async def test_a_database_that_starts_late_is_waited_for(server: Server) -> None:
    await server.stop()
    async with database_of(server.addresses) as database:
        waiting = asyncio.create_task(wait_for_database(database, seconds=30))
        await asyncio.sleep(0.5)
        assert not waiting.done()
        await server.start()
        assert (await waiting).role == "lethe_app"


async def test_a_database_that_never_starts_is_told_in_words() -> None:
    database = Database(
        "postgresql://lethe_app:secret-of-this-test@127.0.0.1:1/lethe", pool_size=1, statement_timeout_seconds=1
    )
    try:
        with pytest.raises(StartupFault, match=r"cannot be reached.*Check LETHE_DATABASE_URL") as fault:
            await wait_for_database(database, seconds=0)
        assert "secret-of-this-test" not in str(fault.value)
    finally:
        await database.close()


async def test_upkeep_goes_on_after_a_round_that_failed(server: Server) -> None:
    settings = settings_for(server.addresses).model_copy(update={"maintenance_seconds": 0.05})
    embedder = ScriptedEmbedder()
    async with open_lethe(settings, metrics=Metrics(), embedder=embedder, durable=False) as lethe:
        embedder.fault = "timeout"
        await lethe.tenancy.add_tenant("upkeep", now=lethe.now())
        owner = lethe.auth._sealing.owner("upkeep", "ada")
        said = Message(Role.USER, "I live in Berlin.", lethe.now())
        command = WriteCommand(messages=(said,), received_at=lethe.now())
        await lethe.write(owner, command, idempotency=None)
        await server.stop()
        await asyncio.sleep(0.3)
        await server.start()
        embedder.fault = None
        await eventually(server, "select 1 from memories where tenant_id = 'upkeep' and embedding is not null")
