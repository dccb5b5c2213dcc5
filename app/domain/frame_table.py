"""The frames as a table: one row per way of saying an attribute."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb phrase.

    Groups: `v` the value, `old` what it replaces, `o` the lesser of two, `a` the attribute's words.
    `shape` is what the value must look like, see `values.fits`; `over` is a comparison.
    `content` is the canonical sentence, for phrases that tell of a change.
    """

    attribute: str
    pattern: re.Pattern[str]
    shape: str = ""
    positive: bool = True
    content: str | None = None


def _f(attribute: str, pattern: str, shape: str = "", *, positive: bool = True, content: str | None = None) -> Frame:
    return Frame(attribute, re.compile(pattern, re.IGNORECASE | re.DOTALL), shape, positive, content)


_DONE: Final = r"(?:have |has )?(?:just |recently |finally )?"
_AN: Final = r"(?:an? |the )?"
_COUNT: Final = r"(?:\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|no)"
_PET: Final = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|hamsters?|rabbits?|parrots?|horses?|pon(?:y|ies)"
    r"|turtles?|tortoises?|goldfish|snakes?|lizards?|geckos?|ferrets?|birds?|budgies?"
    r"|guinea pigs?)"
)
_ILL: Final = (
    r"(?:diabetes|asthma|epilepsy|adhd|add|autism|depression|anxiety|arthritis|migraines?"
    r"|insomnia|hypertension|high blood pressure|coeliac disease|celiac disease|"
    r"crohn's(?: disease)?|cancer|dyslexia|tinnitus|anaemia|anemia|a heart condition|back pain"
    r"|eczema|psoriasis|endometriosis|ptsd|ocd|lupus|"
    r"multiple sclerosis|parkinson's(?: disease)?|a peanut allergy|type [12] diabetes)"
)
_WORK_PHRASE: Final = (
    r"(?:joined|started (?:working |work )?(?:at|for|with)|started (?:a |my )?(?:new )?(?:job"
    r"|position|role) (?:at|with)|been hired (?:by|at)|was hired (?:by|at)|got hired (?:by|at)|"
    r"got (?:a |the |my )?(?:new )?(?:job|position|role) (?:at|with)|took (?:a "
    r"|the )?(?:new )?(?:job|position|role) (?:at|with)|switched jobs to|moved jobs to)"
)

