"""What can go wrong with the embedded Postgres, always with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

OWN_DATABASE = (
    "start Postgres 16 or newer with pgvector 0.8.2 or newer yourself, for instance with `docker compose up -d`, "
    "and set LETHE_DATABASE_URL and LETHE_MIGRATION_URL"
)


class EmbeddedPostgresError(Exception):
    """The embedded Postgres cannot do what was asked; `remedy` says how to mend it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}\nRemedy: {remedy}")
        self.problem = problem
        self.remedy = remedy


@contextmanager
def explained() -> Iterator[None]:
    """Turns trouble with files, disk and permissions into an EmbeddedPostgresError that names the file."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise EmbeddedPostgresError(
            f"The data folder cannot be used: {error.strerror or error}{where}.",
            "check that the folder belongs to the user who starts Lethe and that the disk has room, "
            "or choose another folder with LETHE_DATA_DIR.",
        ) from error
