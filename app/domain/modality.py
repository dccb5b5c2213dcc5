"""How a statement was meant: asserted, hedged, hypothetical, asked, commanded or quoted."""

from __future__ import annotations

import re
from typing import Final

from app.domain.corrections import marks_before_clause
from app.domain.figures import FIGURES
from app.domain.foreign_moods import mood_of
from app.domain.languages import is_english, look
from app.domain.memory import Modality
from app.domain.openers import talk_end
from app.domain.standing import Wish, standing_form
from app.domain.tags import has_foreign_hedge_behind, has_hedge_behind
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
    r"|guess what|(?:i'll )?tell you what(?=\s*[,:—–-])|funnily enough|long story short|it's true that"
    r"|the truth is(?: that)?"
    r"|i confirm that|i'd like you to (?:know"
    r"|remember) that)\b[ \t]{0,3}[,:;.!—–-]{0,3}\s{1,3}"
    r"|(?:no|nope|sorry|right|sure|thanks|thank you|listen|look|great|cool|nice|perfect|ps|p\.s\."
    r"|update|note|remember|correction|good news|bad news|fun fact|"
    r"one more thing|important|reminder|info|for later)[ \t]{0,3}[,:;!—–-]{1,3}\s{1,3}"
    # a wish to remember, before what somebody says of themselves
    r"|(?:please |always |also |just |and )*(?:(?:(?:don't|do not|never|don't ever) forget|remember|note|consider"
    r"|keep in mind|bear in mind|take into (?:account|consideration)|add|save|store|log|record|memori[sz]e)"
    r"(?: this| the following| that| for later)?"
    r"|(?:update|add(?: this)? to|save(?: this)? (?:to|in)|put(?: this)? in(?:to)?|store(?: this)? in)"
    r" (?:my|your) (?:profile|memory|notes?|records?)|make it a rule|let me tell you (?:something|this|one thing)"
    r"|here's (?:something|one thing|a fact)(?: about me)?)[ \t]{0,3}[,:—–-]{0,2}\s{1,3}"
    r"(?=(?:i|i'm|i've|i'd|my|our|we|we're|we've|he|she|they|he's|she's)\b))",
    re.IGNORECASE,
)

# what the speaker has said before is said again
_SAID_AGAIN: Final = re.compile(
    r"(?:"
    r"(?:and |but )?(?:as|like) (?:i|we)(?:'ve| have)?(?: already| just| always)? (?:said|say|told you|mentioned|wrote"
    r"|explained|noted|stated|established)(?: to you)?(?: already| before| earlier| above| previously| last time"
    r"| many times)?|"
    r"as (?:already )?(?:said|mentioned|discussed|noted|stated|explained|agreed)(?: already| before| earlier| above"
    r"| previously| last time)?|"
    r"(?:i|we)(?:'ve| have)?(?: already| once)? (?:told you|mentioned|said)(?: to you)?(?: already| before| earlier"
    r"| previously| last time)?(?: that|,|:)(?= ?(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our)\b)|"
    r"(?:i|we)(?:'ve| have)?(?: already| just)? (?:said|told you|meant)(?: to say)?(?: that)?"
    r"(?= (?:i|i'm|i've|i'll|my|we|we're|we've|our)\b))"
    r"[ \t]{0,3}[,:;.!—–-]{0,3}\s{1,3}",
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
    (
        "role play",
        r"^(?:pretend|role-?play|act as|let's (?:pretend|role-?play)|imagine you are|you are (?:a|an|the))\b"
        r"|^(?:ok |okay |so |now )?(?:you(?:'re| are|'ll be| will be) (?:the|my) \w+(?: \w+)?(?:,| and) (?:and )?"
        r"(?:i'm|i am|i'll be) (?:the|your) \w+(?: \w+)?\W*$|you (?:be|play) (?:the|a|an|my)\b)",
    ),
)
# a participle behind "I'd": then it is "I had"
_HAD: Final = (
    r"'d (?:(?:already|just|never|only|always|not|almost|nearly|completely|totally) )*(?!(?:need|feed|speed|proceed"
    r"|succeed|exceed|breed|bleed|embed|wed|shed|heed|shred|weed|seed)\b)(?:\w+ed|been|gone|done|taken|given|seen"
    r"|known|forgotten|written|eaten|broken|fallen|driven|chosen|spoken|stolen|woken|grown|flown|drawn|thrown|worn|torn"
    r"|sworn|begun|drunk|sung|swum|left|lost|met|kept|felt|thought|bought|brought|caught|taught|told|sold|heard|held"
    r"|made|meant|slept|spent|built|sent|lent|had|got|gotten|paid|said|stood|found|won)\b"
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
        rf"^(?:i|we|he|she)(?!{_HAD})(?:'d| would) "
        r"(?!(?:(?:much|far|always|never|only|gladly|kindly|really) )*(?:(?:like|love|prefer|rather|sooner|appreciate"
        r"|say|recommend|hate)\b|ask (?:you|that)\b)"
        # a habit: "I'd never eat veal"
        r"|(?:always|never) (?!(?:have|be|been|dream|guess|think|know|believe)\b)\w(?!.*\b(?:if|unless|for that|for the"
        r" right)\b))\w+",
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
        r"\b(?:thinking (?:about|of)|thought (?:about|of)"
        r" (?:(?:not|\w+ly|maybe|an?) )*(?!(?:some|any|every|no)thing\b|spring\b|evening\b)\w+ing\b"
        r"|considering|contemplating|pondering"
        r"|toying with|tempted to|mulling|weighing|debating|on the fence|undecided|torn between"
        r"|leaning towards?|looking into|flirting with|open to|wondering (?:if|whether|about))\b",
    ),
    (
        "unsure",
        r"\b(?:not (?:really |quite |entirely |completely |100% )?(?:sure|certain|convinced)|unsure"
        r"|uncertain|don't know (?:if|whether|yet)|no idea (?:if|whether)|can't decide"
        r"|haven't decided|could be|i doubt|(?<!one )(?<!body )(?<!person )(?<!man )who knows"
        r"(?! (?:the|my|our|a|an|how to)\b)"
        r"|if i remember (?:right|correctly)|iirc)\b",
    ),
    ("belief", r"\b(?:i|we) (?:guess|suppose|assume|reckon|suspect|believe|imagine|presume|expect)\b(?! in\b)"),
    (
        "belief",
        r"^(?:i|we) (?:(?:do not |don't )?think|feel like|have a feeling)(?: that)? (?:i|i'm|i've|i'd|i'll|we|we're|my"
        r"|our|it|it's|he|he's|she|she's|they|there|that)\b",
    ),
    (
        "should",
        # what somebody else said that I should do is told; "I should like", "I should add that" are no doubts
        r"\b(?:i|we) (?:ought to|could|(?<!said i )(?<!said we )(?<!says i )(?<!said that i )should"
        r"(?! (?:also |perhaps |just )?(?:like\b|prefer\b"
        r"|(?:say|add|mention|note|warn you)(?:,|:| that\b| at\b| i\b| my\b)"
        r"|be (?:glad|grateful|obliged|thankful|happy) if you\b)))(?: probably| maybe)? (?!n't)\w+",
    ),
    ("seems", r"^(?:it )?(?:seems|looks|sounds|feels) (?:like|as if|that)\b|\b(?:i|my \w+) seems? to\b"),
)

