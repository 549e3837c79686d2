"""A hub of its own for a rehearsal: started, killed and started again, and gone without a trace."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import psutil
import requests

from ...journal.log import events
from ..environment import CACHE, repository
from ..roster import INSTRUCTOR
from ..settings import Place, Settings
from ..start import LOG
from ..stopping import stop
from .browser import LoadError

USER = "JUPYTERHUB_USER"
HUB, PROXY, BOARD = "--config", "configurable-http-proxy", "convladder.classroom.board.hub"
PATIENCE = 240.0  # seconds for the hub to answer, on a busy machine


class RehearsalHub:
    """The hub of this checkout with folders of its own; a context, which ends and removes it all.

    port: the first of four. together: learners are one user, as they are without root. folder: a
    disk for its folders, which learners can read. log: where what it said is kept, if anywhere.
    """

    def __init__(
        self, port: int, together: bool = False, folder: Path | None = None, log: Path | None = None
    ):
        self.settings = Settings(port=port, rehearsal=together)
        self._above, self._log = folder, log
        self._hub: subprocess.Popen | None = None
        self._users: dict[tuple[int, float], str | None] = {}

    @property
    def url(self) -> str:
        """Return its address."""
        return self.settings.url

    @property
    def code(self) -> str:
        """Return what learners sign up with."""
        return self.place.code("class")

    @property
    def instructors_code(self) -> str:
        """Return what the instructor signs up with."""
        return self.place.code(INSTRUCTOR)

    @property
    def repository(self) -> str:
        """Return the address that learners pull from."""
        return repository(self.place)

    @property
    def cache(self) -> Path:
        """Return the folder of kernels that are compiled for all, if it is filled before `start`."""
        return self.place.shared / CACHE

    def __enter__(self) -> RehearsalHub:
        """Make its folders."""
        self._handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
        made = Path(tempfile.mkdtemp(prefix="convladder-load-", dir=self._above)).resolve()
        made.chmod(0o755)
        self.place = Place(made)
        self.place.make()
        return self

    def __exit__(self, *_: object) -> None:
        """End all that it has started, and remove its folders; a second interrupt is too late."""
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        stop(self.place)
        if self._hub is not None:
            self._hub.wait()
        if self._log and (said := self.place.run / LOG).exists():
            self._log.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(said, self._log)
        shutil.rmtree(self.place.root, ignore_errors=True)
        for each, before in self._handlers.items():
            signal.signal(each, before)

    def start(self) -> None:
        """Start the hub and wait until it answers; again, after `kill`. Raises LoadError."""
        options = ["--data", str(self.place.root), "--port", str(self.settings.port)]
        with (self.place.run / "said").open("wb") as said:
            self._hub = subprocess.Popen(
                [
                    str(Path(sys.executable).with_name("convladder")),
                    "classroom",
                    "hub",
                    *options,
                    *(["--rehearsal"] if self.settings.rehearsal else []),
                ],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._hub.poll() is None:
            try:
                if requests.get(f"{self.url}/hub/signup", timeout=5).status_code == 200:
                    return
            except requests.RequestException:
                pass
            time.sleep(0.3)
        raise LoadError(
            (self.place.run / "said").read_text().strip().removeprefix("convladder: ")
            or f"the hub does not answer within {PATIENCE:g} s"
        )

    def kill(self, word: str) -> int:
        """Kill what of the hub has `word` (`HUB`, `PROXY` or `BOARD`) in one of its arguments, and
        nothing else. Return how many processes that were."""
        found = [
            each
            for each in self.processes().get("", [])
            if any(word in argument for argument in each.cmdline())
        ]
        for each in found:
            each.kill()
        psutil.wait_procs(found, timeout=10)
        if word == HUB:
            self._hub.wait()
        return len(found)

    def processes(self) -> dict[str, list[psutil.Process]]:
        """Return what runs, by learner; under "" the hub, its proxy and its services."""
        found: dict[str, list[psutil.Process]] = {}
        for process in psutil.process_iter():
            if (user := self._user(process)) is not None:
                found.setdefault(user, []).append(process)
        return found

    def _user(self, process: psutil.Process) -> str | None:
        """Whose process it is: a learner's, "" for the hub's own, None for another's."""
        try:
            key = (process.pid, process.create_time())
            if not self._users.get(key):  # a process changes when it becomes another program
                self._users[key] = self._asked(process)
            return self._users[key]
        except psutil.Error:
            return None

    def _asked(self, process: psutil.Process) -> str | None:
        variables = process.environ()
        if str(self.place.homes) in variables.get("HOME", ""):
            return variables.get(USER, "")
        return "" if process.cwd() == str(self.place.run) else None

    def journals(self) -> dict[str, list[dict]]:
        """Return the whole events that each learner's own journal holds, by user."""
        return {
            path.relative_to(self.place.homes).parts[0]: [asdict(event) for event in events(path)]
            for path in self.place.homes.rglob("progress.jsonl")
        }

    def compiled(self) -> int:
        """Return how many kernels learners' own folders hold, which a compiler has made."""
        return sum(
            1
            for home in self.place.homes.iterdir()
            for path in home.glob("**/convladder/kernels/*.so")
        )

    def homes(self) -> list[int]:
        """Return the bytes on disk of each learner's home."""
        return [
            sum(path.lstat().st_blocks * 512 for path in home.rglob("*"))
            for home in self.place.homes.iterdir()
        ]
