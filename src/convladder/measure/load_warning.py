"""Whether the machine is busy, and how measurements are kept apart, in words."""

from __future__ import annotations

from ..core.processor import available_cores
from .cpu_share import load
from .machine_lock import shared_folder

SHARED = (
    "a room: on one thread its own clock counts, which leaves out the others; on several "
    "threads measurements take turns"
)


def busy(disturbed: bool) -> str | None:
    """Return in words that the machine is busy, None if it is quiet.

    It is busy where more threads want a core than there are, or a figure was disturbed.
    """
    if not disturbed and (load() or 0.0) <= available_cores():
        return None
    return f"busy; {load_text()}" if load() else "busy"


def load_text() -> str:
    """Return how many threads want a core, of how many that are there."""
    cores = available_cores()
    return f"load {load():.1f} on {cores} core{'s' * (cores > 1)}"


def shared_text() -> str | None:
    """Return how figures are measured where learners share a machine, None elsewhere."""
    return SHARED if shared_folder() else None
