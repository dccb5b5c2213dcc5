"""The gate's numbers: importance, confidence and noise, as rules over features of the statement."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from app.domain.attributes import lookup
from app.domain.claim import Candidate
from app.domain.events import SIGNIFICANT
from app.domain.languages import ENGLISH_FUNCTION, is_english, look
from app.domain.memory import USER_SUBJECT, Code, Kind, Modality, Reason
from app.domain.modality import strip_opening
from app.domain.text import straight, vocabulary, words


@dataclass(frozen=True, slots=True)
class Score:
    """Importance 1..10, confidence 0..1, why, and the features the two came from."""

    importance: int
    confidence: float
    reasons: tuple[Reason, ...]
    features: Mapping[str, float | str | bool] = field(default_factory=lambda: MappingProxyType({}))


_SMALL_TALK: Final = vocabulary(
    "thanks thank thx ty tysm cheers ok okay okey k kk cool "
    "great nice lol lmao rofl haha hahaha hahahaha hehe heh "
    "ha hi hello hey heya yo hiya howdy greetings bye goodbye cya ciao brb gtg g2g bbl ttyl afk "
    "np yw sure yes yeah yep yup yea no nope nah perfect awesome "
    "wow whoa hmm hm mhm uh um er oh ah aha amazing wonderful "
    "excellent fantastic brilliant lovely sweet good fine right alright "
    "gotcha understood noted agreed exactly indeed absolutely "
    "definitely correct true interesting sorry oops whoops congrats "
    "congratulations welcome please done ack test testing ping pong "
    "morning afternoon evening night goodnight cheerio sup wassup later damn omg wtf yay hooray bingo same likewise"
)
_FILLER: Final = vocabulary(
    "you so very much a lot for the your help that that's it "
    "it's this is was i'll i'm i see got get all again then "
    "now too really just to me my and there man dude mate buddy friend guys everyone "
    "one more works worked sounds makes sense day weekend time "
    "let's go what's up how are doing thing things lots bunch "
    "of well have be back soon in minute sec second again appreciate appreciated "
    "do does need nothing else bit quick answer reply explanation "
    "info information tip tips suggestion idea point problem worries no not bad at can will don't"
)
_MACHINE: Final = re.compile(
    r"^\s*(?:\[(?i:cron|heartbeat|info|debug|warn(?:ing)?|error|trace|fatal|system|log|ci|bot|job|scheduler"
    r"|monitor)[^\]]{0,40}\]|(?i:info|debug|warn(?:ing)?|error|trace|fatal)(?::| -)\s|[A-Z]{3,}(?:_[A-Z]{2,})+\b"
    r"|(?i:heartbeat)\b|(?i:ping)\s+\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\s+\S|\d\d:\d\d:\d\d\s"
    r"|(?:GET|POST|PUT|DELETE|PATCH) /|Traceback \(most recent|\s+at [\w.$]+\(|exit(?:ed with)? code \d"
    r"|(?i:build|job|task|sync|deploy|backup|pipeline|cron|test suite)s? (?:#?\d+ )?"
    r"(?:succeeded|finished|completed|started|failed|passed|ok)\b)",
)
_FAREWELL: Final = re.compile(
    r"^(?:see you|see ya|talk (?:to you )?(?:soon|later|tomorrow|then)|catch you|speak (?:soon|later|tomorrow)"
    r"|until (?:tomorrow|next time|then)|(?:have|enjoy) (?:a|an|your|the) (?:\w+ )?(?:day|evening"
    r"|weekend|night|week|one))\b",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"\b(?:today(?!')|tonight|right now|just now|at the moment|this (?:morning|afternoon|evening"
    r"|minute|second)|for now|in a (?:minute|moment|sec(?:ond)?|bit)|so far today|a (?:minute"
    r"|moment) ago|"
    r"again today|last night|(?:i|we)(?:'m| am) (?:about to|off to|heading|on my way|back)"
    r"|i hope (?:you|this|that|it|all|everyone|everything)\b|i just (?:woke|got (?:home|back|here"
    r"|up)|ate|had|finished|came|sat|arrived|saw|read))\b",
    re.IGNORECASE,
)
_STATE_NOW: Final = re.compile(
    r"^(?:i|we)(?:'m| am|'re| are|'ve| have| feel)(?: been)?(?: so| very| really| a bit| kinda"
    r"| quite| super| too| all| still| just| pretty| feeling)* "
    r"(?:tired|hungry|thirsty|bored|busy|sleepy|cold|hot|sick|back|here|home|late|ready|done|lost"
    r"|confused|stuck|exhausted|stressed|excited|happy|sad|angry|fine|good|ok|okay|well|great|"
    r"afraid|sure|glad|sorry|online|offline|away|there|awake|drunk|full|in a (?:meeting|hurry"
    r"|rush|call)|on (?:the|a) (?:phone|bus|train|plane|call|way)|at (?:the )?(?:airport|office"
    r"|gym|station|store|doctor|door|desk))\b"
    r"(?! (?:at|of|in|about)\b(?! (?:this|that|it|the moment)\b))"
    r"|^(?:i(?:'ll| will) (?:try|check|look|see|do|think|let you|get back|be (?:right )?back"
    r"|take)|let me (?:try|check|see|think|look|know)|i (?:can't|cannot|can hardly) wait|i (?:see"
    r"|understand|agree|hope so|think so|know|got it|get it|mean)\b)"
    r"|^my (?:[\w-]+ ){1,3}(?:is|are|was) (?:so |very |really |still |being |running )*(?:late"
    r"|delayed|cancelled|canceled|broken|down|empty|dead|slow|dirty|wet|full|ringing|hurting"
    r"|killing|crashing|acting|stuck|busy|here|gone)\b"
    r"|^(?:my (?:battery|phone|internet|wifi|laptop|connection|screen|computer) (?:is|just|keeps|died|has))",
    re.IGNORECASE,
)
_WEATHER: Final = re.compile(
    r"^(?:it|it's|its|it is|the weather|the sun|weather)\b.{0,20}\b(?:rain(?:s|ing|y)?|snow(?:s"
    r"|ing|y)?|sunny|cloudy|cold|hot|warm|windy|foggy|humid|freezing|storm(?:y|ing)?|nice|lovely"
    r"|awful|beautiful|shining|weather)\b(?!.{0,40}\bI\b)",
    re.IGNORECASE,
)
# help wanted now: the question goes with the turn
_ASKING: Final = re.compile(
    r"^(?:i|we)(?:'m| am|'re| are|'d| would)?(?: just| really| also| currently"
    r"| still)* (?:need(?: some| your| a little| a bit of)? (?:help|advice|assistance|guidance"
    r"|clarification|ideas?|suggestions?|you to)|need to (?:know|understand|find out|figure out"
    r"|see|ask|check)|"
    r"like (?:you to|some help|help|to (?:know|ask|see|hear|understand))|want (?:you to"
    r"|to (?:know|ask|see|hear|understand|make sure))|have (?:a|another|one(?: more)?|some|two"
    r"|a few|a quick) (?:questions?|requests?|problems?|issues?)|trying to (?:understand"
    r"|figure out|find|solve|fix|decide|see|get)|"
    r"looking for (?:some |an? |your )?(?:help|advice|ideas?|suggestions?|recommendations?|way"
    r"|ways|tips|feedback|examples?)|getting (?:an? |this |the )?(?:\w+ )?(?:error|exception"
    r"|warning)|wondering|curious|not following|forgot|don't (?:understand|get|know|see|follow))\b",
    re.IGNORECASE,
)
_META: Final = re.compile(
    r"^(?:(?:that|this|it)(?:'s| is| was| does| did| do|n't| looks?| works?| worked| sounds?"
    r"| makes?| helps?| helped| didn't| doesn't| isn't| seems?)\b|here(?:'s| is| are)\b"
    r"|there(?:'s| is| are| was)\b|you(?:'re| are|'ve| have| can| could| should| did| said"
    r"| forgot| missed| got)?\b"
    r"|(?:see|as) (?:above|below|attached|before)|same (?:here|thing|as)|the (?:above|following"
    r"|answer|code|output|error|last|second|first|link|result)s?\b|what (?:a|an)\b|let's\b"
    r"|never ?mind|good (?:luck|point|question|idea|job|to)|no (?:problem|worries|idea|thanks)"
    r"|not (?:yet|really|now|sure)|of course|for (?:example|instance)|just (?:checking|curious"
    r"|asking)|one (?:more|last) (?:thing|question))",
    re.IGNORECASE,
)
# what only the turn before explains
_POINTING: Final = re.compile(
    r"\b(?:it|this|that|these|those|the following|the above|second one|first one)\b[^a-z]*$"
    r"|\b(?:this|the following) \w+[^a-z]*$|\b(?:use|like|love|prefer|want|need|have) (?:it|this"
    r"|that|these|those)\b",
    re.IGNORECASE,
)
# attributes that tell of a moment when the words say "now"
_CRAVINGS: Final = frozenset({"wants", "goal", "likes"})
_FIRST: Final = vocabulary("i i'm i've i'd i'll me my mine myself we we're we've our ours us user user's")


def noise_of(candidate: Candidate) -> Reason | None:
    """Name what makes a statement noise, or None.

    Small talk changes no answer; a passing state, the weather, a machine's line and a request for
    this very turn are over when the turn is.
    """
    quote = straight(candidate.quote).strip()
    body = quote[strip_opening(quote) :]
    if _MACHINE.search(quote):
        return Reason(Code.EPHEMERAL, "a line from a machine")
    tokens = words(quote)
    if not tokens:
        return Reason(Code.SMALL_TALK, "changes no future answer")
    if _FAREWELL.search(body):
        return Reason(Code.SMALL_TALK, "changes no future answer")
    if not is_english(quote):
        return Reason(Code.SMALL_TALK, "changes no future answer") if look(quote).small_talk else None
    if any(t in _SMALL_TALK or t.startswith(("haha", "hahah", "hmm", "lol")) for t in tokens) and all(
        t in _SMALL_TALK or t in _FILLER or t.startswith(("haha", "hmm", "lol", "soo", "yess")) for t in tokens
    ):
        return Reason(Code.SMALL_TALK, "changes no future answer")
    claim = candidate.claim
    if claim.modality is Modality.COMMAND and candidate.kind is not Kind.PROCEDURAL:
        return Reason(Code.EPHEMERAL, "a request for this turn, not a lasting wish")
    if claim.modality is not Modality.ASSERTED or candidate.kind is Kind.PROCEDURAL:
        return None
    if claim.attribute in _CRAVINGS and claim.positive and (_ASKING.search(body) or _NOW.search(body)):
        return Reason(Code.EPHEMERAL, "a wish for this turn, not a lasting one")
    if claim.attribute is not None:
        return None
    if _WEATHER.search(body):
        return Reason(Code.EPHEMERAL, "passing: the weather")
    if SIGNIFICANT.search(body):
        return None
    if _ASKING.search(body):
        return Reason(Code.EPHEMERAL, "a request for this turn, not a lasting wish")
    if _STATE_NOW.search(body):
        return Reason(Code.EPHEMERAL, "passing: over when the conversation is")
    if _NOW.search(body) and not _planned(candidate):
        return Reason(Code.EPHEMERAL, "passing: changes no later answer")
    if len(tokens) <= 6 and all(t in _FILLER or t in _SMALL_TALK or t in ENGLISH_FUNCTION for t in tokens):
        return Reason(Code.SMALL_TALK, "changes no future answer")
    return None


def _planned(candidate: Candidate) -> bool:
    """Tell whether a dated statement is about a time still to come."""
    start = candidate.claim.valid_from
    return candidate.kind is Kind.EPISODIC and start is not None and start > candidate.occurred_at


def score(candidate: Candidate, kind: Kind, *, infer: bool) -> Score:
    """Weigh a candidate: what the attribute is worth, what the wording says, and how sure it is."""
    claim = candidate.claim
    tokens = words(candidate.quote)
    english = is_english(candidate.quote)
    tongue = None if english else look(candidate.quote)
    first = any(t in _FIRST for t in tokens) if tongue is None else tongue.first_person
    content = (
        sum(t not in ENGLISH_FUNCTION and t not in _FILLER and t != "redacted" for t in tokens)
        if tongue is None
        else tongue.content
    )
    attribute = lookup(claim.attribute)
    features: dict[str, float | str | bool] = {
        "words": float(len(tokens)),
        "content_words": float(content),
        "first_person": first,
        "english": english,
        "attribute": attribute.name if attribute else ("derived" if claim.attribute else "none"),
        "kind": str(kind),
    }
    importance, confidence, reason = _weigh(candidate, kind, first=first, content=content, english=english, infer=infer)
    if claim.modality is Modality.HEDGED:
        confidence, reason = 0.4, None
    if claim.subject not in {USER_SUBJECT, "assistant"}:
        unknown = claim.subject == "person:unknown"
        importance, confidence = min(importance, 7 if importance >= 9 else 6), min(confidence, 0.5 if unknown else 0.9)
        reason = None
    return Score(importance, confidence, (reason,) if reason else (), MappingProxyType(features))


def _weigh(
    candidate: Candidate, kind: Kind, *, first: bool, content: int, english: bool, infer: bool
) -> tuple[int, float, Reason | None]:
    claim = candidate.claim
    attribute = lookup(claim.attribute)
    if kind is Kind.PROCEDURAL:
        return 7, 0.9, Reason(Code.INSTRUCTION, "says how the user wants things done")
    if claim.attribute is not None:
        importance = attribute.importance if attribute else 7
        if claim.ends and claim.value is None:
            return max(5, importance - 1), 0.95, Reason(Code.EXPLICIT_ENDING, f"{claim.attribute} came to an end")
        if claim.attribute in {"likes", "prefers"}:
            return importance, 0.95, Reason(Code.PREFERENCE, f"tells a taste: {claim.attribute}")
        return importance, 0.95, Reason(Code.DURABLE_FACT, f"tells a lasting fact: {claim.attribute}")
    if claim.modality is Modality.HEDGED:
        return (6 if first and content >= 1 else 4), 0.4, None
    if kind is Kind.EPISODIC:
        weighty = bool(SIGNIFICANT.search(candidate.quote))
        return (
            (7 if weighty else 6 if claim.valid_from else 5),
            0.9,
            Reason(Code.EVENT, "tells of an event with its time"),
        )
    if not english:
        worth = 6 if (first and content >= 2) or content >= 3 else 4
        return worth, 0.75, Reason(Code.DURABLE_FACT, "a statement in its own language")
    quote = straight(candidate.quote)
    if _POINTING.search(quote) and content <= 4:
        return 4, 0.7, None
    if _META.match(quote[strip_opening(quote) :]) and not first:
        return 3, 0.7, None
    if not infer:
        return (6 if content >= 2 else 4), 0.8, Reason(Code.DURABLE_FACT, "told as a fact")
    worth = 6 if first and content >= 2 else 5 if content >= 4 else 4
    return (
        worth,
        0.8,
        Reason(Code.DURABLE_FACT, "tells something about the speaker" if first else "tells something that may hold"),
    )
