"""Explanations in words: English templates over plain values, at most 500 characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from app.domain.answers import EvidenceView, HistoryEntry, Scores, Strength, WriteResult
from app.domain.escape import one_line
from app.domain.memory import Memory, Outcome, Role, SourceType, Status
from app.domain.righting import TAKEN_BACK

LIMIT: Final = 500  # characters
_QUOTE: Final = 150
_VALUE: Final = 60
_STRONG: Final = 0.7
_FAINT: Final = 0.3

_WHY_NOT: Final[Mapping[str, str]] = {
    "stored_later": "it was stored after this recall",
    "superseded": "it was superseded",
    "held": "it is held until a later statement confirms it",
    "quarantined": "it is quarantined and waits for a review",
    "disputed": "a more trusted memory says otherwise",
    "expired": "it has expired",
    "not_valid_then": "it did not hold at that time",
    "not_known_then": "it was not known at that time",
    "below_min_trust": "its source is not trusted enough for this recall",
    "kind_excluded": "its kind was not asked for",
    "subject_excluded": "it is about another subject",
    "filter_excluded": "it does not pass the filters",
    "not_a_candidate": "too many memories are nearer to the query",
    "below_min_score": "its score is below min_score",
    "near_duplicate": "a better ranked one says the same",
    "below_k": "better ones filled the list",
}
_LEFT_OUT: Final[Mapping[str, str]] = {
    "over_token_budget": "the token budget was used up",
    "procedural_cap": "instructions had used their half of it",
}
_STATUS: Final[Mapping[Status, str]] = {
    Status.HELD: "It is held until a later statement confirms it.",
    Status.QUARANTINED: "It is quarantined until it is reviewed.",
    Status.DISPUTED: "It is disputed: a more trusted memory says otherwise.",
    Status.EXPIRED: "It has expired.",
}


def explain_memory(
    memory: Memory,
    *,
    evidence: Sequence[EvidenceView],
    history: Sequence[HistoryEntry],
    strength: Strength,
    chain: Sequence[Memory],
) -> str:
    """Tell why a memory is believed, how it changed and how strong it is.

    Args:
        memory: The memory.
        evidence: Its evidence, oldest first.
        history: Its steps; one without an id was erased.
        strength: How strong it is now.
        chain: The rows of its chain, itself included.
    """
    parts = [_origin(memory, evidence)]
    before = [row for row in chain if row.id in memory.supersedes]
    if before:
        names = " and ".join(_brief(row) for row in before[:2])
        told = f", told on {day(before[0].occurred_at)}" if len(before) == 1 else ""
        parts.append(f"This replaced {names}{told}.")
    elif any(entry.memory_id is None for entry in history):
        parts.append("What it replaced was erased.")
    if any(entry.memory_id == memory.id and entry.rule == TAKEN_BACK for entry in history):
        parts.append("You took it back.")
    elif memory.status is Status.SUPERSEDED:
        parts.append(_replaced(memory, next((row for row in chain if row.id == memory.superseded_by), None)))
    elif memory.status in _STATUS:
        parts.append(_STATUS[memory.status])
    if strength.mentions > 1:
        confirmed = f", {strength.reinforcements} of them independent" if strength.reinforcements else ""
        parts.append(f"It was said {strength.mentions} times{confirmed}.")
    if memory.status is Status.ACTIVE:
        parts.append(_strength(strength))
    return cut(" ".join(parts))


def explain_place(
    memory: Memory,
    *,
    code: str | None,
    by: Memory | None = None,
    rank: int | None = None,
    would_rank: int | None = None,
    score: float | None = None,
    scores: Scores | None = None,
    left_out: str | None = None,
) -> str:
    """Tell why a memory stands where it stands in a recall, or why not.

    Args:
        memory: The memory.
        code: The decisive why-not code; None when it was returned.
        by: What replaced it or says the same, where that was the cause.
        rank: Its place when it was returned.
        would_rank: The place it would have had.
        score: Its score.
        scores: The terms of its score.
        left_out: Why it is not in the context block although it was returned.
    """
    if code is None:
        place = f"Returned {ordinal(rank)}" if rank is not None else "Returned"
        scored = f" with a score of {score:.2f}" if score is not None else ""
        parts = [f"{place}{scored}{_terms(scores)}."]
        if left_out is not None:
            parts.append(f"It is not in the context block: {_LEFT_OUT.get(left_out, 'it was not asked for')}.")
        return cut(" ".join(parts))
    if code == "superseded":
        parts = [f"Not returned: {_lower_first(_replaced(memory, by))}"]
    elif code == "near_duplicate" and by is not None:
        parts = [f'Not returned: it says the same as "{_quote(by.content)}", which ranks above it.']
    else:
        at_score = f" ({score:.2f})" if code == "below_min_score" and score is not None else ""
        parts = [f"Not returned: {_WHY_NOT.get(code, code)}{at_score}."]
    if would_rank is not None and code in ("below_min_score", "below_k"):
        parts.append(f"It ranked {ordinal(would_rank)}.")
    elif would_rank is not None:
        otherwise = "Had it been current" if code == "superseded" else "Otherwise"
        parts.append(f"{otherwise} it would have ranked {ordinal(would_rank)}.")
    return cut(" ".join(parts))


def explain_recall(*, returned: int, best: float | None, excluded: Mapping[str, int]) -> str:
    """Tell what a recall returned and what it left out.

    Args:
        returned: How many memories.
        best: The best score.
        excluded: Counts by decisive why-not code.
    """
    many = "No memory was returned" if returned == 0 else f"{_count(returned, 'memory', 'memories')} returned"
    scored = f", the best with a score of {best:.2f}" if returned and best is not None else ""
    parts = [f"{many}{scored}."]
    if excluded:
        listed = ", ".join(f"{number} {code}" for code, number in sorted(excluded.items(), key=lambda item: -item[1]))
        parts.append(f"Left out: {listed}.")
    return cut(" ".join(parts))


def explain_write(results: Sequence[WriteResult], *, at: datetime) -> str:
    """Tell what a write kept and dropped, and why."""
    counts = Counter(result.outcome for result in results)
    kept = len(results) - counts[Outcome.DROPPED]
    parts = [f"On {day(at)} {kept} of {_count(len(results), 'candidate', 'candidates')} kept."]
    told = [f"{counts[outcome]} {outcome.value}{_codes(results, outcome)}" for outcome in Outcome if counts[outcome]]
    if told:
        parts.append("; ".join(told)[0].upper() + "; ".join(told)[1:] + ".")
    return cut(" ".join(parts))


def no_match(nearest: str | None = None, score: float = 0.0) -> str:
    """Tell that nothing fits a question.

    Args:
        nearest: What comes nearest to an answer, if anything does.
        score: Its score.
    """
    told = "I remember nothing that answers this."
    return told if nearest is None else cut(f'{told} The nearest is "{_quote(nearest)}" (score {score:.2f}).')


def day(at: datetime) -> str:
    """Write a date as YYYY-MM-DD in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%d")