FRAMES: Final = (
    # project and team come before home: "moved to project Beta" is no change of address
    _f(
        "project",
        _DONE + r"(?:am|is|was|been|have been|has been|got)?\s?(?:re)?(?:assigned|moved|transferred|switched"
        r"|staffed|allocated|put) (?:from .+? )?(?:to|on|onto) (?:the )?project (?P<v>[\w-]+).*",
        content="{S} is assigned to project {V}",
    ),
    _f(
        "project",
        _DONE + r"(?:am|is|was|been|have been|has been|got)?\s?(?:re)?(?:assigned|moved|transferred|switched"
        r"|staffed|allocated|put) (?:from .+? )?(?:to|on|onto) (?:the )?(?P<v>[\w-]+) project.*",
        content="{S} is assigned to project {V}",
    ),
    _f(
        "team",
        _DONE + r"(?:am|is|was|been|have been|has been|got)?\s?(?:re)?(?:assigned|moved|transferred|switched"
        r"|joined|joining) (?:from .+? )?(?:to |on |onto )?(?:the )?(?P<v>[\w -]+?) (?:team|squad)\b.*",
        content="{S} is on the {V} team",
    ),
    _f("team", r"(?:am|is) (?:on|in|part of) (?:the )?(?P<v>[\w -]+?) (?:team|squad)\b.*"),
    # home
    _f(
        "home_city",
        r"(?:(?:am|is|are) )?(?:now )?(?:lives?|living|resides?|residing|based|located"
        r"|settled)(?: now| currently)? in (?P<v>.+)",
        "place",
    ),
    _f(
        "home_city",
        _DONE + r"(?:moved|relocated|emigrated|immigrated)(?: back)?(?: from (?P<old>.+?))?(?: back| over"
        r"| down| up)? to (?P<v>.+)",
        "place",
        content="{S} lives in {V}",
    ),
    _f("home_city", _DONE + r"moved(?: back)? to (?P<v>.+?) from (?P<old>.+)", "place", content="{S} lives in {V}"),
    _f("home_city", _DONE + r"(?:moved (?:out of|away from)|left) (?P<old>.+) for good", "place"),
    _f("home_city", _DONE + r"moved (?:out of|away from) (?P<old>.+)", "place"),
    _f("home_city", _DONE + r"settled (?:down )?in (?P<v>.+)", "place", content="{S} lives in {V}"),
    # work
    _f("employer", r"(?:works?|(?:am|is) working|(?:am|is) employed) (?:at|for|by) (?P<v>.+)", "proper"),
    _f("home_city", r"(?:have|has) (?:been living|lived) in (?P<v>.+)", "place"),
    _f("employer", r"(?:have|has) (?:been working|worked|been) (?:at|for|with) (?P<v>.+)", "proper"),
    _f("employer", _DONE + _WORK_PHRASE + r" (?P<v>.+)", "proper", content="{S} works at {V}"),
    _f(
        "employer",
        _DONE + r"(?:switched|changed|moved) (?:jobs|companies|employers) from (?P<old>.+?) to (?P<v>.+)",
        "proper",
        content="{S} works at {V}",
    ),
    _f(
        "employer",
        _DONE + r"(?:left my (?:job|position|role) (?:at|with)|quit my (?:job|position|role) (?:at|with)"
        r"|quit working (?:at|for)|resigned from|(?:been |was |got )?laid off (?:from|by)|(?:been "
        r"|was |got )?fired (?:from|by)) (?P<old>.+)",
        "proper",
    ),
    _f("employer", _DONE + r"(?:left|quit|lost) my (?P<old>job|position)\b.*"),  # whatever job it was
    _f("employer", _DONE + r"(?:left|quit) (?P<old>.+)", "capital"),
    _f(
        "job_title",
        r"(?:works?|working|(?:am|is) working|(?:am|is) employed)(?: \w+)? as " + _AN + r"(?P<v>.+)",
        "role",
    ),
    # training for a profession is not having it
    _f(
        "studies",
        r"(?:am|is|was|have been|has been)? ?(?:studying|studies|study|training|trains|train|learning|hoping"
        r"|going to school|in school|going to college|working) to (?:be|become) (?P<v>.+)",
    ),
    _f(
        "job_title",
        r"(?:am|is|became|was promoted to|got promoted to|have been promoted to"
        r"|has been promoted to) (?:(?:now|also) )?" + _AN + r"(?P<v>.+)",
        "job",
    ),
    # who
    _f("preferred_name", r"(?:goes?|go) by (?P<v>.+)", "proper"),
    _f("name", r"(?:am|is) (?:called|named) (?P<v>.+)", "proper"),
    _f("name", r"(?:am|is) (?P<v>.+)", "self"),
    _f("age", r"(?:am|is|turned|just turned) (?P<v>\d{1,3})(?: years? old| years? of age)?(?: today| now)?"),
    _f("birthday", r"was born on (?P<v>.+)"),
    _f("birthday", r"was born in (?P<v>(?:\w+ )?(?:19|20)\d\d)"),
    _f("birthplace", r"was born (?:and raised )?in (?P<v>.+)", "place"),
    _f("origin", r"(?:am|is|comes?|came) (?:originally )?from (?P<v>.+)", "place"),
    _f("origin", r"grew up in (?P<v>.+)", "place"),
    _f("nationality", r"(?:am|is) (?P<v>.+)", "nationality"),
    _f("spouse", r"(?:am|is|got) (?:married|engaged) to (?P<v>.+)"),
    _f(
        "marital_status",
        r"(?:am|is|got|have been|has been) (?:happily |newly |recently )?(?P<v>married|single"
        r"|divorced|engaged|widowed|separated)\b(?!-| in\b).*",
    ),
    _f("children_count", r"(?:have|has) (?P<v>" + _COUNT + r") (?:\w+ )?(?:kids?|children|sons?|daughters?|child)\b.*"),
    _f("children_count", r"(?:am|is) (?:a )?(?:proud )?(?:father|mother|dad|mum|mom|parent) of (?P<v>\w+)"),
    # health and food
    _f("allergic_to", r"(?:am|is|are) (?:\w+ly )?allergic to (?P<v>.+)"),
    _f("allergic_to", r"(?:have|has) (?:an? )?(?:\w+ )?allerg(?:y|ies) to (?P<v>.+)"),
    _f("allergic_to", r"(?:have|has) (?:an? )(?:severe |mild |bad )?(?P<v>[\w-]+) allergy.*"),
    _f("health_condition", _DONE + r"(?:been |was |got )?diagnosed with (?P<v>.+)"),
    _f("health_condition", r"(?:have|has|suffers? from|lives? with|(?:am|is) living with) (?P<v>" + _ILL + r")\b.*"),
    _f(
        "health_condition",
        r"(?:am|is) (?P<v>diabetic|epileptic|asthmatic|dyslexic|autistic|colou?r[- ]?blind|deaf|blind"
        r"|pregnant|anaemic|anemic|celiac|coeliac|lactose[- ]intolerant|gluten[- ]intolerant"
        r"|hard of hearing|neurodivergent)\b.*",
    ),
    _f(
        "medication",
        r"(?:takes?|(?:am|is) taking|(?:am|is) on) (?P<v>[a-z]+(?: \d+ ?m[gl])?)(?: (?:daily|every"
        r"|each|once|twice|for my|against)\b.*| \d.*)",
    ),
    _f(
        "diet",
        r"(?:am|is|are|went|became|turned|have been|has been|have gone) (?:a |an |strictly "
        r"|strict )*(?P<v>vegan|vegetarian|pescatarian|flexitarian|kosher|halal|keto|paleo"
        r"|gluten[- ]free|dairy[- ]free|plant[- ]based|raw vegan)\b.*",
    ),
    _f(
        "diet",
        r"(?:eats?|keeps?|follows?) (?:an? )?(?:strictly )?(?P<v>vegan|vegetarian|kosher|halal|keto"
        r"|paleo|gluten[- ]free|plant[- ]based|mediterranean|low[- ]carb)\b.*",
    ),
    _f(
        "avoids",
        r"(?:cannot|avoids?|must not|should not) (?:eat(?:ing)? |drink(?:ing)? |have "
        r"|having )?(?P<v>.+)",
        "avoided",
    ),
    # tastes
    _f(
        "prefers",
        r"(?:prefers?|would prefer|would rather have) (?P<v>.+?) (?:over|to|rather than|instead of"
        r"|more than|than) (?P<o>.+)",
        "over",
    ),
    _f("prefers", r"(?:likes?|loves?|enjoys?) (?P<v>.+?) (?:more|better|rather) than (?P<o>.+)", "over"),
    _f("prefers", r"(?:prefers?|would prefer) (?P<v>.+)"),
    _f(
        "likes",
        r"(?:likes?|loves?|enjoys?|adores?|drinks?|eats?) (?!you\b|your\b|to be called"
        r"|it when)(?:to )?(?P<v>.+)",
    ),
    _f(
        "likes",
        r"(?:am|is|are) (?:really |very |big |super )?(?:into|fond of|an? (?:big |huge |great "
        r"|massive )?(?:fan|lover) of|crazy about|keen on|obsessed with|passionate about) (?P<v>.+)",
    ),
    _f(
        "likes",
        r"(?:hates?|dislikes?|detests?|loathes?|despises?|cannot stand|cannot bear|am sick of"
        r"|is sick of) (?!you\b|your\b|it when)(?:to )?(?P<v>.+)",
        positive=False,
    ),
    # tools
    _f(
        "uses",
        r"(?:uses?|(?:am|is) using) (?P<v>.+?) (?:as|for) (?:my|our|the|their|his|her"
        r"|its) (?P<a>(?:main |primary |default |production )?(?:database|db|editor|ide|shell|os"
        r"|browser|terminal|search engine|cloud|cloud provider|laptop|phone|framework|package manager"
        r"|version control|ci|message queue|cache|email client|password manager|note[- ]taking app"
        r"|language))\b.*",
    ),
    _f(
        "uses",
        r"(?:now )?(?:uses?|using) (?P<v>.+?) (?:instead of|rather than|in place of) (?P<old>.+)",
        content="{S} uses {V}",
    ),
    _f(
        "uses",
        _DONE + r"(?:switched|migrated|changed|converted|moved|transitioned|went)(?: over| everything"
        r"| all \w+)? from (?P<old>.+?) (?:over )?to (?P<v>.+)",
        content="{S} uses {V}",
    ),
    _f(
        "uses",
        _DONE + r"(?:replaced|swapped|ditched|dropped) (?P<old>.+?) (?:with|for|by|in favou?r of) (?P<v>.+)",
        content="{S} uses {V}",
    ),
    _f("uses", _DONE + r"(?:switched|migrated)(?: over)? to (?P<v>.+)", content="{S} uses {V}"),
    _f("uses", r"(?:have|has) (?:been using|used) (?P<v>.+)"),
    _f(
        "uses",
        r"(?:uses?|(?:am|is) using|rel(?:y|ies) on|works? with|(?:codes?|programs?|develops?) in"
        r"|runs? on) (?P<v>.+)",
    ),
    # languages, skills, hobbies
    _f("speaks", r"(?:can )?(?:speaks?|(?:am|is) fluent in) (?:fluent |some |a bit of |a little )?(?P<v>.+)", "proper"),
    _f("learning", r"(?:am|is|have been|has been|started) learning (?:how )?(?:to )?(?P<v>.+)"),
    _f(
        "studies",
        r"(?:stud(?:y|ies|ied)|(?:am|is) studying|majors? in|(?:am|is) majoring in|have a degree in"
        r"|has a degree in) (?P<v>.+)",
    ),
    _f("plays", r"(?:can )?plays? (?:the )?(?P<v>.+)"),
    _f("habit", r"(?P<v>smokes?|vapes?|meditates?|journals?|fasts?|gambles?)\b.*"),
    # what one has
    _f(
        "has_pet",
        r"(?:have|has|owns?|adopted|got|have got|has got|have adopted|bought) (?P<v>"
        + _COUNT
        + r" (?:[\w-]+ ){0,2}"
        + _PET
        + r"(?:(?: called| named|,)? [A-Z]\w+)?)\b.*",
    ),
    _f("drives", r"drives? (?P<v>(?:an? )?.+)"),
    _f("owns", r"(?:owns?|have bought|has bought|bought) (?P<v>an? .+)"),
    # work in progress and plans
    _f(
        "builds",
        r"(?:am|is|are) (?:building|developing|creating|founding|running|launching|making|designing"
        r"|working on) (?P<v>.+)",
    ),
    _f(
        "builds",
        r"(?:run|runs|founded|co-founded|started|own|owns) (?P<v>(?:an? "
        r"|my own )?(?:\w+ ){0,3}(?:startup|company|business|agency|shop|store|restaurant|bakery|blog"
        r"|podcast|newsletter|studio|farm|clinic|practice|channel)\b.*)",
    ),
    _f(
        "goal",
        r"(?:wants?|hopes?|plans?|aims?|intends?|(?:am|is) planning|(?:am|is) hoping|(?:am|is) aiming"
        r"|would (?:like|love)|(?:am|is) determined) (?:to|on) (?P<v>.+)",
    ),
    _f("goal", r"(?:am|is) (?:saving(?: up)?|training|preparing|practi[cs]ing|studying) (?:for|to) (?P<v>.+)"),
    _f("wants", r"(?:wants?|needs?|requires?|expects?|asks? for|would like) (?P<v>.+)"),
)
