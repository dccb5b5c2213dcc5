"""Why not that one: the checks in the order of the contract, the first failure decides."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.commands import AsOf, RecallCommand
from app.domain.filters import parse_filters
from app.domain.memory import Kind, Memory, Status
from app.domain.whynot import View, believed, checks, decisive, detail_of, why_not
from tests.domain.shelf import DAY, DAY_ONE, memory, uid

NOW = DAY_ONE + DAY * 30
# as the contract lists them
ORDER = (
    "stored_later superseded held quarantined disputed expired not_valid_then not_known_then below_min_trust "
    "kind_excluded subject_excluded filter_excluded not_a_candidate below_min_score "
    "near_duplicate below_k"
)


_ASKED = {"as_of", "include", "kinds", "subject", "filters"}


def view(**changes: Any) -> View:
    asked = {name: changes.pop(name) for name in _ASKED & changes.keys()}
    fields: dict[str, Any] = {"min_trust": 2, "min_score": 0.0, "in_candidates": True, "score": 0.5, "rank": 1}
    return View(command=RecallCommand(query="q", **({"received_at": NOW} | asked)), **(fields | changes))


def past(days: float, known: float | None = None) -> AsOf:
    return AsOf(DAY_ONE + DAY * days, NOW if known is None else DAY_ONE + DAY * known, known is not None)


def test_the_order_is_the_contracts() -> None:
    assert [check.check for check in checks(memory(), view())] == ORDER.split()
    assert all(check.passed for check in checks(memory(), view()))
    assert decisive(checks(memory(), view())) is None
    assert all(detail_of(code) for code in [*ORDER.split(), "over_token_budget", "procedural_cap"])


@pytest.mark.parametrize(
    ("row", "seen", "code"),
    [
        (memory(created_at=NOW + DAY), {}, "stored_later"),
        (memory(status=Status.SUPERSEDED), {}, "superseded"),
        (memory(status=Status.SUPERSEDED), {"include": frozenset({Status.SUPERSEDED})}, None),
        # it was replaced after this recall: then it was current
        (memory(status=Status.SUPERSEDED, known_to=NOW + DAY), {}, None),
        (memory(status=Status.HELD), {}, "held"),
        (memory(status=Status.HELD), {"include": frozenset({Status.HELD})}, None),
        (memory(status=Status.QUARANTINED), {"include": frozenset({Status.QUARANTINED})}, "quarantined"),
        (memory(status=Status.DISPUTED), {}, "disputed"),
        (memory(status=Status.EXPIRED), {"include": frozenset({Status.EXPIRED})}, "expired"),
        (memory(expires_at=NOW), {}, "expired"),
        (memory(expires_at=NOW + DAY), {}, None),
        (memory(valid_to=NOW), {}, "not_valid_then"),
        (memory(valid_to=NOW, kind=Kind.EPISODIC), {}, None),  # a past event stays true
        (memory(valid_from=DAY_ONE + DAY * 9), {"as_of": past(8)}, "not_valid_then"),
        (memory(known_from=DAY_ONE + DAY * 9), {"as_of": past(10, known=8)}, "not_known_then"),
        (memory(trust=1), {}, "below_min_trust"),
        (memory(), {"kinds": frozenset({Kind.EPISODIC})}, "kind_excluded"),
        (memory(), {"subject": "person:brother"}, "subject_excluded"),
        (memory(), {"filters": parse_filters({"importance": {"gt": 5}})}, "filter_excluded"),
        (memory(), {"in_candidates": False, "score": None, "rank": None}, "not_a_candidate"),
        (memory(), {"min_score": 0.6}, "below_min_score"),
        (memory(), {"rank": 6}, "below_k"),
        (memory(), {"rank": 5}, None),
        (memory(), {"rank": 6, "repeats": uid(9)}, "near_duplicate"),
        (memory(), {"rank": 5, "repeats": uid(9)}, None),  # nothing else wanted the place
        # the first failure decides
        (memory(status=Status.SUPERSEDED, trust=0), {"rank": 9, "min_score": 0.9}, "superseded"),
    ],
)
def test_the_first_failure_decides(row: Memory, seen: dict[str, Any], code: str | None) -> None:
    assert why_not(row, view(**seen)) == code
    assert decisive(checks(row, view(**seen))) == code


def test_a_near_duplicate_is_told_by_the_row_that_says_the_same() -> None:
    assert str(uid(9)) in detail_of("near_duplicate", by=uid(9))
    assert "{" not in detail_of("near_duplicate")


MUNICH = memory(
    status=Status.SUPERSEDED,
    valid_from=DAY_ONE,
    valid_to=DAY_ONE + DAY * 10,  # moved then
    known_to=DAY_ONE + DAY * 20,  # told later
)


@pytest.mark.parametrize(
    ("as_of", "held"),
    [
        (past(5), True),  # what we now believe was true then
        (past(15), False),  # by then the move had happened
        (past(15, known=15), True),  # but we did not know it yet: what we believed then
        (past(15, known=25), False),
        (past(-1), False),
        (past(5, known=-1), False),
    ],
)
def test_both_clocks_are_answered(as_of: AsOf, held: bool) -> None:
    assert believed(MUNICH, as_of) is held
    assert (why_not(MUNICH, view(as_of=as_of)) is None) is held
