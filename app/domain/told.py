"""What a speaker has told so far in one write: who is who, and which statement a correction may mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.claim import Candidate
from app.domain.reading import Reading
from app.domain.subjects import person_of
from app.domain.text import slug, straight

_HEARD: Final = 500  # code points of what an assistant said last
_RECENT: Final = 4  # statements that a correction may reach back over
_PRONOUNS: Final = ("he", "she", "they")
_IS_MINE: Final = re.compile(r".+? is (?:my|our) (?P<who>[\w-]+(?: [\w-]+)?)", re.IGNORECASE)
_A_NAME: Final = re.compile(r"[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,2}")


@dataclass(slots=True)
class Told:
    """One speaker's part of a write, as far as it was read.

    Attributes:
        names: Names and relations in lower case to their subjects; within a message also the last person spoken of,
            under "he", "she" and "they" as `subject|label`.
        recent: The last few statements, which a correction may mean.
        sentence: What the last sentence said, which may turn out to be a joke.
        revoked: Statements that were taken back, by message and place in it.
        turns: The speaker's messages so far.
        heard: What an assistant said since the last statement.
        marks: A sentence of nothing but marks, as "Wait, that's wrong."; what is put right stands in the next one.
        withdrawn: What that sentence took back.
    """

    names: dict[str, str] = field(default_factory=dict)
    recent: list[Candidate] = field(default_factory=list)
    sentence: tuple[Candidate, ...] = ()
    revoked: set[tuple[int, int]] = field(default_factory=set)
    turns: list[int] = field(default_factory=list)
    heard: str = ""
    marks: str = ""
    withdrawn: tuple[Candidate, ...] = ()

    def open_message(self) -> None:
        """Begin a new message: a pronoun means somebody of its own message, names mean the same as before."""
        for pronoun in _PRONOUNS:
            self.names.pop(pronoun, None)
        self.marks, self.withdrawn = "", ()

    def open_turn(self, index: int) -> None:
        """Begin a speaker's turn: a joke is taken back in the very next one, or not at all."""
        if self.turns and self.sentence and self.sentence[-1].message_index < self.turns[-1]:
            self.sentence = ()
        self.turns.append(index)

    def said(self, new: Sequence[Candidate]) -> None:
        """Keep what a sentence said, for what may be put right after it."""
        self.sentence = tuple(new)
        self.recent = [*self.recent, *new][-_RECENT:]
        self.heard, self.marks, self.withdrawn = "", "", ()

    def interjected(self, marks: str) -> None:
        """Note a sentence of nothing but marks: it is no statement that a correction could mean."""
        self.marks = marks.strip(" .!…")

    def with_marks(self, quote: str) -> str:
        """Give a sentence with the marks that stood before it as a sentence of their own."""
        return f"{self.marks}, {quote}" if self.marks else quote

    def hear(self, spoken: str) -> None:
        """Note what an assistant said; after a question comes an answer, and only plain words make it a correction."""
        self.heard = spoken.strip()[-_HEARD:]

    @property
    def answering(self) -> bool:
        """Whether an assistant has just asked something."""
        return self.heard.endswith(("?", "？"))

    def remember(self, reading: Reading, statement: str) -> None:
        """Let later statements mean the same somebody."""
        if not reading.subject.startswith(("person:", "pet:", "client:")):
            return
        known = list(reading.known_as)
        if reading.attribute is not None and reading.attribute.name == "name" and reading.value:
            known += [reading.value.casefold()] if _A_NAME.fullmatch(reading.value) else []
            known.append(reading.subject.partition(":")[2].replace("_", " "))
        match = _IS_MINE.fullmatch(straight(statement))
        if match and person_of(match["who"], self.names) == f"person:{slug(match['who'])}":
            known.append(match["who"].casefold())
        for name in known:
            self.names.setdefault(name, reading.subject)
        if reading.known_as:
            for pronoun in _PRONOUNS:
                self.names[pronoun] = f"{reading.subject}|{reading.label}"

    def revoke(self, candidate: Candidate) -> None:
        """Take a statement back."""
        self.revoked.add((candidate.message_index, candidate.start))

    def withdraw(self, taken: Sequence[Candidate]) -> None:
        """Take statements back; the next sentence may still say what is right instead."""
        for one in taken:
            self.revoke(one)
        self.withdrawn = tuple(taken)

    def may_be_put_right(self, candidate: Candidate) -> bool:
        """Tell whether a statement still stands, or was taken back by the sentence just before."""
        return not self.is_revoked(candidate) or candidate in self.withdrawn

    def is_revoked(self, candidate: Candidate) -> bool:
        """Tell whether a statement was taken back later in the write."""
        return (candidate.message_index, candidate.start) in self.revoked
