"""What the embedder and the reader are trained on is what the READMEs say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.domain.gate_model import CODES
from benchmarks.gating import LEFT_OUT, LeftOut

ROOT = Path(__file__).resolve().parents[2] / "training"


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ROOT / path).read_text("utf-8").splitlines()]


def test_sessions_have_labelled_turns_and_questions_with_their_turns() -> None:
    names = {str(code) for code in CODES}
    for session in rows("chats/friends.jsonl") + rows("chats/projects.jsonl"):
        for turn in session["turns"]:
            assert turn["text"].strip()
            assert turn["code"] in names
            assert turn["keep"] in (0, 1)
            assert 1 <= turn["importance"] <= 10
        for question in session["questions"]:
            assert question["question"].strip()
            assert question["turns"]
            assert all(0 <= place < len(session["turns"]) for place in question["turns"])
    assert all(turn["speaker"] for session in rows("chats/friends.jsonl") for turn in session["turns"])


def test_questions_are_about_facts_that_exist() -> None:
    lives = {life["id"]: life for path in (ROOT / "turnover").glob("*.jsonl") for life in rows(f"turnover/{path.name}")}
    asked = rows("embedder/questions.jsonl")
    for row in asked:
        assert row["asked"].strip()
        assert row["facts"]
        assert all(0 <= place < len(lives[row["life"]]["facts"]) for place in row["facts"])
    assert len({row["life"] for row in asked}) > 180


def test_pairs_of_preference_and_request_differ() -> None:
    pairs = rows("embedder/preferences.jsonl")
    assert len(pairs) == 2000
    assert len({(pair["preference"], pair["request"]) for pair in pairs}) >= 1999


def test_every_fold_was_read_by_a_reader_that_had_not_seen_it() -> None:
    lives = sum(len(rows(f"turnover/{path.name}")) for path in (ROOT / "turnover").glob("*.jsonl"))
    folds = {line.partition("\t")[0] for line in LEFT_OUT.read_text("utf-8").splitlines()}
    domains = {path.stem for path in (ROOT / "gate" / "en").glob("*.jsonl")}
    assert folds == domains | {f"lives {number}" for number in range(5)}
    assert lives > 200
    number = 0
    for path in sorted((ROOT / "turnover").glob("*.jsonl")):
        for life in rows(f"turnover/{path.name}"):
            if number % 40 == 0:
                reading = LeftOut(f"lives {number % 5}").read(life["facts"][0])
                assert reading is not None
                assert len(reading.logits) == len(CODES)
            number += 1
