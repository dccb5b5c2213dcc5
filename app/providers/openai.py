"""Embeddings from any OpenAI-compatible endpoint. Nothing that it answers is trusted before it is checked."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator, Sequence
from typing import Final

from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, Omit, OpenAIError, omit

from app.providers.breaker import Breaker
from app.providers.ports import ProviderFault, Vector

MAX_TOKENS: Final = 8191
MAX_TEXT_BYTES: Final = MAX_TOKENS
"""UTF-8 bytes sent of a text. A token is at least a byte, so no text is refused for its length with all its batch."""
REQUEST_TEXTS: Final = 128
REQUEST_BYTES: Final = 300_000
"""UTF-8 bytes of the texts of one request; stays below the provider's limit of 300,000 tokens."""
SHORTEST: Final = 1e-12
"""A vector shorter than this has no direction."""

_REJECTED: Final = frozenset({400, 413, 422})
_OUTAGE: Final = frozenset({"timeout", "refused", "status"})


class RequestRejected(ProviderFault):
    """The endpoint is up and refuses this very request: for a parameter it does not know, or for its texts."""

    def __init__(self) -> None:
        super().__init__("status")


class OpenAIEmbedder:
    """The `Embedder` port over an OpenAI-compatible endpoint.

    Vectors are lists of `dimension` floats, brought to unit length here. A wrong count, another length, NaN, infinity
    or a zero vector is a ProviderFault for the whole call. The message of a provider may repeat our text: it is
    neither kept, logged nor chained to the fault.
    """

    def __init__(
        self,
        *,
        model: str,
        dimension: int,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
        breaker: Breaker | None = None,
    ) -> None:
        """Prepare a client; nothing is sent. Without a key, "none" is sent, which local servers take.

        `timeout_seconds` bounds each request with its one retry. Raises ValueError on an address or key that could
        never work.
        """
        if base_url is not None and not base_url.startswith(("http://", "https://")):
            raise ValueError("embedding_base_url must begin with http:// or https://")
        if api_key is not None and not (api_key.isascii() and api_key.isprintable()):
            raise ValueError("embedding_api_key must be printable ASCII, without line breaks")
        self._model = model
        self._dimension = dimension
        self._timeout_seconds = timeout_seconds
        self._breaker = breaker or Breaker()
        self._client = AsyncOpenAI(base_url=base_url, api_key=api_key or "none", timeout=timeout_seconds, max_retries=1)
        # None until an answer tells whether the endpoint takes the parameter `dimensions`
        self._takes_dimensions: bool | None = None

    @property
    def model_id(self) -> str:
        """Name of the model and its vector length; the same for every endpoint that serves the model."""
        return f"openai:{self._model}:{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that the model sees at most; a text is cut at as many UTF-8 bytes."""
        return MAX_TOKENS

    async def warm(self) -> None:
        """Do nothing: there is nothing to load, and an endpoint that is out must not stop the start."""

    async def embed_query(self, text: str) -> Vector:
        """Embed one query. Raises ProviderFault."""
        vectors = await self.embed_documents([text])
        return vectors[0]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed many texts, in order. Raises ProviderFault; then no vector of the call is given."""
        vectors: list[Vector] = []
        for request in plan_requests([cut(text) for text in texts]):
            vectors += await self._guarded(request)
        return vectors

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _guarded(self, texts: list[str]) -> list[list[float]]:
        """Ask unless the breaker is open. Only an outage counts: a text that is refused must not stop the others."""
        if not self._breaker.admit():
            raise ProviderFault("open")
        try:
            vectors = await self._ask(texts)
        except ProviderFault as fault:
            if fault.kind in _OUTAGE and not isinstance(fault, RequestRejected):
                self._breaker.failed()
            else:
                self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return vectors

    async def _ask(self, texts: list[str]) -> list[list[float]]:
        """Ask with `dimensions`; where that is refused and was never taken, ask without, and remember what works."""
        if self._takes_dimensions is False:
            return await self._request(texts, omit)
        try:
            vectors = await self._request(texts, self._dimension)
        except RequestRejected:
            if self._takes_dimensions:
                raise
            vectors = await self._request(texts, omit)
            self._takes_dimensions = False
        else:
            self._takes_dimensions = True
        return vectors

    async def _request(self, texts: list[str], dimensions: int | Omit) -> list[list[float]]:
        fault: ProviderFault
        try:
            async with asyncio.timeout(self._timeout_seconds):
                answer = await self._client.embeddings.with_raw_response.create(
                    model=self._model, input=texts, dimensions=dimensions, encoding_format="float"
                )
        except (TimeoutError, APITimeoutError):
            fault = ProviderFault("timeout")
        except APIConnectionError:
            fault = ProviderFault("refused")
        except APIStatusError as error:
            fault = RequestRejected() if error.status_code in _REJECTED else ProviderFault("status")
        except OpenAIError:
            fault = ProviderFault("shape")
        else:
            # megabytes of JSON would hold up the event loop
            return await asyncio.to_thread(read_vectors, answer.content, count=len(texts), dimension=self._dimension)
        raise fault  # here, where no exception is current that would be chained


def cut(text: str) -> str:
    """Return the beginning of a text, at most MAX_TEXT_BYTES of UTF-8; a space for an empty one, which is refused."""
    return text.encode("utf-8", "ignore")[:MAX_TEXT_BYTES].decode("utf-8", "ignore") or " "


def plan_requests(texts: Sequence[str]) -> Iterator[list[str]]:
    """Group texts, in order, into requests of at most REQUEST_TEXTS texts and REQUEST_BYTES bytes."""
    request: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if request and (len(request) == REQUEST_TEXTS or size + length > REQUEST_BYTES):
            yield request
            request, size = [], 0
        request.append(text)
        size += length
    if request:
        yield request


def read_vectors(body: bytes, *, count: int, dimension: int) -> list[list[float]]:
    """Read an answer into `count` unit vectors in the order of `index`.

    Raises ProviderFault: `shape` when it is no such answer, `nan` when a number is not finite, `zero` when a vector
    has no direction.
    """
    try:
        rows = json.loads(body)["data"]
        vectors = {row["index"]: row["embedding"] for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProviderFault("shape") from None
    if len(rows) != count or set(vectors) != set(range(count)):
        raise ProviderFault("shape")
    return [normalize(vectors[index], dimension) for index in range(count)]


def normalize(vector: object, dimension: int) -> list[float]:
    """Bring a list of `dimension` numbers to unit length. Raises ProviderFault as `read_vectors` does."""
    if not isinstance(vector, list) or len(vector) != dimension:
        raise ProviderFault("shape")
    if not all(type(value) in (int, float) for value in vector):
        raise ProviderFault("shape")
    try:
        length = math.hypot(*vector)
    except OverflowError:  # an integer beyond all floats
        raise ProviderFault("nan") from None
    if not math.isfinite(length):
        raise ProviderFault("nan")
    if length < SHORTEST:
        raise ProviderFault("zero")
    return [value / length for value in vector]
