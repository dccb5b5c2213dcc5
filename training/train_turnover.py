"""Trains the model of `app/domain/turnover.py`: lives in, app/domain/turnover_weights.py out.

    python training/train_turnover.py               # train and write the weights
    python training/train_turnover.py --tongues     # those of the other languages, app/domain/turnover_weights_more.py
    python training/train_turnover.py --check       # each fifth of the lives left out in turn, nothing written

Each language has a line over phrases of its own; the trees of the other languages are of all of them.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from app.domain.languages import language_of  # noqa: E402
from app.domain.memory import Memory, Role, Source, Status  # noqa: E402
from app.domain.memory import Message as Spoken  # noqa: E402
from app.domain.nearness import Near, nearest  # noqa: E402
from app.domain.scoring import score  # noqa: E402
from app.domain.telling import Said, Telling  # noqa: E402
from app.domain.text import content_key  # noqa: E402
from app.domain.turnover import NAMES, features, names_of  # noqa: E402
from app.domain.turnover_model import ENGLISH, STEP, WEIGHED_TONGUES, WIDTH, checksum, phrases_of  # noqa: E402
from app.providers.local import MiniLM, plan_batches  # noqa: E402
from app.providers.network import MODEL_FOLDER  # noqa: E402
from app.providers.reader import bundled_reader  # noqa: E402
from benchmarks.gating import LeftOut  # noqa: E402

CORPUS: Final = ROOT / "training" / "turnover"
TONGUES: Final = CORPUS / "tongues"
LATER: Final = CORPUS / "later"
UNREAD: Final = CORPUS / "unread"
"""Lives that the shipped reader was not trained on: what it makes of them is what it makes of anybody's words."""
WEIGHTS: Final = ROOT / "app" / "domain" / "turnover_weights.py"
MORE_WEIGHTS: Final = ROOT / "app" / "domain" / "turnover_weights_more.py"
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


def lives(tongue: str = ENGLISH) -> Iterator[tuple[dict[str, Any], Read | None]]:
    """Read the corpus of a language, file by file; each life in English with a reader that has not seen it."""
    if tongue != ENGLISH:
        for life in _lives_of(TONGUES, f"{tongue}*"):
            yield life, None
        return
    by_fold = [LeftOut(f"lives {fold}").read for fold in range(FOLDS)]
    for place, life in enumerate(_lives_of(CORPUS)):
        yield life, by_fold[place % FOLDS]
    for life in _lives_of(UNREAD):
        yield life, bundled_reader().read


def later_lives(names: str) -> Iterator[tuple[dict[str, Any], Read | None]]:
    """Read the lives that only the pair reader is trained on, see `train_pairs.py`."""
    for life in _lives_of(LATER, names):
        yield life, bundled_reader().read


