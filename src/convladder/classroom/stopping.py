"""What of a hub is still there: ended before it starts anew, or with it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .settings import HubError, Place

if TYPE_CHECKING:
    import psutil

PATIENCE = 10  # seconds to end by oneself


def refuse_second(place: Place) -> None:
    """Raise HubError if the hub of this place runs already."""
    for process in _with(place.run):
        if "jupyterhub" in process.info["cmdline"] and "--config" in process.info["cmdline"]:
            raise HubError(
                f"this checkout's hub runs already, as process {process.pid}; end it "
                "with Ctrl-C, or with convladder classroom stop"
            )


def end_orphans(place: Place) -> int:
    """End what a hub that was killed left beside the learners' servers: its proxy and services.

    Returns how many. They would hold the ports, with tokens that the next hub does not know.
    """
    return _end(list(_with(place.run)))


def stop(place: Place) -> int:
    """End the hub, what belongs to it and all learners' servers with their kernels; return how
    many processes that were."""
    ended = _end(list(_with(place.run))) + _end(list(_learners(place)))
    shutil.rmtree(place.sockets, ignore_errors=True)
    return ended


def _with(folder: Path) -> Iterator[psutil.Process]:
    """Yield the processes that work in this folder, which only the hub and what it starts do."""
    for process in _processes():
        if process.info["cwd"] == str(folder.resolve()):
            yield process


def _learners(place: Place) -> Iterator[psutil.Process]:
    """Yield learners' servers and kernels: their home, or where they work, is in the homes."""
    homes = f"{place.homes.resolve()}/"
    for process in _processes():
        home = (process.info["environ"] or {}).get("HOME", "")
        if f"{home}/".startswith(homes) or f"{process.info['cwd']}/".startswith(homes):
            yield process


def _processes() -> Iterator[psutil.Process]:
    import psutil

    me = psutil.Process().pid
    for process in psutil.process_iter(["cmdline", "cwd", "environ"]):
        if process.pid != me and process.info["cmdline"]:
            yield process


def _end(processes: list[psutil.Process]) -> int:
    import psutil

    for process in processes:
        try:
            process.terminate()
        except psutil.NoSuchProcess:
            pass
    for process in psutil.wait_procs(processes, timeout=PATIENCE)[1]:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            pass
    psutil.wait_procs(processes, timeout=PATIENCE)
    return len(processes)
