"""What the demo shows: answers of the service in, things for a terminal out. Readable without colour at 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from app.demo import story
from app.demo.calls import Answer
from app.demo.layout import Look, date, day, hanging, heading, hung, indented, iso, paragraph, two_columns
from app.demo.story import Said, Speaker, Title
from app.demo.words import BECAUSE, LEGEND, SIGNS, STATUSES, TRUST, amounts, counted, listed, reason, sign, terms

_FULL_IMPORTANCE: Final = 10
_WHO: Final[Mapping[Speaker, tuple[str, str]]] = {
    Speaker.USER: (story.NAME, "bold"),
    Speaker.ASSISTANT: ("Assistant", "bold blue"),
    Speaker.DOCUMENT: (f"A file, {story.DOCUMENT}", "bold magenta"),
}


@dataclass(frozen=True, slots=True)
class Screen:
    """Draws what the service answered.

    Attributes:
        look: With boxes and blocks, or without.
    """

    look: Look = field(default_factory=Look)

    def opening(self, *, monday: datetime, sunday: datetime, url: str, own: bool) -> RenderableType:
        """Say what this is and how to read it."""
        legend = Table.grid(padding=(0, 2))
        for name in LEGEND:
            legend.add_row(Text(SIGNS[name].label, SIGNS[name].style), SIGNS[name].meaning)
        where = "started for this demo alone, on an empty database that is deleted at the end" if own else f"at {url}"
        return Group(
            self.look.rule("LETHE: a memory for AI assistants that knows how to forget", "bold"),
            paragraph(
                "An assistant forgets everything between two conversations. Lethe is the service that remembers for "
                "it: it decides what is worth keeping, replaces what has changed, finds what matters for a question, "
                "says why it believes it, and truly deletes on request."
            ),
            paragraph(
                f"This is a week ({day(monday)} to {day(sunday)}) of {story.NAME}, who talks to such an assistant. "
                f'Lethe calls her "User". Everything that follows is a real answer of a Lethe service, {where}; it '
                "uses fixed rules and a small built-in model that compares meanings. No language model is asked."
            ),
            heading("How to read the marks"),
            indented(legend),
            paragraph("In square brackets stands the call of the service that was made, for whoever wants to know."),
        )

    def title(self, title: Title) -> RenderableType:
        """Open a chapter."""
        return Group(Text(), self.look.rule(title.name, "bold cyan"), paragraph(title.sentence))

    def conversation(self, turns: Sequence[tuple[Said, Answer]], *, monday: datetime) -> RenderableType:
        """Show messages on the left and what became of them on the right, day by day."""
        parts: list[RenderableType] = [heading("", call="POST /memories/write, once per message")]
        head = two_columns()
        head.add_row(Text("WHAT WAS SAID", "bold"), Text("WHAT LETHE DID WITH IT, AND WHY", "bold"))
        parts.append(indented(head))
        for number in dict.fromkeys(said.day for said, _ in turns):
            table = two_columns()
            for said, answer in turns:
                if said.day == number:
                    who, style = _WHO[said.speaker]
                    table.add_row(
                        Text.assemble((f"{who}: ", style), f'"{said.text}"'),
                        Group(*(_verdict(result) for result in answer["results"])),
                    )
            first = next(said for said, _ in turns if said.day == number)
            parts += [Text(f"{first.at(monday):%A} {iso(first.at(monday))}", "bold underline"), indented(table)]
        return Group(*parts)

    def tally(self, answers: Iterable[Answer], *, messages: int) -> RenderableType:
        """Sum up what became of the statements."""
        counts: Counter[str] = Counter()
        for answer in answers:
            counts.update(answer["counts"])
        shown = [f"{number} {SIGNS[name].word.lower()}" for name in SIGNS if (number := counts[name])]
        statements = counted(counts.total(), "statement", "statements")
        return paragraph(f"In short: {messages} messages held {statements}: {listed(shown)}.", "bold")

    def searched(self, found: Mapping[str, int], *, stored: int) -> RenderableType:
        """Show how often words occur in everything that is stored."""
        shown = listed([f'"{word}" {counted(number, "time", "times")}' for word, number in found.items()])
        return Group(
            heading("A look through everything that is stored", call="GET /memories/export"),
            paragraph(f"Searched all {counted(stored, 'memory', 'memories')} with quotes and history: {shown}."),
        )

    def life(self, memories: Sequence[Answer]) -> RenderableType:
        """Show the values of one fact with the time each was true."""
        table = Table.grid(padding=(0, 2))
        for memory in memories:
            ended = memory["valid_to"]
            style = "bold" if memory["status"] == "active" else "dim"
            table.add_row(
                Text(str(memory["value"]), style),
                f"from {date(memory['valid_from'])}",
                f"until {date(ended)}" if ended else "until now",
                Text(STATUSES[memory["status"]], style),
            )
        return Group(heading("Where she lives, as Lethe knows it", call="GET /memories/{id}"), indented(table))

    def then_and_now(self, question: str, answers: Sequence[tuple[str, Answer]]) -> RenderableType:
        """Show the best memory for a question, asked about different times."""
        table = Table.grid(padding=(0, 2))
        for when, answer in answers:
            best = answer["memories"][0]["content"] if answer["memories"] else "nothing"
            table.add_row(when, Text(best, "bold"))
        return Group(heading(f'"{question}", asked about two days', call="POST /recall with as_of"), indented(table))

    def hits(self, question: str, answer: Answer) -> RenderableType:
        """Show recalled memories with score bars and every term of the score."""
        rows: list[RenderableType] = []
        for place, memory in enumerate(answer["memories"], start=1):
            rows += [*self._hit(place, memory), hanging(terms(memory["scores"]), indent=3)]
        return Group(
            heading(f'The question: "{question}"', call="POST /recall"),
            paragraph(
                f"Asked for the best {story.HITS}, however low they score; a caller may also set a lowest score. The "
                "score is how well a memory fits the question, by meaning and by shared words, times four factors of "
                "at most 1: how important it is, how certain, how strong still (memories fade), how recent."
            ),
            indented(Group(*rows)),
        )

    def hits_after(self, question: str, answer: Answer, *, erased: Collection[str]) -> RenderableType:
        """Show the same recall after a forget, with the number of erased memories that came back."""
        rows = [part for place, memory in enumerate(answer["memories"], start=1) for part in self._hit(place, memory)]
        back = sum(memory["id"] in erased for memory in answer["memories"])
        return Group(
            heading(f'The same question again: "{question}"', call="POST /recall"),
            paragraph(
                f"Of the {counted(len(erased), 'erased memory', 'erased memories')}, {back or 'none'} came back. "
                "What is left, and how badly it fits:"
            ),
            indented(Group(*rows)),
        )

    def context(self, answer: Answer) -> RenderableType:
        """Show the block for the model, character by character."""
        text = Text((answer["context"] or {}).get("text", ""))
        framed: RenderableType = text
        if not self.look.plain:
            framed = Panel(text, box=box.ROUNDED, border_style="dim", padding=(0, 1), expand=False)
        return Group(
            heading("What the language model is given, word for word", call='"context" in the same answer'),
            Padding(framed, (0, 0, 1, 0)),
        )

    def belief(self, question: str, explained: Answer) -> RenderableType:
        """Show why a memory is believed."""
        memory, verdict, strength = explained["memory"], explained["verdict"], explained["strength"]
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        table.add_row("believed", memory["content"])
        for quoted in explained["evidence"]:
            table.add_row("because of", f'"{quoted["quote"]}", said on {date(quoted["occurred_at"])}')
            table.add_row("trust", f"{quoted['trust']} of 4: {TRUST[quoted['trust']]}")
        for entry in explained["history"]:
            if entry["memory_id"] != memory["id"]:
                table.add_row("it replaced", str(entry["content"] or "something that was forgotten"))
        if verdict is not None:
            table.add_row(
                "why kept",
                f"importance {verdict['importance']} of {_FULL_IMPORTANCE}, certainty {verdict['confidence']:.2f}, "
                + "; ".join(reason(given) for given in verdict["reasons"]),
            )
        fading = f"; halves in {strength['half_life_days']:.0f} days unless said again" if strength["fades"] else ""
        table.add_row(
            "strength",
            Text.assemble((self.look.bar(strength["weight"]), "green"), f" {strength['weight']:.2f}{fading}"),
        )
        return Group(
            heading(f'Why believed? Asked: "{question}"', call="POST /explain"),
            paragraph(f"In Lethe's words: {explained['narrative']}", "italic"),
            indented(table),
        )

    def why_not_head(self) -> RenderableType:
        """Open the part about what did not come back."""
        return heading("And why did these two not come back?", call="POST /explain, for each")

    def why_not(self, content: str, place: Answer) -> RenderableType:
        """Show why a memory did not come back."""
        parts: list[RenderableType] = [Text(f'"{content}"', "bold"), hanging(place["narrative"], indent=2, style="")]
        if place["reason"] is not None:
            checks = [check["check"] for check in place["checks"]]
            code = place["reason"]["code"]
            number = f"check {checks.index(code) + 1} of {len(checks)}" if code in checks else "the check"
            hint = f"Stopped by {number}, {code.replace('_', ' ')}. Its hint: {place['reason']['detail']}."
            parts.append(hanging(hint, indent=2))
        return indented(Group(*parts))

    def preview(self, words: str, answer: Answer) -> RenderableType:
        """Show what a forget would erase."""
        table = Table.grid(padding=(0, 2))
        table.add_column()
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_row(Text("would be erased", "bold"), Text("now", "bold"), Text("because it", "bold"))
        for row in answer["memories"]:
            table.add_row(
                Text(row["content"]),
                STATUSES.get(row["status"], row["status"]),
                BECAUSE.get(row["because"], row["because"]),
            )
        return Group(
            heading(f'First a preview: "{words}"', call="POST /forget with dry_run"),
            indented(table),
            paragraph(f"That is: {amounts(answer['would_erase'])}. A preview erases nothing."),
        )

    def receipt(self, answer: Answer, looked: Answer) -> RenderableType:
        """Show the receipt, and the fresh look for what should be gone."""
        residue = looked["residue"]
        if residue is None:
            clean = Text("not offered by this service")
        elif residue["clean"]:
            clean = Text("clean: no table holds any of the erased ids", "bold green")
        else:
            left = listed([f"{number} in {table}" for table, number in residue["found"].items()])
            clean = Text(f"NOT CLEAN: {left}", "bold red")
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        table.add_row("erased", amounts(answer["erased"]))
        table.add_row("receipt", answer["receipt_id"])
        table.add_row("checked again", clean)
        proof = Group(Text("seal, computed from this receipt and the one before it", "bold"), answer["chain"]["hash"])
        return Group(
            heading("Then for good, exactly what was shown", call="POST /forget with the preview's token"),
            indented(table),
            indented(proof),
            paragraph(
                "The receipt keeps counts and hashes, none of the words. It speaks for the rows of the database: "
                "backups that somebody makes of it are gone when theirs are replaced."
            ),
        )

    def nothing(self, question: str, by_question: Answer, by_id: Answer) -> RenderableType:
        """Show that explanations have nothing left to tell."""
        table = Table.grid(padding=(0, 2))
        table.add_column()
        table.add_column()
        table.add_row(f'"{question}"', Text(by_question["narrative"], "bold"))
        table.add_row("the erased memory, by its id", Text(by_id.get("detail") or by_id["narrative"], "bold"))
        return Group(heading("Asked why, once more", call="POST /explain"), indented(table))

    def closing(self, erased: int | None) -> RenderableType:
        """Say what happened to the demo's own traces, and what to do next."""
        gone = (
            f"The demo's user was erased again, with {counted(erased, 'memory', 'memories')}."
            if erased is not None
            else "This demo's service and its database are deleted now."
        )
        return Group(
            Text(),
            self.look.rule("That was Lethe", "bold"),
            paragraph(f"{gone} To try it yourself: `lethe serve` starts a service and shows three lines to send."),
        )

    def _hit(self, place: int, memory: Answer) -> list[RenderableType]:
        return [
            Text.assemble(f"{place}. ", (memory["content"], "bold")),
            Text.assemble("   ", (self.look.bar(memory["score"]), "green"), f" score {memory['score']:.2f}"),
        ]


def _verdict(result: Answer) -> RenderableType:
    mark = sign(result["outcome"])
    kept = result["candidate"] or result["evidence"]["quote"] or ""
    shown = f'"{kept}"' if result["outcome"] in ("dropped", "quarantined") else kept
    text = Text.assemble((mark.label, mark.style), f" {shown}")
    why = "; ".join(reason(given) for given in result["reasons"])
    return Group(hung(text, indent=2), hanging(why, indent=4))
