"""Which owners are searched by two legs is noted for a while, for a bounded number of them."""

from __future__ import annotations

from app.domain.caller import Owner
from app.services.recall import Sizes
from app.store.shapes import LARGE_FROM


def someone(name: str) -> Owner:
    return Owner("t", name, "0" * 64)


def test_an_owner_is_large_until_it_is_time_to_look_again() -> None:
    sizes = Sizes(keep_seconds=600.0)
    sizes.note(someone("few"), LARGE_FROM - 1, now=0.0)
    sizes.note(someone("many"), LARGE_FROM, now=0.0)
    assert [sizes.is_large(someone(name), now=599.0) for name in ("few", "many")] == [False, True]
    assert not sizes.is_large(someone("many"), now=600.0)
    # what two legs scored says nothing of how many there are
    sizes.note(someone("many"), 300, now=599.0)
    assert sizes.is_large(someone("many"), now=599.5)


def test_the_one_noted_longest_ago_gives_way() -> None:
    sizes = Sizes(at_most=2)
    for name in ("ada", "bo", "ada", "cy"):
        sizes.note(someone(name), LARGE_FROM, now=0.0)
    assert [sizes.is_large(someone(name), now=1.0) for name in ("ada", "bo", "cy")] == [True, False, True]
