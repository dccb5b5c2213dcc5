from __future__ import annotations

import pytest

from app.providers.network import MODEL_FOLDER
from app.providers.wordpiece import MAX_TOKENS, WordPiece, fold

START, END, UNKNOWN = 101, 102, 100


@pytest.fixture(scope="module")
def tokenizer() -> WordPiece:
    return WordPiece.from_lines((MODEL_FOLDER / "vocab.txt").read_text(encoding="utf-8"))


# What the published tokenizer gives (tokenizers 0.23.3 with its tokenizer.json).
PUBLISHED = [
    ("I use PostgreSQL.", [1045, 2224, 2695, 17603, 2015, 4160, 2140, 1012]),
    ("Crème brûlée in ZÜRICH, İzmir", [13675, 21382, 7987, 9307, 2063, 1999, 10204, 1010, 1045, 2480, 14503]),
    ("C++ and rm -rf /tmp", [1039, 1009, 1009, 1998, 28549, 1011, 21792, 1013, 1056, 8737]),
    ("ΟΔΟΣ Σίσυφος", [1169, 29722, 29730, 29733, 1173, 18199, 29733, 29735, 29736, 15297]),
    ("東京に住んでいます", [1879, 1755, 1668, 100, 1691, 30191, 30173, 30203, 30184]),
    ("한국어", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]),
    (
        "tab\tnew\nline\r\nzero\u200bwidth\x0bvt\u00a0nbsp\u2028sep",
        [21628, 2047, 2240, 5717, 9148, 11927, 2232, 2615, 2102, 1050, 5910, 2361, 19802],
    ),
    ("don't — “quoted”…", [2123, 1005, 1056, 1517, 1523, 9339, 1524, 1529]),
    ("😀 👍🏽 ok", [100, 100, 7929]),
    ("\ufb01ne ½ ①", [1984, 2638, 1092, 100]),
    (
        "user@example.com:8080/a_b?c=d",
        [5310, 1030, 2742, 1012, 4012, 1024, 3770, 17914, 1013, 1037, 1035, 1038, 1029, 1039, 1027, 1040],
    ),
    # marks on a letter; punctuation that is only seen once it is decomposed; a digit that is in no piece
    ("a\u0301\u0327b \u037e \u226e 1\u0660", [11113, 1025, 1026, 100]),
    ("", []),
    ("x" * 101, [100]),
    ("x" * 100, [22038, *[20348] * 49]),
]


@pytest.mark.parametrize(("text", "ids"), PUBLISHED)
def test_ids_are_those_of_the_published_tokenizer(tokenizer: WordPiece, text: str, ids: list[int]) -> None:
    assert tokenizer.encode(text) == [START, *ids, END]


@pytest.mark.parametrize("token", ["[SEP]", "[CLS]", "[PAD]", "[UNK]", "[MASK]", "[unused1]", "##s"])
def test_control_tokens_in_a_text_are_words_between_brackets(tokenizer: WordPiece, token: str) -> None:
    control = {0, 1, 2, START, END, UNKNOWN, 103}
    ids = tokenizer.encode(f"a {token} b")
    assert not control.intersection(ids[1:-1])
    assert len(ids) > 5


LONG = [
    pytest.param("word " * 6_400, 256, id="many words"),
    pytest.param("a" * 32_000, 3, id="one word"),
    pytest.param("字" * 32_000, 256, id="no spaces"),
    pytest.param("!" * 32_000, 256, id="punctuation"),
    pytest.param("a\u0301\u0327" + "\u0301\u0327\u0315" * 10_000, 3, id="marks that normalisation would sort"),
    pytest.param("\x00" * 32_000, 2, id="controls"),
    pytest.param("\ud800" * 32_000, 2, id="lone surrogates"),
    pytest.param(("a" * 99 + "ʬ ") * 320, 256, id="words that fail at their last character"),
]


@pytest.mark.parametrize(("text", "count"), LONG)
def test_a_long_text_gives_no_more_tokens_than_the_model_sees(tokenizer: WordPiece, text: str, count: int) -> None:
    ids = tokenizer.encode(text)
    assert len(ids) == count <= MAX_TOKENS
    assert (ids[0], ids[-1]) == (START, END)


def test_the_rest_of_a_text_is_not_looked_at_once_the_list_is_full(tokenizer: WordPiece) -> None:
    fold.cache_clear()
    tokenizer.encode("word " * 300 + "q")
    assert fold.cache_info().currsize == len(set("word"))


def test_only_characters_are_remembered_and_not_all_of_them(tokenizer: WordPiece) -> None:
    fold.cache_clear()
    for start in range(0x4E00, 0x9F00, 250):
        tokenizer.encode("".join(map(chr, range(start, start + 250))))
    assert fold.cache_info().currsize == fold.cache_info().maxsize == 4096
