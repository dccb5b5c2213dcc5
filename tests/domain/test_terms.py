"""The lexical leg's own words: what a person types finds what was written, in every script (field report T1)."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.domain.terms import document_terms, query_terms, terms, tsquery


def share(query: str, text: str) -> float:
    """The share of query words found, which is what the ranker's lexical leg comes to."""
    asked, held = query_terms(query), set(document_terms(text).split())
    return sum(term in held for term in asked) / len(asked) if asked else 0.0


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("人工智能", "我住在上海，喜欢人工智能技术"),
        ("猫", "我喜欢猫咪"),  # one character may be the word
        ("東京都庁", "今日は東京都庁で打ち合わせをした。担当は田中さんです"),
        ("백엔드", "저는 서울에서 백엔드 개발자로 일합니다"),
        ("กาแฟ", "ฉันชอบดื่มกาแฟทุกเช้า"),  # Thai, no spaces
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),  # vowel signs belong to the word
        ("العربية", "أتكلم العَرَبِيَّة"),  # without vowel signs
        ("PostgreSQL", "אני גר בחיפה ועובד עם PostgreSQL"),
        ("ＰｏｓｔｇｒｅＳＱＬ", "I use PostgreSQL"),  # full width
        ("C++", "I write C++ and never use rm -rf"),
        ("rm -rf", "I write C++ and never use rm -rf"),
        ("C#", "My team writes C#."),
        (".NET", "We moved to .NET last year"),
        ("node.js", "node.js, please"),
        ("1.2.3", "We run version v1.2.3"),
        ("version 1.2", "version 1.2.3"),
        ("49222", "The SSH port is now 49222."),
        ("ana@example.com", "Write to Ana@Example.com!"),
        ("example.com", "See https://example.com/docs?page=2"),
        ("/etc/hosts", "Edit `/etc/hosts` first"),
        ("max_tokens", "set max_tokens=512"),
        ("tokens", "set max_tokens=512"),
        ("kebab-case", "names are kebab-case"),
        ("2025-03-01", "launched on 2025-03-01"),
        ("2025", "launched on 2025-03-01"),
        ("15:00", "the dentist at 15:00"),
        ("UTC-5", "time zone is UTC-5"),
        ("1000 euros", "pays 1,000 euros"),
        ("cafe", "meets at the Café"),
        ("café", "meets at the cafe"),
        ("Ana", "Ana's birthday"),
        ("amour", "l'amour"),
        ("🏔️", "I love 🏔 hiking"),
        ("AT&T", "works at AT&T"),
        ("$HOME", "echo $HOME"),
        ("--force", "never git push --force"),
        ("Where does the user live?", "User lives in Berlin"),
        ("Which companies?", "the company"),
        ("planning", "planned a trip"),
        ("what does the user use", "User uses Redis"),
    ],
)
def test_what_is_typed_finds_what_was_written(query: str, text: str) -> None:
    assert share(query, text) == 1.0


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("C++", "takes vitamin C"),
        ("C", "writes C++"),
        ("UTC+2", "UTC-5"),
        ("1.2.3", "1.2.4 and 3"),
        ("king", "ring sing"),
        ("猫", "我喜欢狗"),
        ("new", "old"),
    ],
)
def test_signs_and_numbers_are_not_mixed_up(query: str, text: str) -> None:
    assert share(query, text) < 0.6


def test_stop_words_go_from_the_query_only_and_stay_when_nothing_else_is_left() -> None:
    assert query_terms("Where does the user live?") == ["liv"]
    assert query_terms("who is the user") == ["who", "is", "the", "user"]
    assert "the" in document_terms("the user").split()
    assert query_terms("???") == []
    assert query_terms("") == []


def test_terms_survive_the_parser_as_one_token_each() -> None:
    # `5e2x` would fall into `5e2` and `x`; `x632b2b` could be taken for an encoded `c++`
    for text in ("5e2x", "x632b2b", "c++", "猫", "été", "1e5", "a.b", "x-ray"):
        for term in terms(text):
            assert re.fullmatch(r"[a-z][a-z0-9]*|[0-9]+", term)
    assert terms("c++") != terms("x632b2b")


def test_the_query_is_an_or_of_quoted_terms() -> None:
    assert tsquery(["a", "b"]) == "'a' | 'b'"
    assert tsquery([]) == ""
    assert tsquery(["it's", "back\\slash", "", "nul\x00"]) == "'it''s' | 'back\\\\slash' | 'nul'"


@settings(deadline=None)
@given(st.text())
@example("\ud800 lone")
@example("\x00")
@example("_" * 50)
@example("ﷺ" * 20)
def test_any_text_gives_plain_terms(text: str) -> None:
    for term in (*terms(text), *query_terms(text), *document_terms(text).split()):
        assert re.fullmatch(r"[a-z0-9]+", term)


@settings(deadline=None)
@given(st.text(min_size=1))
def test_a_text_finds_itself(text: str) -> None:
    assert set(query_terms(text)) <= set(document_terms(text).split())


@pytest.mark.parametrize("piece", ["a", "a.", "a-", "_", "'a", "我", "++", "1,1", "1.", "\u0301", "é", "-", "@a"])
def test_long_monotonous_texts_take_no_long_time(piece: str) -> None:
    started = time.perf_counter()
    document_terms((piece * 32_000)[:32_000])
    assert time.perf_counter() - started < 2.0
