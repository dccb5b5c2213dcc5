"""The pair reader: knowledge of what ends what, the same reading for the same pair from any thread."""

from __future__ import annotations

import hashlib
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.domain.pairs import Beside
from app.providers.network import ModelDamaged
from app.providers.pairs import MESSAGE_TOKENS, PAIR_FOLDER, ROW_TOKENS, BundledPairReader, bundled_pair_reader
from scripts.build_minilm import read_verified
from scripts.build_mpnet import PAIRS_SHA256, build_pairs, main

VARIABLE = "LETHE_TRAINED_WEIGHTS"
ROWS = {
    "cook": "User is a line cook at a bistro in Leeds",
    "dog": "User has a beagle called Waffles",
    "dose": "User takes 50 mg of sertraline every morning",
}


@pytest.mark.parametrize(
    ("row", "ends", "ends_not"),
    [
        ("cook", "Hung up my apron, I drive a delivery van these days.", "The other cook quit, so I do double shifts."),
        ("dog", "Waffles crossed the rainbow bridge on Sunday.", "Waffles slept through the fireworks on Sunday."),
        ("dose", "My GP upped the sertraline to 100 mg.", "I forgot my sertraline on the train this morning."),
    ],
)
def test_it_tells_what_ends_a_row_from_what_only_speaks_of_it(row: str, ends: str, ends_not: str) -> None:
    read = bundled_pair_reader().read
    assert read(Beside(ends, ROWS[row])) > 1 > -1 > read(Beside(ends_not, ROWS[row]))


def test_a_pair_has_one_reading_from_any_thread() -> None:
    reader = BundledPairReader()
    pairs = [
        Beside(words, row) for words in ("I sold it.", "", "word " * 400, "C++ 🙂 東京") for row in ("", *ROWS.values())
    ]
    first = [reader.read(pair) for pair in pairs]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(reader.read, pairs * 2)) == first * 2
    assert all(round(odds, 2) == odds for odds in first)


def test_of_long_texts_the_beginning_is_read() -> None:
    read = bundled_pair_reader().read
    long_row, long_words = "a " * ROW_TOKENS, "b " * MESSAGE_TOKENS
    assert read(Beside(long_words, long_row)) == read(Beside(long_words + "and more", long_row + "and more"))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mpnet"
    shutil.copytree(PAIR_FOLDER, folder)
    with (folder / "pairs.onnx").open("r+b") as file:
        file.seek(1000)
        file.write(b"\0\0\0\0")
    with pytest.raises(
        ModelDamaged, match=r"pairs\.onnx is not the bundled one .*app/providers/mpnet.*build_mpnet\.py"
    ):
        BundledPairReader(folder=folder).read(Beside("I sold it.", "User has a car"))


def test_other_weights_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "pairs.safetensors"
    other.write_bytes(b"other weights")
    vocabulary = str(PAIR_FOLDER / "vocab.txt")
    assert main(["--pairs", str(other), "--vocab", vocabulary, "--out", str(tmp_path / "out")]) == 1
    assert f"expected {PAIRS_SHA256}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(VARIABLE not in os.environ, reason=f"{VARIABLE} names no folder with pairs.safetensors")
def test_the_bundled_file_is_what_the_script_builds() -> None:
    built = build_pairs(read_verified(Path(os.environ[VARIABLE]) / "pairs.safetensors", PAIRS_SHA256))
    bundled = (PAIR_FOLDER / "pairs.onnx").read_bytes()
    assert hashlib.sha256(built).hexdigest() == hashlib.sha256(bundled).hexdigest()
