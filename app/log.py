"""Structured logs: one JSON line per event, with the request's id, and never any content.

What a library wants to say may hold a statement, its parameters or a whole reply. Its text is therefore not
printed: of foreign loggers we keep the level, the logger and the place, and of every exception the type and the
places. Only loggers whose text is known to be free of content speak for themselves.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, Final

import structlog
from structlog.types import EventDict, Processor

ACCESS: Final = "lethe.access"
# Their messages name processes, addresses and revisions, nothing else.
SPEAKING: Final = ("lethe", "app", "uvicorn", "alembic")
QUIET: Final = ("sqlalchemy", "asyncpg", "httpx", "httpx2", "httpcore", "openai", "asyncio", "alembic")
# Our own line per request says the same without the query string.
SILENT: Final = ("uvicorn.access",)


class _Stdout(logging.Handler):
    """Writes to whatever stdout is at that moment: a test or a supervisor may have replaced it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        try:
            sys.stdout.write(self.format(record) + "\n")
            sys.stdout.flush()
        except Exception:
            self.handleError(record)


def configure_logging(*, level: str = "INFO", form: str = "json") -> None:
    """Route every logger of the process through one handler on stdout. `form` is `json` or `console`."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _name_exceptions,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    last: Processor = (
        structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    handler = _Stdout()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_mute_foreign, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
            # the places are in the event; the text of an exception may hold content
            keep_exc_info=False,
            keep_stack_info=False,
        )
    )
    # a handler that fails would print the whole record, content included
    logging.raiseExceptions = False
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in list(logging.Logger.manager.loggerDict):
        if name.split(".")[0] in {"uvicorn", *QUIET}:
            logging.getLogger(name).handlers.clear()
            logging.getLogger(name).propagate = True
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in SILENT:
        logging.getLogger(name).propagate = False


def exception_places(error: BaseException) -> list[str]:
    """Name the lines an exception passed through, without any value: `file:line function`."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename.rsplit('/site-packages/')[-1]}:{frame.lineno} {frame.name}" for frame in frames]


def exception_chain(error: BaseException) -> list[str]:
    """Name the types of an exception and of what caused it, outermost first."""
    names: list[str] = []
    current: BaseException | None = error
    while current is not None and len(names) < 8:
        names.append(type(current).__qualname__)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return names


def _name_exceptions(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> EventDict:
    """Replace an exception by its type and places: its text may hold content."""
    info = event.pop("exc_info", None)
    event.pop("stack_info", None)
    error = info[1] if isinstance(info, tuple) else sys.exc_info()[1] if info is True else info
    if isinstance(error, BaseException):
        event["raised"] = exception_chain(error)
        event["places"] = exception_places(error)
    return event


def _mute_foreign(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> EventDict:
    """Keep the place of a library's message and drop its text."""
    record: logging.LogRecord = event["_record"]
    if record.name.split(".")[0] not in SPEAKING:
        event["event"] = "library_message"
        event["place"] = f"{record.module}:{record.lineno} {record.funcName}"
    return event