# "however harmless they may seem": what grants something doubts nothing; the speaker's own "I may" does
_CONCEDED: Final = re.compile(
    r"\b(?:(?:whatever|whoever|wherever|whichever|no matter (?:how \w+|what|who|where|when))"
    r"|however (?!(?:i|we|my|our|the|it)\b)\w+)\b (?:(?!(?:i|we)\b)[\w']+ ){1,5}?(?:may|might|could)\b",
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
    r"|choose|name|say|ask|skip|mention|include|exclude|focus|limit|ensure|highlight|consider|return|output|cover)\b"
    r"(?!ing\b)(?!(?:'s|s)\b)(?<!use(?= of))",
    re.IGNORECASE,
)


# what follows these are somebody's words, or words to be worked on
_ON_TEXT: Final = re.compile(
    r"\b(?:write|translate|draft|rewrite|reword|rephrase|proofread|paraphrase|summari[sz]e|shorten|edit|correct|improve"
    r"|say|tell|ask|reply|answer|respond|repeat|call (?:him|her|them)|text|message|email|pretend|imagine|act|think"
    r"|suppose|compose|output|return|print|quote|explain|if|when|until)\b",
    re.IGNORECASE,
)


def strip_opening(text: str) -> int:
    """Count the code points of opening words that belong to the talk and not to the statement."""
    plain, position = straight(text), 0
    while True:
        end = talk_end(plain, position)
        if end == position:
            match = _OPENING.match(plain, position) or _SAID_AGAIN.match(plain, position)
            end = match.end() if match else marks_before_clause(plain, position)
        if not position < end < len(text):
            return position
        position = end


def is_said_again(text: str) -> bool:
    """Tell whether a statement opens with words like "as I told you": it is to be weighed without them."""
    return _SAID_AGAIN.match(straight(text)) is not None


def modality_of(text: str) -> Modality:
    """Say how a statement was meant; the most cautious reading that fits wins.

    Args:
        text: A sentence, or a clause of one, without opening words.
    """
    plain = straight(text).strip()
    if not is_english(plain):
        tongue = look(plain)
        mood = mood_of(plain, tongue.code)
        if mood is not None:
            return mood
        return Modality.HEDGED if tongue.hedged or has_foreign_hedge_behind(plain) else Modality.ASSERTED
    if _hit(_QUOTED, plain) or FIGURES.search(plain):
        return Modality.QUOTED
    standing = standing_form(plain)
    if standing is not None and (standing is Wish.POLITE or not plain.endswith("?")):
        return Modality.COMMAND
    for table, modality in (
        (_QUESTION, Modality.QUESTION),
        (_HYPOTHETICAL, Modality.HYPOTHETICAL),
        (_HEDGED, Modality.HEDGED),
    ):
        if _hit(table, _CONCEDED.sub("", plain) if modality is Modality.HEDGED else plain):
            return modality
    if _REQUEST.match(plain):
        return Modality.COMMAND
    return Modality.HEDGED if has_hedge_behind(plain) else Modality.ASSERTED


def is_request(text: str) -> bool:
    """Tell whether a clause asks for something that is done for whom it is about, and works on no text."""
    plain = straight(text).strip()
    return _REQUEST.match(plain) is not None and _ON_TEXT.search(plain) is None


def _hit(table: _Table, text: str) -> bool:
    return any(pattern.search(text) for _, pattern in table)


def is_question_opening(text: str) -> bool:
    """Tell whether a clause begins as a question does."""
    plain = straight(text).strip().rstrip("?")
    return any(
        pattern.search(plain) for name, pattern in _QUESTION if name in {"question word", "inversion", "indirect"}
    )
