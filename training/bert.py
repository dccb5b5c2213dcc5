"""The network that both training scripts start from: all-MiniLM-L6-v2 in torch, read from the published weights.

torch is needed to train only, and is no dependency of the project: `pip install torch==2.13.0` beside it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from torch import nn

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.providers.network import MODEL_FOLDER  # noqa: E402  # the path is set first
from app.providers.wordpiece import WordPiece  # noqa: E402
from scripts.build_minilm import HEADS, NORM_EPSILON, WIDTH, read_safetensors  # noqa: E402

PUBLISHED_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
THREADS: Final = 2
"""Sums depend on it: other numbers of threads give other last digits, and so other weights."""
_FROZEN: Final = ("embeddings.word_embeddings", "embeddings.position_embeddings", "embeddings.token_type_embeddings")
_UNUSED: Final = ("pooler.", "embeddings.position_ids")


class Bert(nn.Module):
    """The first layers of the encoder, with mean pooling to unit length. Words and positions stay as published."""

    def __init__(self, published: Path, *, layers: int) -> None:
        """Read model.safetensors of sentence-transformers/all-MiniLM-L6-v2, revision 1110a243.

        Raises:
            SystemExit: The file is another.
        """
        super().__init__()
        data = published.read_bytes()
        if hashlib.sha256(data).hexdigest() != PUBLISHED_SHA256:
            raise SystemExit(f"{published} is not the published model.safetensors")
        self.layers = layers
        self.weights = nn.ParameterDict()
        for name, tensor in read_safetensors(data).items():
            layer = int(name.split(".")[2]) if name.startswith("encoder.layer.") else 0
            if layer < layers and not name.startswith(_UNUSED):
                frozen = name.startswith(_FROZEN)
                self.weights[_key(name)] = nn.Parameter(torch.from_numpy(tensor.copy()), requires_grad=not frozen)
        self.tokenizer = WordPiece.from_lines((MODEL_FOLDER / "vocab.txt").read_text("utf-8"))

    def forward(self, texts: Sequence[str], longest: int) -> torch.Tensor:
        """Give a unit vector of each text, [texts, WIDTH]; of each at most `longest` tokens are read."""
        tokens = [_cut(self.tokenizer.encode(text), longest) for text in texts]
        width = max(map(len, tokens))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in tokens])
        mask = torch.tensor([[1.0] * len(row) + [0.0] * (width - len(row)) for row in tokens])
        words = self._of("embeddings.word_embeddings.weight")[ids]
        segment = self._of("embeddings.token_type_embeddings.weight")[0]
        places = self._of("embeddings.position_embeddings.weight")[:width] + segment
        hidden = self._norm(words + places, "embeddings.LayerNorm")
        bias = (1.0 - mask)[:, None, None, :] * -1e4
        for layer in range(self.layers):
            prefix = f"encoder.layer.{layer}."
            hidden = self._norm(hidden + self._attend(hidden, bias, prefix), prefix + "attention.output.LayerNorm")
            inner = F.gelu(self._linear(hidden, prefix + "intermediate.dense"))
            hidden = self._norm(hidden + self._linear(inner, prefix + "output.dense"), prefix + "output.LayerNorm")
        kept = mask[..., None]
        return F.normalize((hidden * kept).sum(1) / kept.sum(1), dim=-1)

    def tensors(self) -> dict[str, np.ndarray]:
        """Give the weights by their published names."""
        return {_name(key): value.detach().numpy() for key, value in self.weights.items()}

    def _attend(self, hidden: torch.Tensor, bias: torch.Tensor, prefix: str) -> torch.Tensor:
        rows, width, _ = hidden.shape

        def heads(part: str) -> torch.Tensor:
            projected = self._linear(hidden, f"{prefix}attention.self.{part}")
            return projected.view(rows, width, HEADS, WIDTH // HEADS).transpose(1, 2)

        scores = heads("query") @ heads("key").transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + bias
        mixed = torch.softmax(scores, -1) @ heads("value")
        return self._linear(mixed.transpose(1, 2).reshape(rows, width, WIDTH), prefix + "attention.output.dense")

    def _linear(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(hidden, self._of(name + ".weight"), self._of(name + ".bias"))

    def _norm(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        return F.layer_norm(hidden, (WIDTH,), self._of(name + ".weight"), self._of(name + ".bias"), NORM_EPSILON)

    def _of(self, name: str) -> torch.Tensor:
        return self.weights[_key(name)]


class Pace:
    """AdamW with a learning rate that rises over the first tenth of the steps and then falls to nothing."""

    def __init__(self, groups: Sequence[tuple[Iterable[nn.Parameter], float]], steps: int) -> None:
        self._rates = [rate for _, rate in groups]
        self._chosen = [[one for one in chosen if one.requires_grad] for chosen, _ in groups]
        self._optimizer = torch.optim.AdamW([{"params": chosen} for chosen in self._chosen], weight_decay=0.01)
        self._steps = steps
        self._done = 0

    def step(self, loss: torch.Tensor) -> float:
        """Learn from a batch; gives its loss."""
        for group, rate in zip(self._optimizer.param_groups, self._rates, strict=True):
            rising, falling = (self._done + 1) / (0.1 * self._steps), 1.0 - self._done / self._steps
            group["lr"] = rate * min(1.0, rising, falling + 0.02)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([one for chosen in self._chosen for one in chosen], 1.0)
        self._optimizer.step()
        self._done += 1
        return float(loss.item())


def begin(seed: int) -> None:
    """Make what follows the same in every run on a machine of this kind."""
    torch.set_num_threads(THREADS)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)


@torch.no_grad()
def embed(model: Bert, texts: Sequence[str], longest: int, *, batch: int = 32) -> np.ndarray:
    """Give the vectors of many texts, [texts, WIDTH]; texts of like length are read together."""
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    found = np.zeros((len(texts), WIDTH), np.float32)
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        found[places] = model([texts[place] for place in places], longest).numpy()
    return found


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> str:
    """Write float32 tensors, by name; gives the SHA-256 of the file."""
    header: dict[str, object] = {}
    packed = bytearray()
    for name in sorted(tensors):
        data = np.ascontiguousarray(tensors[name], dtype="<f4").tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensors[name].shape),
            "data_offsets": [len(packed), len(packed) + len(data)],
        }
        packed += data
    spelled = json.dumps(header, separators=(",", ":")).encode()
    spelled += b" " * (-len(spelled) % 8)
    whole = len(spelled).to_bytes(8, "little") + spelled + bytes(packed)
    path.write_bytes(whole)
    return hashlib.sha256(whole).hexdigest()


def _cut(tokens: list[int], longest: int) -> list[int]:
    return tokens if len(tokens) <= longest else [*tokens[: longest - 1], tokens[-1]]


def _key(name: str) -> str:
    return name.replace(".", "/")  # a dot is not allowed in the name of a parameter


def _name(key: str) -> str:
    return key.replace("/", ".")
