"""What keeps a submission to itself on this machine, and a process started within it."""

from __future__ import annotations

import itertools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from .processes import kill_all_of, memory, signal_name, tree
from .view import environment, hidden, readable
from .wire import WireError, packed, unpacked

JAIL = Path(__file__).with_name("jail.py")
HOME = "/home/learner"
UIDS = itertools.cycle(range(62000, 62100))  # root gives each process one of its own
NAMESPACES, USER, NONE = "namespaces", "user", "none"
MISSING = {  # what each kind of wall does not keep
    USER: "the network is open to submissions, and files that everyone may read are read by them",
    NONE: "submissions run as you: they can read and change your files, and use the network",
}
# The interpreter of the grader, by a path that is there behind the walls too.
PYTHON = os.path.join(
    os.path.realpath(os.path.dirname(sys.executable)), os.path.basename(sys.executable)
)
LOOK = 0.2  # seconds between two looks at what a process takes


@dataclass(frozen=True)
class Limits:
    """What one submission's process may take; seconds are of the clock on the wall."""

    call: float = 30.0  # seconds of one call of a function under check
    cell: float = 60.0  # seconds of one cell
    notebook: float = 900.0  # seconds of all of it, what is begun again included
    memory: int = 3 << 30  # bytes of all its processes together
    processes: int = 48
    file: int = 64 << 20  # bytes of one file
    disk: int = 256 << 20  # bytes of all files

    def of_process(self) -> dict[str, int]:
        """Return the limits that the system itself keeps, by their names in `resource`."""
        return {
            "AS": 2 * self.memory,
            "FSIZE": self.file,
            "NOFILE": 512,
            "CORE": 0,
            "CPU": int(self.notebook),
            "NPROC": 8 * self.processes,
        }  # threads count there


class Ended(Exception):
    """A submission's process is gone, or was stopped. `why` goes on after "its process"."""

    def __init__(self, why: str, slow: bool = False) -> None:
        self.why, self.slow = why, slow
        super().__init__(why)


class BenchEnded(Ended):
    """The process in which kernels run is gone: nobody's fault, as far as can be known."""


@cache
def walls() -> str:
    """Return what this machine can do: NAMESPACES, USER (root without them) or NONE."""
    if not sys.platform.startswith("linux"):
        return NONE
    return next(
        (
            kind
            for kind in (NAMESPACES, USER)
            if (kind != USER or os.geteuid() == 0) and _holds(kind)
        ),
        NONE,
    )


def _holds(kind: str) -> bool:
    """Return whether a process can be started behind such walls."""
    jailed = Jailed([PYTHON, "-I", "-S", "-c", "pass"], Limits(), kind)
    try:
        return jailed.process.wait(30) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        jailed.stop()


@dataclass
class Jailed:
    """A process behind walls, to which messages are sent and from which they are read.

    command: argv, to which the two pipes' numbers are added. cache: a folder of compiled code that
    it may use, and does not change; unless it is `trusted`, and runs the course's own code only.
    """

    command: list[str]
    limits: Limits
    walls: str
    cache: Path | None = None
    trusted: bool = False
    process: subprocess.Popen = field(init=False)
    _looked: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="convladder-grade-", ignore_cleanup_errors=True
        )
        own = os.geteuid() == 0 and self.walls != NONE and not self.trusted
        self._uid = next(UIDS) if own else None
        home = HOME
        if self.walls != NAMESPACES:
            home = self._folder.name
            if self._uid is not None:
                os.chown(home, self._uid, self._uid)
        theirs, self._write = os.pipe()
        self._read, theirs_too = os.pipe()
        self._words = tempfile.TemporaryFile()
        spec = {
            "walls": self.walls,
            "root": self._folder.name,
            "home": home,
            "uid": self._uid,
            "inside": 62000,
            "read": readable(),
            "hide": [str(path) for path in hidden()],
            "disk": self.limits.disk,
            "limits": self.limits.of_process(),
            "cache": [str(self.cache), f"{home}/cache", self.trusted] if self.cache else None,
            "umask": 0o022 if self.trusted else 0o077,
            "run": [*self.command, str(theirs), str(theirs_too)],
            "environment": environment(home),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(JAIL), json.dumps(spec)],
            pass_fds=(theirs, theirs_too),
            stdin=subprocess.DEVNULL,
            stdout=self._words,
            stderr=self._words,
            start_new_session=True,
        )
        os.close(theirs)
        os.close(theirs_too)

    def send(self, message: Any, trusted: bool = True) -> None:
        """Send a message. Raises Ended."""
        data, until = memoryview(packed(message, trusted)), time.monotonic() + self.limits.call
        os.set_blocking(self._write, False)
        while data:
            if time.monotonic() > until:
                raise Ended("did not listen", slow=True)
            if select.select([], [self._write], [], LOOK)[1]:
                try:
                    data = data[os.write(self._write, data) :]
                except BlockingIOError:
                    pass
                except OSError:
                    raise Ended(self._how()) from None
            self._look()

    def receive(self, seconds: float) -> Any:
        """Return the next message. Raises Ended, also for what is no message, or none in time."""
        until = time.monotonic() + seconds

        def read(size: int) -> bytes:
            pieces = bytearray()
            while len(pieces) < size:
                self._look()
                left = until - time.monotonic()
                if left <= 0:
                    raise Ended(f"was stopped after {seconds:g} seconds", slow=True)
                if select.select([self._read], [], [], min(left, LOOK))[0]:
                    piece = os.read(self._read, min(size - len(pieces), 1 << 20))
                    if not piece:
                        raise Ended(self._how())
                    pieces += piece
            return bytes(pieces)

        try:
            return unpacked(read)
        except WireError as error:
            raise Ended(f"sent what is no answer ({error})") from None

    def stop(self) -> None:
        """End it and all that it has started."""
        for each in (os.kill, os.killpg):
            try:
                each(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        if self._uid is not None and self.walls != NAMESPACES:
            kill_all_of(self._uid)
        for end in (self._read, self._write):
            try:
                os.close(end)
            except OSError:
                pass
        self._words.close()
        self._folder.cleanup()

    def words(self) -> str:
        """Return the end of what it wrote to its standard error."""
        self._words.seek(0, os.SEEK_END)
        self._words.seek(max(0, self._words.tell() - 2000))
        return self._words.read().decode(errors="replace")

    def _how(self) -> str:
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            return "closed its end"
        if code > 128:
            return f"was ended by {signal_name(code - 128)}"
        return f"ended by itself (exit code {code})"

    def _look(self) -> None:
        """Stop it where it takes too much. Raises Ended."""
        if time.monotonic() - self._looked < LOOK:
            return
        self._looked = time.monotonic()
        members = list(tree(self.process.pid))
        if len(members) > self.limits.processes:
            raise Ended(f"started more than {self.limits.processes} processes")
        if (taken := sum(map(memory, members))) > self.limits.memory:
            raise Ended(f"took more than {self.limits.memory >> 20} MiB of memory ({taken >> 20})")


def cache_folder() -> Path:
    """Return the folder of what the course's own solutions had compiled when they were graded."""
    try:
        folder = user_cache_path("convladder", appauthor=False) / "grade"
        (folder / "numba").mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="convladder-grade-cache-"))
        (folder / "numba").mkdir()
    return folder
