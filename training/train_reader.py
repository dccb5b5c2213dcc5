"""Trains the reader: a sentence in; a logit for each reason code, the importance, and a logit of an end, out.

    python training/train_reader.py --published model.safetensors --out reader.safetensors
    python training/train_reader.py --published model.safetensors --left-out training/left_out.txt

The first layers of the published all-MiniLM-L6-v2 (see `training/bert.py`) with a linear head, trained in full on the
English lines of `training/gate`, the turns of `training/chats`, and the messages of `training/turnover`, which end
something or not. The second form leaves out two domains of the corpus and a fifth of the lives at a time and writes
what a reader that has not seen them makes of their sentences: `lethe bench gate` and `training/train_turnover.py` need
that. A training takes five minutes on two cores. `scripts/build_minilm.py` makes the shipped file of the result.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from bert import ROOT, Bert, Pace, begin, write_safetensors
from torch import nn

from app.domain.gate_model import CODES, WORTHY
from benchmarks.gating import key_of, verdicts
from scripts.build_minilm import HEAD, HEAD_BIAS, READER_LAYERS, WIDTH

EPOCHS: Final = 3
RATE: Final = 1e-4
HEAD_RATE: Final = 1e-3
BATCH: Final = 32
LONGEST: Final = 96  # tokens
DROPOUT: Final = 0.1
SMOOTHING: Final = 0.05
SPREAD: Final = 8.0  # the head reads the unit vector times this
MIDDLE, SCALE = 5.0, 2.5  # the importance is learned as (importance - MIDDLE) / SCALE
SEED: Final = 1
FOLDS: Final = 5
_WEIGHT, _END = len(CODES), len(CODES) + 1  # columns after the codes
_FACTS_TOLD: Final = 8  # of each life: what is merely told ends nothing
_LONGEST_TURN: Final = 600  # characters; a longer one says too many things for one label
_CHUNK: Final = 8  # batches whose texts are sorted by length together


@dataclass(frozen=True, slots=True)
class Example:
    """A text with its labels.

    Attributes:
        text: The text.
        fold: What it is left out with; None if it is in every training.
        code: The place of its reason code; None if it has none.
        importance: 1..10, with a code.
        ends: Whether it ends something that was known; None if nobody said.
    """

    text: str
    fold: str | None
    code: int | None = None
    importance: int = 0
    ends: bool | None = None


def corpus() -> list[Example]:
    """Read the English lines of the gate's corpus, the turns of the chats whose labels agree, and the lives."""
    names = [str(code) for code in CODES]
    found = []
    for path in sorted((ROOT / "training/gate/en").glob("*.jsonl")):
        for row in _lines(path):
            code = names.index(row["code"])
            found.append(Example(row["text"], row["domain"], code, row["importance"]))
    for name in ("friends", "projects"):
        for session in _lines(ROOT / f"training/chats/{name}.jsonl"):
            for turn in session["turns"]:
                code = names.index(turn["code"])
                # a question may be needed for its answer, and an instruction be for once: neither is what the code says
                if bool(turn["keep"]) == (code < WORTHY) and len(turn["text"]) <= _LONGEST_TURN:
                    found.append(Example(turn["text"], None, code, turn["importance"]))
    for fold, life in lives():
        found += [Example(message["text"], fold, ends=bool(message["retires"])) for message in life["messages"]]
        found += [Example(fact, fold, ends=False) for fact in life["facts"][:_FACTS_TOLD]]
    return found


def lives() -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the lives, each with its fold."""
    number = 0
    for path in sorted((ROOT / "training/turnover").glob("*.jsonl")):
        for life in _lines(path):
            yield f"lives {number % FOLDS}", life
            number += 1


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


class ReaderNetwork(nn.Module):
    """The encoder's first layers and the head."""

    def __init__(self, published: Path) -> None:
        super().__init__()
        self.encoder = Bert(published, layers=READER_LAYERS)
        self.head = nn.Linear(WIDTH, len(CODES) + 2)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, texts: Sequence[str]) -> torch.Tensor:
        """Give the codes' logits, the scaled importance and the logit of an end, [texts, codes + 2]."""
        out: torch.Tensor = self.head(self.dropout(self.encoder(texts, LONGEST)) * SPREAD)
        return out

    def tensors(self) -> dict[str, np.ndarray]:
        """Give all weights, those of the head for the unit vector as it is and for the importance as 1..10."""
        weight, bias = self.head.weight.detach().numpy() * SPREAD, self.head.bias.detach().numpy().copy()
        weight[_WEIGHT] *= SCALE
        bias[_WEIGHT] = bias[_WEIGHT] * SCALE + MIDDLE
        return {**self.encoder.tensors(), HEAD: weight, HEAD_BIAS: bias}


def fit(published: Path, examples: Sequence[Example]) -> ReaderNetwork:
    """Train on the examples."""
    begin(SEED)
    chance = random.Random(SEED)  # noqa: S311  # nothing secret is drawn
    model = ReaderNetwork(published)
    epochs = [_batches(examples, chance) for _ in range(EPOCHS)]
    groups = [(model.encoder.parameters(), RATE), (model.head.parameters(), HEAD_RATE)]
    pace = Pace(groups, sum(map(len, epochs)))
    started = time.monotonic()
    model.train()
    for number, epoch in enumerate(epochs, 1):
        lost = [pace.step(_loss(model, batch)) for batch in epoch]
        print(f"  epoch {number}, loss {np.mean(lost):.4f}, {time.monotonic() - started:.0f} s", flush=True)
    model.eval()
    return model


