"""Cutting a message into statements: sentences first, then clauses that stand by themselves.

Offsets are code points of the given text; every span is an exact substring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.text import vocabulary

MAX_CANDIDATE: Final = 1_000  # code points of one statement


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text; `code` marks a fenced block, `elided` a clause without its subject."""

    start: int
    end: int
    code: bool = False
    elided: bool = False

    def of(self, text: str) -> str:
        """Read the span."""
        return text[self.start : self.end]


_FENCE: Final = re.compile(r"^[ \t]{0,3}(```|~~~)[^\n]*$", re.MULTILINE)
BULLET: Final = re.compile(r"[ \t]*+(?:[-*+•‣◦·–]|\(?\d{1,3}[.)]|\(?[a-z][.)]|#{1,6}|>++|\[[ xX]\])[ \t]++")
# a full stop of some script, then what may close the sentence, then what must follow
_STOP: Final = re.compile(
    r"[.!?…]+[\"'”’)\]»*_]*(?=\s|$|[^\x00-\u2fff])|[。！？｡؟।]+[」』”’）)\"']*|(?<=[^\x00-\u2fff])[.!?]+(?=\s|$)"
)
_LAST_WORD: Final = re.compile(r"[^\s(\[\"'“]*\Z")
_INITIALS: Final = re.compile(r"(?:[A-Za-z]\.)*[A-Za-z]\Z")
# never the end of a sentence
_TITLES: Final = vocabulary(
    "mr mrs ms mx dr prof st sr jr rev gen col sgt capt lt vs cf e.g i.e eg ie approx fig nr vol ca bzw z.b d.h u.a"
)
# the end of a sentence only when one clearly begins after them
_MAYBE: Final = vocabulary(
    "etc inc ltd co corp llc gmbh plc a.m p.m am pm u.s u.k "
    "e.u d.c no ave blvd dept est jan feb mar apr jun jul aug sep sept oct nov dec"
)
_STARTERS: Final = vocabulary(
    "i i'm i've i'd i'll my we our the it he she they this that these those and but so also in on please what"
)
_GERMAN_MONTHS: Final = vocabulary(
    "januar jänner februar märz april mai juni juli august september oktober november dezember"
)
_NEXT_WORD: Final = re.compile(r"\s*([\w']+)")

