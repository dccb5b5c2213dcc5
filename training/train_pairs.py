"""Trains the pair reader: a message and a row in; the log-odds that the message makes the row untrue, out.

    python training/train_pairs.py --published model.safetensors --vocab vocab.txt --out pairs.safetensors

The first nine layers of the published all-mpnet-base-v2 with a linear head, trained on the English lives of
`training/turnover`: every row that a message ends, and beside each message the rows that the shipped weights think
likeliest of those that it does not end. Words, positions and the first three layers stay as published. In three passes:
over the lives that were there first, then over those in `training/turnover/later` with some of the others: first the
ends (`n`), last the traps (`t`).
`scripts/build_mpnet.py` makes the shipped file of the result.

An hour and a half on two cores that know bfloat16. The shipped file came of these passes, run by drafts of this script
(other seeds, a shorter warm-up in the first); sums depend on the processor anyway, so other digits come out.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from bert import THREADS, Pace, write_safetensors
from torch import nn
from train_turnover import Heard, Vectors, hear, later_lives

from app.domain.turnover import features, stays
from app.domain.turnover_model import chance
from app.providers.network import MODEL_FOLDER
from app.providers.pairs import MESSAGE_TOKENS, ROW_TOKENS, joined
from app.providers.wordpiece import WordPiece
from scripts.build_minilm import HEAD, HEAD_BIAS, HEADS, read_safetensors
from scripts.build_mpnet import EPSILON, LAYERS, RELATIVE

PUBLISHED_SHA256: Final = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
"""model.safetensors of sentence-transformers/all-mpnet-base-v2, revision e8c3b32e."""
FROZEN_LAYERS: Final = 3
POSITIONS: Final = ROW_TOKENS + MESSAGE_TOKENS + 3
FIRST_POSITION: Final = 2  # of the published table; the two before are for padding
BUCKETS: Final = 32
FARTHEST: Final = 128
LIKELY: Final = 0.03
"""The chance by the shipped weights from which a row that is not over is learned from."""
POSSIBLE: Final = 0.003
"""As LIKELY, of a row that is over."""
MOST_BESIDE: Final = 2
LONGEST_MESSAGE: Final = 600  # characters
BATCH: Final = 32
HEAD_RATE: Final = 1e-3
DROPOUT: Final = 0.1
SEED: Final = 5
_CHUNK: Final = 16  # batches whose texts are sorted by length together
_CONTROL: Final = {"[CLS]": 0, "[PAD]": 1, "[SEP]": 2, "[UNK]": 3}


@dataclass(frozen=True, slots=True)
class Example:
    """A message and a row, and whether the row is over."""

    words: str
    row: str
    over: bool


def examples(everything: Sequence[Heard]) -> list[Example]:
    """Choose what is learned from of everything that is told, each message of a life once."""
    found: list[Example] = []
    seen: set[tuple[int, str]] = set()
    for heard in everything:
        words = heard.message.words
        if (heard.place, words) in seen or len(words) > LONGEST_MESSAGE:
            continue
        seen.add((heard.place, words))
        likely: list[tuple[float, str]] = []
        for row, near, over in heard.stores[0]:
            of_row = chance(features(heard.message, row, near))
            if over and of_row >= POSSIBLE:
                found.append(Example(words, row.content, True))
            elif not over and of_row >= LIKELY and not stays(heard.message, row):
                likely.append((-of_row, row.content))
        found += [Example(words, row, False) for _, row in sorted(likely, key=lambda one: one[0])[:MOST_BESIDE]]
    return found


def words_of(published: np.ndarray, vocabulary: Sequence[str], order: Sequence[str]) -> np.ndarray:
    """Put the published word table into the order of another vocabulary file, that of the bundled embedder."""
    place = {word: number for number, word in enumerate(vocabulary)}
    return np.stack([published[_CONTROL.get(word, place[word])] for word in order])


def buckets() -> torch.Tensor:
    """Give for two positions the row of the table of distances (Raffel et al. 2020), [POSITIONS, POSITIONS]."""
    behind = torch.arange(POSITIONS)[:, None] - torch.arange(POSITIONS)[None, :]
    half, exact = BUCKETS // 2, BUCKETS // 4
    far = behind.abs()
    grown = torch.log(far.float().clamp(min=1) / exact) / math.log(FARTHEST / exact) * (half - exact)
    large = (exact + grown.long()).clamp(max=half - 1)
    return (behind < 0).long() * half + torch.where(far < exact, far, large)


class PairNetwork(nn.Module):
    """The encoder's first layers and a head over the first token and the mean of all."""

    def __init__(self, published: Path, vocabulary: Sequence[str]) -> None:
        """Read model.safetensors and vocab.txt as published.

        Raises:
            SystemExit: The weights are others.
        """
        super().__init__()
        data = published.read_bytes()
        if hashlib.sha256(data).hexdigest() != PUBLISHED_SHA256:
            raise SystemExit(f"{published} is not the published model.safetensors")
        lines = (MODEL_FOLDER / "vocab.txt").read_text("utf-8")
        self.tokenizer = WordPiece.from_lines(lines)
        self.weights = nn.ParameterDict()
        for name, tensor in read_safetensors(data).items():
            layer = int(name.split(".")[2]) if name.startswith("encoder.layer.") else -1
            if name.startswith("pooler.") or layer >= LAYERS:
                continue
            values = tensor
            if name == "embeddings.word_embeddings.weight":
                values = words_of(tensor, vocabulary, lines.rstrip("\n").split("\n"))
            elif name == "embeddings.position_embeddings.weight":
                values = tensor[FIRST_POSITION : FIRST_POSITION + POSITIONS]
            trained = layer >= FROZEN_LAYERS
            self.weights[_key(name)] = nn.Parameter(torch.from_numpy(values.copy()), requires_grad=trained)
        self.width = self._of("embeddings.word_embeddings.weight").shape[1]
        self.head = nn.Linear(2 * self.width, 1)
        nn.init.normal_(self.head.weight, std=0.01)
        self.buckets = buckets()

    def forward(self, pairs: Sequence[Example]) -> torch.Tensor:
        """Give the log-odds of pairs, [pairs]; in training with dropout."""
        drop = DROPOUT if self.training else 0.0
        tokens = [self._tokens(one) for one in pairs]
        longest = max(map(len, tokens))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in tokens])
        mask = torch.tensor([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in tokens])
        places = self._of("embeddings.position_embeddings.weight")[:longest]
        hidden = self._norm(self._of("embeddings.word_embeddings.weight")[ids] + places, "embeddings.LayerNorm")
        apart = self._of("encoder.relative_attention_bias.weight")[self.buckets[:longest, :longest]].permute(2, 0, 1)
        bias = apart[None] + (1.0 - mask)[:, None, None, :] * -1e4
        for layer in range(LAYERS):
            hidden = self._layer(hidden, bias, f"encoder.layer.{layer}.", drop if layer >= FROZEN_LAYERS else 0.0)
        hidden = hidden.float()
        kept = mask[..., None]
        mean = (hidden * kept).sum(1) / kept.sum(1)
        odds: torch.Tensor = self.head(F.dropout(torch.cat([hidden[:, 0], mean], -1), drop, self.training))
        return odds[:, 0]

    def tensors(self) -> dict[str, np.ndarray]:
        """Give the weights by the names that `scripts/build_mpnet.py` reads."""
        found = {_built_name(key): value.detach().numpy() for key, value in self.weights.items()}
        distances = found.pop("encoder.relative_attention_bias.weight")
        found[RELATIVE] = np.ascontiguousarray(distances[self.buckets.numpy()].transpose(2, 0, 1))
        found["embeddings.token_type_embeddings.weight"] = np.zeros((1, self.width), np.float32)  # it has none
        return {**found, HEAD: self.head.weight.detach().numpy(), HEAD_BIAS: self.head.bias.detach().numpy()}

    def _tokens(self, pair: Example) -> list[int]:
        return joined(self.tokenizer.encode(pair.row), self.tokenizer.encode(pair.words))

    def _layer(self, hidden: torch.Tensor, bias: torch.Tensor, prefix: str, drop: float) -> torch.Tensor:
        rows, width, _ = hidden.shape
        size = self.width // HEADS

        def heads(part: str) -> torch.Tensor:
            projected = self._linear(hidden, f"{prefix}attention.attn.{part}")
            return projected.view(rows, width, HEADS, size).transpose(1, 2)

        values = heads("v")
        scores = heads("q") @ heads("k").transpose(-1, -2) / size**0.5 + bias
        shares = F.dropout(torch.softmax(scores.float(), -1).to(values.dtype), drop)
        mixed = (shares @ values).transpose(1, 2).reshape(rows, width, self.width)
        heard = F.dropout(self._linear(mixed, prefix + "attention.attn.o"), drop)
        hidden = self._norm(hidden + heard, prefix + "attention.LayerNorm")
        inner = F.gelu(self._linear(hidden, prefix + "intermediate.dense"))
        change = F.dropout(self._linear(inner, prefix + "output.dense"), drop)
        return self._norm(hidden + change, prefix + "output.LayerNorm")

    def _linear(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(hidden, self._of(name + ".weight"), self._of(name + ".bias"))

    def _norm(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self._of(name + ".weight"), self._of(name + ".bias")
        return F.layer_norm(hidden.float(), (self.width,), weight, bias, EPSILON).to(hidden.dtype)

    def _of(self, name: str) -> torch.Tensor:
        return self.weights[_key(name)]


def fit(model: PairNetwork, chosen: Sequence[Example], rate: float, chance_of: random.Random) -> None:
    """Learn from the examples once, in batches of like length."""
    shuffled = list(chosen)
    chance_of.shuffle(shuffled)
    batches = []
    for start in range(0, len(shuffled), BATCH * _CHUNK):
        chunk = sorted(shuffled[start : start + BATCH * _CHUNK], key=lambda one: len(one.words) + len(one.row))
        batches += [chunk[place : place + BATCH] for place in range(0, len(chunk), BATCH)]
    chance_of.shuffle(batches)
    pace = Pace([(model.weights.parameters(), rate), (model.head.parameters(), HEAD_RATE)], len(batches))
    started, lost = time.monotonic(), []
    model.train()
    for number, batch in enumerate(batches, 1):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            odds = model(batch)
        over = torch.tensor([float(one.over) for one in batch])
        lost.append(pace.step(F.binary_cross_entropy_with_logits(odds.float(), over)))
        if number % 100 == 0:
            spent = time.monotonic() - started
            print(f"  {number} of {len(batches)}, loss {np.mean(lost[-100:]):.4f}, {spent:.0f} s", flush=True)
    model.eval()


def _key(name: str) -> str:
    return name.replace(".", "/")


def _built_name(key: str) -> str:
    name = key.replace("/", ".").replace("attention.attn.o.", "attention.output.dense.")
    name = name.replace("attention.LayerNorm", "attention.output.LayerNorm")
    for short, full in (("q", "query"), ("k", "key"), ("v", "value")):
        name = name.replace(f"attention.attn.{short}.", f"attention.self.{full}.")
    return name


def main() -> None:
    """Train in three passes, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--published", type=Path, required=True, help="model.safetensors of all-mpnet-base-v2")
    parser.add_argument("--vocab", type=Path, required=True, help="vocab.txt of all-mpnet-base-v2")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    options = parser.parse_args()
    torch.set_num_threads(THREADS)
    torch.manual_seed(SEED)
    chance_of = random.Random(SEED)  # noqa: S311  # nothing secret is drawn
    vectors = Vectors()
    first = examples(list(hear(vectors)))
    ends, traps = (examples(list(hear(vectors, told=later_lives(names)))) for names in ("n*", "t*"))
    print(f"{len(first)} pairs, {sum(one.over for one in first)} over; later {len(ends)} and {len(traps)}", flush=True)
    model = PairNetwork(options.published, options.vocab.read_text("utf-8").rstrip("\n").split("\n"))

    def some(of: Sequence[Example], share: float, beside: Sequence[Example]) -> list[Example]:
        return chance_of.sample(of, min(len(of), int(share * len(beside))))

    for chosen, rate in (
        (lambda: first, 8e-5),
        (lambda: [*ends, *some(first, 1.5, ends)], 6e-5),
        (lambda: [*traps, *some(first, 1.2, traps), *some(ends, 1.2, traps)], 5e-5),
    ):
        fit(model, chosen(), rate, chance_of)
    print(write_safetensors(options.out, model.tensors()))


if __name__ == "__main__":
    main()
