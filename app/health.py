"""Asks the running service whether it can serve. Loads nothing of the service itself: health checks run all day."""

from __future__ import annotations

import sys
from typing import Any

import httpx

from app.settings import Settings

# an address to listen on everywhere is none to connect to
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104


def address_of(settings: Settings) -> str:
    """Give the address at which this machine reaches a service with these settings."""
    host = _EVERYWHERE.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def check_health(settings: Settings, *, seconds: float = 4.0) -> tuple[bool, str]:
    """Ask `/readyz`; tell whether it is ready, and in one line what it said."""
    url = f"{address_of(settings)}/readyz"
    try:
        # a proxy that the environment names must not answer for the service
        response = httpx.get(url, timeout=seconds, trust_env=False)
    except httpx.HTTPError as fault:
        return False, f"no answer from {url} ({type(fault).__name__})"
    if response.status_code == 200:
        return True, "ready"
    return False, f"not ready: {_failing(response) or f'{url} answered {response.status_code}'}"


def _failing(response: httpx.Response) -> str:
    try:
        body: Any = response.json()
        return ", ".join(f"{error['pointer'].rsplit('/', 1)[-1]} {error['detail']}" for error in body["errors"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""


def main() -> int:
    """Print the line; the exit code is 0 when ready, else 1."""
    ready, line = check_health(Settings())
    print(line)
    return 0 if ready else 1


if __name__ == "__main__":
    sys.exit(main())
