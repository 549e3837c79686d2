"""A hub of the tests' own: on free ports, with its data in a folder that goes away."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from convladder.classroom.refusals import refuse_unreachable
from convladder.classroom.settings import HubError, Place

PROGRAM = Path(sys.executable).with_name("convladder")


def free_ports():
    """Return a port with three free ones behind it."""
    for port in range(8110, 8190, 4):
        try:
            for k in range(4):
                with socket.socket() as probe:
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    probe.bind(("127.0.0.1", port + k))
        except OSError:
            continue
        return port
    raise AssertionError("no four free ports in a row")


def can_separate(folder):
    """Whether learners can be given user ids: root, and a Python that they can run."""
    try:
        refuse_unreachable(Path(sys.executable), Path(__file__), folder)
    except HubError:
        return False
    return os.geteuid() == 0


class Hub:
    """A running hub: `url`, its `place`, and whether its learners are `separate`."""

    def __init__(self, folder):
        self.place, self.port = Place(folder), free_ports()
        self.separate = can_separate(folder)
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self, *more):
        """Start it, wait until it runs, and return what it said."""
        command = [
            PROGRAM,
            "classroom",
            "hub",
            "--data",
            self.place.root,
            "--port",
            str(self.port),
            *([] if self.separate else ["--rehearsal"]),
            *more,
        ]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said, until = "", time.monotonic() + 120
        for line in self.process.stdout:
            said += line
            if line.startswith("The hub runs"):
                return said
            assert time.monotonic() < until, said
        raise AssertionError(said)

    def pid(self, name="hub"):
        return int((self.place.run / f"{name}.pid").read_text())

    def code(self, name="class"):
        return (self.place.run / f"{name}-code").read_text().strip()

    def stop(self):
        done = subprocess.run(
            [PROGRAM, "classroom", "stop", "--data", self.place.root],
            capture_output=True,
            text=True,
            timeout=120,
        )
        if self.process is not None:
            self.process.stdout.close()
            self.process.wait(timeout=60)
        return done.stdout


@contextmanager
def hub(*more):
    """Give a hub that runs; end it with all that it started."""
    folder = Path(tempfile.mkdtemp(prefix="convladder-hub-", dir="/tmp"))
    folder.chmod(0o755)
    found = Hub(folder)
    try:
        found.said = found.start(*more)
        yield found
    finally:
        found.stop()
        shutil.rmtree(folder, ignore_errors=True)


def mode(path):
    """Return what a file lets whom do, as chmod writes it."""
    return oct(stat.S_IMODE(path.stat().st_mode))
