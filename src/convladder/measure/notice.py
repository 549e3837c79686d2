"""What is said once in a notebook: that the machine is busy, and what "disturbed" means."""

from __future__ import annotations

from ..text import labelled
from .figure import Figure
from .pinning import available_cores
from .received import load
from .turns import room

MARK = labelled("", Figure(0.0, disturbed=True)).strip()
MEANS = (
    "A figure marked (disturbed) was measured, twice, while other programs wanted the "
    "processor too{how}. Run the cell again when the machine is quiet."
)
ROOM = (
    "a room: on one thread its own clock counts, which leaves out the others; on several "
    "threads measurements take turns"
)

_said: set[str] = set()


def explained(*texts: str) -> str | None:
    """Return what the label "disturbed" means if it is in `texts` for the first time, else None."""
    if MARK in _said or not any(MARK in text for text in texts):
        return None
    _said.add(MARK)
    return MEANS.format(how=f" ({load_text()})" if load() else "")


def busy(*figures: float) -> str | None:
    """Return in words that the machine is busy, None if it is quiet while `figures` are measured.

    It is busy where more threads want a core than there are, or a figure was disturbed. Names
    the share of a core that the worst of them received.
    """
    disturbed = any(getattr(each, "disturbed", False) for each in figures)
    if not disturbed and (load() or 0.0) <= available_cores():
        return None
    shares = [each.share for each in figures if getattr(each, "share", None) is not None]
    got = f"measuring received {min(shares):.0%} of a core" if shares else ""
    return "; ".join(filter(None, ["busy", load() and load_text(), got]))


def load_text() -> str:
    """Return how many threads want a core, of how many that are there."""
    cores = available_cores()
    return f"load {load():.1f} on {cores} core{'s' * (cores > 1)}"


def room_text() -> str | None:
    """Return how figures are measured in a room, None for who measures alone."""
    return ROOM if room() else None
