"""The weights are what the corpus says, bit for bit; the corpus is what its README says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "training" / "gate"
FILES = sorted(CORPUS.rglob("*.jsonl"))
DOMAINS = {"work", "software", "study", "money", "assistant", "health", "family", "food", "travel", "leisure"}
CODES = {
    "keep": {"durable_fact", "preference", "third_party", "event", "instruction"},
    "hold": {"hedged"},
    "drop": {"small_talk", "question", "ephemeral", "hypothetical", "low_importance"},
}
KINDS = {"semantic", "episodic", "procedural"}


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_training_gives_the_weights_of_the_repository(tmp_path: Path, threads: str) -> None:
    made = tmp_path / "weights.py"
    environment = {**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "PYTHONHASHSEED": threads}
    subprocess.run([sys.executable, ROOT / "training" / "train_gate.py", made], env=environment, check=True)
    assert made.read_bytes() == (ROOT / "app" / "domain" / "gate_weights.py").read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORPUS)))
def test_every_line_has_the_form_of_the_readme(path: Path) -> None:
    for row in rows(path):
        assert set(row) - {"pair"} == {"text", "decision", "kind", "code", "importance", "domain"}
        assert str(row["text"]).strip()
        assert row["domain"] in DOMAINS
        assert row["code"] in CODES[str(row["decision"])]
        assert isinstance(row["importance"], int)
        if row["decision"] == "drop":
            assert row["kind"] is None
            assert 1 <= row["importance"] <= 4
        else:
            assert row["kind"] in KINDS
            assert 4 <= row["importance"] <= 10


def test_the_corpus_is_large_enough_and_covers_every_code_and_domain() -> None:
    every = [row for path in FILES for row in rows(path)]
    assert len(every) >= 2_000
    assert {row["domain"] for row in every} == DOMAINS
    assert set(Counter(row["code"] for row in every)) == set().union(*CODES.values())
    assert {path.stem for path in FILES if path.parent == CORPUS} == {"de", "es", "fr", "zh"}


def test_no_line_stands_twice() -> None:
    texts = Counter(str(row["text"]) for path in FILES for row in rows(path))
    # short thanks and yeses come up in more than one domain
    assert sum(count - 1 for count in texts.values()) <= 40
