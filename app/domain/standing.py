"""Standing wishes: how the user wants to be answered from now on, told from a request for this turn."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from app.domain.text import straight


class Wish(Enum):
    """How a standing wish is put."""

    POLITE = auto()
    """As a question: "could you always ..."."""
    STANDING = auto()
    STYLE = auto()
    """Without a word that says how long; lasting unless something in it points at this turn."""
    PLAIN = auto()


def _table(*rows: tuple[Wish, str]) -> tuple[tuple[Wish, re.Pattern[str]], ...]:
    return tuple((wish, re.compile(pattern, re.IGNORECASE)) for wish, pattern in rows)


_STYLE: Final = (
    r"(?:answers?|repl(?:y|ies)|respon(?:d|ses?|se)|explanations?|explain|sentences?|bullet(?:s"
    r"| points?| lists?)?|emojis?|tone|jargon|formal(?:ly|ity)?|informal(?:ly)?|"
    r"concise(?:ly)?|brief(?:ly)?|short(?:er)?|verbose|detail(?:s|ed)?|examples?|code(?: first"
    r"| blocks?| samples?)?|prose|markdown|tables?|headings?|metric|imperial|celsius|"
    r"fahrenheit|units|step[- ]by[- ]step|first[- ]principles|plain (?:english|language|text)"
    r"|english|german|french|spanish|chinese|japanese|italian|"
    r"portuguese|russian|korean|arabic|hebrew|dutch|polish|british spelling|american spelling"
    r"|24[- ]hour|apolog(?:y|ise|ize)|small talk|summary|summaries|sources|citations?|links"
    r"|type hints|"
    r"comments|tests|docstrings?|greetings?|disclaimers?|honest|blunt|direct|polite|humou?r|jokes|sarcasm|friendly)"
)
_VERBS: Final = (
    r"(?:answer|reply|respond|write|speak|talk|explain|format|keep|use|be|avoid|stop|don't|do not"
    r"|never|always|give|show|address|call|include|add|skip|start|begin|end|put|make|"
    r"ask|check|confirm|run|prefer|quote|cite|limit|stick|translate|refer|send|remind|tell|treat"
    r"|assume|suggest|say so|exclude|test|follow|round|convert|spell|cc|double-check|omit|leave|let|warn|wait"
    r"|offer|provide|return|indent|name|commit|keep)"
)
_STANDING_WORD: Final = (
    r"(?:always|never|from now on|in (?:the )?future|going forward|henceforth|by default"
    r"|every time|each time|whenever|as a rule|at all times|for all|in all|in every|each|every)"
)
_WHILE_AT_IT: Final = (
    r"(?:from now on|from here on(?: out)?|in (?:the )?future|going forward|moving forward|henceforth|by default"
    r"|at all times)"
)
_STANDING: Final = _table(
    # a wish in the form of a question: "could you always ...", "would you mind ...ing from now on"
    (
        Wish.POLITE,
        rf"^(?:please |so |and |{_WHILE_AT_IT},? )*(?:can|could|would|will) you (?:please |kindly |just |maybe |also )*"
        rf"(?:always|never|please always|stop) (?:please )?(?:{_VERBS}|\w+ing)\b",
    ),
    (
        Wish.POLITE,
        rf"^(?:please |so |and )*(?:can|could|would|will) you (?:please |kindly |just |maybe |also |not )*{_VERBS}\b"
        rf"(?!.{{0,200}}\b(?:why|what|whether|how to)\b).{{0,200}}\b(?:{_WHILE_AT_IT}|every time|each time|whenever)\b",
    ),
    (
        Wish.POLITE,
        rf"^{_WHILE_AT_IT},? (?:please )?(?:can|could|would|will) you (?:please )?{_VERBS}\b",
    ),
    (
        Wish.POLITE,
        rf"^(?:would|do) you mind (?:not )?\w+ing\b.{{0,160}}\b(?:{_WHILE_AT_IT}|every time|each time|whenever"
        r"|always)\b",
    ),
    (
        Wish.STANDING,
        r"^(?:for future reference|as a (?:general )?rule|in general|moving forward|from here on(?: out)?"
        r"|for the future"
        rf"|in all (?:your|our) (?:answers|replies|chats|conversations))[,:]? (?:please |always |never )*{_VERBS}\b",
    ),
    (
        Wish.STANDING,
        rf"^(?:please |kindly |so )*(?:always|never|from now on,?|in (?:the )?future,?|going forward,?"
        rf"|henceforth,?|by default,?)(?: please)? {_VERBS}\b",
    ),
    (
        Wish.STANDING,
        rf"^(?:please |kindly )*(?!let's say\b){_VERBS}\b.{{0,200}}\b{_STANDING_WORD}\b",
    ),
    (
        Wish.STANDING,
        rf"^(?:every time|each time|when(?:ever)?|if|before|after) (?:you|i"
        rf"|we)\b[^.]{{1,120}}, ?(?:please |kindly |just |always |never |then )*{_VERBS}\b",
    ),
    (Wish.STANDING, rf"^should (?:i|we)\b[^.]{{1,120}}, ?(?:please|kindly|just) (?:always |never )*{_VERBS}\b"),
    # without a comma: only behind what is asked or sent, and where nobody else can be the one who gives
    (
        Wish.STANDING,
        r"^(?:whenever|every time|each time|when|if) (?:i|we) (?:ask|send|type|paste|mention|want|need)\b[^.,]{0,80}"
        r"(?<! they)(?<! he)(?<! she)(?<! you)(?<! to)(?<!n't)(?<!would)(?<!will)(?<!can)(?<!could)"
        r" (?:just |please |always |never )*(?:give|tell|show|send|ask|warn|remind) me\b",
    ),
    (
        Wish.STANDING,
        r"^(?:please |always )*assume (?:that )?i(?: know| don't know| understand|(?:'m| am) (?:an? )?(?:\w+ )?"
        r"(?:beginner|novice|expert|layman|new to|familiar with|fluent))\b",
    ),
    # "I should be grateful if you would cite a source each time ..."
    (
        Wish.STANDING,
        rf"^(?:i|we)(?:'d| would| should) (?:(?:really|also|very much|kindly|just) )*(?:ask|like|want|prefer|appreciate"
        rf"|be (?:glad|grateful|obliged|thankful|happy))(?: it)?(?: if| that)? you\b.{{0,200}}\b(?:{_WHILE_AT_IT}"
        rf"|every time|each time|each answer|whenever|always|never)\b",
    ),
    (
        Wish.STYLE,
        rf"^(?:please |kindly |just )*(?:answer|reply|respond|write|speak|talk|explain|format|keep|use"
        rf"|be|avoid|stop|don't|do not|no|less|more|give|skip|omit|leave|include|add|prefer"
        rf"|stick)\b[^.]{{0,80}}\b{_STYLE}\b",
    ),
    (
        Wish.PLAIN,
        r"^(?:i|we) (?:really |always |generally |much |also )?(?:prefer|like|love|hate|dislike"
        r"|appreciate|don't (?:like|want))(?: it)? (?:when|if|how|that) you\b",
    ),
    (
        Wish.PLAIN,
        r"^(?:i|we)(?: would|'d)? (?:really |always |generally |much |also )?(?:prefer|want|like|love"
        r"|need|hate|dislike|expect|appreciate|don't (?:like|want|need))\b[^.]{0,60}\b(?:answers"
        r"|replies|responses|explanations|code first|bullet points|emojis?)\b",
    ),
    (
        Wish.PLAIN,
        r"^(?:i|we)(?: would|'d)? (?:\w+ly |always )?(?:prefer|want|like) (?:honest|blunt|direct|frank|plain|harsh|kind"
        r"|critical|gentle) (?:feedback|criticism|advice|opinions?)\b [^.,]{0,20}\b(?:over|rather than|instead of)\b",
    ),
    (
        Wish.PLAIN,
        r"^(?:the user |user )?(?:prefers|wants|likes|expects|appreciates|dislikes"
        r"|hates)\b[^.]{0,60}\b(?:answers?|replies|responses|explanations|code|prose|bullet points"
        r"|emojis?|examples|tone|details?|sentences|step[- ]by[- ]step|first[- ]principles)\b",
    ),
    (
        Wish.STANDING,
        r"^(?:please )?(?:(?:don't|do not|never) call|stop calling) me (?!back|now|later|at|on|tonight|today)\w+",
    ),
    (
        Wish.STANDING,
        r"^(?:please )?(?:speak|talk|write|answer|reply|respond)(?: to me| back)? (?:like|as if|as though) ",
    ),
    (Wish.STYLE, r"^(?:please )?use [^,.]{1,60}(?:, not | instead of | rather than | and not )"),
    (Wish.STYLE, r"^(?:please )?avoid \w+"),
    (
        Wish.PLAIN,
        rf"^(?:i|we)(?:'d| would) (?:like|love|prefer|rather|appreciate)(?: "
        rf"it)?(?: if)? you(?: to)? (?:\w+ ){{0,3}}(?:{_STYLE})\b",
    ),
    (
        Wish.PLAIN,
        r"^(?:my|the) (?:preferred|favou?rite) (?:answer|response|reply|explanation|writing"
        r"|communication) (?:style|format|language|length|tone)\b",
    ),
)
# what points at the turn itself makes a wish a request for now
_FOR_NOW: Final = re.compile(
    r"\b(?:this (?!way|style|format)\w+|that (?!way|style|format)\w+|these|those|the following"
    r"|above|below|attached|it|them|right now|again|once more|for me now|today|tomorrow"
    r"|an? (?:email|letter|poem|story|function|script|essay|query|test|list|summary|table|example"
    r"|paragraph|haiku|joke|regex|class|message|reply|tweet))\b",
    re.IGNORECASE,
)


def is_standing(text: str) -> bool:
    """Tell whether a text asks for a lasting manner of answering or working."""
    return standing_form(text) is not None


def standing_form(text: str) -> Wish | None:
    """Say in what form a text asks for a lasting manner, if it does."""
    plain = straight(text).strip()
    found = next((wish for wish, pattern in _STANDING if pattern.search(plain)), None)
    return None if found is Wish.STYLE and _FOR_NOW.search(plain) else found