def ordinal(place: int) -> str:
    """Write a place: 1st, 2nd, 11th."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def cut(text: str, limit: int = LIMIT) -> str:
    """Cut at a word, with an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    at_word = head.rsplit(" ", 1)[0].rstrip(" ,;:")
    return (at_word or head) + "…"


def _origin(memory: Memory, evidence: Sequence[EvidenceView]) -> str:
    first = next((item for item in evidence if item.quote), None)
    if first is None or first.quote is None:
        return f'"{_quote(memory.content)}" was stored on {day(memory.created_at)}; the words it came from are gone.'
    return f'{_speaker(first)} on {day(first.occurred_at)}: "{_quote(first.quote)}"'


def _speaker(evidence: EvidenceView) -> str:
    match evidence.source.type:
        case SourceType.WEB:
            return "A web page said"
        case SourceType.DOCUMENT:
            return "A document said"
        case SourceType.TOOL:
            return "A tool said"
        case SourceType.IMPORT:
            return "It was imported, said"
        case SourceType.CONVERSATION:
            said = {Role.USER: "You said", Role.ASSISTANT: "The assistant said", Role.TOOL: "A tool said"}
            return said.get(evidence.role, "It was said")


def _replaced(memory: Memory, by: Memory | None) -> str:
    if by is None and memory.retired_by == "correction":
        return "You took it back."
    if by is None:
        return "It was replaced by something that was erased since."
    if by.created_at < memory.created_at:
        return f'It was already out of date when it came: "{_quote(by.content)}" is newer.'
    if memory.retired_by == "correction":
        return f'You put it right on {day(by.occurred_at)}: "{_quote(by.content)}".'
    return f'It was replaced by "{_quote(by.content)}" on {day(by.occurred_at)}.'


def _brief(memory: Memory) -> str:
    return cut(one_line(memory.value), _VALUE) if memory.value else f'"{_quote(memory.content)}"'


def _quote(text: str) -> str:
    return cut(one_line(text).replace('"', "'"), _QUOTE)


def _strength(strength: Strength) -> str:
    if not strength.fades:
        return "It does not fade."
    how = "still strong" if strength.weight >= _STRONG else "fading" if strength.weight >= _FAINT else "faint"
    return f"It is {how} ({strength.weight:.2f})."


def _terms(scores: Scores | None) -> str:
    if scores is None:
        return ""
    legs = [
        f"{value:.2f} {name}"
        for name, value in (("by meaning", scores.vector), ("by words", scores.lexical))
        if value is not None
    ]
    return f": relevance {scores.relevance:.2f}" + (f" ({', '.join(legs)})" if legs else "")


def _codes(results: Sequence[WriteResult], outcome: Outcome) -> str:
    codes = dict.fromkeys(
        reason.code.value for result in results if result.outcome is outcome for reason in result.reasons[:1]
    )
    return f" ({', '.join(list(codes)[:4])})" if codes else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one} was" if number == 1 else f"{number} {many} were"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
