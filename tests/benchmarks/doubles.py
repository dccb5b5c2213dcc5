"""Services of a few lines over real HTTP: a right one, and two that are broken on purpose."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

KEY = "lk_double"


@dataclass
class Store:
    """What was written: by user, in order."""

    rows: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    forgotten: list[str] = field(default_factory=list)


# from the store, the user who asks and the query to the rows of the answer, best first
Recall = Callable[[Store, str, str], list[tuple[str, str]]]


def at_random(store: Store, user: str, query: str) -> list[tuple[str, str]]:
    """Return what it has, in any order."""
    rows = list(store.rows.get(user, ()))
    # turns arrive in any order, and the user's name is another in each run: without this the draw would differ
    rows.sort(key=lambda row: row[1])
    random.Random(query + (rows[0][1] if rows else "")).shuffle(rows)
    return rows


def oracle(answers: Mapping[str, frozenset[str]]) -> Recall:
    """Return the texts that answer the query, of the user who asks."""

    def recall(store: Store, user: str, query: str) -> list[tuple[str, str]]:
        return [row for row in store.rows.get(user, ()) if row[1] in answers.get(query, ())]

    return recall


def ignoring_the_user(answers: Mapping[str, frozenset[str]]) -> Recall:
    """Return the texts that answer the query, whoever wrote them."""

    def recall(store: Store, _user: str, query: str) -> list[tuple[str, str]]:
        return [row for rows in store.rows.values() for row in rows if row[1] in answers.get(query, ())]

    return recall


@contextmanager
def serving(recall: Recall, *, break_after: int | None = None) -> Iterator[tuple[str, Store]]:
    """Serve on a free port of 127.0.0.1; after `break_after` requests every answer is a 500."""
    store = Store()
    lock = threading.Lock()
    left = [break_after if break_after is not None else 10**9]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                left[0] -= 1
                if self.headers["Authorization"] != f"Bearer {KEY}":
                    self._answer(401, {"code": "unauthenticated", "detail": "no", "errors": []})
                elif left[0] < 0:
                    self._answer(500, {"code": "internal", "detail": "broken on purpose", "errors": []})
                else:
                    self._answer(200, self._do(self.headers["X-User-Id"], body))

        def _do(self, user: str, body: dict[str, Any]) -> dict[str, Any]:
            if body.get("dry_run"):
                return {"results": []}
            if self.path == "/memories/write":
                rows = store.rows.setdefault(user, [])
                results = []
                for index, message in enumerate(body["messages"]):
                    row = str(uuid4()), message["content"]
                    rows.append(row)
                    results.append(
                        {
                            "outcome": "stored",
                            "memory_id": row[0],
                            "supersedes": [],
                            "evidence": {"message_index": index},
                        }
                    )
                return {"results": results}
            if self.path == "/forget":
                store.forgotten.append(user)
                return {"matched": len(store.rows.pop(user, ()))}
            found = recall(store, user, body["query"])[: body["k"]]
            return {
                "memories": [
                    {"id": row_id, "content": content, "score": round(1 / (place + 1), 4)}
                    for place, (row_id, content) in enumerate(found)
                ]
            }

        def _answer(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", store
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
