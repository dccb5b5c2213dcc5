"""Builders for the tests of the rules: one sentence in, its candidates or its verdicts out."""

from __future__ import annotations

from datetime import UTC, datetime

from app.domain.claim import Candidate
from app.domain.extract import extract, verbatim
from app.domain.gate import GateVerdict, judge
from app.domain.memory import Kind, Message, Modality, Role, SourceType, default_thresholds
from app.domain.screen import screen
from app.domain.trust import trust_of

SAID_AT = datetime(2025, 6, 3, 9, 12, tzinfo=UTC)  # a Tuesday


def message(text: str, *, role: Role = Role.USER, at: datetime = SAID_AT) -> Message:
    return Message(role, text, at)


def candidates(
    text: str, *, role: Role = Role.USER, at: datetime = SAID_AT, subject: str | None = None
) -> list[Candidate]:
    turn = message(text, role=role, at=at)
    return extract(turn, index=0, text=screen(turn).text, subject=subject)


def only(text: str, *, at: datetime = SAID_AT, subject: str | None = None) -> Candidate:
    (candidate,) = candidates(text, at=at, subject=subject)
    return candidate


def verdicts(
    text: str,
    *,
    role: Role = Role.USER,
    source: SourceType = SourceType.CONVERSATION,
    at: datetime = SAID_AT,
    kind: Kind | None = None,
    attribute: str | None = None,
) -> list[GateVerdict]:
    turn = message(text, role=role, at=at)
    screened = screen(turn)
    found = extract(turn, index=0, text=screened.text)
    return [
        judge(
            candidate,
            screened=screened,
            trust=trust_of(role, source),
            thresholds=default_thresholds(),
            infer=True,
            kind_hint=kind,
            attribute_hint=attribute,
            asked_next=any(after.claim.modality is Modality.QUESTION for after in found[place + 1 :]),
        )
        for place, candidate in enumerate(found)
    ]


def verdict(text: str, *, role: Role = Role.USER, source: SourceType = SourceType.CONVERSATION) -> GateVerdict:
    (found,) = verdicts(text, role=role, source=source)
    return found


def taken(
    text: str,
    *,
    role: Role = Role.USER,
    source: SourceType = SourceType.CONVERSATION,
    kind: Kind | None = None,
    forced: bool = False,
    importance: int | None = None,
) -> GateVerdict:
    """Judge a text that is taken as it is (`infer: false`)."""
    turn = message(text, role=role)
    screened = screen(turn)
    return judge(
        verbatim(turn, index=0, text=screened.text, kind=kind),
        screened=screened,
        trust=trust_of(role, source),
        thresholds=default_thresholds(),
        infer=False,
        forced=forced,
        kind_hint=kind,
        importance=importance,
    )


def code(found: GateVerdict) -> str:
    return str(found.reasons[0].code)
