"""The frames as a table: one row per way of saying an attribute."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.domain.text import vocabulary


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb phrase. Groups: `v` the value, `old` what it replaces, `o` the lesser of two, `a` the attribute's own words.

    `shape` is what the value must look like: `proper` a name, `place` a place, `job`, `over` a
    comparison, or empty. `content` is the canonical sentence, for phrases that tell of a change.
    """

    attribute: str
    pattern: re.Pattern[str]
    shape: str = ""
    positive: bool = True
    content: str | None = None


def _f(attribute: str, pattern: str, shape: str = "", *, positive: bool = True, content: str | None = None) -> Frame:
    return Frame(attribute, re.compile(pattern, re.IGNORECASE | re.DOTALL), shape, positive, content)


_BE: Final = r"(?:am|is|are|was|have been|has been)"
_DONE: Final = r"(?:have |has )?(?:just |recently |finally )?"
_AN: Final = r"(?:an? |the )?"
_COUNT: Final = r"(?:\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|no)"
_PET: Final = r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|hamsters?|rabbits?|parrots?|horses?|pon(?:y|ies)|turtles?|tortoises?|goldfish|snakes?|lizards?|geckos?|ferrets?|birds?|budgies?|guinea pigs?)"
_ILL: Final = (
    r"(?:diabetes|asthma|epilepsy|adhd|add|autism|depression|anxiety|arthritis|migraines?|insomnia|hypertension|high blood pressure|coeliac disease|celiac disease|"
    r"crohn's(?: disease)?|cancer|dyslexia|tinnitus|anaemia|anemia|a heart condition|back pain|eczema|psoriasis|endometriosis|ptsd|ocd|lupus|"
    r"multiple sclerosis|parkinson's(?: disease)?|a peanut allergy|type [12] diabetes)"
)
_WORK_PHRASE: Final = (
    r"(?:joined|started (?:working |work )?(?:at|for|with)|started (?:a |my )?(?:new )?(?:job|position|role) (?:at|with)|been hired (?:by|at)|was hired (?:by|at)|got hired (?:by|at)|"
    r"got (?:a |the |my )?(?:new )?(?:job|position|role) (?:at|with)|took (?:a |the )?(?:new )?(?:job|position|role) (?:at|with)|switched jobs to|moved jobs to)"
)

