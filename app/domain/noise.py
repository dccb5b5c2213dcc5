"""Noise: what is over when the turn is, told by rules that need no weighing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from app.domain.claim import Candidate
from app.domain.corrections import corrects_unknown
from app.domain.events import SIGNIFICANT
from app.domain.languages import ENGLISH_FUNCTION, is_english, look
from app.domain.memory import Code, Kind, Modality, Reason
from app.domain.modality import strip_opening
from app.domain.text import straight, vocabulary, words

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
    r"|rush|call)|on (?:the|a|my) (?:phone|bus|train|plane|call|way)|at (?:the )?(?:airport|office"
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
    r"|ways|tips|feedback|examples?)|in the market for|"
    r"(?:need|want|looking for|could use|(?:(?<='d )|(?<=would ))(?:like"
    r"|love)) (?!to\b)(?:[\w,'-]+ ){0,7}(?:help|advice"
    r"|recommendations?|suggestions?|ideas?|tips|pointers|feedback|guidance|inspiration)|"
    r"getting (?:an? |this |the )?(?:\w+ )?(?:error|exception"
    r"|warning)|wondering|curious|not following|forgot|don't (?:understand|get|know|see|follow))\b",
    re.IGNORECASE,
)
# what only sets the scene of the question after it
_SCENE: Final = re.compile(
    r"^(?:i|we)(?:'m| am|'re| are|'ve been| have been|'d| would|'ll be| will be)?"
    r"(?: currently| also| really| just| always| still)* "
    r"(?:looking (?:for|to|into|forward)|trying|interested|curious|struggling|searching|hoping|planning|hosting"
    r"|visiting|thinking|considering|shopping|in the mood|in need|having (?:trouble|a hard time)|need|want|like to"
    r"|love to|going on|going to|heading|taking a trip|travell?ing|throwing|organi[sz]ing)\b",
    re.IGNORECASE,
)
# how one day's body and meals went; what lasts for weeks, or hurts, is another matter
_ROUTINE: Final = re.compile(
    r"^(?:i|we)?\s?(?:have |had |'ve |just |also |already |only |barely |hardly |really |finally |then )*"
    r"(?:(?:slept|dozed|napped|overslept|woke(?: up)?|woken up|got up|went to (?:bed|sleep)|stayed up|tossed and turned"
    r"|couldn't (?:sleep|fall asleep)|didn't (?:sleep|get (?:any|much|enough) sleep))\b"
    r"|(?:had|ate|skipped|missed|grabbed|made) (?:a |an |my |some |no )?(?:\w+ ){0,2}(?:breakfast|lunch|dinner|brunch"
    r"|supper|snack|coffee|nap|shower|bath|night|sleep|headache|hangover)\b"
    r"|(?:missed|caught) (?:the|my) (?:bus|train|tram|alarm)\b)",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(
    r"\b(?:every|each|always|usually|often|for (?:\w+ )?(?:days|weeks|months|years|a week|a month)|since|lately"
    r"|these days|again and again|most (?:days|nights)|all (?:week|month|year)|ever|never|weekends?|mondays?"
    r"|tuesdays?|wednesdays?"
    r"|thursdays?|fridays?|saturdays?|sundays?|with|because|in hospital|birthday|anniversary|wedding)\b",
    re.IGNORECASE,
)
# what begins within the hour is over when anybody asks; "I run 10 km in 50 minutes" is not
_AT_ONCE: Final = re.compile(
    r"^(?:i|we|my|our|the|there)\b.{0,60}?\b(?:meeting|call"
    r"|appointment|flight|train"
    r"|bus|class|lecture|interview|exam|shift|lesson|session|stand-?up|lunch|dinner|date|game|show|film|movie|leave"
    r"|leaves|leaving|off|going|starts?|starting|begins?|free|done|back|home|there)\b.{0,20}?\bin (?:about |less than"
    r" |under |like )?(?:an?|half an|\d{1,2}|two|three|four|five|ten|fifteen|twenty|thirty|a few|a couple "
    r"of) ?(?:more )?"
    r"(?:minutes?|mins?|hours?|hrs?|h|seconds?|secs?)(?: or so)?[\s.!]*$",
    re.IGNORECASE,
)
# attributes that tell of a moment when the words say "now"
_CRAVINGS: Final = frozenset({"wants", "goal", "likes"})


@dataclass(frozen=True, slots=True)
class Noise:
    """Why a statement is noise. `plain` means that no weighing can change it."""

    reason: Reason
    plain: bool


_STATE_WORDS: Final = 8
"""Words of a statement that says how the speaker is and no more."""
_SMALL: Final = Noise(Reason(Code.SMALL_TALK, "changes no future answer"), plain=True)


def noise_of(candidate: Candidate, *, asked_next: bool = False) -> Noise | None:
    """Name what makes a statement noise, or None.

    Small talk changes no answer; a passing state, the weather, a machine's line and a request for
    this very turn are over when the turn is. With `asked_next` a question follows in the message.
    """
    quote = straight(candidate.words).strip()
    body = quote[strip_opening(quote) :]
    if _is_data(quote):
        return Noise(Reason(Code.EPHEMERAL, "data, and no statement"), plain=True)
    if _MACHINE.search(quote):
        return Noise(Reason(Code.EPHEMERAL, "a line from a machine"), plain=True)
    tokens = words(quote)
    if not tokens:
        return _SMALL
    if _FAREWELL.search(body):
        return _SMALL
    if not is_english(quote):
        return _SMALL if look(quote).small_talk else None
    if any(t in _SMALL_TALK or t.startswith(("haha", "hahah", "hmm", "lol")) for t in tokens) and all(
        t in _SMALL_TALK or t in _FILLER or t.startswith(("haha", "hmm", "lol", "soo", "yess")) for t in tokens
    ):
        return _SMALL
    if candidate.spelled is None and corrects_unknown(quote):
        return Noise(Reason(Code.EPHEMERAL, "puts right what is not known"), plain=True)
    claim = candidate.claim
    if claim.modality is Modality.COMMAND and candidate.kind is not Kind.PROCEDURAL:
        return _passing("a request for this turn, not a lasting wish")
    if claim.modality is not Modality.ASSERTED or candidate.kind is Kind.PROCEDURAL:
        return None
    open_ended = claim.valid_from is None and (claim.attribute in _CRAVINGS or claim.attribute is None)
    if asked_next and open_ended and _SCENE.match(body):
        return Noise(Reason(Code.EPHEMERAL, "only leads up to a question"), plain=True)
    if claim.attribute in _CRAVINGS and claim.positive:
        asking = _ASKING.search(body)
        if asking is not None or _NOW.search(body):
            # "to see" may be a wish for life: that is weighed
            surely = asking is not None and not asking.group().casefold().endswith(("see", "hear"))
            return Noise(Reason(Code.EPHEMERAL, "a wish for this turn, not a lasting one"), plain=surely)
    if claim.attribute is not None:
        return None
    if _AT_ONCE.match(body) and not _GOES_ON.search(body):
        return Noise(Reason(Code.EPHEMERAL, "passing: it begins within hours"), plain=True)
    if _WEATHER.search(body):
        return _passing("passing: the weather")
    if SIGNIFICANT.search(body):
        return None
    if _ASKING.search(body):
        return Noise(Reason(Code.EPHEMERAL, "a request for this turn, not a lasting wish"), plain=True)
    if _STATE_NOW.search(body):
        # who says no more than that says nothing else
        return Noise(
            Reason(Code.EPHEMERAL, "passing: over when the conversation is"), plain=len(tokens) <= _STATE_WORDS
        )
    if _ROUTINE.search(body) and not _GOES_ON.search(body):
        return Noise(Reason(Code.EPHEMERAL, "passing: how one day went"), plain=True)
    if _NOW.search(body) and not _planned(candidate):
        return _passing("passing: changes no later answer")
    if len(tokens) <= 6 and all(t in _FILLER or t in _SMALL_TALK or t in ENGLISH_FUNCTION for t in tokens):
        return _SMALL
    return None


def _is_data(quote: str) -> bool:
    """Tell whether a text is JSON with something in it."""
    if quote[:1] not in ("{", "[") or quote[-1:] not in ("}", "]"):
        return False
    try:
        return isinstance(json.loads(quote), dict | list)
    except (ValueError, RecursionError):
        return False


def _passing(detail: str) -> Noise:
    return Noise(Reason(Code.EPHEMERAL, detail), plain=False)


def _planned(candidate: Candidate) -> bool:
    """Tell whether a dated statement is about a time still to come."""
    start = candidate.claim.valid_from
    return candidate.kind is Kind.EPISODIC and start is not None and start > candidate.occurred_at
