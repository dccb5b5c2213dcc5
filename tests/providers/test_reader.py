"""The gate's reader: the same reading for the same text, from any thread, beside any other text."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.domain.gate_model import CODES, Reading
from app.domain.memory import Code, Verdict
from app.providers import network
from app.providers.network import MODEL_FOLDER, ModelDamaged, read_model_files
from app.providers.reader import GateReader, bundled_reader
from benchmarks.gating import verdicts

TEXTS = ["I live in Berlin", "Thanks!", "My sister got married in May", "a", "", "word " * 400, "C++ 🙂 東京"]


def leading(reading: Reading) -> Code:
    return CODES[max(range(len(CODES)), key=lambda place: reading.logits[place])]


def test_it_tells_facts_from_talk() -> None:
    read = bundled_reader().read
    assert leading(read("I work as a nurse at the children's hospital")) is Code.DURABLE_FACT
    assert leading(read("I got engaged on Saturday")) is Code.EVENT
    assert leading(read("Always answer me in British English")) is Code.INSTRUCTION
    assert leading(read("Haha, that's so great, thank you!")) is Code.SMALL_TALK
    assert read("I'm allergic to penicillin").weight > read("I tried a new cereal today").weight


def test_an_order_beside_a_question_is_for_its_answer() -> None:
    read = bundled_reader().read
    asked = "Can you list what I told you about my app? Mention only five items."
    for text, wanted in ((asked, False), ("Always answer briefly.", True)):
        found = [one.decision for one in verdicts(text, read=read)]
        assert (Verdict.KEEP in found) == wanted, text


def test_a_text_has_one_reading_from_any_thread() -> None:
    reader = GateReader()
    first = [reader.read(text) for text in TEXTS]
    with ThreadPoolExecutor(4) as threads:
        again = list(threads.map(reader.read, TEXTS * 6))
    assert again == first * 6
    assert [bundled_reader().read(text) for text in reversed(TEXTS)] == first[::-1]
    for reading in first:
        assert len(reading.logits) == len(CODES)
        assert all(round(value, 3) == value for value in (*reading.logits, reading.weight))


def test_first_calls_at_once_load_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[Path] = []

    def counted(folder: Path, names: tuple[str, ...]) -> dict[str, bytes]:
        loads.append(folder)
        return read_model_files(folder, names)

    monkeypatch.setattr(network, "read_model_files", counted)
    reader = GateReader()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(reader.read, TEXTS))
    assert loads == [MODEL_FOLDER]
    assert bundled_reader() is bundled_reader()


def test_a_damaged_file_is_refused_with_the_remedy(tmp_path: Path) -> None:
    folder = tmp_path / "minilm"
    shutil.copytree(MODEL_FOLDER, folder)
    (folder / "gate.onnx").write_bytes(b"")
    with pytest.raises(ModelDamaged, match=r"gate\.onnx .* Install the package again"):
        GateReader(folder=folder).load()
