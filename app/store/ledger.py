"""The decision ledger: appended under the owner's lock, chained, its text kept apart so that it can be erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, and_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.domain.answers import wire_time
from app.domain.caller import Owner
from app.domain.claim import StoredAs
from app.domain.earlier import CORRECTABLE, Said
from app.domain.ledger import chain_hash
from app.domain.memory import Modality, Outcome, Role, SourceType, Status
from app.store.ids import new_id
from app.store.records import LedgerRow, LedgerTextRow
from app.store.scope import mine, mine_by_key
from app.store.tables import MemoryRow


@dataclass(frozen=True, slots=True)
class Entry:
    """A decision to append. `body` is free of content; `text` is what a forget takes away."""

    event: str
    body: Mapping[str, Any]
    write_id: UUID | None = None
    memory_key: str | None = None
    memory_id: UUID | None = None
    text: Mapping[str, Any] | None = None
    session_id: str | None = None
    source_id: str | None = None
    text_expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as read back; `text` is empty where it expired or was erased."""

    at: datetime
    event: str
    write_id: UUID | None
    memory_id: UUID | None
    body: Mapping[str, Any]
    text: Mapping[str, Any]


class Ledger:
    """One user's decisions. Made per transaction."""

    def __init__(self, session: AsyncSession, owner: Owner) -> None:
        self._session = session
        self._owner = owner

    async def append(self, entries: Sequence[Entry], *, seq: int, head: str, now: datetime) -> tuple[int, str]:
        """Append entries after (seq, head); give the new end of the chain. The owner must be locked."""
        rows, texts = [], []
        for entry in entries:
            seq += 1
            row_id = new_id()
            row = {
                "id": row_id,
                "user_key": self._owner.user_key,
                "seq": seq,
                "at": now,
                "event": entry.event,
                "write_id": entry.write_id,
                "memory_key": entry.memory_key,
                "body": dict(entry.body),
            }
            previous, head = head, chain_hash(head, hashed_fields(row))
            rows.append({**row, "tenant_id": self._owner.tenant_id, "prev_hash": previous, "hash": head})
            if entry.text is not None:
                texts.append(
                    {
                        "tenant_id": self._owner.tenant_id,
                        "user_id": self._owner.user_id,
                        "ledger_id": row_id,
                        "memory_id": entry.memory_id,
                        "body": dict(entry.text),
                        "session_id": entry.session_id,
                        "source_id": entry.source_id,
                        "created_at": now,
                        "expires_at": entry.text_expires_at,
                    }
                )
        if rows:
            await self._session.execute(insert(LedgerRow), rows)
        if texts:
            await self._session.execute(insert(LedgerTextRow), texts)
        return seq, head

    async def of_write(self, write_id: UUID, *, now: datetime) -> list[Decision]:
        """Read the decisions of one write, in order."""
        return await self._read(LedgerRow.write_id == write_id, now=now)

    async def of_memories(self, memory_keys: Sequence[str], *, now: datetime) -> list[tuple[str, Decision]]:
        """Read the decisions about memories, each with the memory's key, oldest first."""
        statement = self._statement(now).where(
            LedgerRow.memory_key.in_(sorted(memory_keys)), LedgerRow.event != "labels"
        )
        rows = await self._session.execute(statement.order_by(LedgerRow.seq))
        return [(row.memory_key, _decision(row)) for row in rows]

    async def written(self, *, after: int, since: datetime | None, limit: int) -> list[tuple[int, Mapping[str, Any]]]:
        """Read the bodies of write decisions after a place in the chain, oldest first, without any text."""
        statement = (
            select(LedgerRow.seq, LedgerRow.body)
            .where(mine_by_key(self._owner, LedgerRow), LedgerRow.event == "write", LedgerRow.seq > after)
            .order_by(LedgerRow.seq)
            .limit(limit)
        )
        if since is not None:
            statement = statement.where(LedgerRow.at >= since)
        return [(row.seq, row.body) for row in await self._session.execute(statement)]

    async def said(self, *, since: datetime, now: datetime, limit: int) -> list[Said]:
        """Read the last decisions on what was written, newest first, with the words and the rows that they made.

        Args:
            since: What came before is not read.
            now: Texts that have run out by then are gone.
            limit: At most so many.
        """
        fresh = (LedgerTextRow.expires_at.is_(None)) | (LedgerTextRow.expires_at > now)
        text_of = and_(
            LedgerTextRow.tenant_id == LedgerRow.tenant_id,
            LedgerTextRow.ledger_id == LedgerRow.id,
            mine(self._owner, LedgerTextRow),
            fresh,
        )
        made = and_(mine(self._owner, MemoryRow), MemoryRow.id == LedgerTextRow.memory_id)
        statement: Any = (
            select(
                LedgerRow.at,
                LedgerRow.write_id,
                LedgerRow.body,
                LedgerTextRow.body.label("text"),
                LedgerTextRow.session_id,
                MemoryRow.id,
                MemoryRow.status,
                MemoryRow.subject,
                MemoryRow.content,
            )
            .outerjoin(LedgerTextRow, text_of)
            .outerjoin(MemoryRow, made)
            .where(mine_by_key(self._owner, LedgerRow), LedgerRow.event == "write", LedgerRow.at >= since)
            .order_by(LedgerRow.seq.desc())
            .limit(limit)
        )
        return [_said(row) for row in await self._session.execute(statement)]

    async def chain(self) -> list[Mapping[str, Any]]:
        """Read the whole chain for verification: hashed fields, previous hash and hash of each row."""
        rows = await self._session.execute(
            select(LedgerRow).where(mine_by_key(self._owner, LedgerRow)).order_by(LedgerRow.seq)
        )
        names = ("id", "user_key", "seq", "at", "event", "write_id", "memory_key", "body")
        return [
            {
                "fields": hashed_fields({name: getattr(row, name) for name in names}),
                "prev": row.prev_hash,
                "hash": row.hash,
            }
            for row in rows.scalars()
        ]

    async def _read(self, where: Any, *, now: datetime) -> list[Decision]:
        rows = await self._session.execute(self._statement(now).where(where).order_by(LedgerRow.seq))
        return [_decision(row) for row in rows]

    def _statement(self, now: datetime) -> Any:
        fresh = (LedgerTextRow.expires_at.is_(None)) | (LedgerTextRow.expires_at > now)
        return (
            select(
                LedgerRow.at,
                LedgerRow.event,
                LedgerRow.write_id,
                LedgerRow.memory_key,
                LedgerRow.body,
                LedgerTextRow.memory_id,
                LedgerTextRow.body.label("text"),
            )
            .outerjoin(
                LedgerTextRow,
                and_(
                    LedgerTextRow.tenant_id == LedgerRow.tenant_id,
                    LedgerTextRow.ledger_id == LedgerRow.id,
                    mine(self._owner, LedgerTextRow),
                    fresh,
                ),
            )
            .where(mine_by_key(self._owner, LedgerRow))
        )


def _said(row: Row[Any]) -> Said:
    body, text = row.body, row.text or {}
    stored = None
    if row.id is not None and Status(row.status) in CORRECTABLE:
        alone = body["outcome"] != Outcome.REINFORCED
        stored = StoredAs(row.id, Status(row.status), row.content, alone)
    at = text.get("occurred_at")
    return Said(
        words=text.get("said") or text.get("quote") or None,
        at=row.at if at is None else datetime.fromisoformat(at),
        role=Role(body["role"]),
        # what the screen stopped was not read
        modality=Modality(body.get("features", {}).get("modality", Modality.QUOTED)),
        subject=row.subject,
        stored=stored,
        place=(row.write_id, body["message_index"]),
        session_id=row.session_id,
        source=SourceType(body["source_type"]),
    )


def hashed_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give the fields that a row's hash covers, as JSON values."""
    return {
        name: wire_time(value) if isinstance(value, datetime) else str(value) if isinstance(value, UUID) else value
        for name, value in row.items()
    }


def _decision(row: Row[Any]) -> Decision:
    return Decision(
        at=row.at,
        event=row.event,
        write_id=row.write_id,
        memory_id=row.memory_id,
        body=row.body,
        text=row.text or {},
    )
