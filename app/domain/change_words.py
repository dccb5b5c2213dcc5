"""How languages mark that something is over, has changed or was wrong: word lists, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.terms import query_terms
from app.domain.text import vocabulary


@dataclass(frozen=True, slots=True)
class Tongue:
    """The marks of one language.

    Attributes:
        endings: Ways to say that something is over; the group `what` is that thing.
        moved: Verbs of change and words of correction.
        changed: Words that mark a new state.
        marks: Those words and fillers: they are no topic.
        adds: Words that put one thing beside another.
        passing: Words for what holds for a short time only.
        doubt: Words that make it unreal, within the same part of the sentence.
        doubt_everywhere: Words that make the whole statement unreal.
        denied: What stands before an ending that did not happen.
        generic: Terms that are no topic.
    """

    endings: tuple[re.Pattern[str], ...]
    moved: re.Pattern[str]
    changed: re.Pattern[str]
    marks: re.Pattern[str]
    adds: re.Pattern[str]
    passing: re.Pattern[str]
    doubt: re.Pattern[str]
    doubt_everywhere: re.Pattern[str]
    denied: re.Pattern[str]
    generic: frozenset[str] = frozenset()
    # what may stand before the verb of who ended it, for it to be the speaker's affair
    agent: re.Pattern[str] = re.compile("")


def marks_of(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of marks; case does not matter."""
    return re.compile(pattern, re.IGNORECASE)


def terms_of(listed: str) -> frozenset[str]:
    """Give the terms of a word list, as they are indexed."""
    return frozenset(term for word in vocabulary(listed) for term in query_terms(word))


GENERIC: Final = terms_of(
    "new old now day days today tomorrow yesterday week weeks month months year years time times morning evening night "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december spring summer autumn winter am pm hour hours minute minutes clock weekend "
    "go goes going went gone come comes came get gets got getting make makes made take takes took put puts give gives "
    "gave keep keeps kept let lets say says said tell tells told know knows think thinks thought want wants need needs "
    "like likes love loves work works working live lives living use uses used using do does done have has had see sees "
    "look looks find found feel feels turn turned thing things something anything everything nothing people person "
    "someone everyone somebody nobody one two three four five six seven eight nine ten lot lots bit kind sort way ways "
    "good great bad big small little long short right wrong real really very much many more most less least few only "
    "also too again back still already never always often sometimes usually maybe well last next first second other "
    "another every each all both any some own best better lot around away off up down there here where "
    "when while since "
    "until till if because so then than though officially actually finally recently currently anymore longer instead "
    "user place moved move moving change changed changes switch switched start started stop stopped quit "
    "left leave end "
    "ended whole part half couple ago early late later earlier sure ok okay yes no please thanks sorry home mean meant "
    "name named call called favourite favorite run runs play plays going drink eat read write wrote i'm i've we've "
    "day daily weekly monthly hate hates prefer prefers enjoy pay set called big guy guys"
)

_THE: Final = r"(?:(?:the|my|our|all|that|this|those|these|his|her|their|a|an|any|some|being|doing|using) )*"
_WHAT: Final = _THE + r"(?P<what>[\w'./@#+&-]+(?: (?!and\b|but\b|so\b|because\b|after\b|for\b|to\b)[\w'./@#+&-]+){0,2})"
_ADV: Final = r"(?:just |finally |recently |already |officially |now |all |completely |totally |since )*"

