"""How a reason before a question is given in other languages: a pattern a language, as data."""

from __future__ import annotations

import re
from typing import Final

_FRENCH: Final = re.compile(
    r"(?:comme|puisque|vu que|étant donné que|maintenant que|sachant que|comme|puisqu'|maintenant qu') ?"
    r"(?P<said>(?:je|j'|nous|on|mon|ma|mes|notre|nos)(?=[ ']|(?<='))(?!(?: le| l'| vous l'| te l')? ?(?:dis"
    r"|disais|disait|ai"
    r" dit)\b)(?![^,]*\b(?:disait|dit|aurais|serais|voudrais|aimerais|pourrais|aurait|serait)\b)[^?,]{3,160}), "
    r"(?:qu[e'](?!il)|quels?\b|quelles?\b|où\b|quand\b|comment\b|combien\b|est-ce\b|peux-tu\b|pouvez-vous\b"
    r"|tu peux\b|puis-je"
    r"\b|dois-je\b|faut-il\b|pourquoi\b|y a-t-il\b|as-tu\b|connais-tu\b)[^?]{2,300}\?",
    re.IGNORECASE,
)
_SPANISH: Final = re.compile(
    r"(?:como|ya que|puesto que|dado que|ahora que|visto que) (?P<said>(?:(?:ahora|ya|yo|no|también|me"
    r"|nos) )*(?:soy|estoy"
    r"|tengo|vivo|trabajo|odio|prefiero|hablo|estudio|somos|estamos|vivimos|tenemos|trabajamos|he \w+[aiío]d?o"
    r"|mudé|mudamos"
    r"|gusta|gustan|mi \w+ (?:es|está|tiene|vive|trabaja|odia|se llama))\b[^?¿,]{0,160}), "
    r"(?:¿|qué\b|cuál|dónde\b|cómo\b|cuándo\b|cuánt|quién|puedes\b|podrías\b|me \w+)[^?]{2,300}\?",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    r"(?:因为|因為|既然|由于|由於|鉴于)(?P<said>(?:我|咱)(?![^，,？?。]*[说問问道])[^，,？?。]*"
    r"(?:在|是|有|住|搬|吃|不|了|会|用|养|换|没|过敏)[^，,？?。]{0,60})[，,](?:所以|那么|那)?[^？?。]{2,80}[？?]"
)
# the subject is a pronoun or one noun of the speaker's; no verb whose prefix would have to move
_GERMAN: Final = re.compile(
    r"(?:[Dd]a|[Ww]eil|[Nn]achdem|[Jj]etzt,? wo) (?P<who>ich|wir|(?:mein|unser)e? [A-ZÄÖÜ][\w-]+(?= [a-zäöüß\d]))"
    r" (?P<rest>(?!(?:und|oder)\b)(?:(?!(?:und|oder|dass|ob|weil|wenn|angeblich|vielleicht|gesagt)\b)[^?,\s]+ ){1,20}?)"
    r"(?P<verb>bin|habe|hab|ist|hat|sind|haben|wohne|wohnt|wohnen|lebe|lebt|leben|arbeite|arbeitet|arbeiten|esse"
    r"|isst|essen"
    r"|trinke|trinkt|mag|brauche|braucht|nehme|nimmt|spiele|spielt|lerne|lernt|vertrage|verträgt|hasse|hasst"
    r"|liebe|liebt"
    r"|heißt), "
    r"(?:was|wer|wo|wann|warum|wie|wohin|welche[rsmn]?|kann|könnte|kannst|könntest|soll|sollte|darf|muss|gibt"
    r"|hast|ist|sind"
    r"|brauche|lohnt)\b[^?]{2,300}\?"
)
REASONS: Final = (_FRENCH, _SPANISH, _CHINESE, _GERMAN)
"""`said` is what is told; in German `who`, `rest` and `verb`, in this order in the reason."""
