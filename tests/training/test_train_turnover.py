"""The lives are what their README says, and the weights fit the features that are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.domain import turnover_weights, turnover_weights_more
from app.domain.turnover import WEIGHED_MODEL, names_of
from app.domain.turnover_model import ENGLISH, WEIGHED_TONGUES, WIDTH, chance, checksum, shipped, signal
from app.providers.local import MODEL_ID

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "training" / "turnover").rglob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_life_has_the_form_of_the_readme(path: Path) -> None:
    seen = set()
    for line in path.read_text("utf-8").splitlines():
        life = json.loads(line)
        assert set(life) == {"id", "facts", "messages"}
        assert life["id"] not in seen
        seen.add(life["id"])
        assert len(life["facts"]) > 5
        for message in life["messages"]:
            assert set(message) == {"text", "retires"}
            assert all(0 <= number < len(life["facts"]) for number in message["retires"])


def test_there_are_enough_lives() -> None:
    lives = [json.loads(line) for path in FILES for line in path.read_text("utf-8").splitlines()]
    messages = [message for life in lives for message in life["messages"]]
    ends = sum(bool(message["retires"]) for message in messages)
    assert len(lives) >= 160
    assert len(messages) >= 6000
    assert 0.3 < ends / len(messages) < 0.5


@pytest.mark.parametrize("tongue", [ENGLISH, *sorted(WEIGHED_TONGUES)])
def test_the_weights_fit_the_features(tongue: str) -> None:
    weights = shipped(tongue)
    columns = turnover_weights.COLUMNS if tongue == ENGLISH else turnover_weights_more.COLUMNS
    assert columns == checksum(names_of(tongue)), "the weights are of other features: run training/train_turnover.py"
    assert MODEL_ID == WEIGHED_MODEL
    assert len(weights.phrases) == WIDTH
    assert weights.trees
    for tree in weights.trees:
        assert max(tree.feature) < len(names_of(tongue))
        assert len(tree.feature) == len(tree.value) == len(tree.left) == len(tree.right)
    assert 0 <= chance([0.0] * len(names_of(tongue)), tongue) < 0.5


def test_news_sounds_more_like_news_than_a_taste() -> None:
    assert signal("We moved to Oslo last week.") > signal("I love pasta.")
    assert signal("Den Golf habe ich verkauft.", "de") > signal("Ich esse gern Nudeln.", "de")
    assert signal("On a déménagé à Lyon.", "fr") > signal("J'adore les pâtes.", "fr")
    assert signal("Ya vendimos el coche viejo.", "es") > signal("Mi hermana tiene dos gatos.", "es")
    assert signal("我们上个月搬到成都了。", "zh") > signal("我很喜欢吃面条。", "zh")
