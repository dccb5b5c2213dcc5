"""From a write to judged candidates: screen, extract, gate, in that order, for every message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.domain.claim import Candidate
from app.domain.commands import WriteCommand
from app.domain.earlier import Said
from app.domain.extract import MAX_STATEMENTS, extract, recalled, told_of, verbatim
from app.domain.gate import GateVerdict, judge
from app.domain.gate_model import Read, within
from app.domain.memory import Code, Kind, Message, Modality, Reason, Role, Threshold, Verdict
from app.domain.retracting import revoked
from app.domain.screen import Screened, screen
from app.domain.told import Told
from app.domain.trust import assistant_trust, derived_trust, trust_of

MAX_CANDIDATES = 10
# of one message; a transcript pasted as one turn has thousands
MAX_REFUSALS = 50


@dataclass(frozen=True, slots=True)
class Offer:
    """One judged statement of a message; `candidate` is None when the screen stopped the message.

    `proposer` names the prompt of a model that had a say in it; None where the rules alone decided.
    """

    message_index: int
    message: Message
    candidate: Candidate | None
    verdict: GateVerdict
    trust: int
    screened: Screened | None = None
    proposer: str | None = None


def consider(
    command: WriteCommand,
    *,
    thresholds: Mapping[Kind, Threshold],
    parent_trusts: Sequence[int] = (),
    earlier: Sequence[Said] = (),
    read: Read | None = None,
) -> list[Offer]:
    """Judge everything that a write offers. Every message yields at least one offer.

    Args:
        command: The write.
        thresholds: The tenant's thresholds per kind.
        parent_trusts: Trust of the memories that the text was derived from; it caps the trust here.
        earlier: What the user said before in the same talk, oldest first; a correction may mean it.
        read: The gate's reader.
    """
    trusts = [trust_of(message.role, command.source.type) for message in command.messages]
    offers: list[Offer] = []
    found = _read(command, earlier)
    for index, message in enumerate(command.messages):
        trust = trusts[index]
        if trust is not None:
            if message.role is Role.ASSISTANT:
                trust = assistant_trust(trust, trusts)
            trust = derived_trust(trust, parent_trusts)
        offers += _folded(limited(_offers(command, index, message, trust, thresholds, read, *found[index])))
    return offers


def _read(command: WriteCommand, earlier: Sequence[Said]) -> list[tuple[Screened, list[Candidate]]]:
    """Screen and extract every message; each speaker's names and corrections reach over all of theirs."""
    speakers: dict[str | None, Told] = {None: recalled(earlier)} if earlier else {}
    read: list[tuple[Screened, list[Candidate]]] = []
    for index, message in enumerate(command.messages):
        screened = screen(message)
        told = speakers.setdefault(message.name, Told())
        if message.role is Role.ASSISTANT:
            for one in speakers.values():
                one.hear(message.text)
        candidates: list[Candidate] = []
        if screened.rejected is None and command.infer:
            candidates = extract(message, index=index, text=screened.text, subject=command.subject, told=told)
        elif screened.rejected is None:
            candidates = [
                verbatim(
                    message,
                    index=index,
                    text=screened.text,
                    subject=command.subject,
                    kind=command.kind,
                    attribute=command.attribute,
                )
            ]
        read.append((screened, candidates))
    taken_back = {place for told in speakers.values() for place in told.revoked}
    return [(screened, _without(taken_back, candidates)) for screened, candidates in read]


def _without(taken_back: set[tuple[int, int]], candidates: list[Candidate]) -> list[Candidate]:
    """Mark what was taken back, also by a later message; it is no news beside the rest of its message either."""
    if all((one.message_index, one.start) not in taken_back for one in candidates):
        return candidates
    marked = [revoked(one) if (one.message_index, one.start) in taken_back else one for one in candidates]
    together = told_of(marked)
    return [replace(one, told=together) for one in marked]


def _offers(
    command: WriteCommand,
    index: int,
    message: Message,
    trust: int | None,
    thresholds: Mapping[Kind, Threshold],
    read: Read | None,
    screened: Screened,
    candidates: list[Candidate],
) -> list[Offer]:
    if not candidates:
        stopped = screened.rejected or Reason(Code.BLANK, "nothing is left to remember")
        return [Offer(index, message, None, _stopped(stopped, screened), trust or 0, screened)]
    if len(candidates) > 1:
        read = within(screened.text, read)
    # the last question of the message; whatever stands before it may only lead up to it
    last = max((at for at, one in enumerate(candidates) if one.claim.modality is Modality.QUESTION), default=-1)
    return [
        Offer(
            index,
            message,
            candidate,
            _unread(screened)
            if place >= MAX_STATEMENTS
            else judge(
                candidate,
                screened=screened,
                trust=trust,
                thresholds=thresholds,
                infer=command.infer,
                forced=command.force,
                kind_hint=command.kind,
                attribute_hint=command.attribute,
                importance=command.importance,
                asked_next=place < last,
                asked=last >= 0,
                read=read,
                of_somebody=command.of_somebody,
            ),
            trust or 0,
            screened,
        )
        for place, candidate in enumerate(candidates)
    ]


def _unread(screened: Screened) -> GateVerdict:
    return _stopped(
        Reason(Code.TOO_MANY_CANDIDATES, f"a message is read up to {MAX_STATEMENTS} statements; send it in parts"),
        screened,
    )


def _stopped(reason: Reason, screened: Screened) -> GateVerdict:
    others = tuple(note for note in screened.notes if note.code is not reason.code)
    return GateVerdict(
        decision=Verdict.DROP, kind=None, importance=None, confidence=None, reasons=(reason, *others), features={}
    )


def limited(offers: list[Offer]) -> list[Offer]:
    """Keep the ten most important of a message; what was refused anyway does not count."""
    wanted = [place for place, offer in enumerate(offers) if offer.verdict.decision is not Verdict.DROP]
    wanted.sort(key=lambda place: (-(offers[place].verdict.importance or 0), place))
    over = set(wanted[MAX_CANDIDATES:])
    reason = Reason(Code.TOO_MANY_CANDIDATES, f"a message makes at most {MAX_CANDIDATES} memories; send it in parts")
    return [
        replace(offer, verdict=replace(offer.verdict, decision=Verdict.DROP, reasons=(reason, *offer.verdict.reasons)))
        if place in over
        else offer
        for place, offer in enumerate(offers)
    ]


def _folded(offers: list[Offer]) -> list[Offer]:
    """Tell the first fifty refusals of a message one by one, and how many more there were."""
    read, unread = offers[:MAX_STATEMENTS], offers[MAX_STATEMENTS:]
    dropped = [place for place, offer in enumerate(read) if offer.verdict.decision is Verdict.DROP]
    rest = set(dropped[MAX_REFUSALS:])
    if not rest:
        return offers
    last = read[dropped[-1]]
    reason = Reason(Code.LOW_IMPORTANCE, f"{len(rest)} more statements of this message were refused alike")
    verdict = replace(last.verdict, kind=None, importance=1, confidence=0.99, reasons=(reason,), features={})
    told = [offer for place, offer in enumerate(read) if place not in rest]
    return [*told, replace(last, candidate=None, verdict=verdict), *unread]