# a clause of its own begins here: pronoun or possessive and then a verb-like word
_SUBJECT: Final = (
    r"(?:i(?:'m|'ve|'d|'ll)?|we(?:'re|'ve|'ll)?|he|she|they|it|my|our|he's|she's|they're|it's|there(?:'s)?)\b"
)
# a run of blanks is read once: it may only begin where no blank stands before it, and gives nothing back
_JOIN: Final = re.compile(
    r"(?:(?<!\s)\s*+;\s*+|;\s*+|(?<!\s)(?:\s++,)?\s++(?:and|but|so|yet|plus|while|whereas|&)\s++"
    r"|,\s++(?:(?:and|but|so|yet|plus|while|whereas|&)\s++)?|(?<!\s)\s++,\s++"
    r"|(?<!\s)\s++[–—-]{1,2}\s++)(?=(?P<next>\S[^\n]{0,60}))",
    re.IGNORECASE,
)
_OPENS_SUBJECT: Final = re.compile(
    r"(?:(?:now|then|also|currently|today|yesterday|last \w+|since \w+|in \d{4}),? )?" + _SUBJECT, re.IGNORECASE
)
_OPENS_QUESTION: Final = re.compile(
    # ", which is ...", ", who I ..." and ", where I ..." go on with what was said
    r"(?:which|who|where|when)\s+(?:else|do|does|did|can|could|should|would|will|ideas?|one|of|to)\b"
    r"|(?:what|why|how|do|does|did|can|could|would|will|should|is|are"
    r"|any)\s+(?:you|i|it|there|they|we|the|that|this|else|do|can|should|would|is|are|ideas?|good"
    r"|time|about|to)\b",
    re.IGNORECASE,
)
# behind "so", "and", "but" only what can be nothing else, at the end of a question
_INVERTED: Final = re.compile(
    r"(?:(?:what|which|who|where|when|why|how)\s+(?:\w+\s+){0,2}?)?(?:do|does|did|can|could|would|will|should"
    r"|shall|may)\s+"
    r"(?:you|i|we|he|she|it|they)\b",
    re.IGNORECASE,
)
# "..., where is the nearest gym?", at the end of a question
_ASKS_OF_IT: Final = re.compile(
    r"(?:where|when|who|which)\s+(?:is|are)\s+(?:the|my|our|there|it|a good|better|best)\b", re.IGNORECASE
)
_DASHES: Final = frozenset({"-", "--", "–", "—"})
_GROUND: Final = re.compile(r"\s*+(?:(?:now|given|considering|seeing) that|considering)\b", re.IGNORECASE)
_ADVERB: Final = (
    r"(?:(?:now|also|currently|still|just|really|recently|always|usually|mostly|often|never|sometimes|then|have|am)\s+)"
)
_OPENS_VERB: Final = re.compile(
    _ADVERB + r"{0,2}(?:live|work|use|love|like|hate|dislike|prefer|speak|play|drive|own|study|need|want"
    r"|have|had|am|was|drink|eat|enjoy|"
    r"moved|joined|started|switched|bought|got|adopted|married|graduated|launched|don't|do not"
    r"|don’t|can't|cannot|teach|run|write|"
    r"avoid|collect|practice|practise|train|learn|lead|manage|build|support|follow|never|no longer)\s+\S",
    re.IGNORECASE,
)
_HAS_CLAUSE: Final = re.compile(
    r"\b(?:i|we|he|she|they|it|you)(?:'m|'ve|'re|'s|'d|'ll|\s+[\w']+)|\b(?:my|our"
    r"|the)\s+[\w' ]{1,60}?(?:is|are|was|were|has|have|lives|works|likes|loves|hates|wants|needs"
    r"|uses)\b"
    r"|\b(?:is|are|was|were|has|lives|works)\b",
    re.IGNORECASE,
)
# a clause that only hangs on the next one
_SUBORDINATE: Final = re.compile(
    r"\s*+(?:[\w']++\s++)?(?:if|when|whenever|because|since|although|though|after|before|as|once"
    r"|until|unless|suppose|supposing|imagine|assuming|in case|every time|had i|were i)\b",
    re.IGNORECASE,
)
# "want to work and live in ..." is one wish, not two facts
_INFINITIVE: Final = re.compile(
    r"\b(?:(?<!moved )(?<!relocated )(?<!went )(?<!back )(?<!switched )to(?= (?-i:[a-z]))|can"
    r"|could|would|will|should|might|must|may|let's|about|'ll|'d|of|by"
    r"|for)\s+[\w-]+(?:\s+\S+)?\s*\Z",
    re.IGNORECASE,
)


def sentences(text: str) -> list[Span]:
    """Cut a text into sentences, list items, lines and code blocks."""
    return [
        piece
        for block in _blocks(text)
        for piece in ([block] if block.code else _sentences(text, block))
        if piece.end > piece.start
    ]


def _blocks(text: str) -> Iterator[Span]:
    """Set fenced code apart from prose; an unclosed fence runs to the end."""
    fences = list(_FENCE.finditer(text))
    position = 0
    for opening, closing in zip(fences[::2], [*fences[1::2], None], strict=False):
        yield Span(position, opening.start())
        position = closing.end() if closing else len(text)
        yield Span(opening.start(), position, code=True)
    yield Span(position, len(text))


def _sentences(text: str, block: Span) -> Iterator[Span]:
    for line in _lines(text, block):
        start = line.start
        for stop in _STOP.finditer(text, line.start, line.end):
            if stop.end() < line.end and not _ends(text, stop, line.end):
                continue
            yield from _limited(text, start, stop.end())
            start = stop.end()
        yield from _limited(text, start, line.end)


def _lines(text: str, block: Span) -> Iterator[Span]:
    """Cut at line ends and after bullets; a long line that runs on in lower case was only wrapped."""
    start = position = block.start
    while position < block.end:
        newline = text.find("\n", position, block.end)
        newline = block.end if newline < 0 else newline
        following = text[newline + 1 : newline + 2]
        wrapped = newline - position > 50 and following.islower() and text[newline - 1] not in ".!?:;"
        position = newline + 1
        if wrapped and position < block.end:
            continue
        bullet = BULLET.match(text, start, newline)
        yield Span(bullet.end() if bullet else start, newline)
        start = position


