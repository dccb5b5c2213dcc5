"""Words that open a talk and say nothing of the statement after them: "Ok so", "Also ich", "Bon,", "Pues", "那个".

One pattern a language. What follows must be somebody's statement: "Ok, great" is no opener of anything.
"""

from __future__ import annotations

import re
from typing import Final

from app.domain.text import straight

_PAUSE: Final = r"[ \t]{0,3}[,.:;!…—–-]{1,3}\s{1,3}"
_GAP: Final = rf"(?:{_PAUSE}|\s{{1,3}})"
_ENGLISH: Final = (
    r"(?:(?:ok|okay|okey|k|so(?! (?:far|much|many|long|little|few)\b)|well(?! done)|alright|all right"
    r"|right(?! now\b)|anyways?"
    r"|anyhow|oh|ah|aha|uh|uhm|um|er|erm|hm+|mhm|yes|yeah|yep|yup|yea|like(?! (?:i|we) (?:said|say|told|mentioned)\b)"
    r"|you know(?: what)?|you see|see|listen|look|i mean|actually|basically|honestly|frankly|also|and|but|btw"
    r"|by the way|fyi|just (?:so you know|fyi)|for what it's worth|truth be told|to be honest|tbh"
    r"|(?:hi|hey|hello|hiya|howdy|yo|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|everybody"
    r"|folks|guys|team))?)\b)" + _GAP
)
# courtesies, with a pause behind them
_COURTESY: Final = (
    r"(?:(?:no (?:worries|problem)|np|thanks(?: a lot| so much)?|thank you(?: so much)?|thx|cheers|great"
    r"|cool|nice|perfect"
    r"|awesome|sounds good|got it|sure(?: thing)?|all good)\b" + _PAUSE + r")"
)
_STATES_ENGLISH: Final = r"(?:(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|he|he's|she|she's|they|they're)\b)"
_GERMAN: Final = (
    r"(?:(?:also|na ja|naja|nun|tja|ach(?: so| ja)?|äh|ähm|öhm?|hm+|ok|okay|gut|so|ja|jo|übrigens|eigentlich|jedenfalls"
    r"|ehrlich gesagt|wie gesagt|(?:nur )?zur info|wei(?:ß|ss)t du(?: was)?|schau|hör mal|und|aber"
    r"|(?:hallo|hi|hey|moin|servus|guten (?:morgen|tag|abend))(?: zusammen| nochmal| leute| ihr)?)\b)" + _GAP
)
_FRENCH: Final = (
    r"(?:(?:alors|bon|ben|bah|euh|hum|hm+|donc|voilà|eh bien|enfin|au fait|d'ailleurs|bref|ok|d'accord|oui|tu sais"
    r"|vous savez|écoute|écoutez|pour info|honnêtement|franchement|en fait|à propos|et|mais"
    r"|(?:salut|bonjour|bonsoir|coucou)(?: à tous| tout le monde)?)\b)" + _GAP
)
_SPANISH_WORDS: Final = (
    r"(?:bueno|pues|a ver|eh|ehm|em+|este|mira|oye|vale|ok|okay|sí|entonces|por cierto|en realidad|la "
    r"verdad(?: es que)?"
    r"|sinceramente|sabes(?: qué)?|para que (?:lo )?sepas|y|pero|total"
    r"|(?:hola|buenos días|buenas(?: tardes| noches)?)(?: a todos| a todas| de nuevo)?)\b"
)
_CHINESE: Final = (
    r"(?:(?:嗯+|呃+|额|哦|噢|啊|唉|诶|那个|那個|那|就是|其实|其實|话说|話說|说实话|說實話|老实说|老實說|对了|對了|好的|好吧|好"
    r"|是的|对|你好|您好|哈喽|哈囉|嗨|大家好|早上好|晚上好|顺便(?:说一下|提一下|一提|说)?|順便(?:說一下|一提)?|所以|然后|然後)"
    r"[,，、。.!！…~～ ]{0,3})"
)
_TALK: Final = (
    re.compile(rf"(?:{_ENGLISH}|{_COURTESY})(?={_ENGLISH}|{_COURTESY}|{_STATES_ENGLISH})", re.IGNORECASE),
    re.compile(rf"{_GERMAN}(?={_GERMAN}|(?:ich|wir|mein|meine|meinen|meinem|unser|unsere)\b)", re.IGNORECASE),
    re.compile(rf"{_FRENCH}(?={_FRENCH}|(?:je|nous|on|mon|ma|mes|notre|nos|moi)\b|j')", re.IGNORECASE),
    # the subject is in the verb: a pause, or the verb of the first person, must follow
    re.compile(
        rf"{_SPANISH_WORDS}(?:{_PAUSE}(?=\w+ \w)|\s{{1,3}}(?={_SPANISH_WORDS}|(?:yo|me|mi|mis|nos|nuestr[oa]s?"
        rf"|soy|estoy"
        r"|tengo|vivo|trabajo|uso|odio|prefiero|hablo|estudio|vengo|nací|somos|vivimos|tenemos)\b))",
        re.IGNORECASE,
    ),
    re.compile(rf"{_CHINESE}(?={_CHINESE}|我|咱)"),
)


# these may be the whole of a reaction: "Oh, I'm so jealous"
_EXCLAIMS: Final = re.compile(r"\b(?:oh|ah|aha|ok|okay|okey|ach|d'accord|vale|well)\b|哦|噢|啊|唉|诶", re.IGNORECASE)


def exclaims(opening: str) -> bool:
    """Tell whether an opening may be the mark of a reaction: it then has a say in what the statement is worth."""
    return _EXCLAIMS.search(opening) is not None


def talk_end(text: str, position: int = 0) -> int:
    """Find where the words that only open a talk end; `position` where there are none."""
    plain, end = straight(text), position
    while True:
        step = next((match.end() for pattern in _TALK if (match := pattern.match(plain, end))), end)
        if step == end or step >= len(text):
            return end
        end = step
