"""Figures of speech: what nobody means by the word, so that a joke without a mark is not taken for a fact.

Few and certain. A figure that may be meant ("allergic to cleaning products", "our docs live in Slack") is none.
"""

from __future__ import annotations

import re
from typing import Final

_QUITE: Final = (
    r"(?:(?:basically|practically|literally|really|pretty much|kind of|kinda|totally|seriously|just|mostly|now|still"
    r"|also|always|already|so|a bit) )*"
)
# nothing may follow that makes it a thing: "allergic to work gloves"
_ENDS: Final = (
    r"(?=\s*(?:$|[^\w\s]|(?:and|but|so|lol|lmao|haha\w*|tbh|before|on|in|at|when|after|these|this|right|like|i|if|or"
    r"|though|anyway|today|now)\b))"
)
_NO_SUBSTANCE: Final = (
    r"(?:paperwork|work|working|meetings?|mondays?|mornings?|deadlines?|commitments?|effort|drama|people"
    r"|nonsense|bullshit"
    r"|stupidity|small talk|maths?|taxes|bureaucracy|chores|housework|responsibilit(?:y|ies)|rules|authority|losing"
    r"|boredom|cardio|politics|powerpoint|spreadsheets?|excel|javascript|java|php|legacy code|bugs in code|e-?mails?"
    r"|phone calls|nostalgia|optimism|criticism|compliments|waiting|queues|queuing|getting up|waking up|early mornings)"
)
_NO_HOME: Final = (
    r"(?:my|the|a) (?:inbox|past|moment|head|clouds?|bubble|dream|terminal|editor|browser|calendar)"
    r"|(?:meetings|spreadsheets|excel|slack|jira|denial|hoodies|sweatpants|leggings|pyjamas|pajamas|jeans)"
)
_NO_SPOUSE: Final = (
    r"(?:my|his|her|their|our) (?:job|work|career|desk|office|phone|computer|laptop|sport|craft|art|studies|keyboard)"
)
_NO_EMPLOYER: Final = r"(?:my|our) (?:cats?|dogs?|toddlers?|baby|hamsters?|parrot|houseplants?)"
FIGURES: Final = re.compile(
    rf"\ballergic to (?:(?:the|my|any|all|these|those|most|early|long|bad|such) )?{_NO_SUBSTANCE}{_ENDS}"
    rf"|\bmarried to {_NO_SPOUSE}{_ENDS}"
    rf"|\b(?:i|we)(?:'m|'re| am| are)? {_QUITE}(?:live|living) (?:in|inside|on) (?:{_NO_HOME}){_ENDS}"
    rf"|\b(?:i|we)(?:'m|'re| am| are)? {_QUITE}(?:work|working) for {_NO_EMPLOYER}{_ENDS}"
    r"|\b(?:could|would|'d) (?:eat a horse|sleep for a (?:week|year|month)|kill for|give my right arm|sell my soul)"
    r"|^(?!(?:the |my |our |her |his )?[\w']+(?: [\w']+)? said\b).{3,200}\bsaid no(?: \w+){1,4} ever\W*$"
    r"|\b(?:dying|starving) of (?:boredom|laughter|embarrassment|curiosity)\b",
    re.IGNORECASE,
)
"""Ways of speaking that state no fact."""
