"""How a reason before a question is given in other languages: a pattern a language, as data."""

from __future__ import annotations

import re
from typing import Final

_FRENCH: Final = re.compile(
    r"(?:comme|puisque|vu que|étant donné que|maintenant que|sachant que|puisqu'|maintenant qu') ?"
    r"(?P<said>(?:je|j'|nous|on|mon|ma|mes|notre|nos)(?=[ ']|(?<='))"
    # what is said, thought, played or passing
    r"(?![^,]*\b(?:dis|disais|disait|dit|dites|aurais|serais|voudrais|aimerais|pourrais|aurait|serait|censée?|soi-disant"
    r"|croit|croient|prétend|pense|pensent|joue un|joue une|l'avons|l'ai|lundi|mardi|mercredi|jeudi|vendredi|samedi"
    r"|dimanche|faim|soif|question)\b)[^?,]{3,160}), "
    r"(?:qu[e'](?!il)|quels?\b|quelles?\b|où\b|quand\b|comment\b|combien\b|est-ce\b|peux-tu\b|pouvez-vous\b"
    r"|tu peux\b|puis-je\b|dois-je\b|faut-il\b|pourquoi\b|y a-t-il\b|as-tu\b|connais-tu\b)[^?]{2,300}\?",
    re.IGNORECASE,
)
_SPANISH: Final = re.compile(
    r"(?:como|ya que|puesto que|dado que|ahora que|visto que) (?P<said>"
    r"(?![^,]*\b(?:supuestamente|que|duda|pregunta|hambre|sed|decir|creo|dicen)\b)"
    r"(?:(?:ahora|ya|yo|no|también|me|nos) )*(?:soy|estoy|tengo|vivo|trabajo|odio|prefiero|hablo|estudio|somos|estamos"
    r"|vivimos|tenemos|trabajamos|mudé|mudamos|gusta|gustan|mi \w+ (?:es|está|tiene|vive|trabaja|odia|se llama))\b"
    r"[^?¿,]{0,160}), "
    r"(?:¿|qué\b|cuál|dónde\b|cómo\b|cuándo\b|cuánt|quién|puedes\b|podrías\b)[^?]{2,300}\?",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    r"(?:因为|因為|既然|由于|由於|鉴于)(?P<said>(?:我|咱)(?![^，,？?。]*(?:[说問问道聊饿渴]|觉得|以为|认为|游戏|皇帝))"
    r"[^，,？?。]*"
    r"(?:在|是|有|住|搬|吃|不|了|会|用|养|换|没|过敏)[^，,？?。]{0,60})[，,](?:所以|那么|那)?[^？?。]{2,80}[？?]"
)
# nobody's game, question or hunger; no second clause
_REST: Final = (
    r"(?P<rest>(?!(?:und|oder)\b)(?:(?!(?:und|oder|dass|ob|was|wer|weil|wenn|angeblich|vielleicht|gesagt|gelesen|gehört"
    r"|Rollenspiel|Spiel|Frage|Fragen|Hunger|Durst)\b)[^?,\s]+ ){1,20}?)"
)
_ASKED: Final = (
    r", (?:was|wer|wo|wann|warum|wie|wohin|welche[rsmn]?|kann|könnte|kannst|könntest|soll|sollte|darf|muss|gibt|hast"
    r"|ist|sind|brauche|lohnt)\b[^?]{2,300}\?"
)
# the subject is a pronoun or one noun of the speaker's; the verb agrees with it and has no prefix that has to move
_GERMAN: Final = tuple(
    re.compile(rf"(?:[Dd]a|[Ww]eil|[Nn]achdem|[Jj]etzt,? wo) (?P<who>{who}) {_REST}(?P<verb>{verb}){_ASKED}")
    for who, verb in (
        (
            "ich",
            "bin|habe|hab|wohne|lebe|arbeite|esse|trinke|mag|brauche|nehme|spiele|lerne|vertrage|hasse|liebe|heiße",
        ),
        ("wir", "sind|haben|wohnen|leben|arbeiten|essen|trinken|mögen|brauchen|spielen|lernen|lieben"),
        (
            r"(?:mein|unser)e? [A-ZÄÖÜ][\w-]+(?= [a-zäöüß\d])",
            "ist|hat|wohnt|lebt|arbeitet|isst|trinkt|mag|braucht|nimmt|spielt|lernt|verträgt|hasst|liebt|heißt",
        ),
    )
)
REASONS: Final = (_FRENCH, _SPANISH, _CHINESE, *_GERMAN)
"""`said` is what is told; in German `who`, `rest` and `verb`, in this order in the reason."""
