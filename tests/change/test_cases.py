"""Natural changes and their look-alikes, told to the rules; they were written by someone who had not read the rules.

The aim is .95 right in English and .85 elsewhere. Updates that name neither an attribute of the registry nor what they
change ("we're settling into a place in Duluth" after "home is Tucson") are out of reach of rules over structure, so the
floors hold what is reached; look-alikes, where a mistake loses a true fact, have a floor near 1.
"""

from __future__ import annotations

import pytest

from tests.change.telling import cases, told

# file: share of updates, share of look-alikes
FLOORS = {
    "en-a": (0.50, 0.98),
    "de-a": (0.30, 0.95),
    "fr-a": (0.40, 0.95),
    "es-a": (0.25, 0.95),
    "zh-a": (0.25, 0.95),
}


@pytest.mark.parametrize("kind", ["update", "lookalike"])
@pytest.mark.parametrize("name", FLOORS)
def test_changes_are_told_from_look_alikes(name: str, kind: str) -> None:
    chosen = [case for case in cases(name) if case.kind == kind]
    failed = {case.id: found for case in chosen if any(found := told(case))}
    share = 1 - len(failed) / len(chosen)
    assert share >= FLOORS[name][kind == "lookalike"], failed
