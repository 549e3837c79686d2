"""Processes as the system tells of them: their children, their memory, their end."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path


def tree(process: int) -> Iterator[int]:
    """Yield a process and those that came from it."""
    yield process
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            children = Path(f"/proc/{process}/task/{thread}/children").read_text()
            for child in map(int, children.split()):
                yield from tree(child)
    except OSError:  # it has ended, or this system does not tell
        return


def memory(process: int) -> int:
    """Return the bytes of memory that are a process's own."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return sum(
        int(line.split()[1]) << 10
        for line in text.splitlines()
        if line.startswith(("RssAnon:", "RssShmem:"))
    )


def kill_all_of(uid: int) -> None:
    """End all processes of a user."""
    child = os.fork()
    if child == 0:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def signal_name(number: int) -> str:
    """Return a signal in words."""
    try:
        return f"the signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