def _batches(examples: Sequence[Example], chance: random.Random) -> list[list[Example]]:
    shuffled = list(examples)
    chance.shuffle(shuffled)
    found = []
    for start in range(0, len(shuffled), BATCH * _CHUNK):
        chunk = sorted(shuffled[start : start + BATCH * _CHUNK], key=lambda one: len(one.text))
        found += [chunk[place : place + BATCH] for place in range(0, len(chunk), BATCH)]
    chance.shuffle(found)
    return found


def _loss(model: ReaderNetwork, batch: Sequence[Example]) -> torch.Tensor:
    out = model([one.text for one in batch])
    loss = torch.zeros(())
    coded = [place for place, one in enumerate(batch) if one.code is not None]
    if coded:
        codes = torch.tensor([batch[place].code for place in coded])
        importance = torch.tensor([(batch[place].importance - MIDDLE) / SCALE for place in coded])
        of_code = F.cross_entropy(out[coded, : len(CODES)], codes, label_smoothing=SMOOTHING)
        loss = loss + (of_code + 0.5 * F.mse_loss(out[coded, _WEIGHT], importance)) * len(coded) / len(batch)
    told = [place for place, one in enumerate(batch) if one.ends is not None]
    if told:
        ends = torch.tensor([float(batch[place].ends or False) for place in told])
        of_end = F.binary_cross_entropy_with_logits(out[told, _END], ends)
        loss = loss + of_end * len(told) / len(batch)
    return loss


@torch.no_grad()
def read(model: ReaderNetwork, texts: Sequence[str]) -> np.ndarray:
    """Give what the reader makes of texts, [texts, codes + 2], the importance as 1..10."""
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    found = np.zeros((len(texts), len(CODES) + 2), np.float32)
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        found[places] = model([texts[place] for place in places]).numpy()
    found[:, _WEIGHT] = found[:, _WEIGHT] * SCALE + MIDDLE
    return found


def write_left_out(published: Path, examples: Sequence[Example], path: Path, *, most: int) -> None:
    """Read domains and lives by readers that have not seen them: two domains and a fifth of the lives at a time."""
    domains = sorted({one.fold for one in examples if one.fold is not None and one.code is not None})
    rows: list[str] = []
    for number in range(min(most, FOLDS)):
        apart = (*domains[2 * number : 2 * number + 2], f"lives {number}")
        print(f"without {', '.join(apart)}:", flush=True)
        model = fit(published, [one for one in examples if one.fold not in apart])
        for fold in apart:
            own = [one for one in examples if one.fold == fold]
            asked = _asked(own)
            rows += [
                "\t".join([fold, key_of(text), *(str(round(float(value) * 100)) for value in row)])
                for text, row in zip(asked, read(model, asked), strict=True)
            ]
            found = read(model, [one.text for one in own])
            print(f"  {fold}: {_told(own, found)}", flush=True)
    path.write_text("".join(row + "\n" for row in rows), "utf-8")


def _told(own: Sequence[Example], found: np.ndarray) -> str:
    """Tell how well texts were read: the area under the curve of keep or drop, or of ends or not."""
    if own[0].code is None:
        scores, wanted = found[:, _END], np.array([bool(one.ends) for one in own])
    else:
        sure = [place for place, one in enumerate(own) if one.code != WORTHY - 1]
        powers = np.exp(found[sure, : len(CODES)])
        scores = powers[:, : WORTHY - 1].sum(1) / powers.sum(1)
        wanted = np.array([(own[place].code or 0) < WORTHY - 1 for place in sure])
    ranks = np.argsort(np.argsort(scores))
    above = ranks[wanted].sum() - wanted.sum() * (wanted.sum() - 1) / 2
    return f"AUC {above / (wanted.sum() * (~wanted).sum()):.3f} ({len(wanted)})"


def _asked(examples: Sequence[Example]) -> list[str]:
    """Collect the sentences that the gate asks its reader about."""
    found: list[str] = []
    for one in examples:
        # appending gives None, which leaves the sentence to its features
        verdicts(one.text, read=found.append)
    return list(dict.fromkeys(found))


def main() -> None:
    """Train, or measure without the domain."""
    parser = argparse.ArgumentParser(description="Train the gate's reader.")
    parser.add_argument("--published", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, help="file of weights to write")
    parser.add_argument("--left-out", type=Path, help="file of readings to write, by readers that have not seen them")
    parser.add_argument("--folds", type=int, default=FOLDS, help="so many of the five folds only, for a quick look")
    options = parser.parse_args()
    examples = corpus()
    print(f"{len(examples)} examples, {sum(one.code is not None for one in examples)} with a code", flush=True)
    if options.left_out:
        write_left_out(options.published, examples, options.left_out, most=options.folds)
    if options.out:
        model = fit(options.published, examples)
        print(f"{write_safetensors(options.out, model.tensors())}  {options.out}")


if __name__ == "__main__":
    main()
