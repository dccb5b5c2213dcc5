"""Plain words for what the service says in codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Sign:
    """How an outcome is shown: a symbol and a word, which carry it alone, and a colour."""

    symbol: str
    word: str
    style: str
    meaning: str

    @property
    def label(self) -> str:
        """Symbol and word."""
        return f"{self.symbol} {self.word}"


SIGNS: Final[Mapping[str, Sign]] = {
    "stored": Sign("+", "KEPT", "bold green", "worth remembering"),
    "reinforced": Sign("=", "CONFIRMED", "bold green", "was known already; now said again, and stronger"),
    "superseded": Sign(">", "REPLACED", "bold cyan", "kept as the new value; the old one becomes history"),
    "held": Sign("~", "HELD", "bold yellow", "too unsure to count as a fact: set aside until confirmed"),
    "disputed": Sign("?", "DISPUTED", "bold yellow", "a more trusted memory says otherwise: set aside"),
    "quarantined": Sign("!", "QUARANTINED", "bold red", "looks like an attack: locked away, never used"),
    "dropped": Sign("x", "REFUSED", "bold", "will not help any later answer: does not become a memory"),
}
# disputes do not occur in the story
LEGEND: Final = tuple(name for name in SIGNS if name != "disputed")

# what comes before the service's own detail, where that does not name the thing itself
_LEADS: Final[Mapping[str, str]] = {
    "small_talk": "small talk",
    "question": "a question",
    "hedged": "not certain",
    "injection": "an attack",
    "third_party": "about somebody else",
    "low_importance": "not important enough",
    "low_confidence": "not certain enough",
    "changed_value": "a new value",
    "explicit_ending": "an ending",
}
STATUSES: Final[Mapping[str, str]] = {
    "active": "current",
    "superseded": "history",
    "held": "held",
    "quarantined": "quarantined",
    "disputed": "disputed",
    "expired": "expired",
}
BECAUSE: Final[Mapping[str, str]] = {
    "match": "fits the words",
    "history": "earlier version of it",
    "derived": "was made from it",
}
TRUST: Final = (
    "a web page's word",
    "a document's or tool's word",
    "the assistant's word",
    "the user's own word",
    "the user's own word, with proof of identity",
)
TABLES: Final[Mapping[str, tuple[str, str]]] = {
    "memories": ("memory", "memories"),
    "embeddings": ("search vector", "search vectors"),
    "evidence": ("quote", "quotes"),
    "ledger_texts": ("text in the decision log", "texts in the decision log"),
    "links": ("link", "links"),
    "recalls": ("kept recall", "kept recalls"),
    "idempotency_bodies": ("kept reply", "kept replies"),
    "queued_writes": ("queued write", "queued writes"),
}


def sign(outcome: str) -> Sign:
    """Give the sign of an outcome; one that is not known here shows its own name."""
    return SIGNS.get(outcome, Sign("*", outcome.upper(), "bold", ""))


def reason(given: Mapping[str, Any]) -> str:
    """Say a reason: the service's own detail, with a plain word before it where that helps."""
    code, detail = str(given["code"]), str(given["detail"]).replace("_", " ")
    lead = _LEADS.get(code, "" if detail else code.replace("_", " "))
    return f"{lead}: {detail}" if lead and detail else lead or detail


def counted(number: int, one: str, many: str) -> str:
    """Say a number of things."""
    return f"{number} {one if number == 1 else many}"


def listed(parts: list[str]) -> str:
    """Join parts for a sentence: a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else "nothing"


def amounts(counts: Mapping[str, int]) -> str:
    """Say what an erasure takes, table by table."""
    return listed([counted(number, *TABLES.get(name, (name, name))) for name, number in counts.items() if number])


def terms(scores: Mapping[str, float | None]) -> str:
    """Say how a score is made up."""
    legs = ", ".join(
        f"{name} {value:.2f}"
        for name, value in (("by meaning", scores["vector"]), ("by words", scores["lexical"]))
        if value is not None
    )
    factors = {
        "importance": scores["importance_factor"],
        "certainty": scores["confidence_factor"],
        "strength": scores["weight_factor"],
        "recency": scores["recency_factor"],
    }
    return f"= fit {scores['relevance']:.2f} ({legs})" + "".join(f" x {name} {at:.2f}" for name, at in factors.items())