ENGLISH: Final = Tongue(
    endings=(
        # what someone did to it
        marks_of(
            r"\b"
            + _ADV
            + r"(?P<did>sold|ditched|binned|scrapped|scrap|axed|abandoned|cancelled|canceled|cancel|deleted"
            r"|uninstalled|unsubscribed from|got rid of|threw (?:out|away)|gave (?:up|away)|given (?:up|away)"
            r"|gone off|went off|quit|stopped|ceased|left(?! (?:arm|leg|hand|foot|knee|eye|ear|side|shoulder"
            r"|wrist|ankle|elbow|hip)\b)|dropped(?= (?:(?-i:[A-Z])|out of|the (?:idea|plan|class|course"
            r"|project)|my (?:major|class|course)))|closed(?! at\b)|retired from"
            r"|stepped down (?:from|as)|resigned (?:from|as)|withdrew from|withdraw from|pulled out of"
            r"|moved (?:out of|away from|off)|migrated (?:off|away from|from)|switched (?:\w+ )?(?:away )?from"
            r"|changed (?:\w+ )?from|went from|lost|broke up with|split (?:up )?with|separated from|divorced"
            r"|decided against|handed (?:back|in)|traded in|replaced|swapped|shelved|cut out|kicked|outgrew"
            r"|rehome|rehomed"
            r"|forget about|scratch|no more|not? longer|phased out|retired|decommissioned|shut down|took down"
            r"|(?:(?:had|have|has|agreed|decided|managed|going|want|wanted) to |i'll |we'll )(?:sell|drop|cancel"
            r"|quit|leave|close"
            r"|give up|rehome|scrap|withdraw from|put|abandon|ditch|stop|end|delete|retire)|done with|through"
            r" with|finished with|moved on from|have outgrown|put down|wiped)(?: (?:on|with))? " + _WHAT
        ),
        marks_of(r"\b(?:let|letting) " + _WHAT + r" (?:lapse|expire|go|slide)\b"),
        marks_of(r"\b(?:replaced|replaces) " + _WHAT),
        # "not ... any more"
        marks_of(
            r"\b(?:not|n't|never|cannot|nobody|no one|none of us) (?P<what>.{2,80}?)"
            r" (?:any ?more|any longer|these days)\b"
        ),
        marks_of(r"\b(?:no longer|not any longer) (?P<what>.{2,60})"),
        marks_of(r"\bno more (?P<what>.{2,40}?)(?: for (?:me|us)\b|$|[.,!])"),
        marks_of(r"\b(?:haven't|hasn't|have not|has not) (?P<what>.{2,60}?) since\b"),
        # what happened to it
        marks_of(
            _THE + r"(?P<what_before>)(?P<what>[\w'./&-]+(?: [\w'./&-]+){0,2}?)(?:'s| is| are| was| were| has| have"
            r"| had| got| been| came| went| being)* (?:been )?"
            + _ADV
            + r"(?:cancelled|canceled|called off|closed|gone(?! to)|dead|history|over(?= for\b|$|[.,!])"
            r"|retired|sold|shut|bust|off the"
            r" menu|moved out|fizzled out|lapsed|(?P<death>died|passed away)|broke(?! (?:my|his|her))|broken up"
            r"|ended|finished|expired"
            r"|discontinued|ripped out|torn (?:out|down)|stolen|deleted|banned|scrapped|axed|removed|replaced|came off"
            r"|discharged|belongs to|fell through|fallen through|a thing of the past|out the window|no more"
            r"|got too \w+|stopped|taken down|decommissioned|went home|went live|put down|cured)\b"
            # "Melanie finished another project" is no end of Melanie
            r"(?:(?<=belongs to)|(?! (?:the(?! other (?:day|week)\b)|an?|another|my|his|her|our|their|its|some|two"
            r"|three) \w))"
        ),
        marks_of(r"^(?P<what>[A-Z]\w+) and i (?:broke up|split(?: up)?|separated|divorced|called it quits)"),
    ),
    moved=marks_of(
        r"\b(?:(?:is|are|'m|'s|'re) (?:down|up) to|changed (?:to|over|the|my|our|his|her|it|again)|was changed|switched"
        r"|shifted|pushed (?:to|back)|got pushed|brought forward|brought .{2,30} forward|postponed|rescheduled"
        r"|rebook(?:ed)?|upgraded?|renamed|raised .{2,30} (?:to|from|by)|upped|bumped|put .{2,20} up|lowered"
        r"|cut to|turned"
        r" .{2,30} (?:down|up)"
        r"|dropped (?:down )?to|went back to|converted|migrated|moved (?:to|over|up|it|the|my|our|into|from|\w+ up)"
        r"|reassigned|promoted|replaced|has replaced|took over|taken over|swapped|extension|crossed"
        r"|(?:i|we) (?:meant|mean)|(?:was|is|were|it|that|this|completely) wrong|wrong (?:number|address|one"
        r"|date|day|name)|typo|misspoke|misspelled|mixed up|correction|corrected|should (?:be|read)"
        r"|scratch that|new number|new address|new email|gave in|went with|(?:fallen|fell) in love|spaced|just use"
        r"|turns? out|turned out|(?:am|is|are|'m|'re|'s) back (?:on|to|at)|slipped|put me on|put us on|down to|up to"
        r"|won't \w+ before|earlier than agreed|later than planned|only \w+ \w+ left|just \w+ of us left)\b"
    ),
    changed=marks_of(
        r"\b(?:now|these days|nowadays|from now on|from here on|from today|going forward|as of|instead|any"
        r" ?more|no longer"
        r"|by now|actually|(?-i:since (?:January|February|March|April|May|June|July|August|September|October"
        r"|November|December|Easter|Christmas|Monday|last))|from (?-i:January|February|March|April|May|June|July|August"
        r"|September|October|November|December))\b"
    ),
    marks=marks_of(
        r"\b(?:now|these days|nowadays|from now on|from here on|from today|as of|instead|any ?more|no longer|turns? out"
        r"|turned out|since|because|after|gave|over the|in time|of course|at all|at last|for good|so far|switched"
        r"|pushed|moved|changed|replaced|renamed|raised|meant|actually|again)\b"
    ),
    adds=marks_of(
        r"\b(?:also|too|as well|in addition|additionally|besides|on top of|on the side|another|second|third|extra"
        r"|other (?!folks|people)|one more|not only|both|added|alongside|next to|for fun|picking up|even more|still"
        r"|not just|more precisely|to be exact|to be precise|by the way|in case (?:that|it) matters)\b"
    ),
    passing=marks_of(
        r"\b(?:this (?:week|weekend|morning|afternoon|evening|month|once|time)|tonight|tomorrow|for once|just this once"
        r"|until|till|for (?:the|a|an|two|three|four|five|\d+|this) (?:\w+ )?(?:hours?|days?|nights?|weeks?|afternoon"
        r"|evening|morning|weekend|demo)|this afternoon|while|during|for now|for the moment|temporar(?:y|ily)|serviced"
        r"|courtesy|in the shop|on holiday|on vacation|once in a while|one-off|today's|tonight's|tomorrow's)\b"
    ),
    doubt=marks_of(
        r"\b(?:if|whether|maybe|perhaps|possibly|probably|might|could|would|wouldn't|'d|suppose|imagine|wonder(?:ing)?"
        r"|thinking (?:of|about)|considering|hope|hoping|wish|someday|one of these days|nearly|almost|close to|about to"
        r"|asked (?:me )?(?:if|whether)|wanted (?:me|us)|feels? like|basically|as well be|pretend|going to|rumou?r"
        r"|turned (?:him|her|them|it) down|told them no|talked (?:him|her|them) out|decided to stick|said no)\b"
    ),
    doubt_everywhere=marks_of(
        r"\b(?:to charge (?:it|him|her|them)|out of (?:battery|juice)|died (?:halfway|midway|in the middle|mid-)\w*"
        r"|haha|lol|just kidding|joking|if i ever|rumou?r|talked (?:him|her|them) out|turned (?:him|her|them) down"
        r"|decided to stick|told them no|i said no|used to .{2,40} (?:at school|as a (?:child|kid|student|boy"
        r"|girl|teenager))"
        r"|when (?:i|we|he|she) (?:was|were)|as a (?:child|kid|student|teenager)|in (?:my|a|the) dream"
        r"|back in (?:the )?(?:\d{4}|\w+ties|day)"
        r"|in (?:the )?(?:nineteen|nineties|eighties|seventies|sixties)|in (?:19|20)\d\d|years ago|in the beginning"
        r"|at my (?:heaviest|lightest)|before i|my first (?:husband|wife|job|car)|in the (?:novel|film|movie"
        r"|book|series"
        r"|show|song|play|game)|previous owner)\b"
        r"|\b(?:don't|do not|never|not) forget\b"
    ),
    denied=marks_of(
        r"(?:\bnot|n't|\bnever|\bnearly|\balmost|\bwithout|\brefuse to|\bno one's going to|\bnobody's going to"
        r"|\bclose to|\bcould|\bwould|\bif i|\bif we) (?:\w+ ){0,2}$"
    ),
    generic=terms_of(
        "habit routine phase stuff membership subscription last lovely anyone mind life world job jobs"
        " difference community help friend friends family idea fact"
    ),
    agent=marks_of(
        r"^[^\w]*$|\b(?:i|we|they|us|nobody|i've|we've|i'd|they've|had to|management|council|landlord)\b[\w' ]*$"
        r"|^(?:so|and|finally|just|then|now|well|ok|okay|no|today|yesterday|since)[ ,]*$"
    ),
)
