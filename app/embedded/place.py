"""Where things lie. The data folder holds everything, unless Postgres' account cannot reach it.

    data_dir/start.lock         held while somebody starts or stops
    data_dir/elsewhere          only when needed: a link to the home folder
    home/users.lock             held shared by every service process that uses the server
    home/folder.lock            held by the running server
    home/secrets.json, port     passwords and secret key; the port
    home/cluster                Postgres' own data
    home/server.log

Home is data_dir itself, save in one case: we are root, and data_dir lies below a folder that unprivileged users
cannot enter, such as /root. We do not open other people's folders, so home is then made in /var/lib/lethe, and the
link in data_dir records it. An existing cluster is never left behind for a new, empty one.
"""

from __future__ import annotations

import logging
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from app.embedded.account import Account, account_for, is_root
from app.embedded.errors import EmbeddedPostgresError

_logger = logging.getLogger(__name__)
FALLBACK = Path("/var/lib/lethe")
START_LOCK = "start.lock"


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds the cluster and what belongs to it, and the account that can reach it."""

    path: Path
    account: Account

    @property
    def cluster(self) -> Path:
        """Postgres' own data folder."""
        return self.path / "cluster"

    @property
    def log(self) -> Path:
        """The server's log; holds no statements and no values."""
        return self.path / "server.log"

    @property
    def users_lock(self) -> Path:
        """Held shared by every service process that uses the server."""
        return self.path / "users.lock"

    @property
    def folder_lock(self) -> Path:
        """Held by the running server."""
        return self.path / "folder.lock"


def settle(data_dir: Path) -> Home:
    """Finds or makes the home folder. To be called under the start lock."""
    link = data_dir / "elsewhere"
    home = Path(os.readlink(link)) if link.is_symlink() else data_dir
    if not home.is_dir():
        raise EmbeddedPostgresError(
            f"The Postgres data of {data_dir} was put into {home}, and that folder is gone.",
            f"bring {home} back, or remove {link} to begin with an empty database.",
        )
    cluster = home / "cluster"
    account = account_for(cluster)
    if is_root() and {entry.name for entry in home.iterdir()} <= {START_LOCK}:
        home.chmod(0o711)  # new or empty, so ours: Postgres' account may pass through, nobody else can list it
    if account.can_enter(home):
        return Home(home, account)
    if cluster.exists():
        raise EmbeddedPostgresError(
            f"The user {account.name}, who owns the Postgres data in {cluster}, cannot enter that folder.",
            f"let users pass through the folders above it (chmod o+x), or move {home} to a place they can reach "
            "and set LETHE_DATA_DIR.",
        )
    return Home(_make_elsewhere(data_dir, link, account), account)


def _make_elsewhere(data_dir: Path, link: Path, account: Account) -> Path:
    home = FALLBACK / secrets.token_hex(8)
    if not FALLBACK.exists():
        FALLBACK.mkdir(parents=True)
        FALLBACK.chmod(0o755)  # whatever the umask says
    home.mkdir()
    home.chmod(0o711)
    (home / "belongs-to").write_text(f"{data_dir}\n", encoding="utf-8")
    if not account.can_enter(home):
        home.joinpath("belongs-to").unlink()
        home.rmdir()
        raise EmbeddedPostgresError(
            f"Postgres has to run as the unprivileged user {account.name}, who can enter neither {data_dir} "
            f"nor {FALLBACK}.",
            "set LETHE_DATA_DIR to a folder that user can reach, or start Lethe as an ordinary user.",
        )
    link.symlink_to(home)
    _logger.warning("the user %s cannot enter %s: the Postgres data is kept in %s", account.name, data_dir, home)
    return home
