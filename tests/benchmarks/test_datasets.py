"""Published files are read as meant, and other shapes are refused with what was expected."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks import beam, locomo, prefeval
from benchmarks.asking import batches
from benchmarks.corpus import MAX_TEXT, Turn
from benchmarks.datasets import load
from benchmarks.files import DataFault
from tests.benchmarks.samples import BEAM, LOCOMO, PREFEVAL, write_samples


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_samples(tmp_path)


def test_locomo_turns_carry_speaker_caption_session_and_time_in_the_order_of_sessions(folder: Path) -> None:
    (pool,) = locomo.load(folder).pools
    assert [turn.id for turn in pool.turns] == ["D1:1", "D1:2", "D2:1"]
    first = pool.turns[0]
    assert first.text == "Ann: I built a kite. [shared image: a red kite]"
    assert first.said == "I built a kite. [shared image: a red kite]"
    assert (first.speaker, first.unit, first.at) == ("Ann", "session-1", datetime(2024, 5, 8, 13, 56, tzinfo=UTC))
    assert pool.turns[2].at == datetime(2024, 6, 1, 0, 5, tzinfo=UTC)


def test_locomo_evidence_is_found_in_any_spelling_and_unknown_ids_are_dropped(folder: Path) -> None:
    corpus = locomo.load(folder)
    asked = corpus.pools[0].questions
    assert [set(question.evidence) for question in asked] == [{"D1:1", "D2:1"}, {"D1:2"}, {"D1:2"}]
    assert [question.kind for question in asked] == ["multi-hop", "single-hop", "adversarial"]
    assert [question.apart for question in asked] == [False, False, True]
    assert corpus.notes == ("1 questions without known evidence left out",)


def test_beam_evidence_goes_to_the_user_message_and_marks_are_taken_away(folder: Path) -> None:
    corpus = beam.load(folder)
    (pool,) = corpus.pools
    assert [turn.text for turn in pool.turns][:2] == ["The build takes 9 min, why?", "Caches are cold."]
    assert [(turn.role, turn.unit) for turn in pool.turns][2:] == [("user", "2"), ("assistant", "2")]
    assert [turn.at for turn in pool.turns] == [datetime(2024, 5, 2, tzinfo=UTC)] * 2 + [
        datetime(2024, 6, 10, tzinfo=UTC)
    ] * 2
    update, ordering = pool.questions
    assert [set(ids) for ids in (update.first, update.second, update.evidence)] == [{"0"}, {"2"}, {"0", "2"}]
    assert ordering.evidence == {"0", "2"}
    assert corpus.notes == ("1 questions without evidence (abstention) left out",)


def test_prefeval_is_asked_of_all_and_of_one_topic(folder: Path) -> None:
    one, each = prefeval.load(folder)
    assert [len(pool.turns) for pool in one.pools] == [3]
    assert {pool.id: len(pool.turns) for pool in each.pools} == {"food": 2, "travel": 1}
    assert {question.group for question in one.pools[0].questions} == {"food", "travel"}


def test_all_sets_load_by_name_and_a_limit_keeps_the_first_questions(folder: Path) -> None:
    corpora = load(folder, ("locomo", "beam", "prefeval"))
    assert [corpus.name for corpus in corpora] == ["locomo", "beam", "prefeval", "prefeval-topic"]
    assert [corpus.limited(1).questions for corpus in corpora] == [1, 1, 1, 2]
    assert corpora[0].limited(None) is corpora[0]


def without(path: str) -> Callable[[Any], None]:
    """Take a member out of a nested value."""

    def change(value: Any) -> None:
        *way, last = path.split(".")
        for step in way:
            value = value[int(step)] if step.isdigit() else value[step]
        del value[last]

    return change


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("0.conversation", "'conversation'"),
        ("0.qa", "'qa'"),
        ("0.conversation.session_1_date_time", "session_1_date_time"),
        ("0.conversation.session_1.0.dia_id", "'dia_id'"),
        ("0.qa.0.category", "'category'"),
    ],
)
def test_another_shape_of_locomo_is_refused_with_the_place(tmp_path: Path, path: str, told: str) -> None:
    changed = copy.deepcopy(LOCOMO)
    without(path)(changed)
    (tmp_path / "locomo.json").write_text(json.dumps(changed))
    with pytest.raises(DataFault, match=told):
        locomo.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("locomo.json", "{}", "list of conversations"),
        ("locomo.json", "[", "not JSON"),
        ("locomo.json.gz", "no gzip", "cannot be read"),
        ("locomo.json", json.dumps([{**LOCOMO[0], "conversation": {"speaker_a": "Ann"}}]), "session_1"),
    ],
)
def test_what_is_no_locomo_file_is_refused(tmp_path: Path, name: str, content: str, told: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataFault, match=told):
        locomo.load(tmp_path)


def test_other_shapes_of_the_other_sets_are_refused(tmp_path: Path) -> None:
    (tmp_path / "beam.jsonl").write_text(json.dumps({**BEAM, "batches": {}}))
    with pytest.raises(DataFault, match="'batches'"):
        beam.load(tmp_path)
    (tmp_path / "explicit.jsonl").write_text(json.dumps({**PREFEVAL[0], "topic": None}))
    with pytest.raises(DataFault, match="'topic'"):
        prefeval.load(tmp_path)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFault, match=r"no file like locomo\*"):
        load(tmp_path, ("locomo",))
    with pytest.raises(DataFault, match="unknown data set 'trec'"):
        load(tmp_path, ("trec",))
    with pytest.raises(DataFault, match="not a folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(DataFault, match="1:56 pm"):
        locomo.session_time("2024-05-08")


def turn(number: int, *, session: str = "one", speaker: str | None = None, text: str = "x") -> Turn:
    return Turn(str(number), text, text, session, session, speaker=speaker)


def test_a_write_is_of_one_session_and_within_the_limits_of_a_request() -> None:
    turns = [*(turn(n) for n in range(150)), turn(150, session="two")]
    assert [len(batch) for batch in batches(turns)] == [100, 50, 1]
    long = [turn(n, text="é" * MAX_TEXT) for n in range(10)]
    sizes = [sum(len(json.dumps(t.text)) for t in batch) for batch in batches(long)]
    assert len(sizes) > 1
    assert all(size < 1_000_000 for size in sizes)
    assert [t.id for batch in batches(long) for t in batch] == [t.id for t in long]


def test_with_the_gate_on_a_write_is_about_one_speaker() -> None:
    turns = [turn(n, speaker="Ann" if n % 2 else "Bo") for n in range(6)]
    assert [[t.id for t in batch] for batch in batches(turns, by_speaker=True)] == [["0", "2", "4"], ["1", "3", "5"]]
