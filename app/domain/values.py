"""What stands in a frame: where a value ends, and whether it is a name, a place or a job."""

from __future__ import annotations

import re
from typing import Final

from app.domain.text import vocabulary

# where a value ends and the circumstances begin
# a comma ends a value, but not inside a number
_ADJUNCT: Final = re.compile(
    r",(?!(?<=\d,)\d{3}\b)|;|\.(?=\s|$)|\s[–—(]|\s-\s|\b(?:for|with|because|since|so|but|which|that|when|whenever"
    r"|while|as|after|before|until|now|nowadays|these days|any ?more|any longer|again"
    r"|at the moment|"
    r"too|though|although|instead of|every|each|last|next|this|yesterday|today|tomorrow|in (?:19"
    r"|20)\d\d|(?:in|since|on) (?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december)|"
    r"(?:two|three|four|five|six|a few|a couple of|\d+) (?:days?|weeks?|months?|years?) ago"
    r"|on \w+days?|and (?:i|my|we|now)|if|unless|from now on|already|anyway|lately|recently"
    r"|currently|daily|at work|a lot|very much|so much|"
    r"the most|full[- ]time|part[- ]time|as well|once more|in production|ago|permanently"
    r"|temporarily|to be (?:near|close|with))\b|\bas of\b",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"(?:the|a|an|my|our|their) (?=\S)")
_TECH: Final = vocabulary(
    "postgres postgresql mysql sqlite mongodb redis oracle kafka "
    "rabbitmq python java javascript typescript rust go golang "
    "ruby php perl scala kotlin swift c c++ c# emacs vim neovim "
    "vscode vs intellij pycharm sublime windows linux macos "
    "ubuntu debian fedora arch ios android aws gcp azure heroku "
    "fly vercel netlify docker podman kubernetes nomad terraform ansible "
    "react vue angular svelte django flask fastapi rails spring "
    "npm yarn pnpm poetry pip uv conda git svn github gitlab "
    "bitbucket jira linear trello notion obsidian evernote slack teams "
    "discord zoom chrome firefox safari edge gmail outlook spotify "
    "netflix chatgpt claude gemini llama openai anthropic excel "
    "sheets jenkins webpack vite bash zsh fish tmux"
)
_NO_PLACE_END: Final = vocabulary(
    "team department company project apartment flat house role position job office room place area neighbourhood desk"
)
_NO_PLACE: Final = vocabulary(
    "a an my our his her their another different bigger "
    "smaller next project team department company role position "
    "job house flat apartment office room vegan vegetarian bed it that this "
    "there here work town bottom top front back home chaos fear "
    "peace hope debt love pain general particular fact danger "
    "trouble denial finance marketing sales it tech software"
)
_NO_NAME: Final = vocabulary(
    "home night nights day days a an my our the weekends work "
    "fun money free myself school least most all first once "
    "hand large university least best worst it that this"
)
_NOT_AVOIDED: Final = vocabulary(
    "use wait help believe remember do see find stand make get go come be stop say tell sleep work"
)
# words that point at the talk instead of naming something
_POINTING: Final = vocabulary(
    "it this that these those them him her us you your yours "
    "where what how when who why which if following second third last "
    "above below both one ones former latter everything nothing "
    "anything something same other others there here more less so"
)
# what "my <attribute> is ..." must look like for attributes of the registry
VALUE_SHAPES: Final = {
    "name": "proper",
    "preferred_name": "proper",
    "home_city": "place",
    "employer": "proper",
    "job_title": "job",
    "nationality": "nationality",
    "project": "proper",
    "team": "proper",
}
_NO_SELF: Final = vocabulary(
    "not very here back fine good great okay sorry sure just "
    "from in on at the a an so too still also done ready happy "
    "sad tired vegan vegetarian married single team monday friday christmas"
)
JOBS: Final = vocabulary(
    "engineer developer programmer designer manager teacher "
    "nurse doctor surgeon physician dentist pharmacist lawyer "
    "attorney accountant architect analyst scientist researcher professor lecturer "
    "student pupil apprentice intern trainee consultant freelancer "
    "contractor founder co-founder cofounder entrepreneur ceo "
    "cto cfo coo director executive officer administrator secretary assistant "
    "chef cook baker barista waiter waitress bartender farmer "
    "gardener florist butcher carpenter electrician plumber "
    "mechanic welder builder painter artist musician singer actor actress writer "
    "author journalist editor translator interpreter photographer "
    "filmmaker producer director pilot driver trucker sailor "
    "soldier firefighter paramedic policeman policewoman detective guard "
    "librarian archivist historian economist psychologist therapist "
    "counsellor counselor physiotherapist veterinarian vet biologist "
    "chemist physicist mathematician statistician geologist astronomer "
    "sysadmin devops sre tester recruiter salesperson salesman "
    "marketer realtor banker trader broker investor broker cashier "
    "clerk receptionist plumber cleaner tailor hairdresser barber "
    "coach trainer instructor tutor principal headteacher nanny "
    "caregiver carer midwife optician radiologist cardiologist "
    "paediatrician pediatrician psychiatrist anaesthetist engineer architect "
    "postdoc phd retiree pensioner housewife househusband pastor "
    "priest imam rabbi monk politician diplomat judge paralegal "
    "technician operator lead strategist copywriter illustrator animator "
    "blogger streamer youtuber podcaster gamer athlete footballer "
    "runner referee umpire curator potter jeweller jeweler beekeeper "
    "forester fisherman lineman surveyor planner specialist"
)
_NATIONAL: Final = vocabulary(
    "german french spanish italian british english scottish "
    "welsh irish american canadian mexican brazilian argentinian "
    "chilean colombian peruvian dutch belgian swiss austrian polish czech slovak "
    "hungarian romanian bulgarian greek turkish russian ukrainian "
    "swedish norwegian danish finnish icelandic portuguese chinese "
    "japanese korean indian pakistani bangladeshi indonesian malaysian thai "
    "vietnamese filipino australian egyptian moroccan nigerian "
    "kenyan ethiopian ghanaian israeli lebanese syrian iraqi "
    "iranian saudi jewish catholic muslim buddhist hindu estonian latvian lithuanian "
    "croatian serbian slovenian taiwanese singaporean"
)


