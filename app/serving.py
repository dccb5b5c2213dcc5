"""Starting the service, and giving commands a database: the embedded one unless an address is set."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import uvicorn
from pydantic import SecretStr

from app.domain.caller import Scope
from app.embedded import EmbeddedPostgres
from app.log import configure_logging
from app.main import create_app
from app.services.container import open_database, open_embedder, secret_of
from app.services.sealing import Sealing
from app.services.startup import StartupFault, require_same_embeddings, require_sound, wait_for_database
from app.services.tenancy import Tenancy, TenancyFault
from app.settings import Settings
from app.store.migrate import migrate, role_of

DEMO_TENANT = "demo"
DRAIN_SECONDS = 10


@contextmanager
def environment(settings: Settings) -> Iterator[Settings]:
    """Give settings with both addresses and the secret; without an address the embedded Postgres runs meanwhile.

    Raises:
        EmbeddedPostgresError: It cannot be started; the text says how to mend it.
    """
    if settings.database_url is not None:
        yield settings
        return
    postgres = EmbeddedPostgres(settings.data_dir, major=settings.postgres_major)
    try:
        addresses = postgres.start()
        yield settings.model_copy(
            update={
                "database_url": SecretStr(addresses.app_url),
                "migration_url": SecretStr(addresses.owner_url),
                "secret_key": settings.secret_key or SecretStr(addresses.secret_key),
            }
        )
    finally:
        postgres.stop()


async def migrate_as_owner(settings: Settings, *, revision: str = "head") -> None:
    """Bring the schema to a revision.

    Raises:
        StartupFault: The owner's address is not set.
        MigrationFault: The database cannot be migrated.
    """
    if settings.migration_url is None or settings.database_url is None:
        raise StartupFault(
            "set LETHE_MIGRATION_URL to the database's address as the owner, and LETHE_DATABASE_URL to the one as the "
            "app role, which the privileges are given to"
        )
    app_role = role_of(settings.database_url.get_secret_value())
    await migrate(settings.migration_url.get_secret_value(), app_role=app_role, revision=revision)


async def demo_key(settings: Settings) -> str | None:
    """Make a tenant and a key for trying things out, when there is no tenant at all; None when there is one."""
    database = open_database(settings)
    try:
        tenancy = Tenancy(database, Sealing(secret_of(settings)))
        if await tenancy.tenants():
            return None
        now = datetime.now(UTC)
        try:
            await tenancy.add_tenant(DEMO_TENANT, now=now)
        except TenancyFault:
            # a process that starts at the same moment was faster: it shows the key
            return None
        scopes = [Scope.READ, Scope.WRITE, Scope.FORGET, Scope.IMPORT, Scope.REVIEW]
        return await tenancy.add_key(DEMO_TENANT, name="demo", scopes=scopes, now=now)
    finally:
        await database.close()


async def preflight(settings: Settings) -> None:
    """Check what would make the service refuse to start, before anything listens.

    Raises:
        StartupFault: With the remedy.
    """
    secret_of(settings)
    database = open_database(settings)
    embedder = open_embedder(settings)
    try:
        require_sound(await wait_for_database(database, seconds=60.0), durable=True)
        await require_same_embeddings(database, embedder, now=datetime.now(UTC))
    finally:
        await embedder.close()
        await database.close()


def listen(host: str, port: int) -> socket.socket:
    """Take the address before anything slow happens.

    Raises:
        StartupFault: It is taken, or not ours to take.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with the protocol named: asyncio turns Nagle's algorithm off only then, and with it on the second part of every
    # answer waits about 40 ms for the client's delayed acknowledgement of the first
    taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((host, port))
        taken.listen(2048)
    except OSError as fault:
        taken.close()
        if fault.errno == errno.EADDRINUSE:
            raise StartupFault(
                f"port {port} is taken by another program. Stop it, or choose another: LETHE_PORT=8001 make run"
            ) from fault
        raise StartupFault(
            f"cannot listen on {host}:{port} ({fault.strerror}). Set LETHE_HOST and LETHE_PORT"
        ) from fault
    taken.set_inheritable(True)
    return taken


def serve(settings: Settings, *, workers: int, sockets: list[socket.socket]) -> None:
    """Run the application until a signal ends it; requests in work get ten seconds to finish.

    Raises:
        StartupFault: It cannot start.
    """
    configure_logging(level=settings.log_level, form=settings.log_format)
    options = {
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "timeout_graceful_shutdown": DRAIN_SECONDS,
        "lifespan": "on",
    }
    if workers == 1:
        app = create_app(settings)
        server = uvicorn.Server(uvicorn.Config(app, **options))  # type: ignore[arg-type]  # plain options
        server.run(sockets=sockets)
        if not server.started:
            raise StartupFault("the service could not start; the lines above say why")
        return
    # the workers are processes of their own and read the environment
    for name in ("database_url", "secret_key"):
        secret: SecretStr | None = getattr(settings, name)
        if secret is not None:
            os.environ[f"LETHE_{name.upper()}"] = secret.get_secret_value()
    config = uvicorn.Config("app.main:create_app", factory=True, workers=workers, **options)  # type: ignore[arg-type]
    from uvicorn.supervisors import Multiprocess

    Multiprocess(config, sockets).run()


def run_service(settings: Settings, *, workers: int, announce: Callable[[str, str | None], None]) -> None:
    """Do everything that `lethe serve` does: listen, database, migrations, demo key, service."""
    embedded = settings.database_url is None
    taken = listen(settings.host, settings.port)
    port = taken.getsockname()[1]
    try:
        with environment(settings) as ready:
            if embedded:
                asyncio.run(migrate_as_owner(ready))
            asyncio.run(preflight(ready))
            announce(f"http://{settings.host}:{port}", asyncio.run(demo_key(ready)) if embedded else None)
            serve(ready, workers=workers, sockets=[taken])
    finally:
        taken.close()
