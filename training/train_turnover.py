"""Trains the model of `app/domain/turnover.py`: lives in, app/domain/turnover_weights.py out.

    python training/train_turnover.py            # train and write the weights
    python training/train_turnover.py --check    # each fifth of the lives left out in turn, nothing written

No random numbers; sums are of integers, so that the order of adding does not matter. The one thing that may differ from
machine to machine is the last digit of a cosine, which is rounded to three. Takes some minutes: every statement of the
corpus is embedded with the bundled model.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import numpy as np
import numpy.typing as npt

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.domain.changes import marked  # noqa: E402  # the path is set first
from app.domain.claim import Candidate  # noqa: E402
from app.domain.extract import extract  # noqa: E402
from app.domain.gate_model import Read  # noqa: E402
from app.domain.indexing import indexed_text  # noqa: E402
from app.domain.memory import Memory, Role, Source, Status  # noqa: E402
from app.domain.memory import Message as Spoken  # noqa: E402
from app.domain.scoring import score  # noqa: E402
from app.domain.text import content_key  # noqa: E402
from app.domain.turnover import MOST_ROWS, NAMES, Near, Said, Telling, features  # noqa: E402
from app.domain.turnover_model import STEP, WIDTH, phrases_of  # noqa: E402
from app.providers.local import MiniLM, plan_batches  # noqa: E402
from app.providers.network import MODEL_FOLDER  # noqa: E402
from app.providers.reader import bundled_reader  # noqa: E402
from benchmarks.gating import LeftOut  # noqa: E402

CORPUS: Final = ROOT / "training" / "turnover"
UNREAD: Final = CORPUS / "unread"
"""Lives that the shipped reader was not trained on: what it makes of them is what it makes of anybody's words."""
WEIGHTS: Final = ROOT / "app" / "domain" / "turnover_weights.py"
FOLDS: Final = 5
BINS: Final = 32
TREES: Final = 240
LEAVES: Final = 16
PACE: Final = 0.05
LEAST: Final = 20  # examples of a leaf
RIDGE: Final = 1.0
WEIGHT_DECAY: Final = 0.33
STEPS: Final = 300
MOMENTUM: Final = 0.8
_ONE: Final = 1 << 20  # fixed point of the gradients
_SIGNAL: Final = NAMES.index("signal")
_SAID_AT: Final = datetime(2025, 4, 20, 12, tzinfo=UTC)
_LATER: Final = timedelta(days=30)
_LINE: Final = 110
_FACTS_TOLD: Final = 8  # of each life; what is merely told beside the rest ends nothing

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Told:
    """What is told to somebody with known facts, and which of the facts it ends."""

    life: str
    words: str
    ends: frozenset[int]
    knows_not: int | None = None


@dataclass(slots=True)
class Table:
    """One row for each pair: features, whether the row is over, the telling, the life."""

    features: Floats
    over: npt.NDArray[np.bool_]
    telling: Ints
    fold: Ints
    # of each telling
    phrases: list[list[int]]
    news: npt.NDArray[np.bool_]
    telling_fold: Ints
    telling_life: Ints


