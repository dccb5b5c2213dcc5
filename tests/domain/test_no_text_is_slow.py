"""No text may hold the service up: every pattern, and every rule of a write, stays near linear.

The work runs in a process of its own with a limit of CPU time, far above what it needs: what grows with the cube of a
run of blanks needs hours, and what grows with its square needs minutes.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from app.domain.commands import WriteCommand
from app.domain.extract import MAX_STATEMENTS
from app.domain.intake import consider
from app.domain.memory import Code, Message, Role, Verdict, default_thresholds
from tests.domain.saying import SAID_AT

_ROOT = Path(__file__).resolve().parents[2]
_LONGEST = 32_000

_PATTERNS = """
    import importlib, pkgutil, re, sys
    import app.domain
    from app.domain.sentences import MAX_CANDIDATE

    found = {}

    def collect(where, value, depth=0):
        if isinstance(value, re.Pattern):
            found.setdefault((value.pattern, value.flags), (where, value))
        elif depth < 4 and isinstance(value, dict):
            for one in value.values():
                collect(where, one, depth + 1)
        elif depth < 4 and isinstance(value, (list, tuple, set, frozenset)):
            for one in value:
                collect(where, one, depth + 1)
        elif depth < 4 and hasattr(value, "__dataclass_fields__"):
            for field in value.__dataclass_fields__:
                collect(where, getattr(value, field, None), depth + 1)

    for module in pkgutil.walk_packages(app.domain.__path__, "app.domain."):
        for name, value in vars(importlib.import_module(module.name)).items():
            collect(f"{module.name}.{name}", value)

    RUNS = [" ", "\\t", "\\n", " \\n", "a", "A", "1", ".", ",", "-", "'", "(", "_", "*", ":", "\\u00e9", "\\u6211"]
    RUNS += ["a ", "1,"]
    # what is given a whole message; all others are given one statement
    WHOLE = {"sentences", "lists", "intake", "screen", "secrets", "injection"}
    for where, pattern in found.values():
        print(where, flush=True)
        whole = where.split(".")[2] in WHOLE
        for run in RUNS:
            for length in (4_000, 8_000):
                text = (run * length)[:length]
                pattern.match(text)
                pattern.fullmatch("x" + text + "x")
            text = (run * 8_000)[: 8_000 if whole else MAX_CANDIDATE]
            for _ in pattern.finditer("x" + text + "x"):
                pass
    print("all", len(found))
"""

_WRITES = """
    from datetime import UTC, datetime
    from app.domain.commands import WriteCommand
    from app.domain.intake import consider
    from app.domain.memory import Message, Role, default_thresholds

    said = datetime(2025, 6, 3, 9, 12, tzinfo=UTC)
    for role, infer in ((Role.USER, True), (Role.ASSISTANT, True), (Role.USER, False)):
        message = Message(role, TEXT, said)
        command = WriteCommand(messages=(message,), received_at=said, infer=infer)
        assert consider(command, thresholds=default_thresholds())
    print("all")
"""


def run(program: str, *, seconds: int) -> str:
    """Run a program under a limit of CPU time; what it printed last tells where it was stopped."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run(  # our own interpreter, our own text
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=_ROOT,
        env={"PYTHONPATH": str(_ROOT)},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )
    last = (done.stdout.split("\n") or [""])[-2:][0]
    assert done.returncode == 0, f"stopped at {last!r}: {done.stderr[-500:]}"
    return last


def test_no_pattern_is_slow_on_a_run_of_one_kind_of_character() -> None:
    found = run(_PATTERNS, seconds=25).split()
    assert found[0] == "all"
    assert int(found[1]) > 500, "the patterns are not found any more"


WORST = {
    "blanks in a sentence": "I like " + " " * 30_000 + "x",
    "blanks in a statement": ("I like " + " " * 900 + "x. ") * 35,
    "line ends": "\n" * 31_000 + "hi",
    "headings": "a:\n" * 10_600,
    "bullets": "- x\n" * 8_000,
    "numbers": "".join(f"{number}. x\n" for number in range(4_000)),
    "questions": "what? " * 5_300,
    "initials": "a. " * 10_600,
    "corrections": "I live in Oslo. I meant Bergen. " * 1_000,
    "marks of corrections": "I live in Oslo. " + "No, wait, " * 3_000 + "Bergen.",
    "taken back": "I live in Oslo. Scratch that. " * 1_060,
    "taken back and put right": "I live in Oslo. That's wrong. It's Bergen. " * 740,
    "quoted as wrong": "I said I live in Oslo, but that's wrong. " * 860,
    "quoted and going on": "I said I live in Oslo, " + "but that's, " * 2_600,
    "put right on the way": "I live in Oslo" + ", sorry, Bergen" * 2_200,
    "openers": "ok so well " * 2_900 + "I'm vegan.",
    "hedges behind": "I like tea" + ", I think" * 3_500,
    "jokes": "I live in Oslo. Just kidding. " * 1_060,
    "forms": "Name: Jo\nCity: Graz\n" * 1_500,
    "items in a line": "Allergies: " + "nuts, " * 5_300,
    "one list": "Allergies:\n" + "- nuts\n" * 4_500,
    "joined": "I like " + "tea and " * 3_900,
    "fences": "```\n" * 8_000,
    "one word": "a" * 32_000,
    "quotes": '"' * 32_000,
    "requests": "Call Ana, she is here, " * 1_390,
}


@pytest.mark.parametrize("text", WORST.values(), ids=WORST.keys())
def test_the_longest_message_is_read_in_a_moment(text: str) -> None:
    program = textwrap.dedent(_WRITES).replace("TEXT", repr(text[:_LONGEST]))
    assert run(program, seconds=6) == "all"


def test_what_is_over_the_number_of_statements_is_told_to_be_unread() -> None:
    text = "".join(f"I visited town {number}. " for number in range(1_300))
    offers = consider(
        WriteCommand(messages=(Message(Role.USER, text, SAID_AT),), received_at=SAID_AT),
        thresholds=default_thresholds(),
    )
    last = offers[-1]
    assert last.candidate is not None
    assert last.candidate.quote.startswith(f"I visited town {MAX_STATEMENTS}.")
    assert last.candidate.quote.endswith("I visited town 1299.")
    assert [reason.code for reason in last.verdict.reasons] == [Code.TOO_MANY_CANDIDATES]


def test_an_ordinary_message_is_read_to_its_end() -> None:
    text = "We talked about the weather in town for a while. " * 600 + "I'm allergic to nuts."
    offers = consider(
        WriteCommand(messages=(Message(Role.USER, text, SAID_AT),), received_at=SAID_AT),
        thresholds=default_thresholds(),
    )
    assert any(
        one.verdict.decision is Verdict.KEEP and one.candidate and one.candidate.claim.attribute == "allergic_to"
        for one in offers
    )
