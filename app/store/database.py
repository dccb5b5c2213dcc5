"""Connections and transactions. Every transaction names its tenant, and its user, before its first statement."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import asyncpg
from sqlalchemy import event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from app.domain.caller import Owner
from app.domain.errors import Overloaded, Unavailable

_TENANT: Final = re.compile(r"[a-z0-9-]{1,40}")
_USER: Final = re.compile(r"[A-Za-z0-9._:@|+=/-]{1,128}")
_USER_KEY: Final = re.compile(r"[0-9a-f]{64}")
# deadlock, serialization failure: the transaction may be run again as it was
RETRYABLE: Final = frozenset({"40P01", "40001"})
# by the first two letters: connection exceptions, a role or a database that is refused, resources, operator
# intervention; statement timeouts count among the last
_OUTAGES: Final = frozenset({"08", "28", "3D", "53", "57"})
_REFUSALS: Final = {
    "28": "the server does not accept this role and password",
    "3D": "the server has no such database",
    "42501": "this role has no right to connect to the database",
}
# a foreign key still points at the row
STILL_REFERENCED: Final = "23503"


def driver_url(url: str) -> str:
    """Name the asyncpg driver in an address that names none."""
    parsed = make_url(url)
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+asyncpg")
    return parsed.render_as_string(hide_password=False)


def sqlstate(fault: DBAPIError) -> str | None:
    """Give the five-character state of a database error, if it has one."""
    state: Any = getattr(fault.orig, "sqlstate", None)
    return state if isinstance(state, str) else None


class Database:
    """The pool, and the only way to a transaction: `owner` for one user's rows, `tenant` for a tenant's."""

    def __init__(self, url: str, *, pool_size: int, statement_timeout_seconds: float) -> None:
        self.engine: AsyncEngine = create_async_engine(
            driver_url(url),
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=5.0,
            connect_args={
                "timeout": 10,
                "server_settings": {
                    "application_name": "lethe",
                    "timezone": "UTC",
                    # a generic plan is made for the average owner, and is wrong for ours
                    "plan_cache_mode": "force_custom_plan",
                    "jit": "off",
                    # storage without moving heads: an owner's index beats a scan of the table
                    "random_page_cost": "1.1",
                    "statement_timeout": str(int(statement_timeout_seconds * 1000)),
                    "idle_in_transaction_session_timeout": "30000",
                    "default_transaction_isolation": "read committed",
                },
            },
        )
        # what is known to be lost is opened anew, without asking the server
        event.listen(self.engine.sync_engine, "checkout", _refuse_lost)
        self._sessions = async_sessionmaker(self.engine, expire_on_commit=False)

    async def close(self) -> None:
        """Close every connection."""
        await self.engine.dispose()

    @asynccontextmanager
    async def registry(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction on the tables outside the tenants: `tenants` and `deployment`."""
        async with self._begun("select 1") as session:
            yield session

    @asynccontextmanager
    async def tenant(self, tenant_id: str) -> AsyncIterator[AsyncSession]:
        """Open a transaction that sees one tenant's keys and chains, and no user's rows.

        Raises:
            Unavailable: The database cannot be reached. Overloaded: no connection came free in time.
        """
        async with self._begun(_set_tenant(tenant_id)) as session:
            yield session

    @asynccontextmanager
    async def owner(self, owner: Owner) -> AsyncIterator[AsyncSession]:
        """Open a transaction that sees one user's rows.

        Raises:
            Unavailable: The database cannot be reached. Overloaded: no connection came free in time.
        """
        async with self._begun(_set_tenant(owner.tenant_id)) as session:
            connection = await (await session.connection()).get_raw_connection()
            driver: Any = connection.driver_connection
            await driver.execute(_set_user(owner))
            yield session

    @asynccontextmanager
    async def reading(self, owner: Owner) -> AsyncIterator[Reader]:
        """Open a read-only transaction that sees one user's rows, with the driver alone.

        For the one statement of a recall: what the ORM adds to a statement takes longer than this one runs
        (docs/decisions/0002). A connection that saw an error is closed, not given back.

        Raises:
            Unavailable: The database cannot be reached. Overloaded: no connection came free in time.
        """
        first = f"begin read only; {_set_tenant(owner.tenant_id)}; {_set_user(owner)}"
        async with _translated(), AsyncExitStack() as stack:
            connection, reader = await self._first_read(stack, first)
            try:
                yield reader
                await reader.execute("commit")
            except BaseException:
                await connection.invalidate()
                raise

    async def _first_read(self, stack: AsyncExitStack, first: str) -> tuple[AsyncConnection, Reader]:
        """Run the first statement of a reader, once more on another connection if the pool's was lost."""
        for last in (False, True):
            async with AsyncExitStack() as trial:
                connection = await trial.enter_async_context(self.engine.connect())
                driver: Any = (await connection.get_raw_connection()).driver_connection
                reader = Reader(driver, self.engine)
                try:
                    await reader.execute(first)
                except BaseException as fault:
                    lost = isinstance(fault, Exception) and driver.is_closed()
                    await connection.invalidate()
                    if last or not lost:
                        raise
                else:
                    stack.push_async_exit(trial.pop_all())
                    return connection, reader
        raise AssertionError("the last try returns or raises")

    @asynccontextmanager
    async def _begun(self, first: str) -> AsyncIterator[AsyncSession]:
        """Open a transaction and run its first statement, on a new connection when the pool's was lost idle.

        Nothing was done before that statement, and it changes nothing, so that it may be tried again: a restart of the
        database costs no request, and no request pays for asking whether there was one.
        """
        async with _translated(), AsyncExitStack() as stack:
            yield await self._first_statement(stack, first)

    async def _first_statement(self, stack: AsyncExitStack, first: str) -> AsyncSession:
        for last in (False, True):
            try:
                async with AsyncExitStack() as trial:
                    session = await trial.enter_async_context(self._sessions.begin())
                    await session.execute(text(first))
                    stack.push_async_exit(trial.pop_all())
                    return session
            except DBAPIError as fault:
                # with the fault the pool drops all that was opened before it
                if last or not fault.connection_invalidated:
                    raise
        raise AssertionError("the last try returns or raises")


