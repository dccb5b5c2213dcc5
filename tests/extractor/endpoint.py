"""What a scripted chat endpoint answers; the server itself is that of the embedder's tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from tests.providers.endpoint import Answer, Handler, Json

Item = dict[str, Any]


def item(quote: str, content: str | None = None, **changes: Any) -> Item:
    """A statement as a good model gives it."""
    return {
        "message": 0,
        "speaker": "user",
        "quote": quote,
        "content": quote if content is None else content,
        "kind": "semantic",
        "importance": 8,
        "confidence": 0.9,
    } | changes


def completion(content: Any, *, tokens: int | None = 300, **message: Any) -> str:
    body: Json = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content} | message}
        ],
    }
    if tokens is not None:
        body["usage"] = {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens}
    return json.dumps(body)


def writes(content: Any, **rest: Any) -> Answer:
    """Answer with these very words."""
    return lambda handler, body: handler.reply(200, completion(content, **rest))


def says(*items: Any, **rest: Any) -> Answer:
    """Answer with these statements in the form that was asked for."""
    return writes(json.dumps({"candidates": list(items)}), **rest)


def asked(body: Json) -> str:
    """What the model was given of the user's words."""
    text: str = body["messages"][-1]["content"]
    return text


def form(body: Json) -> str:
    """The form of answer that a request asks for."""
    return str(body.get("response_format", {}).get("type", "text"))


def refuse(code: int, *, param: str | None = None, **headers: str) -> Answer:
    """Refuse, and repeat the user's words, as providers like to do."""

    def step(handler: Handler, body: Json) -> None:
        error = {"message": f"no: {asked(body)}", "type": "error", "param": param, "code": None}
        handler.reply(code, json.dumps({"error": error}), **headers)

    return step


def only(*forms: str, code: int = 400, answer: Answer) -> Answer:
    """A server that knows some forms of answer and refuses the others."""
    return lambda handler, body: (answer if form(body) in forms else refuse(code))(handler, body)


def without(parameter: str, *, answer: Answer) -> Answer:
    """A model that does not know a parameter."""
    return lambda handler, body: (refuse(400, param=parameter) if parameter in body else answer)(handler, body)


class Valve:
    """Holds every answer back until it is opened; counts who waits."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._open = threading.Event()
        self._lock = threading.Lock()
        self.waiting = 0

    def open(self) -> None:
        self._open.set()

    def __call__(self, handler: Handler, body: Json) -> None:
        with self._lock:
            self.waiting += 1
        while not self._open.wait(0.05):
            if handler.server.closing.is_set():
                return
        try:
            self._answer(handler, body)
        except OSError:
            # the caller has gone
            handler.close_connection = True


def from_message(make: Callable[[str], list[Item]]) -> Answer:
    """Answer from what stands between the marks of the request."""

    def step(handler: Handler, body: Json) -> None:
        lines = asked(body).splitlines()
        said = "\n".join(line for line in lines[2:-1] if not line.startswith("=="))
        handler.reply(200, completion(json.dumps({"candidates": make(said)})))

    return step
