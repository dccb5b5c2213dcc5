"""A long text holds some word of any question: its words count for less, those of ordinary texts in full."""

from __future__ import annotations

from tests.conftest import User

FILLER = " ".join(f"filler{n}" for n in range(400))


async def test_the_same_words_in_a_long_text_match_less(user: User) -> None:
    await user.force("The blue bicycle has a flat tyre.")
    await user.force(f"The blue bicycle has a flat tyre. {FILLER}")
    hits = (await user.recall("blue bicycle", k=2, token_budget=0))["memories"]
    short, long = sorted(hits, key=lambda hit: len(hit["content"]))
    assert short["scores"]["lexical"] > 0.999
    assert 0.2 < long["scores"]["lexical"] < 0.5


async def test_up_to_sixty_four_different_words_length_does_not_matter(user: User) -> None:
    await user.force(f"The blue bicycle has a flat tyre. {' '.join(f'word{n}' for n in range(50))}")
    (hit,) = (await user.recall("blue bicycle", k=1, token_budget=0))["memories"]
    assert hit["scores"]["lexical"] > 0.999
