"""Natural changes and their look-alikes, told to the rules. The writers of both sets had not read the rules.

Half of set a was looked at while the rules were made. The rules were then made much narrower, because ordinary
messages retired true facts (`test_ordinary`): the updates found fell from .893 to .467 (set a, English) and from .567
to .200 (set b), the look-alikes rose to 1.000. What is not found stays beside the new statement; nothing true is lost.
The floors hold what is reached.
"""

from __future__ import annotations

import pytest

from tests.change.telling import cases, told

# file: share of updates, share of look-alikes
FLOORS = {
    "en-a": (0.45, 1.0),
    "de-a": (0.59, 1.0),
    "fr-a": (0.54, 1.0),
    "es-a": (0.74, 1.0),
    "zh-a": (0.44, 1.0),
    "en-b": (0.19, 1.0),
    "de-b": (0.29, 1.0),
    "fr-b": (0.34, 1.0),
    "es-b": (0.44, 1.0),
    "zh-b": (0.39, 1.0),
}


@pytest.mark.parametrize("kind", ["update", "lookalike"])
@pytest.mark.parametrize("name", FLOORS)
def test_changes_are_told_from_look_alikes(name: str, kind: str) -> None:
    chosen = [case for case in cases(name) if case.kind == kind]
    failed = {case.id: found for case in chosen if any(found := told(case))}
    share = 1 - len(failed) / len(chosen)
    assert share >= FLOORS[name][kind == "lookalike"], failed
