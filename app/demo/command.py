"""What `lethe demo` does: find or start a service, tell the story, wait for the reader between chapters."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from rich.console import Console

from app.demo.calls import Calls, DemoFault
from app.demo.layout import Look, render, terminal
from app.demo.run import Demo
from app.demo.screen import Screen
from app.demo.story import NAME, monday_before

_STARTING: Final = "Starting a service of its own on an empty database. This takes a few seconds."


@dataclass(slots=True)
class Reader:
    """The person at the terminal; one who wants no more pauses is not asked again."""

    console: Console
    waits: bool

    def turn_page(self) -> None:
        """Wait until the reader wants the next chapter."""
        if not self.waits:
            return
        try:
            typed = self.console.input("Enter: next chapter. s and Enter: no more stops. Ctrl-C: leave. ", markup=False)
        except EOFError:
            typed = "s"
        self.waits = not typed.strip().lower().startswith("s")


def run_demo(*, url: str | None, key: str | None, user: str | None, pause: bool | None, plain: bool) -> None:
    """Tell the story on the terminal.

    Args:
        url: A running service; None starts one for the demo alone.
        key: Its API key.
        user: Whose memories the demo makes and erases again; must have none. None makes one up.
        pause: Whether to wait between chapters; None waits when a person can answer.
        plain: Letters only: no colour, no boxes.

    Raises:
        DemoFault: It cannot be told; the text says how to mend it.
    """
    console = terminal(plain=plain)
    can_answer = sys.stdin.isatty() and sys.stdout.isatty()
    reader = Reader(console, can_answer if pause is None else pause)
    screen = Screen(Look(plain=plain or not console.encoding.startswith("utf")))
    own = url is None
    monday = monday_before(datetime.now(UTC))
    with _service(url, key, plain=plain) as (address, found_key):
        user = user or (NAME.lower() if own else f"demo-{uuid.uuid4().hex[:8]}")
        with Calls(address, key=found_key, user=user) as calls:
            if not own and calls.anything_stored():
                raise DemoFault(
                    f"the user {user} has memories already, and the demo erases what it makes; leave --user away, or "
                    "name one that is new"
                )
            demo = Demo(calls, screen, monday)
            erased = None
            try:
                render(
                    console,
                    screen.opening(monday=monday, sunday=monday + timedelta(days=6), url=address, own=own),
                )
                for chapter in demo.chapters():
                    reader.turn_page()
                    render(console, screen.title(chapter.title), *(scene.shown for scene in chapter.scenes))
            except KeyboardInterrupt:
                _say("\nLeaving, and clearing up.")
                raise
            finally:
                if not own:
                    erased = demo.clear()
    render(console, screen.closing(erased))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def _service(url: str | None, key: str | None, *, plain: bool) -> Iterator[tuple[str, str]]:
    if url is not None:
        if not key:
            raise DemoFault("a service of your own needs its key: --key, or LETHE_KEY in the environment")
        yield url, key
        return
    from app.demo.host import own_service

    with ExitStack() as until_it_runs, ExitStack() as service:
        if plain or not sys.stderr.isatty():
            _say(_STARTING)
        else:
            until_it_runs.enter_context(Console(stderr=True).status(_STARTING))
        address, own_key = service.enter_context(own_service())
        until_it_runs.close()
        yield address, own_key
