"""FactConsolidation: numbered facts, of which the later one about the same subject and relation wins.

Published with MemoryAgentBench (MIT), here as JSON: facts as subject, relation and object beside their sentence, and
questions with the numbers of the newest and of the outdated facts. One user; the facts are written one by one, as they
stand, in their order, an hour apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from app.domain.attributes import REGISTRY
from benchmarks.client import Client
from benchmarks.files import DataFault, find_file, member, read_json
from benchmarks.shares import Share

PATTERNS: Final = ("fc_sh_*.json", "fc_sh_*.json.gz")
# relations of the data of which a subject naturally has several: languages spoken, works one is known for, children
PLURAL: Final = frozenset({"P1412", "P800", "P40"})
_BEGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)
_STEP: Final = timedelta(hours=1)
_DEPTH: Final = 5


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact."""

    number: int
    text: str
    subject: str
    relation: str
    value: str

    @property
    def at(self) -> datetime:
        """When it is said."""
        return _BEGIN + self.number * _STEP

    def same_about(self, other: Fact) -> bool:
        """Tell whether both speak of one subject and relation."""
        return (self.subject, self.relation) == (other.subject, other.relation)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the number of the newest fact and those of the outdated ones."""

    text: str
    relation: str
    gold: int
    stale: tuple[int, ...]
    agrees: bool


@dataclass(slots=True)
class Counted:
    """What was counted, for one group of relations."""

    right: int = 0
    wrong: int = 0
    updates: int = 0
    found: int = 0
    wrong_pairs: list[tuple[str, str]] = field(default_factory=list)
    missed_pairs: list[tuple[str, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Give the figures and the offending pairs."""
        return {
            "precision": Share(self.right, self.right + self.wrong).to_json(),
            "recall": Share(self.found, self.updates).to_json(),
            "wrong": self.wrong_pairs,
            "missed": self.missed_pairs,
        }


def load(folder: Path) -> tuple[list[Fact], list[Question]]:
    """Read the facts and the questions.

    Raises:
        DataFault: No such file, or another shape.
    """
    path = find_file(folder, PATTERNS)
    value = read_json(path)
    if not isinstance(value, list) or not value:
        raise DataFault(f"{path.name} must be a list with one object")
    facts = [
        Fact(row["i"], row["text"], row["subj"], row["rel"], row["obj"])
        for row in member(value[0], "facts", list, where=path.name)
    ]
    questions = [
        Question(row["q"], row["rel"], row["gold"], tuple(row["stale"]), bool(row["gold_agrees"]))
        for row in member(value[0], "questions", list, where=path.name)
    ]
    return facts, questions


async def measure(
    client: Client,
    user: str,
    facts: list[Fact],
    questions: list[Question],
    *,
    writing: Callable[[int], None],
    asking: Callable[[int], None],
) -> dict[str, Any]:
    """Write the facts, then ask. Raises ServiceFault."""
    rows: dict[str, list[Fact]] = {}
    row_of: dict[int, str] = {}
    groups = {name: Counted() for name in ("registered", "derived", "plural")}
    current: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        body = {"content": fact.text, "occurred_at": fact.at.isoformat(), "infer": False, "force": True}
        (result,) = (await client.write(user, body))["results"]
        before = current.get((fact.subject, fact.relation))
        retired = [old for memory_id in result["supersedes"] for old in rows.get(memory_id, [])[-1:]]
        attribute = (await client.get(f"/memories/{result['memory_id']}", user, {}))["attribute"]
        registered = "registered" if attribute in REGISTRY else "derived"
        group = groups["plural" if fact.relation in PLURAL else registered]
        for old in retired:
            right = old.same_about(fact) and old.value != fact.value
            group.right += right
            group.wrong += not right
            if not right:
                group.wrong_pairs.append((old.text, fact.text))
        if before is not None and before.value != fact.value:
            group.updates += 1
            group.found += before in retired
            if before not in retired:
                group.missed_pairs.append((before.text, fact.text))
        rows.setdefault(result["memory_id"], []).append(fact)
        row_of[fact.number] = result["memory_id"]
        current[(fact.subject, fact.relation)] = fact
        writing(1)
    both = Counted()
    for name in ("registered", "derived"):
        one = groups[name]
        both.right, both.wrong = both.right + one.right, both.wrong + one.wrong
        both.updates, both.found = both.updates + one.updates, both.found + one.found
        both.wrong_pairs += one.wrong_pairs
        both.missed_pairs += one.missed_pairs
    return {
        "facts": len(facts),
        "supersession": {"single-valued": both.to_json()} | {name: one.to_json() for name, one in groups.items()},
        "questions": await _ask(client, user, facts, questions, rows, row_of, asking),
    }


async def _ask(
    client: Client,
    user: str,
    facts: list[Fact],
    questions: list[Question],
    rows: dict[str, list[Fact]],
    row_of: dict[int, str],
    asking: Callable[[int], None],
) -> dict[str, Any]:
    first, plural, stale_in, then, told = [], [], [], [], []
    failed: list[dict[str, Any]] = []
    by_number = {fact.number: fact for fact in facts}
    for question in questions:
        hits = [rows[memory["id"]] for memory in await client.recall(user, question.text, k=_DEPTH)]
        newest = bool(hits) and any(fact.number == question.gold for fact in hits[0])
        outdated = {number for number in question.stale if row_of[number] != row_of[question.gold]}
        seen = {fact.number for hit in hits for fact in hit} & outdated
        asking(1)
        if question.relation in PLURAL:
            plural.append(newest)
            continue
        if question.agrees:
            first.append(newest)
            stale_in.append(bool(seen))
            if not newest or seen:
                failed.append({"question": question.text, "first": hits[0][-1].text if hits else None})
        if not outdated:
            continue
        old, new = by_number[max(outdated)], by_number[question.gold]
        body = {"query": question.text, "k": _DEPTH, "token_budget": 0, "as_of": {"valid_at": _after(old)}}
        past = (await client.post("/recall", user, body))["memories"]
        then.append(any(memory["id"] == row_of[old.number] for memory in past))
        explained = await client.post("/explain", user, {"memory_id": row_of[new.number]})
        texts = [step["content"] or "" for step in explained["history"]]
        told.append(any(old.text in text for text in texts))
    return {
        "newest first": Share(sum(first), len(first)).to_json(),
        "newest first, plural": Share(sum(plural), len(plural)).to_json(),
        "outdated in the first five": Share(sum(stale_in), len(stale_in)).to_json(),
        "as_of gives the old one": Share(sum(then), len(then)).to_json(),
        "explain gives the old one": Share(sum(told), len(told)).to_json(),
        "failed": failed,
    }


def _after(fact: Fact) -> str:
    return (fact.at + _STEP / 2).isoformat()
