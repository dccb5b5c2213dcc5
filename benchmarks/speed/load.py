"""Filling the service's own tables in bulk, as their owner, so that they end up as the service would leave them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import asyncpg
from sqlalchemy import Table

from app.domain.indexing import indexed_terms
from app.domain.ledger import GENESIS
from app.domain.text import content_key
from app.services.sealing import Sealing
from app.store.tables import CounterRow, MemoryRow, OwnerKeyRow, OwnerRow, TenantChainRow, TenantRow
from benchmarks.speed.data import Step, memories

# from so many new rows on, indexes are taken away while loading and built anew
REBUILD_FROM: Final = 50_000
_MEMORY: Final = "set local maintenance_work_mem = '1GB'"


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Any]:
    """Connect with the driver alone; half vectors go over the wire as bytes."""
    connection = await asyncpg.connect(url)
    try:
        await connection.set_type_codec(
            "halfvec", schema="public", encoder=lambda sent: sent, decoder=lambda read: read, format="binary"
        )
        yield connection
    finally:
        await connection.close()


async def load(
    owner_url: str,
    step: Step,
    *,
    sealing: Sealing,
    model: str,
    dimension: int,
    now: datetime,
    advance: Callable[[int], None],
    rebuild_from: int = REBUILD_FROM,
) -> None:
    """Add a step's tenants, people and memories in one transaction, then VACUUM ANALYZE.

    Row-level security forbids COPY even to the tables' owner while it is forced; it is taken off inside the
    transaction, which no other sees, and back on before its end.
    """
    async with connected(owner_url) as connection:
        async with connection.transaction():
            await connection.execute(_MEMORY)
            tables = [_name(row) for row in (TenantChainRow, OwnerRow, OwnerKeyRow, MemoryRow, CounterRow)]
            for table in tables:
                await connection.execute(f"alter table {table} no force row level security")
            await _people(connection, step, sealing, now)
            async with without_indexes(connection, ["memories", "memory_counters"], apart=step.rows >= rebuild_from):
                for rows in memories(step, dimension=dimension, model=model, now=now):
                    await _copy(connection, MemoryRow, [_derived(row) for row in rows])
                    await _copy(connection, CounterRow, [_counter(row) for row in rows])
                    advance(len(rows))
            for table in tables:
                await connection.execute(f"alter table {table} force row level security")
        for table in tables:
            await connection.execute(f"vacuum (analyze) {table}")


@asynccontextmanager
async def without_indexes(connection: Any, tables: Sequence[str], *, apart: bool) -> AsyncIterator[None]:
    """Take indexes and foreign keys off for the time of the block, and build the same ones afterwards."""
    if not apart:
        yield
        return
    found = await connection.fetch(
        "select conrelid::regclass::text as place, conname, pg_get_constraintdef(oid) as told from pg_constraint "
        "where contype = 'f' and conrelid = any($1::text[]::regclass[])",
        tables,
    )
    indexes = await connection.fetch(
        "select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as told from pg_index i "
        "where i.indrelid = any($1::text[]::regclass[]) and not exists "
        "(select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))",
        tables,
    )
    for key in found:
        await connection.execute(f"alter table {key['place']} drop constraint {key['conname']}")
    for index in indexes:
        await connection.execute(f"drop index {index['name']}")
    yield
    for index in indexes:
        await connection.execute(index["told"])
    for key in found:
        await connection.execute(f"alter table {key['place']} add constraint {key['conname']} {key['told']}")


async def size_of(connection: Any, *tables: str) -> int:
    """Give the bytes of tables with their indexes."""
    found: int = await connection.fetchval("select sum(pg_total_relation_size(t)) from unnest($1::text[]) as t", tables)
    return int(found)


async def _people(connection: Any, step: Step, sealing: Sealing, now: datetime) -> None:
    tenants = list(dict.fromkeys(person.tenant_id for person in step.people))
    await _copy(
        connection,
        TenantRow,
        [{"tenant_id": name, "settings": "{}", "created_at": now, "disabled_at": None} for name in tenants],
    )
    await _copy(connection, TenantChainRow, [{"tenant_id": name, "seq": 0, "head": GENESIS} for name in tenants])
    owners = [sealing.owner(person.tenant_id, person.user_id) for person in step.people]
    rows = [
        {
            "tenant_id": owner.tenant_id,
            "user_id": owner.user_id,
            "user_key": owner.user_key,
            "forget_epoch": 0,
            "chain_seq": 0,
            "chain_head": GENESIS,
            "created_at": now,
        }
        for owner in owners
    ]
    await _copy(connection, OwnerRow, rows)
    await _copy(
        connection, OwnerKeyRow, [{"tenant_id": owner.tenant_id, "user_key": owner.user_key} for owner in owners]
    )


def _derived(row: dict[str, Any]) -> dict[str, Any]:
    subject, content = row["subject"], row["content"]
    return row | {"content_key": content_key(subject, content), "terms": indexed_terms(subject, content)}


def _counter(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "tenant_id": row["tenant_id"],
        "memory_id": row["id"],
        "user_id": row["user_id"],
        "mentions": 1,
        "reinforcements": 0,
        "confirmed_at": None,
    }


def _name(row: Any) -> str:
    name: str = row.__tablename__
    return name


async def _copy(connection: Any, row: Any, values: Iterable[dict[str, Any]]) -> None:
    """Copy rows into every column that the database does not compute; a column without a value is an error."""
    table: Table = row.__table__
    columns = [column.name for column in table.columns if column.computed is None]
    records = [tuple(value[name] for name in columns) for value in values]
    await connection.copy_records_to_table(table.name, columns=columns, records=records)
