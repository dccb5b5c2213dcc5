"""How a statement was meant: asserted, hedged, hypothetical, asked, commanded or quoted."""

from __future__ import annotations

import re
from typing import Final

from app.domain.languages import is_english, look
from app.domain.memory import Modality
from app.domain.text import straight

_Table = tuple[tuple[str, re.Pattern[str]], ...]


def _table(*rows: tuple[str, str]) -> _Table:
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in rows)


# words before the statement that change nothing in it
_OPENING: Final = re.compile(
    r"(?:(?:and|but|so(?! (?:far|much|many|long|little|few)\b)|well(?! done)|also|oh|ah|hi|hey"
    r"|hello|ok|okay|yes|yeah|yep|actually|anyway|btw|"
    r"by the way|fyi|for the record|for context|for your information|just so you know|as you know"
    r"|to be clear|honestly|frankly|basically|in fact|"
    r"(?:please )?(?:note|remember|keep in mind|be aware|know|don't forget) that|please remember|"
    r"i want you to (?:know|remember) that|you should know that|let me tell you that|i (?:can"
    r"|must|have to) (?:say|admit) that|"
    r"who would(?:'ve| have) thought(?: it)?|believe it or not|you won't believe (?:it|this)|to my (?:own )?surprise"
    r"|guess what|funnily enough|long story short|it's true that|the truth is(?: that)?"
    r"|i confirm that|i'd like you to (?:know"
    r"|remember) that)\b[ \t]{0,3}[,:;.!—–-]{0,3}\s{1,3}"
    r"|(?:no|nope|sorry|right|sure|thanks|thank you|listen|look|great|cool|nice|perfect|ps|p\.s\."
    r"|update|note|remember|correction|good news|bad news|fun fact|"
    r"one more thing|important|reminder|info|for later)[ \t]{0,3}[,:;!—–-]{1,3}\s{1,3})",
    re.IGNORECASE,
)

