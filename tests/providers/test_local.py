from __future__ import annotations

import asyncio
import math
import random
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.providers import network
from app.providers.local import BATCH_TEXTS, BATCH_TOKENS, LocalEmbedder, MiniLM, plan_batches
from app.providers.network import MODEL_FOLDER, ModelDamaged, read_model_files
from app.providers.ports import Embedder, ProviderFault

pytestmark = pytest.mark.anyio

MODEL_FILES = ("model.onnx", "gate.onnx", "vocab.txt")

# Cosines of the trained model in float32, NumPy (tests/providers/reference.py).
TEXTS = [
    "I live in Berlin",
    "My home is in Berlin",
    "I moved to Munich last year",
    "I have two kids",
    "I have three kids",
    "The database is PostgreSQL",
    "We store everything in Postgres",
    "Crème brûlée is my favourite dessert",
]
TRAINED = [
    [1.000, 0.819, 0.620, 0.126, 0.117, 0.082, 0.120, 0.038],
    [0.819, 1.000, 0.542, 0.103, 0.110, 0.066, 0.098, 0.062],
    [0.620, 0.542, 1.000, 0.035, 0.045, -0.029, 0.006, 0.061],
    [0.126, 0.103, 0.035, 1.000, 0.930, -0.037, 0.016, 0.127],
    [0.117, 0.110, 0.045, 0.930, 1.000, -0.053, 0.022, 0.132],
    [0.082, 0.066, -0.029, -0.037, -0.053, 1.000, 0.663, 0.070],
    [0.120, 0.098, 0.006, 0.016, 0.022, 0.663, 1.000, 0.036],
    [0.038, 0.062, 0.061, 0.127, 0.132, 0.070, 0.036, 1.000],
]


def mixed_texts(count: int) -> list[str]:
    """Texts of 1 to 120 words in no order."""
    chance = random.Random(7)
    words = [
        "the",
        "user",
        "moved",
        "from",
        "Berlin",
        "to",
        "Munich",
        "likes",
        "coffee",
        "but",
        "no",
        "peanuts",
        "2025",
    ]
    return [" ".join(chance.choices(words, k=chance.choice([1, 3, 8, 20, 120]))) for _ in range(count)]


async def embed(embedder: Embedder, texts: Sequence[str]) -> npt.NDArray[np.float64]:
    return np.array(await embedder.embed_documents(texts))


async def test_cosines_are_those_of_the_trained_model(embedder: LocalEmbedder) -> None:
    vectors = await embed(embedder, TEXTS)
    assert np.abs(vectors @ vectors.T - np.array(TRAINED)).max() < 0.01


async def test_the_embedder_says_what_it_is(embedder: LocalEmbedder) -> None:
    assert (embedder.model_id, embedder.dimension, embedder.max_tokens) == ("lethe-minilm-1", 384, 256)


@pytest.mark.parametrize("text", ["I live in Berlin", "", " ", "\x00", "!!!", "😀", "字" * 40_000, "\ud800", "[SEP]"])
async def test_every_text_has_a_finite_vector_of_unit_length(embedder: LocalEmbedder, text: str) -> None:
    vector = await embedder.embed_query(text)
    assert len(vector) == 384
    assert all(type(value) is float for value in vector)
    assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)


async def test_no_texts_give_no_vectors(embedder: LocalEmbedder) -> None:
    assert await embedder.embed_documents([]) == []


async def test_a_text_has_the_same_vector_each_time_and_as_query_or_document(embedder: LocalEmbedder) -> None:
    first = await embedder.embed_query(TEXTS[0])
    assert first == await embedder.embed_query(TEXTS[0])
    assert [first] == await embedder.embed_documents([TEXTS[0]])


