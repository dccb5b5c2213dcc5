"""A small HTTP client: one kept connection and JSON both ways, so that little of the time measured is its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit


class WireFault(Exception):
    """A service answered something else than 200."""


class Wire:
    """A connection to a service on this machine; one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def post(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Any:
        """Send a body and read the answer.

        Raises:
            WireFault: Its status is not 200.
        """
        sent = json.dumps(body).encode()
        lines = [
            f"POST {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/json",
            f"Content-Length: {len(sent)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + sent)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *rest = head.split("\r\n")
        length = next(int(line.partition(":")[2]) for line in rest if line.lower().startswith("content-length:"))
        answer = await self._reader.readexactly(length)
        code = status.split(" ")[1]
        if code != "200":
            raise WireFault(f"POST {path} was answered with {code}: {answer.decode()[:300]}")
        return json.loads(answer)


@asynccontextmanager
async def wires(address: str, count: int) -> AsyncIterator[list[Wire]]:
    """Open connections for the time of the block."""
    host, port = urlsplit(address).hostname, urlsplit(address).port
    opened = [await asyncio.open_connection(host, port) for _ in range(count)]
    try:
        yield [Wire(reader, writer) for reader, writer in opened]
    finally:
        for _, writer in opened:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in opened), return_exceptions=True)