FRAMES: Final = (
    # project and team come before home: "moved to project Beta" is no change of address
    _f("project", _DONE + r"(?:am|is|was|been|have been|has been|got)?\s?(?:re)?(?:assigned|moved|transferred|switched|staffed|allocated|put) (?:from .+? )?(?:to|on|onto) (?:the )?project (?P<v>[\w-]+).*", content="{S} is assigned to project {V}"),
    _f("project", _DONE + r"(?:am|is|was|been|have been|has been|got)?\s?(?:re)?(?:assigned|moved|transferred|switched|staffed|allocated|put) (?:from .+? )?(?:to|on|onto) (?:the )?(?P<v>[\w-]+) project.*", content="{S} is assigned to project {V}"),
    _f("team", _DONE + r"(?:am|is|was|been|have been|has been|got)?\s?(?:re)?(?:assigned|moved|transferred|switched|joined|joining) (?:from .+? )?(?:to |on |onto )?(?:the )?(?P<v>[\w -]+?) (?:team|squad)\b.*", content="{S} is on the {V} team"),
    _f("team", r"(?:am|is) (?:on|in|part of) (?:the )?(?P<v>[\w -]+?) (?:team|squad)\b.*"),
    # home
    _f("home_city", r"(?:(?:am|is|are) )?(?:now )?(?:lives?|living|resides?|residing|based|located|settled)(?: now| currently)? in (?P<v>.+)", "place"),
    _f("home_city", _DONE + r"(?:moved|relocated|emigrated|immigrated)(?: back)?(?: from (?P<old>.+?))?(?: back| over| down| up)? to (?P<v>.+)", "place", content="{S} lives in {V}"),
    _f("home_city", _DONE + r"moved(?: back)? to (?P<v>.+?) from (?P<old>.+)", "place", content="{S} lives in {V}"),
    _f("home_city", _DONE + r"(?:moved (?:out of|away from)|left) (?P<old>.+) for good", "place"),
    _f("home_city", _DONE + r"moved (?:out of|away from) (?P<old>.+)", "place"),
    _f("home_city", _DONE + r"settled (?:down )?in (?P<v>.+)", "place", content="{S} lives in {V}"),
    # work
    _f("employer", r"(?:works?|(?:am|is) working|(?:am|is) employed) (?:at|for|by) (?P<v>.+)", "proper"),
    _f("employer", _DONE + _WORK_PHRASE + r" (?P<v>.+)", "proper", content="{S} works at {V}"),
    _f("employer", _DONE + r"(?:switched|changed|moved) (?:jobs|companies|employers) from (?P<old>.+?) to (?P<v>.+)", "proper", content="{S} works at {V}"),
    _f("employer", _DONE + r"(?:left|quit|resigned from|been laid off (?:from|by)|was laid off (?:from|by)|got laid off (?:from|by)|was fired (?:from|by)|left my job at|quit my job at) (?P<old>.+)", "proper"),
    _f("job_title", r"(?:works?|working|(?:am|is) working|(?:am|is) employed)(?: \w+)? as " + _AN + r"(?P<v>.+)", "role"),
    _f("job_title", r"(?:am|is|became|was promoted to|got promoted to|have been promoted to|has been promoted to) (?:(?:now|also) )?" + _AN + r"(?P<v>.+)", "job"),
    # who
    _f("preferred_name", r"(?:goes?|go) by (?P<v>.+)", "proper"),
    _f("name", r"(?:am|is) (?:called|named) (?P<v>.+)", "proper"),
    _f("age", r"(?:am|is|turned|just turned) (?P<v>\d{1,3})(?: years? old| years? of age)?(?: today| now)?"),
    _f("birthday", r"was born on (?P<v>.+)"),
    _f("birthday", r"was born in (?P<v>(?:\w+ )?(?:19|20)\d\d)"),
    _f("birthplace", r"was born (?:and raised )?in (?P<v>.+)", "place"),
    _f("origin", r"(?:am|is|comes?|came) (?:originally )?from (?P<v>.+)", "place"),
    _f("origin", r"grew up in (?P<v>.+)", "place"),
    _f("nationality", r"(?:am|is) (?P<v>.+)", "nationality"),
    _f("spouse", r"(?:am|is|got) (?:married|engaged) to (?P<v>.+)"),
    _f("marital_status", r"(?:am|is|got|have been|has been) (?:happily |newly |recently )?(?P<v>married|single|divorced|engaged|widowed|separated)\b.*"),
    _f("children_count", r"(?:have|has) (?P<v>" + _COUNT + r") (?:\w+ )?(?:kids?|children|sons?|daughters?|child)\b.*"),
    _f("children_count", r"(?:am|is) (?:a )?(?:proud )?(?:father|mother|dad|mum|mom|parent) of (?P<v>\w+)"),
    # health and food
    _f("allergic_to", r"(?:am|is|are) (?:\w+ly )?allergic to (?P<v>.+)"),
    _f("allergic_to", r"(?:have|has) (?:an? )?(?:\w+ )?allerg(?:y|ies) to (?P<v>.+)"),
    _f("allergic_to", r"(?:have|has) (?:an? )(?:severe |mild |bad )?(?P<v>[\w-]+) allergy.*"),
    _f("health_condition", _DONE + r"(?:been |was |got )?diagnosed with (?P<v>.+)"),
    _f("health_condition", r"(?:have|has|suffers? from|lives? with|(?:am|is) living with) (?P<v>" + _ILL + r")\b.*"),
    _f("health_condition", r"(?:am|is) (?P<v>diabetic|epileptic|asthmatic|dyslexic|autistic|colou?r[- ]?blind|deaf|blind|pregnant|anaemic|anemic|celiac|coeliac|lactose[- ]intolerant|gluten[- ]intolerant|hard of hearing|neurodivergent)\b.*"),
    _f("medication", r"(?:takes?|(?:am|is) taking|(?:am|is) on) (?P<v>[a-z]+(?: \d+ ?m[gl])?)(?: (?:daily|every|each|once|twice|for my|against)\b.*| \d.*)"),
    _f("diet", r"(?:am|is|are|went|became|turned|have been|has been|have gone) (?:a |an |strictly |strict )*(?P<v>vegan|vegetarian|pescatarian|flexitarian|kosher|halal|keto|paleo|gluten[- ]free|dairy[- ]free|plant[- ]based|raw vegan)\b.*"),
    _f("diet", r"(?:eats?|keeps?|follows?) (?:an? )?(?:strictly )?(?P<v>vegan|vegetarian|kosher|halal|keto|paleo|gluten[- ]free|plant[- ]based|mediterranean|low[- ]carb)\b.*"),
    _f("avoids", r"(?:cannot|avoids?|must not|should not) (?:eat(?:ing)? |drink(?:ing)? |have |having )?(?P<v>.+)", "avoided"),
    # tastes
    _f("prefers", r"(?:prefers?|would prefer|would rather have) (?P<v>.+?) (?:over|to|rather than|instead of|more than|than) (?P<o>.+)", "over"),
    _f("prefers", r"(?:likes?|loves?|enjoys?) (?P<v>.+?) (?:more|better|rather) than (?P<o>.+)", "over"),
    _f("prefers", r"(?:prefers?|would prefer) (?P<v>.+)"),
    _f("likes", r"(?:likes?|loves?|enjoys?|adores?|drinks?|eats?) (?!you\b|your\b|to be called|it when)(?:to )?(?P<v>.+)"),
    _f("likes", r"(?:am|is|are) (?:really |very |big |super )?(?:into|fond of|an? (?:big |huge |great |massive )?(?:fan|lover) of|crazy about|keen on|obsessed with|passionate about) (?P<v>.+)"),
    _f("likes", r"(?:hates?|dislikes?|detests?|loathes?|despises?|cannot stand|cannot bear|am sick of|is sick of) (?!you\b|your\b|it when)(?:to )?(?P<v>.+)", positive=False),
    _f("likes", r"(?:do|does) not (?:like|enjoy|eat|drink) (?P<v>.+)", positive=False),
    # tools
    _f("uses", r"(?:uses?|(?:am|is) using) (?P<v>.+?) (?:as|for) (?:my|our|the|their|his|her|its) (?P<a>(?:main |primary |default |production )?(?:database|db|editor|ide|shell|os|browser|terminal|search engine|cloud|cloud provider|laptop|phone|framework|package manager|version control|ci|message queue|cache|email client|password manager|note[- ]taking app|language))\b.*"),
    _f("uses", r"(?:now )?(?:uses?|using) (?P<v>.+?) (?:instead of|rather than|in place of) (?P<old>.+)", content="{S} uses {V}"),
    _f("uses", _DONE + r"(?:switched|migrated|changed|converted|moved|transitioned|went)(?: over| everything| all \w+)? from (?P<old>.+?) (?:over )?to (?P<v>.+)", content="{S} uses {V}"),
    _f("uses", _DONE + r"(?:replaced|swapped|ditched|dropped) (?P<old>.+?) (?:with|for|by|in favou?r of) (?P<v>.+)", content="{S} uses {V}"),
    _f("uses", _DONE + r"(?:switched|migrated)(?: over)? to (?P<v>.+)", content="{S} uses {V}"),
    _f("uses", r"(?:uses?|(?:am|is) using|rel(?:y|ies) on|works? with|(?:codes?|programs?|develops?) in|runs? on) (?P<v>.+)"),
    # languages, skills, hobbies
    _f("speaks", r"(?:speaks?|(?:am|is) fluent in) (?:fluent |some |a bit of |a little )?(?P<v>.+)", "proper"),
    _f("learning", r"(?:am|is|have been|has been|started) learning (?:how )?(?:to )?(?P<v>.+)"),
    _f("studies", r"(?:stud(?:y|ies|ied)|(?:am|is) studying|majors? in|(?:am|is) majoring in|have a degree in|has a degree in) (?P<v>.+)"),
    _f("plays", r"plays? (?:the )?(?P<v>.+)"),
    _f("habit", r"(?P<v>smokes?|vapes?|meditates?|journals?|fasts?|gambles?)\b.*"),
    # what one has
    _f("has_pet", r"(?:have|has|owns?|adopted|got|have got|has got|have adopted|bought) (?P<v>" + _COUNT + r" (?:[\w-]+ ){0,2}" + _PET + r"(?:(?: called| named|,)? [A-Z]\w+)?)\b.*"),
    _f("drives", r"drives? (?P<v>(?:an? )?.+)"),
    _f("owns", r"(?:owns?|have bought|has bought|bought) (?P<v>an? .+)"),
    # work in progress and plans
    _f("builds", r"(?:am|is|are) (?:building|developing|creating|founding|running|launching|making|designing|working on) (?P<v>.+)"),
    _f("builds", r"(?:run|runs|founded|co-founded|started|own|owns) (?P<v>(?:an? |my own )?(?:\w+ ){0,3}(?:startup|company|business|agency|shop|store|restaurant|bakery|blog|podcast|newsletter|studio|farm|clinic|practice|channel)\b.*)"),
    _f("goal", r"(?:wants?|hopes?|plans?|aims?|intends?|(?:am|is) planning|(?:am|is) hoping|(?:am|is) aiming|would (?:like|love)|(?:am|is) determined) (?:to|on) (?P<v>.+)"),
    _f("goal", r"(?:am|is) (?:saving(?: up)?|training|preparing|practi[cs]ing|studying) (?:for|to) (?P<v>.+)"),
    _f("wants", r"(?:wants?|needs?|requires?|expects?|asks? for|would like) (?P<v>.+)"),
)  # fmt: skip

