"""`lethe health`: one question, one line, an exit code."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typer.testing import CliRunner

from app.api.problems import problem
from app.cli import app as cli
from app.domain.errors import FieldError, Unavailable
from app.health import address_of, check_health
from app.settings import Settings

READY = (200, b'{"status": "ready"}')
NOT_READY = (
    503,
    bytes(
        problem(Unavailable("Not ready.", errors=(FieldError("/checks/database", "unavailable", "unreachable"),))).body
    ),
)


@contextmanager
def answering(status: int, body: bytes) -> Iterator[int]:
    """Something that answers /readyz, and 404 to all else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/readyz" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def nobody() -> Iterator[int]:
    """A port on which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),  # everywhere is no place to connect to
        ("::", "http://[::1]:8000"),
        ("::1", "http://[::1]:8000"),
        ("lethe.internal", "http://lethe.internal:8000"),
    ],
)
def test_it_asks_where_the_service_listens(host: str, address: str) -> None:
    assert address_of(Settings(_env_file=None, host=host, port=8000)) == address


@pytest.mark.parametrize(
    ("answer", "code", "line"),
    [
        (READY, 0, "ready"),
        (NOT_READY, 1, "not ready: database unreachable"),
        ((503, b"<html>"), 1, "answered 503"),  # something else has the port
        ((200, b""), 0, "ready"),
        ((404, b"[]"), 1, "answered 404"),
    ],
)
def test_the_command_says_it_in_one_line_and_a_code(
    answer: tuple[int, bytes], code: int, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with answering(*answer) as port:
        monkeypatch.setenv("LETHE_PORT", str(port))
        done = CliRunner().invoke(cli, ["health"])
    assert done.exit_code == code
    assert line in done.output
    assert done.output.count("\n") == 1


def test_nobody_there_is_not_ready() -> None:
    with nobody() as port:
        ready, line = check_health(Settings(_env_file=None, port=port))
    assert not ready
    assert line.startswith(f"no answer from http://127.0.0.1:{port}/readyz")


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with nobody() as dead, answering(*READY) as port:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{dead}")
        assert check_health(Settings(_env_file=None, port=port)) == (True, "ready")


def test_the_container_check_loads_nothing_of_the_service() -> None:
    heavy = ("onnxruntime", "numpy", "sqlalchemy", "fastapi", "alembic", "openai")
    code = f"import app.health, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
