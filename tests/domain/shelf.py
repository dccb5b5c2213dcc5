"""Builders for the rules: memories, statements, and a shelf that carries resolutions out as the store does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

from app.domain.changes import marked
from app.domain.claim import Claim
from app.domain.extract import extract
from app.domain.memory import Kind, Link, Memory, Message, Outcome, Role, Source, Status
from app.domain.resolver import Incoming, Neighbour, Resolution, resolve
from app.domain.text import content_key

DAY_ONE = datetime(2025, 6, 1, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def uid(number: int) -> UUID:
    return UUID(int=number)


def memory(number: int = 1, /, **changes: Any) -> Memory:
    """A plain active fact; everything can be overridden."""
    at = changes.get("occurred_at", DAY_ONE)
    fields: dict[str, Any] = {
        "id": uid(number),
        "kind": Kind.SEMANTIC,
        "content": "User lives in Berlin",
        "subject": "user",
        "attribute": None,
        "value": None,
        "positive": True,
        "single_valued": False,
        "importance": 5,
        "confidence": 0.9,
        "trust": 3,
        "status": Status.ACTIVE,
        "occurred_at": at,
        "valid_from": None,
        "valid_to": None,
        "known_from": changes.get("created_at", at),
        "known_to": None,
        "created_at": at,
        "updated_at": at,
        "expires_at": None,
        "metadata": {},
        "pinned": False,
        "source": Source(),
        "session_id": None,
        "session_ordinal": 0,
        "agent_id": None,
        "stale": False,
        "confirmed_at": None,
        "mentions": 1,
        "reinforcements": 0,
    } | changes
    fields.setdefault("content_key", content_key(fields["subject"], fields["content"]))
    return Memory(**fields)


def incoming(content: str, claim: Claim | None = None, **changes: Any) -> Incoming:
    """A kept statement of the user's."""
    said = claim or Claim("user")
    at = changes.get("occurred_at", DAY_ONE)
    fields: dict[str, Any] = {
        "kind": Kind.SEMANTIC,
        "content": content,
        "content_key": content_key(said.subject, content),
        "claim": said,
        "trust": 3,
        "confidence": 0.9,
        "occurred_at": at,
        "received_at": at,
        "role": Role.USER,
        "session_id": None,
        "expires_at": None,
        "metadata": {},
    } | changes
    return Incoming(**fields)


def home(city: str, *, subject: str = "user", **changes: Any) -> Claim:
    return Claim(subject, "home_city", city, single_valued=True, **changes)


def likes(what: str, *, positive: bool = True) -> Claim:
    return Claim("user", "likes", what, positive=positive)