# where a value ends and the circumstances begin
_ADJUNCT: Final = re.compile(
    r",|;|\.(?=\s|$)|\s[–—(]|\s-\s|\b(?:for|with|because|since|so|but|which|that|when|whenever|while|as|after|before|until|now|nowadays|these days|any ?more|any longer|again|at the moment|"
    r"too|though|although|instead of|every|each|last|next|this|yesterday|today|tomorrow|in (?:19|20)\d\d|(?:in|since|on) (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?:two|three|four|five|six|a few|a couple of|\d+) (?:days?|weeks?|months?|years?) ago|on \w+days?|and (?:i|my|we|now)|if|unless|from now on|already|anyway|lately|recently|currently|daily|at work|a lot|very much|so much|"
    r"the most|full[- ]time|part[- ]time|as well|once more|in production|ago|permanently|temporarily|to be (?:near|close|with))\b",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"(?:the|a|an|my|our|their) (?=\S)")
_TECH: Final = vocabulary(
    "postgres postgresql mysql sqlite mongodb redis oracle kafka rabbitmq python java javascript typescript rust go golang ruby php perl scala kotlin swift c c++ c# emacs vim neovim "
    "vscode vs intellij pycharm sublime windows linux macos ubuntu debian fedora arch ios android aws gcp azure heroku fly vercel netlify docker podman kubernetes nomad terraform ansible "
    "react vue angular svelte django flask fastapi rails spring npm yarn pnpm poetry pip uv conda git svn github gitlab bitbucket jira linear trello notion obsidian evernote slack teams "
    "discord zoom chrome firefox safari edge gmail outlook spotify netflix chatgpt claude gemini llama openai anthropic excel sheets jenkins webpack vite bash zsh fish tmux"
)
_NO_PLACE: Final = vocabulary(
    "a an my our his her their another new different bigger smaller next project team department company role position job house flat apartment office room vegan vegetarian bed it that this "
    "there here work town bottom top front back home chaos fear peace hope debt love pain general particular fact danger trouble denial finance marketing sales it tech software"
)
_NO_NAME: Final = vocabulary(
    "home night nights day days a an my our the weekends work fun money free myself school least most all first once hand large university least best worst it that this"
)
_JOBS: Final = vocabulary(
    "engineer developer programmer designer manager teacher nurse doctor surgeon physician dentist pharmacist lawyer attorney accountant architect analyst scientist researcher professor lecturer "
    "student pupil apprentice intern trainee consultant freelancer contractor founder co-founder cofounder entrepreneur ceo cto cfo coo director executive officer administrator secretary assistant "
    "chef cook baker barista waiter waitress bartender farmer gardener florist butcher carpenter electrician plumber mechanic welder builder painter artist musician singer actor actress writer "
    "author journalist editor translator interpreter photographer filmmaker producer director pilot driver trucker sailor soldier firefighter paramedic policeman policewoman detective guard "
    "librarian archivist historian economist psychologist therapist counsellor counselor physiotherapist veterinarian vet biologist chemist physicist mathematician statistician geologist astronomer "
    "sysadmin devops sre tester recruiter salesperson salesman marketer realtor banker trader broker investor broker cashier clerk receptionist plumber cleaner tailor hairdresser barber "
    "coach trainer instructor tutor principal headteacher nanny caregiver carer midwife optician radiologist cardiologist paediatrician pediatrician psychiatrist anaesthetist engineer architect "
    "postdoc phd retiree pensioner housewife househusband pastor priest imam rabbi monk politician diplomat judge paralegal technician operator lead strategist copywriter illustrator animator "
    "blogger streamer youtuber podcaster gamer athlete footballer runner referee umpire curator potter jeweller jeweler beekeeper forester fisherman lineman surveyor planner specialist"
)
_NATIONAL: Final = vocabulary(
    "german french spanish italian british english scottish welsh irish american canadian mexican brazilian argentinian chilean colombian peruvian dutch belgian swiss austrian polish czech slovak "
    "hungarian romanian bulgarian greek turkish russian ukrainian swedish norwegian danish finnish icelandic portuguese chinese japanese korean indian pakistani bangladeshi indonesian malaysian thai "
    "vietnamese filipino australian egyptian moroccan nigerian kenyan ethiopian ghanaian israeli lebanese syrian iraqi iranian saudi jewish catholic muslim buddhist hindu estonian latvian lithuanian "
    "croatian serbian slovenian taiwanese singaporean"
)