class Vectors:
    """Unit vectors of texts by the bundled model, each made once."""

    def __init__(self) -> None:
        self._model = MiniLM(MODEL_FOLDER)
        self._known: dict[str, npt.NDArray[np.float32]] = {}

    def of(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Embed texts, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        tokens = self._model.tokenize(new)
        for batch in plan_batches([len(ids) for ids in tokens]):
            for place, vector in zip(batch, self._model.run([tokens[place] for place in batch]), strict=True):
                self._known[new[place]] = np.array(vector, np.float32)
        return np.stack([self._known[text] for text in texts])


def read(words: str, at: datetime) -> list[Candidate]:
    """Take the statements of a message."""
    return extract(Spoken(Role.USER, words, at), index=0, text=words)


def row_of(candidate: Candidate, number: int) -> Memory:
    """Make the row that a statement becomes."""
    claim = candidate.claim
    return Memory(
        id=UUID(int=number),
        kind=candidate.kind,
        content=candidate.content,
        content_key=content_key(claim.subject, candidate.content),
        subject=claim.subject,
        attribute=claim.attribute,
        value=claim.value,
        positive=claim.positive,
        single_valued=claim.single_valued,
        importance=5,
        confidence=0.9,
        trust=3,
        status=Status.ACTIVE,
        occurred_at=_SAID_AT,
        valid_from=claim.valid_from,
        valid_to=claim.valid_to,
        known_from=_SAID_AT,
        known_to=None,
        created_at=_SAID_AT,
        updated_at=_SAID_AT,
        expires_at=None,
        metadata={},
        pinned=False,
        source=Source(),
        session_id=None,
        session_ordinal=0,
        agent_id=None,
        stale=False,
        confirmed_at=None,
        mentions=1,
        reinforcements=0,
    )


def nearest(cosines: Floats) -> list[tuple[int, Near]]:
    """Give the nearest rows with their places; ties in the order of the rows."""
    order = sorted(range(len(cosines)), key=lambda place: (-cosines[place], place))[:MOST_ROWS]
    best, second = (float(cosines[order[0]]), float(cosines[order[1]]) if len(order) > 1 else 0.0)
    return [(place, Near(float(cosines[place]), rank, best if rank else second)) for rank, place in enumerate(order)]


def lives() -> Iterator[tuple[dict[str, Any], Read]]:
    """Read the corpus, file by file; each life with a reader that has not seen it."""
    by_fold = [LeftOut(f"lives {fold}").read for fold in range(FOLDS)]
    for place, life in enumerate(_lives_of(CORPUS)):
        yield life, by_fold[place % FOLDS]
    for life in _lives_of(UNREAD):
        yield life, bundled_reader().read


def _lives_of(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def tellings(life: dict[str, Any]) -> Iterator[Told]:
    """Give all that is told in a life: its messages, and some of its facts told beside the others."""
    for message in life["messages"]:
        yield Told(life["id"], message["text"], frozenset(message["retires"]))
    for place, fact in enumerate(life["facts"][:_FACTS_TOLD]):
        yield Told(life["id"], fact, frozenset(), place)


def _ending(candidate: Candidate, read_out: Read) -> float | None:
    """Give what a reader that has not seen the life makes of a statement as an end."""
    found = score(candidate, infer=True, read=read_out).features.get("ending")
    return float(found) if found is not None else None


def build(vectors: Vectors) -> Table:
    """Set everything that is told against the rows nearest to it."""
    numbers: list[tuple[float, ...]] = []
    over: list[bool] = []
    of_telling: list[int] = []
    folds: list[int] = []
    phrases: list[list[int]] = []
    news: list[bool] = []
    telling_folds: list[int] = []
    telling_lives: list[int] = []
    for place, (life, read_out) in enumerate(lives()):
        rows = [
            (fact, row_of(one, number))
            for fact, words in enumerate(life["facts"])
            for number, one in enumerate(read(words, _SAID_AT))
        ]
        stored = vectors.of([indexed_text(row.subject, row.content) for _, row in rows])
        for telling in tellings(life):
            found = read(telling.words, _SAID_AT + _LATER)
            said = vectors.of([indexed_text(one.claim.subject, one.content) for one in found])
            message = Telling.of([Said(one.claim, marked(one), _ending(one, read_out)) for one in found], found[0].told)
            if message is None:
                continue  # a question, say: nothing of it is read, so nothing ends by it
            cosines = (stored @ said.T).max(axis=1).astype(np.float64)
            known = [number for number, (fact, _) in enumerate(rows) if fact != telling.knows_not]
            first = {
                fact: max((n for n in known if rows[n][0] == fact), key=lambda n: cosines[n]) for fact in telling.ends
            }
            number = len(phrases)
            phrases.append(phrases_of(message.words))
            news.append(bool(telling.ends))
            telling_folds.append(place % FOLDS)
            telling_lives.append(place)
            # told to somebody with all the facts, and to somebody with the nearest and a few others
            few = sorted({max(known, key=lambda n: cosines[n]), *first.values(), *known[number % 5 :: 9]})
            for store in (known, few):
                for index, near in nearest(cosines[store]):
                    fact, row = rows[store[index]]
                    if fact in telling.ends and first[fact] != store[index]:
                        continue  # which of its rows is over was not said
                    numbers.append(features(message, row, near))
                    over.append(fact in telling.ends)
                    of_telling.append(number)
                    folds.append(place % FOLDS)
        print(f"\r{life['id']}: {len(phrases)} tellings, {len(numbers)} pairs", end="", file=sys.stderr)
    print(file=sys.stderr)
    return Table(
        np.array(numbers),
        np.array(over),
        np.array(of_telling),
        np.array(folds),
        phrases,
        np.array(news),
        np.array(telling_folds),
        np.array(telling_lives),
    )


def sigmoid(values: Floats) -> Floats:
    """The logistic function."""
    clipped: Floats = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return clipped


def train_line(phrases: Sequence[list[int]], news: npt.NDArray[np.bool_]) -> tuple[Ints, float]:
    """Train the line over phrases by full batches; gives its weights in units of STEP, and the bias."""
    rows = np.concatenate([np.full(len(found), place) for place, found in enumerate(phrases)])
    columns = np.concatenate([np.array(found) for found in phrases])
    share = 1 / np.sqrt(np.array([max(1, len(found)) for found in phrases]))
    weights, pace, bias, bias_pace = np.zeros(WIDTH), np.zeros(WIDTH), 0.0, 0.0
    # a bound of the curvature in each direction, so that no step goes too far
    reach = 1 / (np.bincount(columns, minlength=WIDTH) / 4 + WEIGHT_DECAY)
    for _ in range(STEPS):
        sums = np.bincount(rows, weights=weights[columns], minlength=len(phrases)) * share + bias
        off = sigmoid(sums) - news
        slope = np.bincount(columns, weights=(off * share)[rows], minlength=WIDTH) + weights * WEIGHT_DECAY
        pace = MOMENTUM * pace - reach * slope
        bias_pace = MOMENTUM * bias_pace - float(off.mean())
        weights, bias = weights + pace, bias + bias_pace
    return np.clip(np.rint(weights / STEP), -127, 127).astype(np.int64), round(bias, 3)


def signals(phrases: Sequence[list[int]], line: tuple[Ints, float]) -> Floats:
    """Give what the line makes of messages, as `turnover_model.signal` does."""
    weights, bias = line
    return np.array(
        [round(int(weights[found].sum()) * STEP / max(1, len(found)) ** 0.5 + bias, 3) for found in phrases]
    )


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree in arrays, as `turnover_model.Tree`."""

    feature: list[int]
    value: list[float]
    left: list[int]
    right: list[int]

    def of(self, table: Floats) -> Floats:
        """Answer for many rows."""
        node = np.zeros(len(table), np.int64)
        feature, value = np.array(self.feature), np.array(self.value)
        left, right = np.array(self.left), np.array(self.right)
        while (feature[node] >= 0).any():
            at = np.maximum(feature[node], 0)
            to_left = table[np.arange(len(table)), at] <= value[node]
            node = np.where(feature[node] < 0, node, np.where(to_left, left[node], right[node]))
        answers: Floats = value[node] / 1000
        return answers


def train_trees(table: Floats, over: npt.NDArray[np.bool_]) -> tuple[float, list[Grown]]:
    """Boost trees on the log-odds."""
    edges = [_edges(table[:, column]) for column in range(table.shape[1])]
    binned = np.stack([np.searchsorted(edges[column], table[:, column]) for column in range(table.shape[1])], axis=1)
    base = round(float(np.log(over.mean() / (1 - over.mean()))), 3)
    sums = np.full(len(over), base)
    trees = []
    for _ in range(TREES):
        expected = sigmoid(sums)
        slope = np.rint((expected - over) * _ONE).astype(np.int64)
        curve = np.rint(expected * (1 - expected) * _ONE).astype(np.int64) + 1
        tree = _grow(binned, edges, slope, curve)
        trees.append(tree)
        sums += tree.of(table)
    return base, trees


def _edges(values: Floats) -> Floats:
    """Give the bounds between bins: between distinct values, at most BINS - 1 of them at even shares."""
    distinct = np.unique(values)
    if len(distinct) > BINS:
        distinct = np.unique(np.sort(values)[np.linspace(0, len(values) - 1, BINS).astype(int)])
    return np.round((distinct[1:] + distinct[:-1]) / 2, 4)


@dataclass(slots=True)
class Leaf:
    """A leaf that may grow: its rows, per column and bin the count and the sums, and its best cut."""

    rows: Ints
    sums: npt.NDArray[np.float64]  # 3 x columns x BINS
    gain: float = 0.0
    column: int = -1
    cut: int = -1


def _grow(binned: Ints, edges: Sequence[Floats], slope: Ints, curve: Ints) -> Grown:
    """Grow one tree, always where most is gained."""
    tree = Grown([-1], [0.0], [0], [0])
    everything = np.arange(len(slope))
    leaves = {0: _leaf(everything, _sums(binned, slope, curve, everything))}
    while len(leaves) < LEAVES:
        node = max(leaves, key=lambda place: (leaves[place].gain, -place))
        leaf = leaves[node]
        if leaf.gain <= 0:
            break
        del leaves[node]
        to_left = binned[leaf.rows, leaf.column] <= leaf.cut
        tree.feature[node], tree.value[node] = leaf.column, float(edges[leaf.column][leaf.cut])
        sides = [leaf.rows[to_left], leaf.rows[~to_left]]
        small = 0 if len(sides[0]) <= len(sides[1]) else 1
        counted = _sums(binned, slope, curve, sides[small])
        for place, rows in enumerate(sides):
            child = len(tree.feature)
            (tree.left, tree.right)[place][node] = child
            tree.feature.append(-1)
            tree.value.append(0.0)
            tree.left.append(0)
            tree.right.append(0)
            leaves[child] = _leaf(rows, counted if place == small else leaf.sums - counted)
    for node, leaf in leaves.items():
        step = -float(slope[leaf.rows].sum()) / (float(curve[leaf.rows].sum()) + RIDGE * _ONE)
        tree.value[node] = float(round(1000 * PACE * max(-4.0, min(4.0, step))))
    return tree


def _sums(binned: Ints, slope: Ints, curve: Ints, rows: Ints) -> npt.NDArray[np.float64]:
    """Count the rows of each bin of each column, and add up slope and curve; whole numbers, so nothing is rounded."""
    columns = binned.shape[1]
    flat = (binned[rows] + np.arange(columns) * BINS).ravel()
    found = [
        np.bincount(flat, minlength=columns * BINS),
        np.bincount(flat, weights=np.repeat(slope[rows], columns), minlength=columns * BINS),
        np.bincount(flat, weights=np.repeat(curve[rows], columns), minlength=columns * BINS),
    ]
    return np.stack(found).reshape(3, columns, BINS).astype(np.float64)


def _leaf(rows: Ints, sums: npt.NDArray[np.float64]) -> Leaf:
    """Find the best cut of a leaf."""
    leaf = Leaf(rows, sums)
    if len(rows) < 2 * LEAST:
        return leaf
    ridge = RIDGE * _ONE
    count, slope, curve = np.cumsum(sums, axis=2)[:, :, :-1]
    total_slope, total_curve = sums[1, 0].sum(), sums[2, 0].sum()
    gain = slope**2 / (curve + ridge) + (total_slope - slope) ** 2 / (total_curve - curve + ridge)
    gain -= total_slope**2 / (total_curve + ridge)
    gain[(count < LEAST) | (len(rows) - count < LEAST)] = 0
    best = int(np.argmax(gain))
    leaf.column, leaf.cut = divmod(best, BINS - 1)
    leaf.gain = float(gain[leaf.column, leaf.cut])
    return leaf


def left_out(table: Table, seen: npt.NDArray[np.bool_], fold_of: Ints) -> Floats:
    """Give each telling's signal by a line that has not seen it."""
    signal = np.zeros(len(table.phrases))
    for fold in range(FOLDS):
        _tell_line(table, np.flatnonzero(seen & (fold_of != fold)), np.flatnonzero(fold_of == fold), signal)
    return signal


def _tell_line(table: Table, seen: Ints, asked: Ints, signal: Floats) -> None:
    line = train_line([table.phrases[place] for place in seen], table.news[seen])
    signal[asked] = signals([table.phrases[place] for place in asked], line)


def with_line(table: Table, signal: Floats) -> Floats:
    """Put what the line says into the features."""
    numbers = table.features.copy()
    numbers[:, _SIGNAL] = signal[table.telling]
    return numbers


def check(table: Table, out: Callable[[str], None]) -> None:
    """Leave out each fifth of the lives in turn, from reader, line and trees."""
    chances = np.zeros(len(table.over))
    # inside the seen lives the line must not have seen the life either
    inner = table.telling_life // FOLDS % FOLDS
    for fold in range(FOLDS):
        inside = table.telling_fold != fold
        signal = left_out(table, inside, inner)
        _tell_line(table, np.flatnonzero(inside), np.flatnonzero(~inside), signal)
        numbers, mine = with_line(table, signal), table.fold == fold
        base, trees = train_trees(numbers[~mine], table.over[~mine])
        chances[mine] = sigmoid(np.full(int(mine.sum()), base) + sum(tree.of(numbers[mine]) for tree in trees))
    tell(table, chances, out)


def tell(table: Table, chances: Floats, out: Callable[[str], None]) -> None:
    """Print what is found and what is wrongly ended, by the chance from which a row is over."""
    count = len(table.phrases)
    right = np.full(count, -1.0)
    wrong = np.full(count, -1.0)
    np.maximum.at(right, table.telling[table.over], chances[table.over])
    np.maximum.at(wrong, table.telling[~table.over], chances[~table.over])
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.89, 0.95):
        hit = ((right >= least) & (right > wrong))[table.news].mean()
        missed = ((wrong >= least) & (wrong > right))[table.news].mean()
        false = (wrong >= least)[~table.news].mean()
        out(
            f"from {least:.2f}: found {hit:.3f}, another row ended {missed:.3f}, ended by what ends nothing {false:.4f}"
        )


def write(line: tuple[Ints, float], base: float, trees: Sequence[Grown]) -> None:
    """Write the weights as a module."""

    def packed(data: bytes) -> str:
        text = base64.b85encode(zlib.compress(data, 9)).decode("ascii")
        return "\n".join(text[start : start + _LINE] for start in range(0, len(text), _LINE))

    columns = [[tree.feature, tree.value, tree.left, tree.right] for tree in trees]
    names = "".join(f'    "{name}",\n' for name in NAMES)
    WEIGHTS.write_text(
        '"""Made by training/train_turnover.py; do not edit."""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        f"COLUMNS: Final = (\n{names})\n"
        f"BASE: Final = {base}\nBIAS: Final = {line[1]}\n"
        f'PHRASES: Final = """\n{packed(bytes((line[0] + 128).tolist()))}\n"""\n'
        f'TREES: Final = """\n{packed(json.dumps(columns, separators=(",", ":")).encode())}\n"""\n',
        encoding="utf-8",
    )


def main() -> None:
    """Train, or check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="leave out lives in turn and write nothing")
    table = build(Vectors()) if parser.parse_args().check else None
    if table is not None:
        check(table, print)
        return
    table = build(Vectors())
    everything = np.ones(len(table.phrases), np.bool_)
    base, trees = train_trees(with_line(table, left_out(table, everything, table.telling_fold)), table.over)
    write(train_line(table.phrases, table.news), base, trees)


if __name__ == "__main__":
    main()
