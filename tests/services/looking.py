"""What the operator sees: every row of every table, past the service and its walls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg


@dataclass(frozen=True)
class Eye:
    """A superuser's connection to the test database."""

    connection: Any

    @classmethod
    async def open(cls, url: str) -> Eye:
        """Connect past row-level security."""
        return cls(await asyncpg.connect(url.replace("postgresql+asyncpg://", "postgresql://")))

    async def tables(self) -> list[str]:
        """Name every table that rows can lie in."""
        rows = await self.connection.fetch("select tablename from pg_tables where schemaname = 'public' order by 1")
        return [row["tablename"] for row in rows]

    async def snapshot(self) -> dict[str, str]:
        """Hash all rows of every table, so that any change of any value shows."""
        return {
            table: await self.connection.fetchval(
                f"select count(*) || ':' || md5(coalesce(string_agg(r, '|' order by r), '')) "
                f"from (select t::text as r from public.{table} t) rows"
            )
            for table in await self.tables()
        }

    async def find(self, *needles: str) -> dict[str, int]:
        """Look for texts, whatever the case, in every column of every table; tells where they are."""
        columns = await self.connection.fetch(
            "select table_name, column_name from information_schema.columns c "
            "where table_schema = 'public' and exists "
            "(select from pg_tables t where t.schemaname = 'public' and t.tablename = c.table_name)"
        )
        found: dict[str, int] = {}
        for row in columns:
            place = f"{row['table_name']}.{row['column_name']}"
            for needle in needles:
                count = await self.connection.fetchval(
                    f"select count(*) from public.{row['table_name']} "
                    f'where position(lower($1) in lower("{row["column_name"]}"::text)) > 0',
                    needle,
                )
                if count:
                    found[place] = found.get(place, 0) + count
        return found

    async def count(self, table: str, tenant_id: str) -> int:
        """Count a tenant's rows."""
        found: int = await self.connection.fetchval(
            f"select count(*) from public.{table} where tenant_id = $1", tenant_id
        )
        return found

    async def owner_chains(self, tenant_id: str) -> dict[str, list[Mapping[str, Any]]]:
        """Read the decision chains of a tenant's owners as `verify_chain` takes them."""
        rows = await self.connection.fetch(
            "select * from ledger where tenant_id = $1 order by user_key, seq", tenant_id
        )
        chains: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            names = ("id", "user_key", "seq", "at", "event", "write_id", "memory_key")
            fields = {name: row[name] for name in names} | {"body": json.loads(row["body"])}
            chains.setdefault(row["user_key"], []).append(
                {"fields": fields, "prev": row["prev_hash"], "hash": row["hash"]}
            )
        return chains

    async def receipt_chain(self, tenant_id: str) -> list[Mapping[str, Any]]:
        """Read a tenant's chain of receipts as `verify_chain` takes it."""
        rows = await self.connection.fetch("select * from receipts where tenant_id = $1 order by seq", tenant_id)
        return [
            {
                "fields": {
                    "id": row["id"],
                    "seq": row["seq"],
                    "user_key": row["user_key"],
                    "erased_at": row["erased_at"],
                    "body": json.loads(row["body"]),
                    "id_keys": row["id_keys"],
                },
                "prev": row["prev_hash"],
                "hash": row["hash"],
            }
            for row in rows
        ]
