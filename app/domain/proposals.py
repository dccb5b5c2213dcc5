"""What a model proposes, under the verdicts of the rules: it may drop, lower, split and word better, never raise.

A model's silence is no verdict: what it does not mention stands as the rules judged it. So a turn that talks the model
into an empty answer, or a model that is asleep, loses nothing; and a turn that talks it into "importance 10" gains
nothing, since of two verdicts on the same words the stricter one holds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from app.domain.claim import Candidate, Claim
from app.domain.commands import WriteCommand
from app.domain.extract import extract
from app.domain.gate import GateVerdict, judge
from app.domain.gate_model import Read, within
from app.domain.grounding import covered, faithful, locate, made_up, speaks_of_self, stands_alone
from app.domain.intake import Offer, limited
from app.domain.memory import USER_SUBJECT, Code, Kind, Modality, Reason, Role, Threshold, Verdict
from app.domain.proposal import Proposal, Turn
from app.domain.secrets import redact
from app.domain.stricter import OPEN, lowered
from app.domain.text import normalise

MAX_PROPOSALS: Final = 10
"""Statements that are looked at for each message."""
_WHOLE: Final = 0.8
"""From this share of its words on, a quote speaks of the whole statement."""
_SHOWN: Final = 200
_INVALID: Final = re.compile("[\x00\ud800-\udfff]")


def turns_of(offers: Iterable[Offer]) -> list[Turn]:
    """Choose what a model is asked about: the user's messages of which the rules keep or hold something.

    Where they refuse everything a model could not change that. The text is the screened one, without secrets; a
    message that reads like an attack is not passed on.
    """
    texts = {
        offer.message_index: offer.screened.text
        for offer in offers
        if offer.message.role is Role.USER
        and offer.screened is not None
        and offer.screened.injection is None
        and offer.candidate is not None
        and not offer.candidate.takes_back
        and offer.verdict.decision in OPEN
    }
    return [Turn(index, text) for index, text in sorted(texts.items())]


def merge(
    offers: Sequence[Offer],
    proposals: Sequence[Proposal],
    *,
    asked: Collection[int],
    version: str,
    command: WriteCommand,
    thresholds: Mapping[Kind, Threshold],
    read: Read | None = None,
) -> list[Offer]:
    """Let a model's statements refine what the rules found.

    Args:
        offers: The rules' verdicts, in the order of the messages.
        proposals: What the model said.
        asked: The messages that the model has seen and answered about.
        version: Of the prompt; it is noted wherever the model had a say.
        command: The write.
        thresholds: The tenant's thresholds per kind.
        read: The gate's reader.

    Returns:
        The verdicts in the same order; statements that are not grounded follow those of their message, dropped.
    """
    if not asked:
        return list(offers)
    bench = _Bench(list(offers), sorted(asked), version, command, thresholds, read)
    for proposal in proposals:
        bench.hear(proposal)
    return bench.verdicts()


class _Bench:
    """The verdicts of one write while a model's statements are heard."""

    def __init__(
        self,
        offers: list[Offer],
        asked: list[int],
        version: str,
        command: WriteCommand,
        thresholds: Mapping[Kind, Threshold],
        read: Read | None,
    ) -> None:
        self._offers = offers
        self._read = read
        self._asked = asked
        self._version = version
        self._command = command
        self._thresholds = thresholds
        self._texts = {
            offer.message_index: offer.screened.text for offer in offers if offer.screened and offer.candidate
        }
        self._heard: dict[int, list[tuple[Proposal, int, int]]] = {}
        self._refused: dict[int, list[Offer]] = {}
        self._count: dict[int, int] = {}

    def hear(self, proposal: Proposal) -> None:
        """Find the statement that a proposal is about, or refuse it."""
        index = proposal.message if proposal.message in self._asked else self._asked[0]
        spans: list[tuple[int, int]] = []
        for place in dict.fromkeys([index, *self._asked]):
            spans = locate(proposal.quote, self._texts[place])
            if spans:
                index = place
                break
        self._count[index] = self._count.get(index, 0) + 1
        if self._count[index] > MAX_PROPOSALS:
            return
        if not spans or proposal.speaker not in (None, "user"):
            self._refuse(index, proposal, self._whose(proposal))
            return
        host, start, end = self._host(index, spans)
        text = self._texts[index]
        candidate = None if host is None else self._offers[host].candidate
        around = text[start:end] if candidate is None else f"{candidate.quote} {candidate.content}"
        wrong = made_up(proposal.content, span=around, message=text)
        if wrong is not None:
            self._refuse(index, proposal, Reason(Code.UNGROUNDED, wrong))
        elif candidate is not None and candidate.takes_back:
            pass  # it is not about what was said, and nothing to remember
        elif host is not None and self._offers[host].verdict.decision in OPEN:
            self._heard.setdefault(host, []).append((proposal, start, end))

    def verdicts(self) -> list[Offer]:
        """Give the verdicts after all was heard, at most ten kept of each message."""
        merged: dict[int, list[Offer]] = {}
        for place, offer in enumerate(self._offers):
            heard = self._heard.get(place)
            merged.setdefault(offer.message_index, []).extend(self._refined(offer, heard) if heard else [offer])
        return [
            offer
            for index, of_message in merged.items()
            for offer in [
                *(limited(of_message) if index in self._asked else of_message),
                *self._refused.get(index, []),
            ]
        ]

    def _whose(self, proposal: Proposal) -> Reason:
        elsewhere = [
            offer.message.role
            for offer in self._offers
            if offer.message.role is not Role.USER and offer.screened and locate(proposal.quote, offer.screened.text)
        ]
        if elsewhere or proposal.speaker not in (None, "user"):
            return Reason(Code.ASSISTANT_ECHO, "a model proposed it, and not from the user's words")
        return Reason(Code.UNGROUNDED, "a model proposed it; it was not found in what was said")

    def _host(self, index: int, spans: list[tuple[int, int]]) -> tuple[int | None, int, int]:
        """Find the one statement that a span lies in; None where it reaches over several."""
        inside: list[tuple[bool, int, int, int]] = []
        for place, offer in enumerate(self._offers):
            candidate = offer.candidate
            if offer.message_index != index or candidate is None:
                continue
            begin, finish = candidate.start, candidate.start + len(candidate.quote)
            inside += [
                (offer.verdict.decision not in OPEN, place, start, end)
                for start, end in spans
                if begin <= start and end <= finish
            ]
        if not inside:
            return None, *spans[0]
        _, place, start, end = min(inside)
        return place, start, end

    def _refuse(self, index: int, proposal: Proposal, reason: Reason) -> None:
        """Tell of a statement that does not come from the message."""
        first = next(offer for offer in self._offers if offer.message_index == index)
        shown, _ = redact(_INVALID.sub("\N{REPLACEMENT CHARACTER}", proposal.content[: 2 * _SHOWN]))
        candidate = Candidate(
            content=shown[:_SHOWN].strip(),
            quote="",
            start=0,
            message_index=index,
            role=first.message.role,
            occurred_at=first.message.occurred_at,
            claim=Claim(self._command.subject or USER_SUBJECT),
        )
        features = MappingProxyType({"llm": "refused"})
        verdict = GateVerdict(Verdict.DROP, None, 1, 0.99, (reason,), features)
        self._refused.setdefault(index, []).append(
            replace(first, candidate=candidate, verdict=verdict, proposer=self._version)
        )

    def _refined(self, offer: Offer, heard: list[tuple[Proposal, int, int]]) -> list[Offer]:
        """Put together the rules' verdict on a statement and what was said of it, or of its parts."""
        candidate, text = offer.candidate, self._texts[offer.message_index]
        if candidate is None:
            return [offer]
        of_whole = [item for item in heard if _speaks_of(candidate, text[item[1] : item[2]])]
        parts: dict[tuple[int, int], Offer] = {}
        for item in heard:
            part = None if item in of_whole else self._part(offer, candidate, *item)
            if part is not None and not any(start < item[2] and item[1] < end for start, end in parts):
                parts[item[1], item[2]] = part
        found = [(part, part.candidate) for _, part in sorted(parts.items()) if part.candidate is not None]
        if of_whole:
            # a model that lists the same words twice means the better one
            best = max((item[0] for item in of_whole), key=_favour)
            offer = self._whole(offer, candidate, best)
        elif (
            candidate.claim.attribute is None
            and not candidate.puts_right
            and covered(candidate.quote, [c.quote for _, c in found]) >= _WHOLE
        ):
            return [part for part, _ in found]
        # the whole sentence stays where its parts would lose something of it; what became a claim comes on top
        claims = {None, candidate.claim.attribute}
        return [offer, *(part for part, own in found if own.claim.attribute not in claims)]

    def _whole(self, offer: Offer, candidate: Candidate, proposal: Proposal) -> Offer:
        """Take the model's words and kind for a statement that the rules could not read, and the stricter numbers."""
        if candidate.claim.attribute is None and candidate.kind is not Kind.PROCEDURAL:
            kind = proposal.kind if proposal.kind in (Kind.SEMANTIC, Kind.EPISODIC) else candidate.kind
            if candidate.claim.modality is not Modality.ASSERTED:
                kind = candidate.kind
            content = candidate.content
            if content == candidate.quote and self._command.subject is None and faithful(proposal.content, content):
                content = proposal.content.strip()
            candidate = replace(candidate, content=content, kind=kind)
        verdict = self._judged(offer, candidate)
        return replace(
            offer,
            candidate=candidate,
            verdict=self._stricter(verdict, proposal, "whole"),
            proposer=self._version,
        )

    def _part(self, offer: Offer, candidate: Candidate, proposal: Proposal, start: int, end: int) -> Offer | None:
        """Read a part of a statement by the rules, as if it had been said alone; None where it cannot stand alone."""
        text, about = self._texts[offer.message_index], candidate.claim
        if about.modality not in (Modality.ASSERTED, Modality.HEDGED):
            return None
        if not stands_alone(text[candidate.start : start], text[end : candidate.start + len(candidate.quote)]):
            return None
        read = extract(offer.message, index=offer.message_index, text=text[start:end], subject=self._command.subject)
        if len(read) != 1 or read[0].claim.modality not in (Modality.ASSERTED, Modality.HEDGED):
            return None
        part = replace(read[0], start=start + read[0].start)
        if about.modality is Modality.HEDGED:
            part = replace(part, claim=Claim(part.claim.subject, modality=Modality.HEDGED), kind=Kind.SEMANTIC)
        if part.claim.subject == USER_SUBJECT and (about.subject != USER_SUBJECT or not speaks_of_self(part.quote)):
            return None
        if part.claim.attribute is None and part.content == part.quote and faithful(proposal.content, part.quote):
            part = replace(part, content=proposal.content.strip())
        verdict = self._judged(offer, part)
        if verdict.decision not in OPEN:
            return None
        return replace(offer, candidate=part, verdict=self._stricter(verdict, proposal, "part"), proposer=self._version)

    def _judged(self, offer: Offer, candidate: Candidate) -> GateVerdict:
        """Judge a refined statement by the rules, never above their verdict on what it was taken from."""
        before = offer.verdict
        if offer.screened is None:
            return before
        fresh = judge(
            candidate,
            screened=offer.screened,
            trust=offer.trust,
            thresholds=self._thresholds,
            infer=True,
            kind_hint=self._command.kind,
            attribute_hint=self._command.attribute,
            read=within(offer.screened.text, self._read),
            of_somebody=self._command.of_somebody,
        )
        capped = lowered(
            fresh, before.importance, before.confidence, thresholds=self._thresholds, by="the whole sentence has"
        )
        if before.decision is Verdict.HOLD and capped.decision is Verdict.KEEP:
            return replace(capped, decision=Verdict.HOLD, reasons=before.reasons)
        return capped

    def _stricter(self, verdict: GateVerdict, proposal: Proposal, how: str) -> GateVerdict:
        features: dict[str, float | str | bool] = {**verdict.features, "llm": how}
        if proposal.importance is not None:
            features["llm_importance"] = float(proposal.importance)
        if proposal.confidence is not None:
            features["llm_confidence"] = proposal.confidence
        strict = lowered(
            verdict, proposal.importance, proposal.confidence, thresholds=self._thresholds, by="the model gives"
        )
        return replace(strict, features=MappingProxyType(features))


def _speaks_of(candidate: Candidate, span: str) -> bool:
    """Tell whether a quote is about a statement as a whole: it holds nearly all of it, or the value it gives."""
    value = candidate.claim.value
    if value is not None and normalise(value) in normalise(span):
        return True
    return covered(candidate.quote, [span]) >= _WHOLE


def _favour(proposal: Proposal) -> tuple[int, float]:
    return (
        10 if proposal.importance is None else proposal.importance,
        1.0 if proposal.confidence is None else proposal.confidence,
    )