def _lives_of(folder: Path, names: str = "*") -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob(f"{names}.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def tellings(life: dict[str, Any]) -> Iterator[Told]:
    """Give all that is told in a life: its messages, and some of its facts told beside the others."""
    for message in life["messages"]:
        yield Told(life["id"], message["text"], frozenset(message["retires"]))
    for place, fact in enumerate(life["facts"][:_FACTS_TOLD]):
        yield Told(life["id"], fact, frozenset(), place)


def _ending(candidate: Candidate, read_out: Read | None) -> float | None:
    """Give what a reader that has not seen the life makes of a statement as an end."""
    if read_out is None:
        return None
    found = score(candidate, infer=True, read=read_out).features.get("ending")
    return float(found) if found is not None else None


@dataclass(frozen=True, slots=True)
class Heard:
    """Something told, as the service reads it, with the rows nearest to it: a list for each store that it is told to.

    A row comes with how near it is and whether it is over.
    """

    place: int  # of the life
    message: Telling
    news: bool
    stores: tuple[tuple[tuple[Memory, Near, bool], ...], ...]


def hear(
    vectors: Vectors, tongue: str = ENGLISH, told: Iterable[tuple[dict[str, Any], Read | None]] | None = None
) -> Iterator[Heard]:
    """Read everything that is told in lives (those of the language), and set it beside the rows nearest to it."""
    count = 0
    for place, (life, read_out) in enumerate(lives(tongue) if told is None else told):
        rows = [
            (fact, row_of(one, number))
            for fact, words in enumerate(life["facts"])
            for number, one in enumerate(read(words, _SAID_AT))
        ]
        stored = vectors.of([indexed_text(row.subject, row.content) for _, row in rows])
        for telling in tellings(life):
            found = read(telling.words, _SAID_AT + _LATER)
            statements = [Said(one.claim, marked(one), _ending(one, read_out)) for one in found]
            message = Telling.of(statements, found[0].told, tongue) if found else None
            if message is None or (tongue != ENGLISH and language_of(message.words) != tongue):
                continue  # a question, say: nothing of it is read, so nothing ends by it
            said = vectors.of([indexed_text(one.claim.subject, one.content) for one in found])
            cosines = (stored @ said.T).max(axis=1).astype(np.float64)
            known = [number for number, (fact, _) in enumerate(rows) if fact != telling.knows_not]
            first = {
                fact: max((n for n in known if rows[n][0] == fact), key=lambda n: cosines[n]) for fact in telling.ends
            }
            # told to somebody with all the facts, to one with the nearest and a few others, and to one with hardly any
            likest = max(known, key=lambda n: cosines[n])
            few = sorted({likest, *first.values(), *known[count % 5 :: 9]})
            stores = []
            for store in (known, few, sorted(first.values()) or [likest]):
                beside = []
                words = {number: rows[number][1].content for number in store}
                for number, near in nearest(message, {number: float(cosines[number]) for number in store}, words):
                    fact, row = rows[number]
                    if fact not in telling.ends or first[fact] == number:
                        # of a fact with several rows, which one is over was not said
                        beside.append((row, near, fact in telling.ends))
                stores.append(tuple(beside))
            count += 1
            yield Heard(place, message, bool(telling.ends), tuple(stores))
        print(f"\r{life['id']}: {count} tellings", end="", file=sys.stderr)
    print(file=sys.stderr)


def build(everything: Iterable[Heard], tongue: str = ENGLISH) -> Table:
    """Make the table of features from everything that is told in a language; a row of it for each of each store."""
    numbers: list[tuple[float, ...]] = []
    over: list[bool] = []
    of_telling: list[int] = []
    heard: list[Heard] = []
    for told in everything:
        for store in told.stores:
            for row, near, ended in store:
                numbers.append(features(told.message, row, near))
                over.append(ended)
                of_telling.append(len(heard))
        heard.append(told)
    places = np.array([told.place for told in heard])
    telling = np.array(of_telling)
    return Table(
        np.array(numbers),
        np.array(over),
        telling,
        (places % FOLDS)[telling],
        [phrases_of(told.message.words, tongue) for told in heard],
        np.array([told.news for told in heard]),
        places % FOLDS,
        places,
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


def check(tables: Sequence[Table], out: Callable[[str], None]) -> None:
    """Leave out each fifth of the lives in turn, from reader, lines and trees; tell of each table."""
    odds = [np.zeros(len(table.over)) for table in tables]
    for fold in range(FOLDS):
        for table, all_odds, found in zip(tables, odds, without(tables, fold), strict=True):
            all_odds[table.fold == fold] = found
    for table, all_odds in zip(tables, odds, strict=True):
        tell(table, all_odds, out)


def without(tables: Sequence[Table], fold: int) -> list[Floats]:
    """Give the log-odds of the rows of one fifth of the lives, by lines and trees that have not seen these."""
    numbers = []
    for table in tables:
        inside = table.telling_fold != fold
        # inside the seen lives the line must not have seen the life either
        signal = left_out(table, inside, table.telling_life // FOLDS % FOLDS)
        _tell_line(table, np.flatnonzero(inside), np.flatnonzero(~inside), signal)
        numbers.append(with_line(table, signal))
    seen = np.concatenate([rows[table.fold != fold] for rows, table in zip(numbers, tables, strict=True)])
    base, trees = train_trees(seen, np.concatenate([table.over[table.fold != fold] for table in tables]))
    mine = [rows[table.fold == fold] for rows, table in zip(numbers, tables, strict=True)]
    return [np.full(len(rows), base) + sum(tree.of(rows) for tree in trees) for rows in mine]


def tell(table: Table, odds: Floats, out: Callable[[str], None]) -> None:
    """Print what is found where so many of the messages that end nothing end something.

    The best row of a message counts, of all the stores that it was told to.
    """
    ended = table.over[np.argsort(-odds, kind="stable")]
    precision = (np.cumsum(ended) / np.arange(1, len(ended) + 1))[ended].mean()
    right, wrong = np.full(len(table.phrases), -99.0), np.full(len(table.phrases), -99.0)
    for best, chosen in ((right, table.over), (wrong, ~table.over)):
        np.maximum.at(best, table.telling[chosen], odds[chosen])
    news = table.news
    out(f"{len(news)} messages, average precision {precision:.3f}")
    for share in (0.003, 0.008, 0.014, 0.02, 0.03):
        least = np.quantile(wrong[~news], 1 - share)
        hit = ((right > least) & (right > wrong))[news].mean()
        missed = ((wrong > least) & (wrong > right))[news].mean()
        chance = float(sigmoid(np.array([least]))[0])
        out(f"false {share:.3f}: found {hit:.3f}, another row ended {missed:.3f}, from a chance of {chance:.2f}")


def fit(tables: Sequence[Table]) -> tuple[float, list[Grown]]:
    """Train the trees on tables, each with a line that has not seen the life."""
    numbers = [
        with_line(table, left_out(table, np.ones(len(table.phrases), np.bool_), table.telling_fold)) for table in tables
    ]
    return train_trees(np.concatenate(numbers), np.concatenate([table.over for table in tables]))


def _packed(data: bytes) -> str:
    text = base64.b85encode(zlib.compress(data, 9)).decode("ascii")
    return "\n".join(text[start : start + _LINE] for start in range(0, len(text), _LINE))


def _packed_line(line: tuple[Ints, float]) -> str:
    return _packed(bytes((line[0] + 128).tolist()))


def _packed_trees(trees: Sequence[Grown]) -> str:
    columns = [[tree.feature, tree.value, tree.left, tree.right] for tree in trees]
    return _packed(json.dumps(columns, separators=(",", ":")).encode())


def _write(path: Path, tongue: str, *parts: str) -> None:
    path.write_text(
        '"""Made by training/train_turnover.py; do not edit."""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        f"COLUMNS: Final = {checksum(names_of(tongue))}\n" + "".join(parts),
        encoding="utf-8",
    )


def write(line: tuple[Ints, float], base: float, trees: Sequence[Grown]) -> None:
    """Write the weights of English as a module."""
    _write(
        WEIGHTS,
        ENGLISH,
        f"BASE: Final = {base}\nBIAS: Final = {line[1]}\n",
        f'PHRASES: Final = """\n{_packed_line(line)}\n"""\n',
        f'TREES: Final = """\n{_packed_trees(trees)}\n"""\n',
    )


def write_more(lines: Mapping[str, tuple[Ints, float]], base: float, trees: Sequence[Grown]) -> None:
    """Write the weights of the other languages as a module."""
    entries = "".join(
        f'    "{tongue}": (\n        """\n{_packed_line(line)}\n""",\n        {line[1]},\n    ),\n'
        for tongue, line in lines.items()
    )
    _write(
        MORE_WEIGHTS,
        next(iter(lines)),
        f"BASE: Final = {base}\nLINES: Final = {{\n{entries}}}\n",
        f'TREES: Final = """\n{_packed_trees(trees)}\n"""\n',
    )


def main() -> None:
    """Train, or check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="leave out lives in turn and write nothing")
    parser.add_argument("--tongues", action="store_true", help="train the weights of the other languages")
    options = parser.parse_args()
    vectors = Vectors()
    tongues = sorted(WEIGHED_TONGUES) if options.tongues else [ENGLISH]
    tables = {tongue: build(hear(vectors, tongue), tongue) for tongue in tongues}
    if options.check:
        check(list(tables.values()), print)
        return
    base, trees = fit(list(tables.values()))
    lines = {tongue: train_line(table.phrases, table.news) for tongue, table in tables.items()}
    if options.tongues:
        write_more(lines, base, trees)
    else:
        write(lines[ENGLISH], base, trees)


if __name__ == "__main__":
    main()