def clean(value: str | None, *, article: bool = False) -> str | None:
    """Cut a value at its circumstances, and take stray marks and (unless `article`) the article off."""
    if value is None:
        return None
    text = value.strip(" \t\n\"'“”‘’`*_")
    adjunct = _ADJUNCT.search(text, 1)
    if adjunct:
        text = text[: adjunct.start()]
    text = text.strip(" \t\n\"'“”‘’`*_.,;:!?")
    leading = None if article else _ARTICLE.match(text)
    return (text[leading.end() :] if leading else text)[:200] or None


def fits(shape: str, value: str | None, *, casual: bool) -> bool:
    """Tell whether a value looks like what a frame speaks of.

    Args:
        shape: `proper` a name, `capital` one that is written like one, `place`, `job` (holds a profession),
            `role` (any few words), `self` (a person's own name), `nationality`, `avoided`, or empty.
        value: The value, cut by `clean`.
        casual: The statement has no capitals at all, so that names cannot be told by them.
    """
    if not value:
        return False
    value = value.removeprefix("the ") if value[4:5].isupper() else value
    first = value.split()[0].casefold()
    last = value.split()[-1].casefold()
    capital = value[0].isupper() or value[0].isdigit() or not value[0].isascii()
    named = capital or casual
    if first in _POINTING:
        return False
    if shape == "capital":
        return capital and first not in _NO_NAME and len(value) <= 80
    if shape == "place":
        return (
            named
            and len(value) <= 60
            and first not in _NO_PLACE
            and last not in _TECH | _NO_PLACE_END
            and not first[0].isdigit()
        )
    if shape == "proper":
        return named and first not in _NO_NAME and len(value) <= 80
    if shape == "role":
        return len(value.split()) <= 7
    if shape == "job":
        return any(part.casefold() in JOBS for part in value.replace("/", " ").split()) and len(value.split()) <= 7
    if shape == "self":
        return _is_own_name(value)
    if shape == "nationality":
        return first in _NATIONAL and len(value.split()) <= 2
    if shape == "avoided":
        return first not in _NOT_AVOIDED
    return True


def _is_own_name(value: str) -> bool:
    """Tell whether "I'm <words>" gives a name: one or two capitalised words that mean nothing else."""
    parts = value.split()
    return len(parts) <= 2 and all(
        part.isalpha()
        and part.istitle()
        and len(part) > 2
        and part.casefold() not in _NATIONAL | _TECH | JOBS | _NO_SELF
        for part in parts
    )
