"""The service as its callers see it: HTTP, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any, Final
from uuid import uuid4

import httpx

IN_FLIGHT: Final = 8
_ATTEMPTS: Final = 6
_TIMEOUT: Final = httpx.Timeout(120.0, connect=10.0)
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_BUSY: Final = frozenset({429, 503})


class ServiceFault(Exception):
    """The service could not be reached, or refused what the benchmark asked. The text says what and by which code."""


class Client:
    """Calls as any user of one tenant, at most `IN_FLIGHT` at a time; waits when the service says that it is busy."""

    def __init__(self, http: httpx.AsyncClient, *, in_flight: int = IN_FLIGHT) -> None:
        self._http = http
        self._slots = asyncio.Semaphore(in_flight)

    async def write(self, user: str, body: dict[str, Any]) -> Any:
        """Offer messages; gives the answer. Raises ServiceFault."""
        return await self._call("/memories/write", user, body, {"Idempotency-Key": str(uuid4())})

    async def recall(self, user: str, query: str, *, k: int) -> list[Any]:
        """Give the memories for a query, best first. Raises ServiceFault."""
        answer = await self._call("/recall", user, {"query": query, "k": k, "token_budget": 0})
        memories: list[Any] = answer["memories"]
        return memories

    async def post(self, path: str, user: str, body: dict[str, Any]) -> Any:
        """Make any other call that takes a body; gives the answer. Raises ServiceFault."""
        return await self._call(path, user, body)

    async def get(self, path: str, user: str, parameters: Mapping[str, Any]) -> Any:
        """Make a call without a body; gives the answer. Raises ServiceFault."""
        async with self._slots:
            response = await self._http.get(path, params=dict(parameters), headers={"X-User-Id": user})
        if response.status_code != 200:
            raise ServiceFault(f"{path}: {response.status_code} {_reason(response)}")
        return response.json()

    async def forget_everything(self, user: str) -> None:
        """Erase a user's memories. Raises ServiceFault."""
        await self._call("/forget", user, {"everything": True})

    async def _call(self, path: str, user: str, body: dict[str, Any], more: Mapping[str, str] = _NONE) -> Any:
        async with self._slots:
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    response = await self._http.post(path, json=body, headers={"X-User-Id": user, **more})
                except httpx.TransportError as fault:
                    if attempt == _ATTEMPTS:
                        raise ServiceFault(f"{path}: no answer ({type(fault).__name__})") from None
                    await asyncio.sleep(0.2 * attempt)
                    continue
                if response.status_code == 200:
                    return response.json()
                if response.status_code not in _BUSY or attempt == _ATTEMPTS:
                    raise ServiceFault(f"{path}: {response.status_code} {_reason(response)}")
                await asyncio.sleep(min(5.0, float(response.headers.get("Retry-After", "1"))))
        raise AssertionError("the last attempt returns or raises")


@asynccontextmanager
async def connect(address: str, key: str, *, in_flight: int = IN_FLIGHT) -> AsyncIterator[Client]:
    """Open a client for a service and one of its keys."""
    limits = httpx.Limits(max_connections=in_flight)
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=address, headers=headers, limits=limits, timeout=_TIMEOUT) as http:
        yield Client(http, in_flight=in_flight)


def _reason(response: httpx.Response) -> str:
    try:
        problem = response.json()
        return f"{problem.get('code')}: {problem.get('detail')} {problem.get('errors') or ''}".strip()
    except (ValueError, AttributeError):
        return "(not an answer of Lethe)"
