"""The story, told once to a real service over a real socket."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from app.demo.calls import Answer, Calls
from app.demo.host import served
from app.demo.layout import render, terminal
from app.demo.run import Chapter, Demo
from app.demo.screen import Screen
from app.demo.story import monday_before
from app.main import create_app
from app.metrics import Metrics
from app.services.container import open_lethe
from app.settings import Settings
from tests.conftest import Service


class Recording(Calls):
    """The real client, which keeps what was answered."""

    def __init__(self, url: str, *, key: str, user: str) -> None:
        super().__init__(url, key=key, user=user)
        self.answers: list[Answer] = []

    def recall(self, body: Mapping[str, Any]) -> Answer:
        self.answers.append(answer := super().recall(body))
        return answer

    def forget(self, body: Mapping[str, Any]) -> Answer:
        self.answers.append(answer := super().forget(body))
        return answer


@dataclass
class Told:
    """The story as it was told: its chapters, and the answers behind them."""

    screen: Screen
    monday: datetime
    chapters: list[Chapter]
    answers: list[Answer] = field(default_factory=list)

    def scene(self, name: str) -> str:
        """Give a scene's words without their places on the screen."""
        shown = next(scene.shown for chapter in self.chapters for scene in chapter.scenes if scene.name == name)
        out = io.StringIO()
        terminal(plain=True, width=2000, file=out).print(shown)
        return " ".join(out.getvalue().split())

    def page(self, width: int) -> str:
        """Give the whole screen at a width, as a terminal with colours would show it."""
        console = terminal(plain=False, width=width, file=io.StringIO())
        own = {"monday": self.monday, "sunday": self.monday, "url": "http://127.0.0.1:8000", "own": True}
        render(console, self.screen.opening(**own))  # type: ignore[arg-type]  # one of each
        for chapter in self.chapters:
            render(console, self.screen.title(chapter.title), *(scene.shown for scene in chapter.scenes))
        render(console, self.screen.closing(3))
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()


@pytest.fixture(scope="package")
async def key(service: Service) -> str:
    return (await service.tenant()).key


@pytest.fixture(scope="package")
def url(settings: Settings) -> Iterator[str]:
    def opener(given: Settings, *, metrics: Metrics) -> Any:
        return open_lethe(given, metrics=metrics, durable=False, wait_seconds=0)

    with served(create_app(settings.model_copy(update={"log_level": "ERROR"}), open_lethe=opener)) as address:
        yield address


@pytest.fixture(scope="module")
def told(url: str, key: str) -> Iterator[Told]:
    calls = Recording(url, key=key, user="ada")
    with calls:
        monday = monday_before(datetime.now(UTC))
        demo = Demo(calls, Screen(), monday)
        yield Told(demo.screen, monday, list(demo.chapters()), calls.answers)
