from __future__ import annotations

import pytest

from app.domain.text import content_key, is_blank, normalise, slug, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # case, spacing, final punctuation
        ("I prefer tea over coffee", "i prefer tea over coffee."),
        ("I prefer tea over coffee", "  I prefer  tea over coffee  !"),
        # full width letters are the same letters
        ("PostgreSQL", "ＰｏｓｔｇｒｅＳＱＬ"),
        # composed and decomposed accents, curly and straight apostrophes
        ("caf\u00e9", "cafe\u0301"),
        ("I’m here", "I'm here"),
        # full stops of other scripts
        ("我住在上海", "我住在上海。"),
    ],
)
def test_the_same_words_have_the_same_key(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)
    assert content_key("user", one) == content_key("user", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I write C", "I write C++"),  # signs carry meaning
        ("UTC+5", "UTC-5"),
        ("version 1.2", "version 12"),
        ("I like tea", "I like teas"),
    ],
)
def test_other_words_have_another_key(one: str, other: str) -> None:
    assert content_key("user", one) != content_key("user", other)


def test_the_subject_is_part_of_the_key_and_cannot_be_faked_by_the_text() -> None:
    assert content_key("user", "likes tea") != content_key("person:alex", "likes tea")
    assert content_key("a", "b c") != content_key("a b", "c")
    assert len(content_key("user", "x")) == 32


@pytest.mark.parametrize(
    "text", ["", " ", "\t\r\n", "\u00a0\u2003", "\u200b\u200d\ufeff", "\u202e", "ㅤ", "\x01\x02", "\ufe0f"]
)
def test_what_draws_nothing_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", ".", "的", "🙂", " x "])
def test_what_draws_something_is_not_blank(text: str) -> None:
    assert not is_blank(text)


def test_words_keep_contractions_whole_and_slugs_are_names() -> None:
    assert words("Don’t stop, 2 cats!") == ["don't", "stop", "2", "cats"]
    assert slug("Badge  code") == "badge_code"