def _ends(text: str, stop: re.Match[str], end: int) -> bool:
    """Tell whether a full stop ends the sentence, or only an abbreviation, an initial or a number."""
    if stop.group()[0] != "." or len(stop.group()) > 1:
        return True
    word = _LAST_WORD.search(text, max(0, stop.start() - 24), stop.start())
    last = word.group().casefold() if word else ""
    following = _NEXT_WORD.match(text, stop.end(), end)
    first = following.group(1) if following else ""
    if last in _TITLES or (
        len(last) == 1 and last.isalpha() and last != "i" and first[:1].isupper() and first.casefold() not in _STARTERS
    ):
        return False
    if last.isdigit() and len(last) <= 2 and first.casefold() in _GERMAN_MONTHS:
        return False  # "am 30. September"
    if last in _MAYBE or ("." in last and _INITIALS.match(last)):
        return first.casefold() in _STARTERS and first[:1].isupper()
    return True


def _limited(text: str, start: int, end: int) -> Iterator[Span]:
    """Trim white space, and cut what is longer than a candidate may be at a space."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > MAX_CANDIDATE:
        space = max(
            text.rfind(mark, start + MAX_CANDIDATE // 2, start + MAX_CANDIDATE) for mark in (" ", "\t", "，", "、", ",")
        )
        cut = space + 1 if space > 0 else start + MAX_CANDIDATE
        yield Span(start, len(text[:cut].rstrip()) if cut - start < MAX_CANDIDATE else cut)
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        yield Span(start, end)


def _opens_question(glue: str, right: str, *, asked: bool) -> bool:
    """Tell whether what follows a join is a question of its own."""
    if glue == "":
        return _OPENS_QUESTION.match(right) is not None or (asked and _ASKS_OF_IT.match(right) is not None)
    if not asked:
        return False
    return (_OPENS_QUESTION if glue in _DASHES else _INVERTED).match(right) is not None


def has_clause(text: str) -> bool:
    """Tell whether words have somebody who does something."""
    return _HAS_CLAUSE.search(text.replace("’", "'")) is not None


def clauses(text: str, sentence: Span) -> list[Span]:
    """Split a compound sentence into clauses that say something each.

    "I moved to Oslo and now work at Equinor" gives two; the second is `elided`, as it borrows its
    subject. Conditions, wishes and lists stay whole.
    """
    if sentence.code or _SUBORDINATE.match(text, sentence.start, sentence.end):
        return [sentence]
    cuts: list[tuple[int, int, bool]] = []
    start = sentence.start
    # "now that I'm vegan, what can I cook" stays whole: its reason is told in passing
    grounds = _GROUND.match(text, sentence.start, sentence.end) is not None
    asked = text[sentence.start : sentence.end].rstrip().endswith(("?", "？"))
    for join in _JOIN.finditer(text, sentence.start, sentence.end):
        left = text[start : join.start()]
        borrowed = bool(cuts) and cuts[-1][2]
        if not (borrowed or _HAS_CLAUSE.search(left.replace("’", "'"))) or _SUBORDINATE.match(left):
            continue
        right = join["next"].replace("’", "'")
        glue = join.group().strip(" ,").casefold()
        own = bool(_OPENS_SUBJECT.match(right)) or (
            not (cuts == [] and grounds) and _opens_question(glue, right, asked=asked)
        )
        elided = (
            not own and glue in {"and", "but", "&"} and bool(_OPENS_VERB.match(right)) and not _INFINITIVE.search(left)
        )
        if own or elided:
            cuts.append((join.start(), join.end(), elided))
            start = join.end()
    spans: list[Span] = []
    begin, is_elided = sentence.start, False
    for cut, after, elided in cuts:
        spans.append(Span(begin, cut, elided=is_elided))
        begin, is_elided = after, elided
    return [*spans, Span(begin, sentence.end, elided=is_elided)]