def clean(value: str | None) -> str | None:
    """Cut a value at its circumstances, and take articles and stray marks off."""
    if value is None:
        return None
    text = value.strip(" \t\n\"'“”‘’`*_")
    adjunct = _ADJUNCT.search(text, 1)
    if adjunct:
        text = text[: adjunct.start()]
    text = text.strip(" \t\n\"'“”‘’`*_.,;:!?")
    article = _ARTICLE.match(text)
    return (text[article.end() :] if article else text)[:200] or None


def fits(frame: Frame, value: str | None, predicate: str) -> bool:
    """Tell whether a value looks like what the frame speaks of."""
    if not value:
        return False
    first = value.split()[0].casefold()
    last = value.split()[-1].casefold()
    named = value[0].isupper() or value[0].isdigit() or not value[0].isascii() or predicate.islower()
    if frame.shape == "place":
        return named and len(value) <= 60 and first not in _NO_PLACE and last not in _TECH and not first[0].isdigit()
    if frame.shape == "proper":
        return named and first not in _NO_NAME and len(value) <= 80
    if frame.shape == "role":
        return len(value.split()) <= 7
    if frame.shape == "job":
        return any(part.casefold() in _JOBS for part in value.replace("/", " ").split()) and len(value.split()) <= 7
    if frame.shape == "nationality":
        return first in _NATIONAL and len(value.split()) <= 2
    if frame.shape == "avoided":
        return first not in {
            "use",
            "wait",
            "help",
            "believe",
            "remember",
            "do",
            "see",
            "find",
            "stand",
            "make",
            "get",
            "go",
            "come",
            "be",
            "stop",
            "say",
            "tell",
            "sleep",
            "work",
        }
    return True
