"""Questions to any OpenAI-compatible chat model. It may be slow, out, or talk nonsense: all that is a fault.

The form of the answer is asked for
as strictly as the server understands: a strict schema, else JSON, else nothing but the prompt; what works is kept.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar

from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, OpenAIError

from app.providers.breaker import Breaker
from app.providers.ports import ProviderFault
from app.providers.prompt import Form

MAX_CALLS: Final = 32
"""Calls in work per process; more wait for a place."""
MAX_BODY: Final = 1_000_000
_LONGEST_PAUSE: Final = 1.0
"""Seconds that a second attempt waits at most; a server that asks for more is left alone for as long."""
_LONGEST_REST: Final = 60.0
_REFUSED: Final = frozenset({400, 413, 422})
# a server that does not know a form of answer says so in one of these ways; some fall over it
_FORM_REFUSED: Final = frozenset({400, 404, 422, 500, 501})
_WORTH_A_RETRY: Final = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_TOLD_TO_WAIT: Final = frozenset({429, 503})
_FORGET_AFTER: Final = 3
"""Refusals in a row after which the form that used to work is looked for anew: another server may be there now."""
# parameters that some models do not know; without them the answer is merely less tidy
_OPTIONAL: Final = ("temperature", "max_tokens")

_LOOSER: Final = {Form.SCHEMA: Form.JSON, Form.JSON: Form.PLAIN}


class _Failure(Exception):
    """An attempt that came to nothing; `status` and what the server said of it, where it spoke at all."""

    def __init__(
        self, kind: str, status: int | None = None, parameter: str | None = None, wait_seconds: float | None = None
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.status = status
        self.parameter = parameter
        self.wait_seconds = wait_seconds
        # every form of answer was asked for already
        self.final = False

    @property
    def retry(self) -> bool:
        # a server that let a whole time limit pass is not helped by a second request
        worth = self.kind in ("refused", "shape") or self.status in _WORTH_A_RETRY
        return worth and not self.final and (self.wait_seconds or 0.0) <= _LONGEST_PAUSE

    @property
    def outage(self) -> bool:
        return self.kind != "shape" and self.status not in _REFUSED


Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Question(Generic[Answer]):
    """What is asked.

    Attributes:
        messages: The request in each form of answer.
        formats: How the forms are asked for.
        answer_tokens: The longest answer.
        most_tokens: An estimate of what the call takes at most.
        read: Reads what the model wrote; None when it is no answer.
    """

    messages: Callable[[Form], list[dict[str, str]]]
    formats: Mapping[Form, dict[str, Any]]
    answer_tokens: int
    most_tokens: int
    read: Callable[[str], Answer | None]


class Chat:
    """A chat endpoint.

    Within two time limits and a second it has answered or failed: one call, and one more after a short pause where
    that can help. The message of a provider may repeat our text: it is neither kept, logged nor chained to the fault.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
        breaker: Breaker | None = None,
        max_calls: int = MAX_CALLS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a client; nothing is sent. Without a key, "none" is sent, which local servers take.

        Raises ValueError on an address or key that could never work.
        """
        if base_url is not None and not base_url.startswith(("http://", "https://")):
            raise ValueError(f"{name}_base_url must begin with http:// or https://")
        if api_key is not None and not (api_key.isascii() and api_key.isprintable()):
            raise ValueError(f"{name}_api_key must be printable ASCII, without line breaks")
        self._model = model
        self._timeout_seconds = timeout_seconds
        self._breaker = breaker or Breaker(clock=clock)
        self._places = asyncio.Semaphore(max_calls)
        self._clock = clock
        self._client = AsyncOpenAI(base_url=base_url, api_key=api_key or "none", timeout=timeout_seconds, max_retries=0)
        self._form = Form.SCHEMA
        # until an answer came in this form, a refusal may mean the form
        self._form_works = False
        self._refusals = 0
        self._optional = set(_OPTIONAL)
        self._resting_until = 0.0

    async def ask(self, question: Question[Answer]) -> tuple[Answer, int]:
        """Ask; gives the answer and the tokens that it took.

        Raises ProviderFault: `busy` when no place came free in time, `open` while resting.
        """
        kind = "timeout"
        try:
            async with asyncio.timeout(2 * self._timeout_seconds + _LONGEST_PAUSE):
                async with asyncio.timeout(self._timeout_seconds):
                    kind = "busy"
                    await self._places.acquire()
                kind = "timeout"
                try:
                    return await self._guarded(question)
                finally:
                    self._places.release()
        except TimeoutError:
            pass
        except _Failure as failure:
            kind = failure.kind
        if kind == "timeout":
            self._breaker.failed()
        raise ProviderFault(kind)  # here, where no exception is current that would be chained

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _guarded(self, question: Question[Answer]) -> tuple[Answer, int]:
        """Ask, and once more where that can help, unless the server is left alone at the moment."""
        # after the wait for a place: those who queued during an outage must not all try
        if self._clock() < self._resting_until or not self._breaker.admit():
            raise _Failure("open")
        try:
            try:
                answer = await self._in_some_form(question)
            except _Failure as failure:
                if not failure.retry:
                    raise
                # spread, so that many callers do not come back at the same moment
                await asyncio.sleep(max(failure.wait_seconds or 0.0, random.uniform(0.1, 0.4)))  # noqa: S311
                answer = await self._in_some_form(question)
        except _Failure as failure:
            if failure.status in _TOLD_TO_WAIT and failure.wait_seconds is not None:
                self._resting_until = self._clock() + min(failure.wait_seconds, _LONGEST_REST)
            if failure.kind == "timeout":
                raise
            if failure.outage:
                self._breaker.failed()
            else:
                self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return answer

    async def _in_some_form(self, question: Question[Answer]) -> tuple[Answer, int]:
        """Ask in the form that works; while none is known, in looser and looser ones. What worked is kept."""
        form = self._form
        while True:
            try:
                answer = await self._request(question, form)
            except _Failure as failure:
                if failure.parameter in self._optional:
                    self._optional.discard(failure.parameter)
                elif not self._form_works and failure.status in _FORM_REFUSED and form in _LOOSER:
                    form = _LOOSER[form]
                else:
                    failure.final = form is not self._form
                    self._note_refusal(failure)
                    raise
            else:
                self._form, self._form_works, self._refusals = form, True, 0
                return answer

    def _note_refusal(self, failure: _Failure) -> None:
        if failure.kind == "shape" and not self._form_works and self._form in _LOOSER:
            # the server took the request and did not keep to the form
            self._form = _LOOSER[self._form]
        if failure.status in _FORM_REFUSED:
            self._refusals += 1
            if self._refusals >= _FORGET_AFTER:
                self._form, self._form_works, self._refusals = Form.SCHEMA, False, 0

    async def _request(self, question: Question[Answer], form: Form) -> tuple[Answer, int]:
        options: dict[str, Any] = {}
        if form in question.formats:
            options["response_format"] = question.formats[form]
        if "temperature" in self._optional:
            options["temperature"] = 0
        if "max_tokens" in self._optional:
            options["max_tokens"] = question.answer_tokens
        failure: _Failure
        try:
            async with asyncio.timeout(self._timeout_seconds):
                answer = await self._client.chat.completions.with_raw_response.create(
                    model=self._model,
                    messages=question.messages(form),  # type: ignore[arg-type]  # plain dictionaries
                    **options,
                )
        except (TimeoutError, APITimeoutError):
            failure = _Failure("timeout")
        except APIConnectionError:
            failure = _Failure("refused")
        except APIStatusError as error:
            failure = _Failure("status", error.status_code, _parameter(error), _wait(error))
        except OpenAIError:
            failure = _Failure("shape")
        else:
            content, tokens = read_body(answer.content)
            found = None if content is None else question.read(content)
            if found is not None:
                return found, tokens or question.most_tokens
            failure = _Failure("shape")
        raise failure  # here, where no exception is current that would be chained


def read_body(body: bytes) -> tuple[str | None, int]:
    """Read a chat completion into what was written, None when it is none, and its tokens, 0 where that is not told."""
    if len(body) > MAX_BODY:
        return None, 0
    try:
        answer = json.loads(body)
        content = answer["choices"][0]["message"]["content"]
        usage = answer.get("usage")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return None, 0
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if isinstance(part, dict) and _is_text(part.get("text")))
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    counted = tokens if type(tokens) is int and 0 < tokens < 10**8 else 0
    return (content if isinstance(content, str) else None), counted


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _parameter(error: APIStatusError) -> str | None:
    """Tell which parameter a server does not like, where it says so in the way of the original."""
    named = error.param if error.status_code in _REFUSED else None
    return named if isinstance(named, str) else None


def _wait(error: APIStatusError) -> float | None:
    """Tell how many seconds a server asks to be left alone; None where it does not say, or gives a date."""
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < 1e6 else None


class Asker:
    """Whoever asks a chat model: a port over one endpoint, which `name` names in what a fault says."""

    name: ClassVar[str]

    def __init__(
        self,
        *,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
        breaker: Breaker | None = None,
        max_calls: int = MAX_CALLS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a client; nothing is sent. Raises ValueError on an address or key that could never work."""
        self._chat = Chat(
            name=self.name,
            model=model,
            base_url=base_url,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            breaker=breaker,
            max_calls=max_calls,
            clock=clock,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()