async def test_the_rest_of_the_batch_does_not_change_a_vector_and_the_order_is_kept(embedder: LocalEmbedder) -> None:
    texts = mixed_texts(33)
    together = await embed(embedder, texts)
    alone = np.array([await embedder.embed_query(text) for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.9999


async def test_control_tokens_in_a_text_do_not_end_it(embedder: LocalEmbedder) -> None:
    plain, marked, ended = await embed(embedder, ["I live [SEP] in Berlin", "I live [sep] in Berlin", "I live"])
    assert plain @ marked == pytest.approx(1)
    assert plain @ ended < 0.9


async def test_concurrent_calls_do_not_mix(embedder: LocalEmbedder) -> None:
    alone = await embed(embedder, TEXTS)
    calls = await asyncio.gather(*(embedder.embed_documents(TEXTS) for _ in range(8)))
    assert all((np.array(vectors) * alone).sum(axis=1).min() > 0.9999 for vectors in calls)


async def test_the_event_loop_does_none_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: dict[str, str] = {}

    def watch(owner: object, name: str) -> None:
        original: Callable[..., object] = getattr(owner, name)

        def watched(*arguments: object) -> object:
            threads[name] = threading.current_thread().name
            return original(*arguments)

        monkeypatch.setattr(owner, name, watched)

    watch(network, "read_model_files")
    watch(MiniLM, "tokenize")
    watch(MiniLM, "run")
    embedder = LocalEmbedder()
    assert threads == {}
    await embedder.embed_documents(TEXTS)
    await embedder.close()
    assert set(threads) == {"read_model_files", "tokenize", "run"}
    assert all(name.startswith("embedder") for name in threads.values())


async def test_first_calls_at_once_load_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[Path] = []

    def counted(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
        loads.append(folder)
        return read_model_files(folder, names)

    monkeypatch.setattr(network, "read_model_files", counted)
    embedder = LocalEmbedder()
    await asyncio.gather(embedder.warm(), *(embedder.embed_query(text) for text in TEXTS))
    await embedder.close()
    assert loads == [MODEL_FOLDER]


async def test_a_cancelled_call_leaves_the_embedder_working(embedder: LocalEmbedder) -> None:
    bulk = asyncio.create_task(embedder.embed_documents(mixed_texts(500)))
    await asyncio.sleep(0.05)
    bulk.cancel()
    with pytest.raises(asyncio.CancelledError):
        await bulk
    assert len(await embedder.embed_query("still here")) == 384


async def test_after_closing_calls_are_faults() -> None:
    embedder = LocalEmbedder()
    await embedder.close()
    await embedder.close()
    with pytest.raises(ProviderFault) as caught:
        await embedder.embed_query("too late")
    assert caught.value.kind == "closed"


def test_the_folder_holds_what_its_manifest_says() -> None:
    assert sorted(read_model_files(MODEL_FOLDER, MODEL_FILES)) == sorted(MODEL_FILES)
    assert "Apache License" in (MODEL_FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert "all-MiniLM-L6-v2" in (MODEL_FOLDER / "NOTICE").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "SHA256SUMS"])
@pytest.mark.parametrize("damage", ["altered", "empty", "missing"])
async def test_a_damaged_model_is_refused_with_the_remedy(tmp_path: Path, name: str, damage: str) -> None:
    folder = tmp_path / "minilm"
    shutil.copytree(MODEL_FOLDER, folder)
    path = folder / name
    data = bytearray(path.read_bytes())
    data[0] ^= 1
    path.unlink()
    if damage != "missing":
        path.write_bytes(data if damage == "altered" else b"")
    embedder = LocalEmbedder(folder=folder)
    with pytest.raises(ModelDamaged, match=r"Model file .* Install the package again"):
        await embedder.warm()
    with pytest.raises(ProviderFault) as caught:
        await embedder.embed_query("anything")
    assert caught.value.kind == "model"
    await embedder.close()


def test_batches_hold_texts_of_like_length_and_stay_small() -> None:
    chance = random.Random(1)
    lengths = [chance.randint(2, 256) for _ in range(500)]
    batches = list(plan_batches(lengths))
    assert sorted(index for batch in batches for index in batch) == list(range(500))
    assert all(len(batch) <= BATCH_TEXTS for batch in batches)
    assert all(len(batch) * max(lengths[index] for index in batch) <= BATCH_TOKENS for batch in batches)
    padded = sum(len(batch) * max(lengths[index] for index in batch) for batch in batches)
    assert padded < 1.05 * sum(lengths)
