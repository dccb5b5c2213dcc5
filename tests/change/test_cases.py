"""Natural changes and their look-alikes, told to the rules. The writers of both sets had not read the rules.

The aim is .95 right in English and .85 elsewhere. Half of set a was looked at while the rules were made. Set b was told
to them only when they were done: English .703 right (updates .447, look-alikes .960), German .750, French .825, Spanish
.825, Chinese .800. Then rules were mended by general kinds. What is out of reach needs knowledge of the world: that who
was baptised is no atheist any more. The floors hold what is reached; for look-alikes, where a mistake loses a true
fact, they are near 1.
"""

from __future__ import annotations

import pytest

from tests.change.telling import cases, told

# file: share of updates, share of look-alikes
FLOORS = {
    "en-a": (0.88, 0.98),
    "de-a": (0.85, 0.95),
    "fr-a": (0.85, 0.95),
    "es-a": (0.85, 0.95),
    "zh-a": (0.80, 0.95),
    "en-b": (0.54, 0.98),
    "de-b": (0.60, 0.95),
    "fr-b": (0.65, 0.95),
    "es-b": (0.75, 0.95),
    "zh-b": (0.65, 0.95),
}


@pytest.mark.parametrize("kind", ["update", "lookalike"])
@pytest.mark.parametrize("name", FLOORS)
def test_changes_are_told_from_look_alikes(name: str, kind: str) -> None:
    chosen = [case for case in cases(name) if case.kind == kind]
    failed = {case.id: found for case in chosen if any(found := told(case))}
    share = 1 - len(failed) / len(chosen)
    assert share >= FLOORS[name][kind == "lookalike"], failed
