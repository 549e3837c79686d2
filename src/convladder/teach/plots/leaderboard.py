"""A leaderboard of methods by time and workspace."""

from __future__ import annotations

from collections.abc import Sequence

from ...text import bytes_text, seconds_text
from .labels import label_points
from .style import BLUE, ORANGE, Picture, figure


def leaderboard_picture(entries: Sequence[tuple[str, float, int]], yours: str) -> Picture:
    """Draw methods by time and workspace: (name, seconds, bytes). `yours` is drawn apart."""
    fig, ax = figure(7.4, 4.0)
    for name, seconds, size in entries:
        mine = name == yours
        ax.plot(
            seconds * 1e3,
            size / 2**20,
            "D" if mine else "o",
            color=ORANGE if mine else BLUE,
            markersize=7,
            clip_on=False,
        )
    slowest = max(seconds for _, seconds, _ in entries) * 1e3
    largest = max(size for *_, size in entries) / 2**20
    ax.set(
        xlim=(0, 1.35 * slowest),
        ylim=(0, 1.12 * largest),
        xlabel="time, ms",
        ylabel="workspace, MiB",
        title="Down is less memory, left is less time",
    )
    ax.grid(True)
    label_points(
        ax,
        [
            (seconds * 1e3, size / 2**20, f"{name}: {seconds_text(seconds)}, {bytes_text(size)}")
            for name, seconds, size in entries
        ],
        fontsize=8.5,
    )
    names = ", ".join(name for name, *_ in entries)
    return Picture(fig, f"Time across and workspace up, a point for each of {names}.")
