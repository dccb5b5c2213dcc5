"""The marks by which an English message tells news, and the words that tell nothing; see `news`."""

from __future__ import annotations

import re
from typing import Final

from app.domain.change_words import terms_of

# what was is over, or otherwise now
SWAP: Final = re.compile(
    r"\b(?:replac\w+|swapp\w+|switch\w*|changed|convert\w+|migrat\w+|moved|relocat\w+|transferr\w+|shifted"
    r"|reschedul\w+|postpon\w+|push(?:ed)? (?:back|to|out)|got pushed|brought .{2,30}forward|put back|bump\w+|rebook\w*"
    r"|upgrade to|upgraded|upgrading|downgraded|renam\w+|rebrand\w+|promoted|demoted|upped|raised .{2,30} (?:to"
    r"|from|by)|lowered|cut (?:to|back|down|out)"
    r"|halv\w+|extension|shortened|scaled (?:it )?(?:back|down|up)|raised it|new (?:figure|number|price|date"
    r"|time|quote|plan|policy|rule|rota|roster|address|name|password|code|schedule|timetable|dose)|put (?:me|us"
    r"|him|her) (?:up front|in|on|down)|voted in|made it official|grew to|grown to|down to|up to|went (?:up|down"
    r"|from|to|with"
    r"|over|back)|spaced|took over|taken over|passed on to|handed .{2,30}(?:over|to|back)|given .{2,40} to"
    r"|converted|rewrote|rewritten"
    r"|ported|traded|turned (?:into|down|up) |gave in|gave way|made the (?:switch|jump|move)"
    r"|broken the habit|grown on me|grew on me|won me over|came round|come round (?:to)|warmed (?:up )?to"
    r"|reconciled|fell in love|fallen"
    r" in love|fizzled|crossed|passed the|put .{2,40} down as|just use"
    r"|shuffled|reshuffled|reassigned|swung|over to|back (?:to|on) (?!school|nature)|the other way round"
    r"|slid to|slipped to|earlier than|later than|leads? it now|runs? it now|not .{1,20} but)\b",
    re.IGNORECASE,
)
END: Final = re.compile(
    r"\b(?:sold|quit|left|gave up|given up|giving up|gave (?:my|the|our|it|him|her) .{0,20}(?:to|away)|stopped"
    r"|dropped|cancel\w+"
    r"|closed|ended|broke up|split|divorced|died|passed away|expired|lapsed|retired|no longer|not? .{2,60}"
    r" any ?more|n't .{2,80} any ?more|any longer|got rid of|ditched|let (?:me|him|her|it|them) go|laid off"
    r"|fired|resigned|healed|came off"
    r"|comes off|discharged|cleared|fell through|called off|withdr\w+|pulled out|outgr\w+|is over|are over|was"
    r" over|(?:is|are|'s) (?:gone|history)"
    r"|behind me|behind us|done with|finished with|through with|had enough|fed up|shut down|shut|scrapped|axed"
    r"|binned|abandoned|deleted"
    r"|uninstalled|unsubscribed|decommissioned|phased out|retired|ripped out|stolen|stole|banned|removed|packed"
    r" (?:it|up)"
    r"|threw (?:out|away)|donated|rehomed|put (?:him|her|it) (?:down|to sleep)|adopted out|burned down|flooded"
    r"|out of business"
    r"|went bust|bankrupt|dissolved|not .{2,30} at all|never again"
    r"|given .{2,40} up|shelved|pulled the plug|wound (?:up|down)|stepped (?:down|back)|dropped out|moved out"
    r"|cut out|fizzled out|fell by the wayside|went on to|wiped out|called it quits|went (?:bust|under)|tore up"
    r"|torn up|cut up|carted off|took out|taken out|has been taken|handed (?:over|in|my|the|back)"
    r"|(?:is|are|was|'s) off(?! to| the| on| work| sick)|fired|lasted until|last(?:ed)? .{1,20} until|too"
    r" (?:frail|old|ill|busy|expensive|pricey|noisy|small|big)"
    r"|died on me|gave out|gave up the ghost|kicked the|swore off|sworn off|weaned)\b",
    re.IGNORECASE,
)
CORRECT: Final = re.compile(
    r"\b(?:actually|correction|i was wrong|my mistake|my bad|mistake|mistaken|misremember\w*|misspoke|misread"
    r"|mixed up|meant|typo"
    r"|turns? out|turned out|as it turns out|should have said|got (?:that|it) wrong|scratch that|strike that|not"
    r" quite right|wrong"
    r"|in fact|double-?checked|checked again|looked it up|just checked|corrected|to correct|confused|let me"
    r" rephrase|i misled|apolog\w+"
    r"|i said|i told you|told you|wasn't|weren't|isn't .{1,30}(?:,|it's)|not .{1,20},"
    r" (?:it's|but))\b",
    re.IGNORECASE,
)
NOW: Final = re.compile(
    r"\b(?:now|these days|nowadays|as of|from now on|from here on|from today|from (?:next|this) \w+|going"
    r" forward|any ?more"
    r"|instead|again|at last|at the moment i'm|by now|since (?:last|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|the|we|i|monday|easter|christmas)|starting (?:next|this|monday|in"
    r"|from)|from (?:january|february"
    r"|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday"
    r"|friday)|for good"
    r"|permanently|at (?:long )?last|ever since|since (?:my|our|that|then)|lately|has become|it's .{1,30} now"
    r"|the latest|until further notice|henceforth|onwards?)\b",
    re.IGNORECASE,
)
GET: Final = re.compile(
    r"\b(?:bought|got|started|starting|begun|began|joined|took up|taken up|picked up|adopted|hired|signed"
    r" (?:with|up|on)|settl\w+|went with"
    r"|chose|chosen|decided (?:on|to)|opted|got (?:married|engaged|hitched)|is called|turned \d+|learned to"
    r"|discovered|found (?:a|an|my|out)"
    r"|set up|installed|subscribed|registered|enrolled|opened|booked|agreed|approved|confirmed|fixed|set to"
    r"|lives? with|runs? on|put me on)\b",
    re.IGNORECASE,
)
WISH: Final = re.compile(
    r"\b(?:looking (?:for|to|at|into)|searching for|hunting for|want(?:s|ed)? (?:to|a|an|my|our)|plan(?:s|ning)?"
    r" (?:to|on)|hop(?:e|es|ing)"
    r"|tr(?:y|ies|ying) to|fantasi\w+|dream\w*|wish\w*|would like|need(?:s|ed)? (?:to|a|an)|interested in"
    r"|excited (?:about|to)|consider\w+"
    r"|apply\w*|applied|interview\w*|saving (?:up )?for|looks? forward|can't wait|goal|aspir\w+|encourag\w+"
    r"|advice|advis\w+|help\w*)\b",
    re.IGNORECASE,
)
# said before news, and no doubt of it
SURPRISE: Final = re.compile(
    r"\b(?:who would(?:'ve| have) thought(?: it)?|(?:i )?never thought i'd (?:say|see|do|admit|live to see)(?:"
    r" that| this| it| the day)?"
    r"|believe it or not|can you believe it|you won't believe (?:it|this)|would you believe it|if you can believe it"
    r"|hätt(?:e)? ich nie gedacht|wer hätte das gedacht|qui l'eût cru|quién lo diría|quién lo iba a decir"
    r"|没想到)[?!]?,? ?(?:but |aber |mais |pero )?",
    re.IGNORECASE,
)
COMMON: Final = terms_of(
    "time day week year people thing things home house work job office team name number night morning evening money "
    "friend friends family kid kids child children man woman guy dad mom mum brother sister husband wife son daughter "
    "food dinner lunch breakfast city town country place room door car phone school company business group week "
    "course class book movie film music game show trip weekend party story part plan plans line way world life idea "
    "love like good bad nice big small old new long short open close full free happy sad tired busy sure fine "
    "help try ask call talk speak write read watch play buy sell pay send bring meet visit learn teach study "
    "walk run drive ride fly swim eat drink cook sleep wake start stop use make take give get keep stay leave "
    "hour minute month today tomorrow yesterday regular normal usual actually really thank thanks great lot bit "
    "together alone everyone everything turn hand head side end top back front left right please write"
)
# when it happened, not for how long it holds
WHEN: Final = re.compile(
    r"\b(?:this (?:morning|afternoon|evening|week|month|weekend)|today|while|during)\b", re.IGNORECASE
)
ADDS: Final = re.compile(
    r"\b(?:also|as well|in addition|additionally|besides|on top of|on the side|a (?:second|third|fourth)|one"
    r" more|not only|alongside|still|extra"
    r"|added|for fun|picking up|even more|not just|more precisely|to be exact|to be precise|by the way|in case"
    r" (?:that|it) matters)\b"
    r"|\btoo(?=\s*(?:[,.!;]|\Z))|\banother (?!company|city|town|job|team|place|firm|country|department|school)",
    re.IGNORECASE,
)
DIED: Final = re.compile(
    r"\b(?:died|passed away|gestorben|verstorben|est morte?|décédée?|murió|falleció)\b|去世|过世", re.IGNORECASE
)
PRONOUN: Final = re.compile(r"\W*(?:he|she)(?:'s|'d)? ", re.IGNORECASE)
AGAIN: Final = re.compile(
    r"\b(?:again|back (?:to|on|at|in)|wieder|de nouveau|à nouveau|otra vez|de nuevo|vuelto a)\b|又|重新", re.IGNORECASE
)
# a row that tells itself of an end tells of the past, and stays true
OVER_ROW: Final = re.compile(
    r"\b(?:lost|quit|left (?:my|his|her|their|the)|finished|ended|sold|gave up|given up|stopped|used to"
    r"|cancelled|no longer|broke up|divorced in"
    r"|retired from|was (?:fired|laid off)|resigned)\b",
    re.IGNORECASE,
)
