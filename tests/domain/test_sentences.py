"""Cutting messages: what is one sentence, and what is two statements."""

from __future__ import annotations

import pytest

from app.domain.sentences import MAX_CANDIDATE, clauses, sentences


def cut(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


def split(text: str) -> list[str]:
    return [part.of(text) for span in sentences(text) for part in clauses(text, span)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # plain
        ("I live in Oslo. I like tea! Really?", ["I live in Oslo.", "I like tea!", "Really?"]),
        ("i live in oslo. i like tea", ["i live in oslo.", "i like tea"]),
        ("Wait... what?! OK.", ["Wait...", "what?!", "OK."]),
        # abbreviations, initials, titles
        ("Dr. Smith is my dentist. I like her.", ["Dr. Smith is my dentist.", "I like her."]),
        ("I use tools, e.g. Postgres, at work.", ["I use tools, e.g. Postgres, at work."]),
        ("J. R. R. Tolkien is my favourite author.", ["J. R. R. Tolkien is my favourite author."]),
        ("I moved to the U.S. in 2019. It was hard.", ["I moved to the U.S. in 2019.", "It was hard."]),
        ("I live in St. Gallen.", ["I live in St. Gallen."]),
        ("Acme Inc. pays me. We meet at 5 p.m. on Fridays.", ["Acme Inc. pays me.", "We meet at 5 p.m. on Fridays."]),
        # numbers, versions, addresses
        ("Pi is 3.14. Version 2.0.1 is out.", ["Pi is 3.14.", "Version 2.0.1 is out."]),
        ("See https://x.example/a.b?c=d. I wrote it.", ["See https://x.example/a.b?c=d.", "I wrote it."]),
        ("Mail sam@example.co.uk please. Thanks.", ["Mail sam@example.co.uk please.", "Thanks."]),
        # quotes and brackets close with their sentence
        ('He said "no." I left.', ['He said "no."', "I left."]),
        ("(I was there.) It rained.", ["(I was there.)", "It rained."]),
        # lists, headings, lines
        ("- I like tea\n- I use Go\n* I ski", ["I like tea", "I use Go", "I ski"]),
        ("1. I like tea\n2) I use Go", ["I like tea", "I use Go"]),
        ("# About me\nI live in Oslo", ["About me", "I live in Oslo"]),
        ("> I like tea\n> I use Go", ["I like tea", "I use Go"]),
        ("I live in Oslo\nI like tea", ["I live in Oslo", "I like tea"]),
        # a long line that goes on in lower case was only wrapped
        (
            "I have been living in a small house near the old harbour of\nthe city for ten years",
            ["I have been living in a small house near the old harbour of\nthe city for ten years"],
        ),
        # scripts without spaces, other full stops
        ("我住在上海。我喜欢茶！你呢？", ["我住在上海。", "我喜欢茶！", "你呢？"]),
        ("今日は休みです。明日は仕事です。", ["今日は休みです。", "明日は仕事です。"]),
        ("मैं दिल्ली में रहता हूँ। मुझे चाय पसंद है।", ["मैं दिल्ली में रहता हूँ।", "मुझे चाय पसंद है।"]),
        ("أين تعيش؟ أعيش في القاهرة.", ["أين تعيش؟", "أعيش في القاهرة."]),
        # emoji stay in their sentence
        ("I love 🏔️ hiking 👩‍👩‍👧 with family. And tea 🙂", ["I love 🏔️ hiking 👩‍👩‍👧 with family.", "And tea 🙂"]),
        ("", []),
        ("   \n\n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_code_is_kept_whole_and_marked() -> None:
    text = "I wrote this:\n```python\nx = 1. \nprint(x)\n```\nI like it."
    spans = sentences(text)
    assert [span.code for span in spans] == [False, True, False]
    assert spans[1].of(text).startswith("```python")
    assert [span.code for span in sentences("```\nnever closed. I like tea")] == [True]


def test_a_statement_without_an_end_is_cut_at_a_space() -> None:
    text = "word " * 900 + "I'm allergic to penicillin"
    spans = sentences(text)
    assert all(span.end - span.start <= MAX_CANDIDATE for span in spans)
    assert "".join(span.of(text) for span in spans).replace(" ", "") == text.replace(" ", "")
    assert spans[-1].of(text).endswith("I'm allergic to penicillin")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # two statements
        ("I moved to Oslo and now work at Equinor", ["I moved to Oslo", "now work at Equinor"]),
        ("I live in Oslo and I work at Equinor", ["I live in Oslo", "I work at Equinor"]),
        ("I love tea but I hate coffee", ["I love tea", "I hate coffee"]),
        ("I don't like coffee anymore, I drink tea now", ["I don't like coffee anymore", "I drink tea now"]),
        ("I live in Oslo; my brother lives in Lima", ["I live in Oslo", "my brother lives in Lima"]),
        ("I write C++ and never use rm -rf", ["I write C++", "never use rm -rf"]),
        ("I have two kids and am allergic to nuts", ["I have two kids", "am allergic to nuts"]),
        ("I'm allergic to nuts, what can I eat?", ["I'm allergic to nuts", "what can I eat?"]),
        ("My wife is a nurse and she speaks Thai", ["My wife is a nurse", "she speaks Thai"]),
        ("I am vegan and have a cat, and I live in Rome", ["I am vegan", "have a cat", "I live in Rome"]),
        # one statement
        ("I like bread and cheese", ["I like bread and cheese"]),
        ("I want to work and live in Oslo", ["I want to work and live in Oslo"]),
        ("My friends and I use Signal", ["My friends and I use Signal"]),
        ("Salt and pepper", ["Salt and pepper"]),
        ("If I had a dog, I would call it Rex", ["If I had a dog, I would call it Rex"]),
        ("When I travel I use a Kindle, and I read a lot", ["When I travel I use a Kindle, and I read a lot"]),
        ("I use Postgres, Redis and Kafka", ["I use Postgres, Redis and Kafka"]),
        ("I live in Paris, France", ["I live in Paris, France"]),
    ],
)
def test_clauses(text: str, expected: list[str]) -> None:
    assert split(text) == expected