class Reader:
    """One open read-only transaction of the driver. Who listens to the engine's statements hears of these as well."""

    def __init__(self, driver: Any, engine: AsyncEngine) -> None:
        self._driver = driver
        self._listeners = engine.sync_engine.dispatch.before_cursor_execute

    async def execute(self, sql: str) -> None:
        """Run statements without parameters and results."""
        self._tell(sql, ())
        await self._driver.execute(sql)

    async def fetch(self, sql: str, arguments: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """Run a statement and give its rows."""
        self._tell(sql, arguments)
        found: Sequence[Sequence[Any]] = await self._driver.fetch(sql, *arguments)
        return found

    def _tell(self, sql: str, arguments: Sequence[Any]) -> None:
        for listener in self._listeners:
            listener(None, None, sql, arguments, None, False)


def _refuse_lost(connection: Any, *_: object) -> None:
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _set_tenant(tenant_id: str) -> str:
    # SET takes no parameters, and set_config() would not reach the shards: literal values, checked here
    if not _TENANT.fullmatch(tenant_id):
        raise ValueError("not a tenant id")
    return f"set local app.tenant_id = '{tenant_id}'"


def _set_user(owner: Owner) -> str:
    if not _USER.fullmatch(owner.user_id) or not _USER_KEY.fullmatch(owner.user_key):
        raise ValueError("not a user id")
    return f"set local app.user_id = '{owner.user_id}'; set local app.user_key = '{owner.user_key}'"


@asynccontextmanager
async def _translated() -> AsyncIterator[None]:
    """Turn faults of the connection into what a caller can act on; other database errors stay what they are."""
    try:
        yield
    except PoolTimeout as fault:
        raise Overloaded from fault
    except (InterfaceError, OperationalError) as fault:
        raise Unavailable from fault
    except DBAPIError as fault:
        if fault.connection_invalidated or (sqlstate(fault) or "")[:2] in _OUTAGES:
            raise Unavailable from fault
        raise
    except asyncpg.PostgresError as fault:
        # from the one statement that goes to the driver directly
        if (fault.sqlstate or "")[:2] in _OUTAGES:
            raise Unavailable from fault
        raise
    except (OSError, asyncpg.InterfaceError) as fault:
        raise Unavailable from fault


def refusal(fault: BaseException) -> str | None:
    """Say in words why a database cannot be worked with from here; None when it may only need time, or another cause.

    Args:
        fault: An error of the driver, or what was made of it; its causes are looked at as well.
    """
    cause: BaseException | None = fault
    while cause is not None:
        state = sqlstate(cause) if isinstance(cause, DBAPIError) else getattr(cause, "sqlstate", None)
        for known, words in _REFUSALS.items():
            if isinstance(state, str) and state.startswith(known):
                return words
        cause = cause.__cause__
    return None


def is_out(fault: BaseException) -> bool:
    """Tell whether an error means that the database cannot be reached at the moment."""
    if isinstance(fault, DBAPIError):
        return fault.connection_invalidated or (sqlstate(fault) or "")[:2] in _OUTAGES
    return isinstance(fault, OSError)
