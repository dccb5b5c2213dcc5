"""The service with its vectors given: an embedder that looks texts up, in process and in a served app.

`python -m benchmarks.speed.given SETTINGS` serves the real application on a free port with one worker. The contract has
no vector on the wire, so this embedder is the only way to leave the model's time out of an answer over HTTP.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import uvicorn
from pydantic import SecretStr

from app.main import create_app
from app.providers.ports import ProviderFault, Vector
from app.services.container import open_lethe
from app.serving import listen
from app.settings import Settings
from benchmarks.service import StartFault
from benchmarks.speed.data import Question

_START_SECONDS: Final = 120.0
_END_SECONDS: Final = 30.0
_ROOT: Final = Path(__file__).parent.parent.parent


class GivenVectors:
    """An embedder with the questions' vectors in a table; any other text is a fault."""

    max_tokens = 256

    def __init__(self, vectors: Mapping[str, Vector], *, model_id: str, dimension: int) -> None:
        self._vectors = vectors
        self.model_id = model_id
        self.dimension = dimension

    async def warm(self) -> None:
        """Be ready."""

    async def embed_query(self, text: str) -> Vector:
        """Look a text up. Raises ProviderFault."""
        try:
            return self._vectors[text]
        except KeyError:
            raise ProviderFault("model") from None

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Look texts up, in order. Raises ProviderFault."""
        return [await self.embed_query(text) for text in texts]

    async def close(self) -> None:
        """Hold nothing."""


def settings_of(database_url: str, secret_key: str) -> Settings:
    """Give settings that no limit per tenant or process gets in the way of."""
    return Settings(
        _env_file=None,
        database_url=SecretStr(database_url),
        secret_key=SecretStr(secret_key),
        maintenance_seconds=0,
        max_concurrent=256,
        max_concurrent_per_tenant=256,
        # the slowest owner is measured, not cut off
        statement_timeout_seconds=120,
        log_level="WARNING",
    )


@contextmanager
def served(
    folder: Path,
    *,
    database_url: str,
    secret_key: str,
    asked: Sequence[Question] | None,
    model_id: str,
    dimension: int,
    durable: bool = True,
) -> Iterator[str]:
    """Serve the application in a process of its own; gives its address. `asked` None leaves the bundled model in.

    Raises:
        StartFault: It does not start.
    """
    told = {
        "database_url": database_url,
        "secret_key": secret_key,
        "model_id": model_id,
        "dimension": dimension,
        "durable": durable,
        "vectors": None if asked is None else {question.text: question.vector for question in asked},
    }
    file = folder / "served.json"
    file.touch(mode=0o600)
    file.write_text(json.dumps(told), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LETHE_")}
    command = [sys.executable, "-m", "benchmarks.speed.given", str(file)]
    with running(command, folder / "served.log", environment | {"PYTHONPATH": str(_ROOT)}, cwd=_ROOT) as address:
        yield address


@contextmanager
def running(command: Sequence[str], log: Path, environment: Mapping[str, str], *, cwd: Path) -> Iterator[str]:
    """Run a program that prints `listens on ADDRESS` and answers 200 on /readyz; ends it afterwards.

    Raises:
        StartFault: It does not.
    """
    with (
        log.open("w") as out,
        subprocess.Popen(command, cwd=cwd, env=dict(environment), stdout=out, stderr=out) as process,  # noqa: S603  # our own program
    ):
        try:
            yield _announced(log, process)
        finally:
            process.terminate()
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _announced(log: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        address = re.search(r"listens on (\S+)", log.read_text())
        if address and _is_ready(address.group(1)):
            return address.group(1)
        time.sleep(0.1)
    raise StartFault(f"a service did not start:\n{log.read_text()[-2000:]}")


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz", timeout=5.0).status_code == 200
    except httpx.TransportError:
        return False


def _serve(file: Path) -> None:
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    vectors = told["vectors"]
    embedder = (
        None if vectors is None else GivenVectors(vectors, model_id=told["model_id"], dimension=told["dimension"])
    )

    def opener(settings: Settings, *, metrics: Any) -> Any:
        return open_lethe(settings, metrics=metrics, embedder=embedder, durable=told["durable"])

    app = create_app(settings_of(told["database_url"], told["secret_key"]), open_lethe=opener)
    with listen("127.0.0.1", 0) as taken:
        print(f"listens on http://127.0.0.1:{taken.getsockname()[1]}", flush=True)
        # as `lethe serve` does it
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=10,
            lifespan="on",
        )
        uvicorn.Server(config).run(sockets=[taken])


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
