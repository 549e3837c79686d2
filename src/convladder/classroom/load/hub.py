"""A hub of its own for a rehearsal: started, killed and started again, and gone without a trace."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from signal import SIGKILL, SIGTERM

import psutil
import requests

from ..environment import CACHE, repository
from ..roster import INSTRUCTOR
from ..settings import HubError, Place, Settings
from ..start import CONFIG, prepare
from .browser import LoadError

USER = "JUPYTERHUB_USER"
START = ("import sys; from pathlib import Path; from convladder.classroom.settings import Place; "
         "from convladder.classroom.start import become_hub; become_hub(Place(Path(sys.argv[1])))")
PATIENCE = 60.0  # seconds for the hub to answer


class RehearsalHub:
    """The checkout's hub with folders of its own; a context, at whose end all is ended and removed.

    checkout: the course's. port: the first of four. folder: where its own folder is made, on a disk
    that learners can read. Raises HubError or LoadError where it does not start.
    """

    def __init__(self, checkout: Path, port: int, folder: Path | None = None):
        self.checkout = checkout
        self.settings = Settings(port=port)
        self._above = folder
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
        """Return the folder of kernels that are compiled for all, if it is filled before `start`.
        """
        return self.place.shared / CACHE

    def __enter__(self) -> RehearsalHub:
        """Make its folders."""
        made = Path(tempfile.mkdtemp(prefix="convladder-load-", dir=self._above))
        made.chmod(0o755)
        self.place = Place(made)
        self.place.make()
        shutil.copy(self.checkout / "classroom" / "hub" / CONFIG, made / CONFIG)
        return self

    def __exit__(self, *_: object) -> None:
        """End all that it has started, and remove its folders."""
        self.end()
        shutil.rmtree(self.place.root, ignore_errors=True)

    def start(self) -> None:
        """Start the hub and wait until it answers; again, after `kill`. Raises LoadError."""
        if not (self.place.run / "settings.json").exists():
            for _ in prepare(self.settings, self.place, self.checkout):
                pass  # what an instructor is told
        with (self.place.run / "log").open("ab") as log:
            self._hub = subprocess.Popen([sys.executable, "-c", START, str(self.place.root)],
                                         stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._hub.poll() is None:
            try:
                if requests.get(f"{self.url}/hub/health", timeout=5).status_code == 200:
                    return
            except requests.ConnectionError:
                pass
            time.sleep(0.3)
        raise LoadError(f"the hub does not start: {self.log()[-2000:]}")

    def log(self) -> str:
        """Return what the hub has said."""
        return (self.place.run / "log").read_text(encoding="utf-8", errors="replace")

    def kill(self) -> None:
        """Kill the hub, and nothing else."""
        self._hub.send_signal(SIGKILL)
        self._hub.wait()

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
        mine = (str(self.place.root) in " ".join(process.cmdline())
                or process.cwd() == str(self.place.run))
        return "" if mine else None

    def end(self) -> None:
        """End the hub and all servers, kernels and services of it."""
        for signal in (SIGTERM, SIGKILL, SIGKILL):
            found = [each for group in self.processes().values() for each in group]
            for each in found:
                try:
                    each.send_signal(signal)
                except psutil.Error:
                    pass
            psutil.wait_procs(found, timeout=10)
            if not found:
                return

    def journals(self) -> dict[str, list[dict]]:
        """Return what each learner's own journal holds, by user."""
        found: dict[str, list[dict]] = {}
        for path in self.place.homes.rglob("progress.jsonl"):
            user = path.relative_to(self.place.homes).parts[0]
            lines = path.read_text(encoding="utf-8").splitlines()
            found.setdefault(user, []).extend(json.loads(line) for line in lines if line.strip())
        return found

    def compiled(self) -> int:
        """Return how many kernels learners' own folders hold, which a compiler has made."""
        return sum(1 for home in self.place.homes.iterdir()
                   for path in home.glob("**/convladder/kernels/*.so"))


__all__ = ["HubError", "RehearsalHub"]
