"""What a score means is counted from hits whose rightness is known."""

from __future__ import annotations

from benchmarks.asking import Answered
from benchmarks.corpus import Corpus, Pool, Question, Turn
from benchmarks.scores import score_figures

TURNS = tuple(Turn(f"t{n}", f"text {n}", f"text {n}", f"s{n}", f"t{n}") for n in range(4))


def a_question(name: str, *evidence: str, apart: bool = False) -> Question:
    return Question(name, f"{name}?", "k", "g", frozenset(evidence), apart=apart)


def test_ranges_and_least_scores_are_counted() -> None:
    questions = (
        a_question("right", "t0"),
        a_question("wrong", "t1"),
        a_question("second", "t2"),
        a_question("unanswered", "t3"),
        a_question("apart", "t3", apart=True),
    )
    of = Answered("ada")
    of.rankings = {
        "right": [frozenset({"t0"}), frozenset({"t1"})],
        "wrong": [frozenset({"t0"})],
        "second": [frozenset({"t0"}), frozenset({"t2"})],
        "unanswered": [],
        "apart": [frozenset({"t3"})],
    }
    of.scores = {"right": [0.72, 0.4], "wrong": [0.22], "second": [0.21, 0.12], "unanswered": [], "apart": [0.99]}
    of.elsewhere = {"right": 0.31, "wrong": 0.19, "second": 0.0}
    corpus = Corpus("c", "C", "turn", None, "g", (Pool("p", TURNS, questions),))
    figures = score_figures(corpus, {"p": of})
    told = {row["from"]: row["right"] for row in figures["meaning"] if row["right"]["n"]}
    assert {low: (share["hits"], share["n"]) for low, share in told.items()} == {0.2: (0, 2), 0.6: (1, 1)}
    least = {row["min_score"]: row for row in figures["least"]}
    # evidence was found with .72 and .12; nobody else's memories reached .2 but once
    assert [least[at]["kept"]["hits"] for at in (0.1, 0.15, 0.4)] == [2, 1, 1]
    assert [least[at]["silent"]["hits"] for at in (0.1, 0.2, 0.35)] == [1, 2, 3]
    assert least[0.1]["silent"]["n"] == 3


def test_without_somebody_else_nothing_is_said_of_silence() -> None:
    of = Answered("ada")
    of.rankings, of.scores = {"q": [frozenset({"t0"})]}, {"q": [0.5]}
    corpus = Corpus("c", "C", "turn", None, "g", (Pool("p", TURNS, (a_question("q", "t0"),)),))
    assert all(row["silent"] is None for row in score_figures(corpus, {"p": of})["least"])
