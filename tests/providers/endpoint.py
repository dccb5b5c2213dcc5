"""A scripted OpenAI-compatible endpoint on 127.0.0.1: a real HTTP server that answers what a test wrote down."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Answer = Callable[["Handler", Json], None]


class Handler(BaseHTTPRequestHandler):
    """Answers one POST with the next step of the script; the last step is repeated."""

    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        script = self.server.script
        self.server.requests.append(body)
        self.server.keys.append(self.headers["Authorization"])
        step = script.popleft() if len(script) > 1 else script[0]
        step(self, body)

    def reply(self, status: int, text: str, **headers: str) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: deque[Answer] = deque()
        self.requests: list[Json] = []
        self.keys: list[str] = []
        self.closing = threading.Event()


class Endpoint:
    """Runs the server in a thread while the test lasts."""

    def __init__(self) -> None:
        self._server = Server()
        # a short poll, or else each test waits half a second for the end
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> Endpoint:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def requests(self) -> list[Json]:
        return self._server.requests

    @property
    def keys(self) -> list[str]:
        return self._server.keys

    def script(self, *steps: Answer) -> None:
        self._server.script = deque(steps)


def vector_of(text: str) -> list[float]:
    """Two numbers, not of unit length, that tell texts apart by their length."""
    return [float(len(text)), 1.0]


def rows(body: Json) -> list[Json]:
    return [
        {"object": "embedding", "index": index, "embedding": vector_of(text)}
        for index, text in enumerate(body["input"])
    ]


def answer(change: Callable[[list[Json]], object] = lambda rows: None) -> Answer:
    """Give the right answer, after `change` had its way with the rows (in place)."""

    def step(handler: Handler, body: Json) -> None:
        data = rows(body)
        change(data)
        handler.reply(200, json.dumps({"object": "list", "model": body["model"], "data": data}))

    return step


def raw(text: str) -> Answer:
    return lambda handler, body: handler.reply(200, text)


def status(code: int, message: str = "no", **headers: str) -> Answer:
    """Refuse, with our own text in the message, as providers like to do."""

    def step(handler: Handler, body: Json) -> None:
        error = {"error": {"message": f"{message}: {body['input'][0]}", "type": "error", "param": None, "code": None}}
        handler.reply(code, json.dumps(error), **headers)

    return step


def without_dimensions(code: int) -> Answer:
    """Answer like a server that does not know the parameter `dimensions`."""
    return lambda handler, body: (status(code) if "dimensions" in body else answer())(handler, body)


def cut_connection(handler: Handler, body: Json) -> None:
    handler.close_connection = True


def hang(handler: Handler, body: Json) -> None:
    handler.close_connection = True
    handler.server.closing.wait(20)
