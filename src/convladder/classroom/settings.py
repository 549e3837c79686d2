"""What a hub is started with, kept in its folder so that a hub started again is the same one."""

from __future__ import annotations

import json
import os
import re
import secrets
from dataclasses import asdict, dataclass
from hashlib import blake2s
from pathlib import Path
from socket import gethostname

PLACE = "CONVLADDER_HUB"  # tells the configuration which folder is the hub's
BRIDGE = "172.17.0.1"  # this machine, as containers of Docker's standard network see it
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike on a board
SIZE = re.compile(r"(\d+)([MG])", re.ASCII)


class HubError(Exception):
    """The hub cannot be started, or not in this way; the text says why and what to do."""


@dataclass(frozen=True)
class Settings:
    """How a hub is run.

    `names`: file of a class, None for anybody who has the code. `memory`: bytes of data a process
    of a learner may have. `idle`: seconds after which an unused server is ended.
    `rehearsal`: learners are one user, as without root. `image`: a container image, for a container
    a learner; None for processes. `plan`, `day`, `show_names`: the board's syllabus, which of its
    sessions, and whether it shows names instead of pseudonyms.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    names: str | None = None
    cert: str | None = None
    key: str | None = None
    without_tls: bool = False
    memory: int = 3 << 30
    idle: int = 3600
    rehearsal: bool = False
    image: str | None = None
    plan: str | None = None
    day: int = 1
    show_names: bool = False

    @property
    def inside(self) -> str:
        """Return where the hub's own parts are: on this machine, or on its side of Docker."""
        return BRIDGE if self.image else "127.0.0.1"

    @property
    def hub_port(self) -> int:
        """Return the port of the hub itself, behind the proxy; on this machine only."""
        return self.port + 1

    @property
    def proxy_port(self) -> int:
        """Return the port at which the proxy is told its routes; on this machine only."""
        return self.port + 2

    @property
    def board_port(self) -> int:
        """Return the port of the board, behind the proxy; on this machine only."""
        return self.port + 3

    @property
    def bind_url(self) -> str:
        """Return where the proxy listens."""
        return self._url(self.host)

    @property
    def url(self) -> str:
        """Return the address for browsers, as this machine knows itself."""
        everywhere = self.host in ("0.0.0.0", "::")
        return self._url(gethostname() if everywhere else self.host)

    def _url(self, host: str) -> str:
        shown = f"[{host}]" if ":" in host else host
        return f"http{'s' if self.cert else ''}://{shown}:{self.port}"


@dataclass(frozen=True)
class Place:
    """The folders of a hub below `root`.

    `run`: its own secrets and data. `shared`: what learners read. `homes`: theirs.
    """

    root: Path

    @property
    def run(self) -> Path:
        """Return the folder that only who runs the hub may open."""
        return self.root / "run"

    @property
    def shared(self) -> Path:
        """Return the folder that learners read: the course, the turns, the warm cache."""
        return self.root / "shared"

    @property
    def homes(self) -> Path:
        """Return the folder of the learners' homes."""
        return self.root / "homes"

    @property
    def sockets(self) -> Path:
        """Return the folder of the folders in which learners' servers and kernels meet.

        It has a short name, since that of a socket may have 107 letters only. Who is root has it
        where nobody tidies up after ten days.
        """
        above = "/run" if os.access("/run", os.W_OK) else "/tmp"
        return Path(above, "cl-" + blake2s(bytes(self.root), digest_size=4).hexdigest())

    def make(self) -> None:
        """Make the folders. Raises HubError where that cannot be."""
        try:
            for folder, mode in (
                (self.run, 0o700),
                (self.shared, 0o755),
                (self.homes, 0o711),
                (self.sockets, 0o711),
            ):
                folder.mkdir(parents=True, exist_ok=True)
                if folder == self.sockets and folder.lstat().st_uid != os.geteuid():
                    raise HubError(
                        f"{folder} is another user's, and learners' kernels would be "
                        "reached there; remove it, or start the hub as that user"
                    )
                folder.chmod(mode)
        except OSError as error:
            raise HubError(
                f"{error.filename}: {error.strerror}; start the hub in a checkout of your own"
            ) from error

    def code(self, name: str) -> str:
        """Return the code of this name, made at the first call and kept in a file of its own."""
        path = self.run / f"{name}-code"
        try:
            return path.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(8))
            write_private(path, f"{letters[:4]}-{letters[4:]}\n")
            return self.code(name)

    def save(self, settings: Settings) -> None:
        """Keep the settings for `load`."""
        write_private(self.run / "settings.json", json.dumps(asdict(settings), indent=1) + "\n")

    def load(self) -> Settings:
        """Return the settings that were saved last."""
        return Settings(**json.loads((self.run / "settings.json").read_text(encoding="utf-8")))


def write_private(path: Path, text: str) -> None:
    """Write a file, whole or not at all, that nobody else can read at any moment."""
    half = path.with_name(f".{path.name}.half")
    half.unlink(missing_ok=True)
    with open(
        os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text)
    os.replace(half, path)


def size(text: str) -> int:
    """Return the bytes of "512M" or "3G". Raises HubError for another text."""
    if not (found := SIZE.fullmatch(text.strip().upper())):
        raise HubError(f"{text!r} is no amount of memory; write 512M or 3G")
    return int(found[1]) << {"M": 20, "G": 30}[found[2]]
