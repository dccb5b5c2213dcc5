"""Names that mean the same thing, for comparing values only: what is stored and shown keeps the words said.

Few and certain: a wrong pair would let one fact pass for another.
"""

from __future__ import annotations

from typing import Final

# the first of each row stands for all; in lower case, as `text.normalise` leaves them
_ROWS: Final = (
    ("postgresql", "postgres", "postgre sql", "psql database"),
    ("javascript", "js"),
    ("typescript", "ts"),
    ("kubernetes", "k8s"),
    ("golang", "go lang"),
    ("mongodb", "mongo"),
    ("visual studio code", "vs code", "vscode"),
    ("node.js", "nodejs"),
    ("amazon web services", "aws"),
    ("google cloud", "google cloud platform", "gcp"),
    ("new york", "nyc", "new york city", "new york, ny"),
    ("los angeles", "los angeles, ca"),
    ("san francisco", "san francisco, ca"),
    ("washington, d.c", "washington dc", "washington d.c"),
    ("united states", "usa", "us", "u.s", "u.s.a", "united states of america", "the united states"),
    ("united kingdom", "uk", "u.k", "great britain and northern ireland"),
    ("germany", "deutschland"),
    ("munich", "münchen"),
    ("cologne", "köln"),
    ("vienna", "wien"),
    ("coeliac disease", "celiac disease"),
    ("mother tongue", "native language"),
)
_CANONICAL: Final = {name: row[0] for row in _ROWS for name in row}


def canonical(value: str) -> str:
    """Give the one name for a normalised value; a value without aliases is its own."""
    return _CANONICAL.get(value, value)