@dataclass
class Shelf:
    """One user's memories in a dictionary. Checks after every step what the store's indexes would refuse."""

    rows: dict[UUID, Memory] = field(default_factory=dict)
    links: set[tuple[UUID, Link, UUID]] = field(default_factory=set)
    evidence: dict[UUID, list[tuple[datetime, datetime, str | None, int]]] = field(default_factory=dict)
    log: list[Resolution] = field(default_factory=list)
    _ids: Any = field(default_factory=lambda: count(1))

    def put(self, said: Incoming) -> Resolution:
        near = [self._neighbour(row) for row in self.rows.values() if self._is_near(row, said)]
        done = resolve(said, near)
        for change in done.changes:
            self.rows[change.memory_id] = replace(self.rows[change.memory_id], **change.values())
        row_id = done.into
        if row_id is None:
            assert done.status is not None
            row_id = uid(next(self._ids))
            self.rows[row_id] = self._row(row_id, said, done)
        else:
            row = self.rows[row_id]
            merged: Mapping[str, Any] = {**row.metadata, **said.metadata}
            self.rows[row_id] = replace(
                row,
                mentions=row.mentions + 1,
                reinforcements=row.reinforcements + int(done.independent),
                metadata=merged,
            )
        self.evidence.setdefault(row_id, []).append((said.occurred_at, said.received_at, said.session_id, said.trust))
        self.links -= {(a or row_id, relation, b or row_id) for a, b, relation in done.unlink}
        self.links |= {(a or row_id, relation, b or row_id) for a, b, relation in done.links}
        self.log.append(done)
        self.check()
        return done

    def say(self, text: str, **changes: Any) -> list[Resolution]:
        """Put everything that the extractor finds in a text of the user's."""
        at = changes.get("occurred_at", DAY_ONE + DAY * len(self.log))
        found = extract(Message(Role.USER, text, at), index=0, text=text)
        return [
            self.put(
                incoming(one.content, one.claim, kind=one.kind, change=marked(one), **({"occurred_at": at} | changes))
            )
            for one in found
        ]

    def active(self, attribute: str | None = None) -> list[Memory]:
        chosen = [row for row in self.rows.values() if row.status is Status.ACTIVE and row.kind is not Kind.EPISODIC]
        return [row for row in chosen if attribute is None or row.attribute == attribute]

    def values(self, attribute: str) -> set[str | None]:
        return {row.value for row in self.active(attribute)}

    def superseder(self, row_id: UUID) -> UUID | None:
        found = [a for a, relation, b in self.links if relation is Link.SUPERSEDES and b == row_id]
        assert len(found) <= 1, "a fork: two rows claim to have replaced one"
        return found[0] if found else None

    def history(self, attribute: str) -> list[tuple[str | None, Status]]:
        rows = [row for row in self.rows.values() if row.attribute == attribute and row.kind is not Kind.EPISODIC]
        rows.sort(key=lambda row: (row.valid_from or row.occurred_at, row.created_at))
        return [(row.value, row.status) for row in rows]

    def check(self) -> None:
        facts = [(row.subject, row.attribute) for row in self.active() if row.single_valued]
        assert len(facts) == len(set(facts)), "two current values of a single-valued attribute"
        words = [(row.kind, row.content_key) for row in self.active()]
        assert len(words) == len(set(words)), "twins"
        for row in self.rows.values():
            assert row.kind is not Kind.EPISODIC or row.status is not Status.SUPERSEDED, "a retired event"
            start = row.valid_from or row.occurred_at
            assert row.valid_to is None or row.status is Status.ACTIVE or row.valid_to >= start, "ends before it began"
            seen, at = {row.id}, self.superseder(row.id)
            while at is not None:
                assert at not in seen, "a cycle"
                seen.add(at)
                at = self.superseder(at)

    def _is_near(self, row: Memory, said: Incoming) -> bool:
        if row.status in (Status.QUARANTINED, Status.EXPIRED):
            return False
        same_attribute = said.claim.attribute is not None and row.attribute == said.claim.attribute
        topical = said.change is not None and said.change.touches(
            row, subject=said.claim.subject, attribute=said.claim.attribute
        )
        weighed = said.weighed is not None and row.id in said.weighed.nearest
        same_claim = row.subject == said.claim.subject and same_attribute
        return row.content_key == said.content_key or same_claim or topical or weighed

    def _neighbour(self, row: Memory) -> Neighbour:
        seen = self.evidence[row.id]
        newest = max(seen, key=lambda item: item[1])
        linked = replace(row, superseded_by=self.superseder(row.id))
        said = [occurred for occurred, _, _, trust in seen if trust >= row.trust]
        return Neighbour(linked, newest[1], newest[2], max(said))

    def _row(self, row_id: UUID, said: Incoming, done: Resolution) -> Memory:
        assert done.status is not None
        claim = done.claim
        return memory(
            row_id.int,
            kind=done.kind,
            content=said.content,
            content_key=said.content_key,
            subject=claim.subject,
            attribute=claim.attribute,
            value=claim.value,
            positive=claim.positive,
            single_valued=claim.single_valued and done.kind is Kind.SEMANTIC and claim.attribute is not None,
            confidence=said.confidence,
            trust=said.trust,
            status=done.status,
            occurred_at=said.occurred_at,
            created_at=said.received_at,
            valid_from=done.valid_from,
            valid_to=done.valid_to,
            session_id=said.session_id,
            metadata=dict(said.metadata),
        )


def outcomes(done: list[Resolution]) -> list[Outcome]:
    return [one.outcome for one in done]