_QUOTED: Final = _table(
    (
        "fiction",
        r"\b(?:in|from) (?:the|my|a|this|that|his|her) (?:[\w-]+ ){0,2}(?:novel|book|story|movie|film"
        r"|song|game|play|poem|lyrics|dream|series|episode|show|script|comic)s?\b.{0,60}\b(?:says?"
        r"|said|asks?|goes|sings|lives?|character|hero|i)\b",
    ),
    (
        "character",
        r"\b(?:the|my) (?:hero|heroine|character|protagonist|narrator|villain"
        r"|singer)\b.{0,40}\b(?:says?|said|lives?|is|has|wants)\b",
    ),
    (
        "speech",
        r"\b(?:says?|said|told (?:me|us|him|her|them)|asks?|asked|wrote|writes|replied|shouted|sings?"
        r"|goes|quote)\s{0,2}[:,]\s{0,2}[\"'“‘«i]",
    ),
    (
        "speech",
        r"^[\"“«][^\"”»]{3,400}[\"”»],? (?:said|says|asked|wrote|whispered|replied|is what|was what"
        r"|he|she|they|the)\b",
    ),
    ("quotation", r"^[\"“«][^\"”»]{1,900}[\"”»][.!]?$"),
    ("dream", r"\b(?:i|he|she) (?:dreamt|dreamed|had a dream)\b"),
    ("joke", r"\b(?:just kidding|only joking|jk|/s|i'm joking|i'm kidding|yeah right|as if)\s*[.!)]*$"),
    ("role play", r"^(?:pretend|role-?play|act as|let's pretend|imagine you are|you are (?:a|an|the))\b"),
)
_HYPOTHETICAL: Final = _table(
    (
        "supposition",
        r"^(?:suppose|supposing|imagine|assuming|assume|let's say|say i|say we|what if|hypothetically"
        r"|in theory|theoretically|for the sake of argument|pretend)\b",
    ),
    (
        "counterfactual",
        r"^(?:even )?if\b.{0,200}\b(?:would|wouldn't|i'd|we'd|he'd|she'd|they'd|it'd|could|might|were"
        r"|had)\b",
    ),
    ("counterfactual", r"\b(?:i|we|he|she|they)(?:'d| would) (?:have|never have|rather have had)\b"),
    ("counterfactual", r"\bif (?:i|we|he|she|they) (?:were|had|was|lived|worked|could)\b"),
    ("wish", r"\b(?:i|we) wish\b|^if only\b|^(?:were|had) i\b"),
    (
        "counterfactual",
        r"^(?:i|we|he|she)(?:'d| would) (?!like\b|love\b|prefer\b|rather\b|appreciate\b|say\b"
        r"|recommend\b|hate\b)\w+",
    ),
    (
        "condition",
        r"^(?!if i \w+\b[^.]{0,80}\bi (?:always |usually |often )?(?:get|feel|become|sleep|can't"
        r"|cannot|need)\b)(?:if|unless|in case|provided|as long as)\b",
    ),
)
_QUESTION: Final = _table(
    ("question mark", r"[?？؟][\"'”’)\]»\s*_]*(?:[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$"),
    (
        "question word",
        r"^(?:what|where|when|why|who|whom|whose|which|how)(?:'s|'re| (?:is|are|was|were|do|does|did"
        r"|can|could|should|would|will|have|has|about|many|much|long|often|old|far|time|kind|else|to"
        r"|come|in|about)\b)",
    ),
    (
        "inversion",
        r"^(?:do|does|did|can|could|would|will|should|may|shall|is|are|was|were|have|has|am|isn't"
        r"|aren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|haven't|hasn't) (?:you|i|we|it"
        r"|he|she|they|there|this|that|the|my|your|anyone|anybody|someone)\b(?! (?:ever )?(?:forget"
        r"|let))",
    ),
    (
        "indirect",
        r"^(?:i wonder|i'm wondering|i was wondering|do you know|any idea|any ideas|tell me (?:if"
        r"|whether|what|how|why|where|when|who))\b",
    ),
    ("tag", r"\b(?:right|isn't it|aren't you|don't you|do i|am i|correct)\?$"),
)
_HEDGED: Final = _table(
    (
        "perhaps",
        r"\b(?:maybe|perhaps|possibly|probably|presumably|supposedly|allegedly|apparently|conceivably"
        r"|potentially)\b",
    ),
    ("might", r"\b(?:i|we|he|she|they|it|that|there|you|\w+) (?:might|(?-i:may)(?! \d))(?: not)? (?:be|have|\w+)\b"),
    (
        "considering",
        r"\b(?:thinking (?:about|of)|thought (?:about|of)|considering|contemplating|pondering"
        r"|toying with|tempted to|mulling|weighing|debating|on the fence|undecided|torn between"
        r"|leaning towards?|looking into|flirting with|open to|wondering (?:if|whether|about))\b",
    ),
    (
        "unsure",
        r"\b(?:not (?:really |quite |entirely |completely |100% )?(?:sure|certain|convinced)|unsure"
        r"|uncertain|don't know (?:if|whether|yet)|no idea (?:if|whether)|can't decide"
        r"|haven't decided|could be|i doubt|who knows|if i remember (?:right|correctly)|iirc)\b",
    ),
    ("belief", r"\b(?:i|we) (?:guess|suppose|assume|reckon|suspect|believe|imagine|presume|expect)\b(?! in\b)"),
    (
        "belief",
        r"^(?:i|we) (?:(?:do not |don't )?think|feel like|have a feeling)(?: that)? (?:i|i'm|i've|i'd|i'll|we|we're|my"
        r"|our|it|it's|he|he's|she|she's|they|there|that)\b",
    ),
    ("should", r"\b(?:i|we) (?:should|ought to|could)(?: probably| maybe)? (?!n't)\w+"),
    ("seems", r"^(?:it )?(?:seems|looks|sounds|feels) (?:like|as if|that)\b|\b(?:i|my \w+) seems? to\b"),
)

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
    r"|assume|suggest|test|follow|round|convert|spell|cc|double-check|omit|leave|let|warn|wait"
    r"|offer|provide|return|indent|name|commit|keep)"
)
_STANDING_WORD: Final = (
    r"(?:always|never|from now on|in (?:the )?future|going forward|henceforth|by default"
    r"|every time|each time|whenever|as a rule|at all times|for all|in all|in every|each|every)"
)
_STANDING: Final = _table(
    (
        "standing wish",
        rf"^(?:please |kindly |so )*(?:always|never|from now on,?|in (?:the )?future,?|going forward,?"
        rf"|henceforth,?|by default,?)(?: please)? {_VERBS}\b",
    ),
    ("standing wish", rf"^(?:please |kindly )*{_VERBS}\b.{{0,200}}\b{_STANDING_WORD}\b"),
    (
        "standing wish",
        rf"^(?:whenever|every time|each time|when(?:ever)?|if|before|after) (?:you|i"
        rf"|we)\b[^.]{{1,120}}, ?(?:please |always |never |then )*{_VERBS}\b",
    ),
    (
        "style wish",
        rf"^(?:please |kindly |just )*(?:answer|reply|respond|write|speak|talk|explain|format|keep|use"
        rf"|be|avoid|stop|don't|do not|no|less|more|give|skip|omit|leave|include|add|prefer"
        rf"|stick)\b[^.]{{0,80}}\b{_STYLE}\b",
    ),
    (
        "wish",
        r"^(?:i|we) (?:really |always |generally |much |also )?(?:prefer|like|love|hate|dislike"
        r"|appreciate|don't (?:like|want))(?: it)? (?:when|if|how|that) you\b",
    ),
    (
        "wish",
        r"^(?:i|we)(?: would|'d)? (?:really |always |generally |much |also )?(?:prefer|want|like|love"
        r"|need|hate|dislike|expect|appreciate|don't (?:like|want|need))\b[^.]{0,60}\b(?:answers"
        r"|replies|responses|explanations|code first|bullet points|emojis?)\b",
    ),
    (
        "wish",
        r"^(?:the user |user )?(?:prefers|wants|likes|expects|appreciates|dislikes"
        r"|hates)\b[^.]{0,60}\b(?:answers?|replies|responses|explanations|code|prose|bullet points"
        r"|emojis?|examples|tone|details?|sentences|step[- ]by[- ]step|first[- ]principles)\b",
    ),
    (
        "standing wish",
        r"^(?:please )?(?:(?:don't|do not|never) call|stop calling) me (?!back|now|later|at|on|tonight|today)\w+",
    ),
    (
        "standing wish",
        r"^(?:please )?(?:speak|talk|write|answer|reply|respond)(?: to me| back)? (?:like|as if|as though) ",
    ),
    ("style wish", r"^(?:please )?use [^,.]{1,60}(?:, not | instead of | rather than | and not )"),
    ("style wish", r"^(?:please )?avoid \w+"),
    (
        "wish",
        rf"^(?:i|we)(?:'d| would) (?:like|love|prefer|rather|appreciate)(?: "
        rf"it)?(?: if)? you(?: to)? (?:\w+ ){{0,3}}(?:{_STYLE})\b",
    ),
    (
        "manner",
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
_REQUEST: Final = re.compile(
    r"^(?:please |kindly |just |now |then |ok |okay |can you |could you |let's |go ahead and "
    r"|try to |help me |i need you to |i want you to )*"
    r"(?:explain|write|show|tell|give|help|fix|summari[sz]e|translate|create|make|generate|find"
    r"|list|compare|describe|calculate|compute|draft|rewrite|"
    r"resend|repeat|continue|stop|start|open|close|read|search|look|check|run|build|debug"
    r"|refactor|review|suggest|recommend|convert|add|remove|delete|change|update|"
    r"send|remind|schedule|book|order|play|set|turn|print|sort|plot|implement|provide|elaborate"
    r"|clarify|try|go|come|wait|hold|do|don't|let|put|take|use|keep|"
    r"analy[sz]e|propose|outline|design|test|forget|ignore|undo|reset|answer|reply|respond"
    r"|proofread|paraphrase|shorten|expand|edit|improve|correct|format|call|think|imagine|pick"
    r"|choose|name|say|ask|skip)\b"
    r"(?!ing\b)(?!(?:'s|s)\b)",
    re.IGNORECASE,
)
_FOREIGN_QUESTION: Final = re.compile(r"[?？؟;][\s\"'”»）)]*$|(?:吗|呢|か|ですか|ますか|까|까요|나요)[。．.]?$")


def strip_opening(text: str) -> int:
    """Count the code points of opening words that belong to the talk and not to the statement."""
    position = 0
    while (match := _OPENING.match(straight(text), position)) and match.end() < len(text):
        position = match.end()
    return position


def is_standing(text: str) -> bool:
    """Tell whether a text asks for a lasting manner of answering or working."""
    plain = straight(text).strip()
    named = next((name for name, pattern in _STANDING if pattern.search(plain)), None)
    if named is None:
        return False
    return named in {"standing wish", "wish", "manner"} or not _FOR_NOW.search(plain)


def modality_of(text: str) -> Modality:
    """Say how a statement was meant; the most cautious reading that fits wins.

    Args:
        text: A sentence, or a clause of one, without opening words.
    """
    plain = straight(text).strip()
    if not is_english(plain):
        if _FOREIGN_QUESTION.search(plain):
            return Modality.QUESTION
        return Modality.HEDGED if look(plain).hedged else Modality.ASSERTED
    if _hit(_QUOTED, plain):
        return Modality.QUOTED
    if is_standing(plain) and not plain.endswith("?"):
        return Modality.COMMAND
    for table, modality in (
        (_QUESTION, Modality.QUESTION),
        (_HYPOTHETICAL, Modality.HYPOTHETICAL),
        (_HEDGED, Modality.HEDGED),
    ):
        if _hit(table, plain):
            return modality
    return Modality.COMMAND if _REQUEST.match(plain) else Modality.ASSERTED


def _hit(table: _Table, text: str) -> bool:
    return any(pattern.search(text) for _, pattern in table)


def is_question_opening(text: str) -> bool:
    """Tell whether a clause begins as a question does."""
    plain = straight(text).strip().rstrip("?")
    return any(
        pattern.search(plain) for name, pattern in _QUESTION if name in {"question word", "inversion", "indirect"}
    )
