"""Trains the bundled embedder: what was asked beside the memory that answers it.

    python training/train_embedder.py --published model.safetensors --out embedder.safetensors

Starts from the published all-MiniLM-L6-v2 (see `training/bert.py`) and learns, batch by batch, to find for each
question its memory among those of the batch, many of them of the same life (a contrastive loss, InfoNCE: van den Oord
et al. 2018, both ways round, at a temperature of .05). Some lives, chats and topics are left out and measured after
each epoch.

The corpus is ours: questions and requests about the lives of `training/turnover`, preferences with requests they should
shape (`training/embedder`), chats with questions (`training/chats`), and messages that end a fact. It takes a quarter
of an hour on two cores. `scripts/build_minilm.py` makes the shipped file of the result.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from bert import ROOT, Bert, Pace, begin, embed, write_safetensors

LAYERS: Final = 6
EPOCHS: Final = 2
RATE: Final = 5e-5
TEMPERATURE: Final = 0.05
GROUP: Final = 8  # pairs of one life, chat or topic that stand together
GROUPS: Final = 6  # in a batch
LONGEST: Final = 96  # tokens
SEED: Final = 1
SHARE: Final = 0.7
"""How far the shipped weights lie from the published ones to the trained ones. On the way they find nearly all that the
trained ones find, and lose less of what was never asked in training (Wortsman et al. 2022, robust fine-tuning)."""
_LEFT_OUT: Final = 12  # every so many-th life, chat and topic is measured, not learned

Pair = tuple[str, str]  # what was asked, and the memory that answers


def corpus() -> dict[str, list[Pair]]:
    """Read the pairs by where they belong; the first word of a name tells the kind of pair."""
    lives = {life["id"]: life for path in sorted((ROOT / "training/turnover").glob("*.jsonl")) for life in _lines(path)}
    found: dict[str, list[Pair]] = {}
    for row in _lines(ROOT / "training/embedder/questions.jsonl"):
        told = lives[row["life"]]["facts"][row["facts"][0]]
        found.setdefault(f"question {row['life']}", []).append((row["asked"], told))
    for row in _lines(ROOT / "training/embedder/preferences.jsonl"):
        name = f"preference {row['set']} {row['topic']}"
        found.setdefault(name, []).append((row["request"], row["preference"]))
    for session in _lines(ROOT / "training/chats/friends.jsonl"):
        turns = [f"{turn['speaker']}: {turn['text']}" for turn in session["turns"]]
        found.setdefault(f"chat {session['pair']}", []).extend(_answers(session, turns))
    for session in _lines(ROOT / "training/chats/projects.jsonl"):
        turns = [turn["text"] for turn in session["turns"]]
        # there are few of them, and they are the only long messages: twice
        found.setdefault(f"project {session['person']}", []).extend(_answers(session, turns) * 2)
    for life in lives.values():
        found[f"ending {life['id']}"] = [
            (message["text"], life["facts"][message["retires"][0]])
            for message in life["messages"]
            if message["retires"]
        ]
    return found


def _answers(session: Mapping[str, Any], turns: Sequence[str]) -> list[Pair]:
    return [(asked["question"], turns[place]) for asked in session["questions"] for place in asked["turns"][:2]]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def left_out(found: Mapping[str, list[Pair]]) -> set[str]:
    """Name what is measured instead of learned; a life is left out with all that is asked of it."""
    names = sorted({name.partition(" ")[2] for name in found if not name.startswith("ending")})
    chosen = set(names[::_LEFT_OUT])
    return {name for name in found if name.partition(" ")[2] in chosen}


def batches(found: Mapping[str, list[Pair]], chance: random.Random) -> list[list[Pair]]:
    """Shuffle the pairs into batches in which some belong together."""
    groups: list[list[Pair]] = []
    for pairs in found.values():
        shuffled = list(pairs)
        chance.shuffle(shuffled)
        groups += [shuffled[start : start + GROUP] for start in range(0, len(shuffled), GROUP)]
    chance.shuffle(groups)
    joined = [list(chain.from_iterable(groups[start : start + GROUPS])) for start in range(0, len(groups), GROUPS)]
    return [batch for batch in joined if len(batch) > GROUP]


def loss_of(model: Bert, batch: Sequence[Pair]) -> torch.Tensor:
    """Give the contrastive loss, from the questions to the memories and back."""
    memories = [memory for _, memory in batch]
    scores = model([asked for asked, _ in batch], LONGEST) @ model(memories, LONGEST).T / TEMPERATURE
    # a memory that answers two questions of the batch is no wrong answer to either
    twice = torch.zeros_like(scores, dtype=torch.bool)
    for row, memory in enumerate(memories):
        for column in range(row):
            if memory == memories[column]:
                twice[row, column] = twice[column, row] = True
    scores = scores.masked_fill(twice, -1e4)
    right = torch.arange(len(batch))
    return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2


def measured(model: Bert, found: Mapping[str, list[Pair]]) -> str:
    """Tell, by kind, how often the right memory is first, and among five, within its life, chat or topic."""
    ranks: dict[str, list[int]] = {}
    for name, pairs in found.items():
        memories = list(dict.fromkeys(memory for _, memory in pairs))
        scores = embed(model, [asked for asked, _ in pairs], LONGEST) @ embed(model, memories, LONGEST).T
        for row, (_, memory) in zip(scores, pairs, strict=True):
            ranks.setdefault(name.partition(" ")[0], []).append(int((row > row[memories.index(memory)]).sum()))
    told = [
        f"{kind} {np.mean(np.array(found) == 0):.3f} {np.mean(np.array(found) < 5):.3f} ({len(found)})"
        for kind, found in sorted(ranks.items())
    ]
    return ", ".join(told)


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description="Train the bundled embedder.")
    parser.add_argument("--published", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    options = parser.parse_args()
    begin(SEED)
    chance = random.Random(SEED)  # noqa: S311  # nothing secret is drawn
    found = corpus()
    apart = left_out(found)
    learned = {name: pairs for name, pairs in found.items() if name not in apart}
    kept = {name: found[name] for name in sorted(apart)}
    model = Bert(options.published, layers=LAYERS)
    print(f"{sum(map(len, learned.values()))} pairs learned; first and in five of the rest, as published:", flush=True)
    print(f"  {measured(model, kept)}", flush=True)
    epochs = [batches(learned, chance) for _ in range(EPOCHS)]
    pace = Pace([(model.parameters(), RATE)], sum(map(len, epochs)))
    started = time.monotonic()
    for number, epoch in enumerate(epochs, 1):
        lost = [pace.step(loss_of(model, batch)) for batch in epoch]
        print(f"epoch {number}, loss {np.mean(lost):.4f}, {time.monotonic() - started:.0f} s", flush=True)
        print(f"  {measured(model, kept)}", flush=True)
    with torch.no_grad():
        for key, weight in Bert(options.published, layers=LAYERS).weights.items():
            model.weights[key].copy_(weight + SHARE * (model.weights[key] - weight))
    print(f"{SHARE} of the way:\n  {measured(model, kept)}")
    print(f"{write_safetensors(options.out, model.tensors())}  {options.out}")


if __name__ == "__main__":
    main()
