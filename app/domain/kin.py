"""Words of one family, for comparing statements only: therapy and therapist, mum and mother."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_KIN_FROM: Final = 5
_ALIKE: Final = (
    frozenset({"production", "prod"}),
    frozenset({"mum", "mom", "mother", "mam", "mama"}),
    frozenset({"dad", "father", "papa"}),
    frozenset({"bookkeep", "book", "account"}),
    frozenset({"deadlin", "due"}),
    frozenset({"fridg", "refrigerator"}),
    frozenset({"application", "app"}),
    frozenset({"photo", "pictur", "photograph"}),
    frozenset({"doctor", "gp", "physician"}),
    frozenset({"telephon", "phon"}),
    frozenset({"bicycl", "bik", "cycl"}),
    frozenset({"mail", "email"}),
    frozenset({"repo", "repository", "repositori"}),
    frozenset({"config", "configuration"}),
    frozenset({"env", "environment"}),
    frozenset({"log", "logg"}),
    frozenset({"grandfather", "grandad", "granddad", "grandpa"}),
    frozenset({"grandmother", "grandma", "gran", "granny", "nan"}),
    frozenset({"husband", "hubbi"}),
    frozenset({"gym", "workout"}),
    frozenset({"vacation", "holiday"}),
    frozenset({"database", "db"}),
)
_ALIKE_OF: Final = {term: number for number, row in enumerate(_ALIKE) for term in row}


def shared(new: Iterable[str], old: Iterable[str]) -> frozenset[str]:
    """Give the terms of the new that the old holds too, also as a word of the same family: therapy and therapist."""
    held = frozenset(old)
    families = {number for term in held if (number := _ALIKE_OF.get(term)) is not None}
    found = set()
    for term in new:
        if (
            term in held
            or _ALIKE_OF.get(term) in families
            or (len(term) >= _KIN_FROM and term.isalpha() and any(_kin(term, other) for other in held))
        ):
            found.add(term)
    return frozenset(found)


def stems(terms: Iterable[str]) -> frozenset[str]:
    """Give the beginnings that words of the same family share with some terms."""
    return frozenset(term[:_KIN_FROM] for term in terms if len(term) > _KIN_FROM and term.isalpha() and term[0] != "x")


def alike(terms: Iterable[str]) -> frozenset[str]:
    """Give the other names of what some terms mean."""
    families = {number for term in terms if (number := _ALIKE_OF.get(term)) is not None}
    return frozenset(term for number in families for term in _ALIKE[number])


def _kin(one: str, other: str) -> bool:
    if len(other) < _KIN_FROM or not other.isalpha() or one[0] == "x" or one[:_KIN_FROM] != other[:_KIN_FROM]:
        return False
    both = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        both += 1
    return (
        both >= 0.7 * max(len(one), len(other))
        or both >= 7
        or (both >= _KIN_FROM and both >= min(len(one), len(other)) - 1)
    )
