"""Passwords, roles, database and extension: what every start makes sure of."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import threading
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import asyncpg

from app.embedded.errors import EmbeddedPostgresError

DATABASE, OWNER, APP, SUPERUSER = "lethe", "lethe_owner", "lethe_app", "postgres"
_ROLE = "LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION"
_NOT_YET: Final = (OSError, asyncpg.CannotConnectNowError, asyncpg.ConnectionDoesNotExistError, TimeoutError)


class NotReady(Exception):
    """The server does not take connections (yet)."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """The random secrets of one data folder; made once."""

    superuser: str = field(repr=False)
    owner: str = field(repr=False)
    app: str = field(repr=False)
    secret_key: str = field(repr=False)

    def addresses(self, port: int) -> Addresses:
        """The same as URLs."""

        def url(role: str, password: str) -> str:
            return f"postgresql://{role}:{password}@127.0.0.1:{port}/{DATABASE}"

        return Addresses(
            app_url=url(APP, self.app),
            owner_url=url(OWNER, self.owner),
            superuser_url=url(SUPERUSER, self.superuser),
            secret_key=self.secret_key,
            port=port,
        )


@dataclass(frozen=True, slots=True)
class Addresses:
    """How to reach the database as each role, and the secret key that belongs to the data."""

    app_url: str = field(repr=False)
    owner_url: str = field(repr=False)
    superuser_url: str = field(repr=False)
    secret_key: str = field(repr=False)
    port: int


def load_credentials(home: Path, *, cluster_exists: bool) -> Credentials:
    """Reads the secrets, or makes them for a new cluster. An existing one without them cannot be opened."""
    path = home / "secrets.json"
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return Credentials(**{part.name: str(stored[part.name]) for part in fields(Credentials)})
    except FileNotFoundError:
        if not cluster_exists:
            made = Credentials(*(secrets.token_urlsafe(32) for _ in fields(Credentials)))
            write_private(path, json.dumps(asdict(made), indent=1))
            return made
    except (ValueError, KeyError, TypeError):
        pass
    raise EmbeddedPostgresError(
        f"The passwords of the Postgres data in {home} are missing or damaged ({path}).",
        "bring that file back from a copy: without its secret key the stored API keys are of no use either; "
        "or begin an empty database in another folder with LETHE_DATA_DIR.",
    )


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, whole or not at all."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def bootstrap(credentials: Credentials, port: int) -> None:
    """Makes roles, database and extension where they are missing. Proves, too, that the server is ours.

    Raises:
        NotReady: when the server does not take connections.
    """
    failures: list[BaseException] = []

    def run() -> None:  # in a thread of its own, because the caller's may have a running event loop
        try:
            asyncio.run(_bootstrap(credentials, port))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run, name="lethe-bootstrap")
    thread.start()
    thread.join()
    if not failures:
        return
    if isinstance(failures[0], asyncpg.InvalidAuthorizationSpecificationError):
        raise EmbeddedPostgresError(
            f"The Postgres on port {port} does not accept the password in secrets.json.",
            "bring back the secrets.json that belongs to this data, or choose another folder with LETHE_DATA_DIR.",
        ) from failures[0]
    if isinstance(failures[0], _NOT_YET):
        raise NotReady(str(failures[0])) from failures[0]
    if isinstance(failures[0], asyncpg.PostgresError):
        raise EmbeddedPostgresError(
            f"Postgres could not be set up: {failures[0]}",
            "mend what it says, or choose another folder with LETHE_DATA_DIR.",
        ) from failures[0]
    raise failures[0]


async def _bootstrap(credentials: Credentials, port: int) -> None:
    connection = await _connect(credentials, port, "postgres")
    try:
        roles = {row["rolname"] for row in await connection.fetch("SELECT rolname FROM pg_roles")}
        for role, password in ((OWNER, credentials.owner), (APP, credentials.app)):
            if role not in roles:  # our passwords are URL-safe base64: nothing to quote
                await connection.execute(f"CREATE ROLE {role} {_ROLE} PASSWORD '{password}'")
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", DATABASE):
            await connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER} TEMPLATE template0")
    finally:
        await connection.close()
    connection = await _connect(credentials, port, DATABASE)
    try:
        vector = await connection.fetchrow("SELECT * FROM pg_available_extensions WHERE name = 'vector'")
        if vector["installed_version"] is None:  # one transaction; the extension shows that it was done
            await connection.execute(
                f"REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC; GRANT CONNECT ON DATABASE {DATABASE} TO {APP};"
                f"REVOKE CREATE ON SCHEMA public FROM PUBLIC; GRANT USAGE, CREATE ON SCHEMA public TO {OWNER};"
                f"GRANT USAGE ON SCHEMA public TO {APP}; CREATE EXTENSION vector"
            )
        elif vector["installed_version"] != vector["default_version"]:  # a newer wheel came in
            await connection.execute("ALTER EXTENSION vector UPDATE")
    finally:
        await connection.close()


async def _connect(credentials: Credentials, port: int, database: str) -> Any:
    return await asyncpg.connect(
        host="127.0.0.1",
        port=port,
        user=SUPERUSER,
        password=credentials.superuser,
        database=database,
        ssl=False,
        timeout=10,
    )
