"""Databases of a test's own, on the run's servers."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import asyncpg

from app.embedded import Addresses
from app.store.migrate import migrate_now

APP, OWNER = "lethe_app", "lethe_owner"
_numbers = itertools.count(1)


def named(url: str, database: str) -> str:
    """The same address with another database."""
    return f"{url.rsplit('/', 1)[0]}/{database}"


async def ask_now(url: str, sql: str, *arguments: Any) -> list[Any]:
    """The rows of one statement."""
    connection = await asyncpg.connect(url, timeout=10)
    try:
        return list(await connection.fetch(sql, *arguments))
    finally:
        await connection.close()


async def run_now(url: str, *statements: str) -> None:
    """Run statements one by one, each in a transaction of its own."""
    connection = await asyncpg.connect(url, timeout=10)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def ask(url: str, sql: str, *arguments: Any) -> list[Any]:
    """The same from a test without an event loop."""
    return asyncio.run(ask_now(url, sql, *arguments))


def run(url: str, *statements: str) -> None:
    """The same from a test without an event loop."""
    asyncio.run(run_now(url, *statements))


@contextmanager
def scratch_database(
    addresses: Addresses, *, extension: str | None = "public", migrated: bool = False
) -> Iterator[Addresses]:
    """Make an empty database, with pgvector in a schema unless that is None; it goes afterwards."""
    name = f"scratch_{next(_numbers)}"
    run(addresses.superuser_url, f"create database {name} owner {OWNER} template template0")
    there = replace(
        addresses,
        app_url=named(addresses.app_url, name),
        owner_url=named(addresses.owner_url, name),
        superuser_url=named(addresses.superuser_url, name),
    )
    try:
        run(
            there.superuser_url,
            "revoke create on schema public from public",
            f"grant create on schema public to {OWNER}",
        )
        if extension is not None:
            if extension != "public":
                run(there.superuser_url, f"create schema {extension}", f"grant usage on schema {extension} to public")
            run(there.superuser_url, f"create extension vector schema {extension}")
        if migrated:
            migrate_now(there.owner_url, app_role=APP)
        yield there
    finally:
        run(addresses.superuser_url, f"drop database {name} with (force)")
