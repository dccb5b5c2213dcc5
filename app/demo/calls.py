"""The demo's HTTP client: the public calls and nothing else."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from types import TracebackType
from typing import Any, Final
from urllib.parse import quote

import httpx

Answer = dict[str, Any]
_TIMEOUT: Final = 60.0  # seconds
_THIS_MACHINE: Final = ("127.0.0.1", "localhost", "::1")
_EVERY_STATUS: Final = ("active", "superseded", "held", "quarantined", "disputed", "expired")


class DemoFault(Exception):
    """The demo cannot go on; the text says how to mend it."""


class Calls:
    """Calls of one user of one service.

    Args:
        url: Where the service is.
        key: Its API key; needs the scopes to read, write and forget.
        user: Whose memories these are.
    """

    def __init__(self, url: str, *, key: str, user: str) -> None:
        self.url, self.user = url.rstrip("/"), user
        headers = {"Authorization": f"Bearer {key}", "X-User-Id": user}
        try:
            # a proxy of the environment is for other machines, and would not find a service on this one
            here = httpx.URL(self.url).host in _THIS_MACHINE
            self._http = httpx.Client(base_url=self.url, headers=headers, timeout=_TIMEOUT, trust_env=not here)
        except (httpx.InvalidURL, UnicodeEncodeError) as fault:
            raise DemoFault("the address, the key or the user holds characters that it must not hold") from fault

    def __enter__(self) -> Calls:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def write(self, body: Mapping[str, Any]) -> Answer:
        """Offer messages."""
        return self._json("POST", "/memories/write", body)

    def recall(self, body: Mapping[str, Any]) -> Answer:
        """Bring back what matters for a question."""
        return self._json("POST", "/recall", body)

    def explain(self, body: Mapping[str, Any]) -> Answer:
        """Ask why; an unknown memory gives the problem document of a 404."""
        return self._json("POST", "/explain", body, expected=(200, 404))

    def forget(self, body: Mapping[str, Any]) -> Answer:
        """Preview or erase."""
        return self._json("POST", "/forget", body)

    def receipt(self, receipt_id: str) -> Answer:
        """Read a receipt, with a fresh look for what should be gone."""
        return self._json("GET", f"/forget/{quote(receipt_id, safe='')}")

    def memory(self, memory_id: str) -> Answer:
        """Fetch one memory with its details."""
        return self._json("GET", f"/memories/{quote(memory_id, safe='')}")

    def anything_stored(self) -> bool:
        """Tell whether this user has any memory, of whatever status."""
        found = self._json("GET", "/memories", params={"status": _EVERY_STATUS, "limit": 1})
        return bool(found["memories"])

    def export(self) -> list[str]:
        """Give everything stored of this user, a line of JSON per memory."""
        return [line for line in self._send("GET", "/memories/export").text.splitlines() if line.strip()]

    def _json(self, method: str, path: str, body: Mapping[str, Any] | None = None, **rest: Any) -> Answer:
        response = self._send(method, path, body, **rest)
        try:
            answer: Answer = response.json()
        except json.JSONDecodeError as fault:
            raise DemoFault(f"{self.url} does not answer like Lethe; check the address") from fault
        return answer

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        expected: Collection[int] = (200,),
        params: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        try:
            response = self._http.request(method, path, json=body, params=params)
        except httpx.HTTPError as fault:
            raise DemoFault(f"{self.url} cannot be reached ({type(fault).__name__}); check the address") from fault
        if response.status_code not in expected:
            raise DemoFault(f"{method} {path} was answered with {response.status_code}: {_detail(response)}")
        return response


def _detail(response: httpx.Response) -> str:
    try:
        return str(response.json()["detail"])
    except (json.JSONDecodeError, KeyError, TypeError):
        return "no Lethe answers there; check the address"
