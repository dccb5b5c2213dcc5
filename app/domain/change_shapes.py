"""Shapes of statements that `changes` looks for, and what makes a change somebody else's or none; data only."""

from __future__ import annotations

import re
from typing import Final

CUT: Final = re.compile(
    r"(?<=[.!;:])\s+|[。！；，]|,\s+(?:so|but|and|because|since|aber|und|weil|denn|mais|et|car|pero|y|porque)\s+"
    r"|\s+(?:so|because|after|but)\s+(?=(?:i|we|he|she|they|it|i'm|we're|it's|the|my|our|that)\b)"
    r"|,\s+(?=(?:i|we|he|she|they|it|i'm|we're|i've|we've|it's|they've|there's)\b)",
    re.IGNORECASE,
)
# a course that is cancelled ends no love of climbing
TASTE_ENDS: Final = re.compile(
    r"\b(?:no longer|any ?more|any longer|gone off|went off|stopped|quit|gave up|given up|had enough|fed up"
    r"|sick of|outgr\w+"
    r"|done with|through with|nicht mehr|kein\w* mehr|plus|ya no|más|dejado|dejé|arrêté|aufgehört)\b|不.{0,6}了|戒",
    re.IGNORECASE,
)
POSSESSED: Final = re.compile(
    r"\W*(?P<who>[A-ZÀ-ÖØ-Þ][\w-]+)(?:'s|s') (?!(?:got|been|a|an|the|now|not|gone|back|over|off)\b)"
)
SAID_WRONG: Final = re.compile(
    r"\b(?<!he )(?<!she )(?<!they )(?:(?:was|is|were|that's|it's) wrong|wrong (?:number|address|one|date|day"
    r"|name)|typo|misspoke|mixed up|correction|i"
    r" meant|should (?:be|read)|verwechselt|vertan|stimmt nicht|je voulais dire|trompée?|me equivoqué|quise decir)\b"
    r"|搞错|弄错|说错|记错",
    re.IGNORECASE,
)
TO_ANOTHER: Final = re.compile(
    r"\b(?:changed|switched|moved|migrated|converted|renamed|upgraded|downgraded) (?:the|my|our"
    r"|all) .{2,40} to (?!the |my )",
    re.IGNORECASE,
)
A_THING: Final = re.compile(r"(?:the|my|our|a|an|this|that) ", re.IGNORECASE)
# "el perro de Tomás", "Toms Hund", "我哥哥的狗": somebody else's
OF_SOMEBODY: Final = re.compile(
    r"\b(?:de|von|vom|del) [A-ZÀ-ÖØ-Þ]\w+ (?:murió|ist|est|a|se)\b|^[A-ZÀ-ÖØ-Þ]\w+s (?:[A-ZÀ-ÖØ-Þ]\w+) (?:ist"
    r"|hat|sind)\b"
    r"|(?:哥|姐|弟|妹|妈|爸|朋友|同事|邻居|儿子|女儿)的"
)
FOR_NOW: Final = re.compile(
    r"\b(?:tonight|for now|for the moment|temporar(?:y|ily)|just this once|this time|heute abend|ce soir|esta"
    r" noche)\b|今晚",
    re.IGNORECASE,
)
LEFT: Final = re.compile(r"\b(?:left|lost|dropped|put down|closed)\b", re.IGNORECASE)
# left somewhere, and not for good
PLACE: Final = re.compile(
    r" (?:at|on|behind|with|by|under|off|to|open|outside|inside|in (?:the|my|our|a) (?!spring|summer|autumn"
    r"|fall|winter|end))\b",
    re.IGNORECASE,
)
THEY: Final = re.compile(r"\W*(?:he|she|they|his|her|their)\b", re.IGNORECASE)
MOVED_WHAT: Final = re.compile(
    r"\b(?:changed|switched|shifted|pushed|postponed|rescheduled|rebooked|upgraded|renamed|raised|upped|bumped|lowered"
    r"|converted|migrated|moved|reassigned|promoted|replaced|swapped)"
    r" (?=(?:the|my|our|his|her|their|all|that)\b)(?P<what>.+)",
    re.IGNORECASE,
)
