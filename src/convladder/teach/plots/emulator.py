"""The picture of how a block runs on one core of the processor, with a barrier and without."""

from __future__ import annotations

from matplotlib.axes import Axes

from .ink import lettering
from .style import BLUE, GREEN, GREY, ORANGE, Picture, figure

THREADS = 4  # drawn; a real block has more


def emulator_picture() -> Picture:
    """Draw a loop over threads without a barrier; fibers that take turns with one."""
    fig, (plain, fibers) = figure(9.0, 4.3, nrows=2)
    _panel(
        plain,
        "No barrier in the source: a loop, each thread from its first line to its last",
        [(thread, 2 * thread, 2, BLUE) for thread in range(THREADS)],
    )
    before = [(thread, thread, 0.92, BLUE) for thread in range(THREADS)]
    after = [(thread, THREADS + thread, 0.92, GREEN) for thread in range(THREADS)]
    _panel(
        fibers,
        "With __syncthreads(): each thread is a fiber, which waits there and lets the next one run",
        before + after,
    )
    for thread in range(THREADS):
        wait = thread + 0.92, THREADS + thread
        fibers.plot(wait, [thread] * 2, color=GREY, linestyle=":", linewidth=1.2)
    fibers.axvline(THREADS - 0.04, color=ORANGE, linewidth=2)
    fibers.annotate(
        "the last has come: all go on",
        (THREADS - 0.04, THREADS - 1.5),
        (6, 0),
        textcoords="offset points",
        color=lettering(ORANGE),
        va="center",
        fontsize=9,
    )
    fibers.text(0.46, -0.62, "lines before", ha="center", color=BLUE, fontsize=9)
    fibers.text(
        THREADS + 0.46, -0.62, "lines after", ha="center", color=lettering(GREEN), fontsize=9
    )
    fibers.set_xlabel("time on one core; other blocks run the same way on the other cores")
    return Picture(
        fig,
        f"{THREADS} threads of a block on one core. Without a barrier each runs to "
        "its end before the next begins. With one, all run up to the barrier, one "
        "after the other, then all run on.",
    )


def _panel(ax: Axes, title: str, bars: list[tuple[int, float, float, str]]) -> None:
    for thread, start, length, colour in bars:
        ax.barh(thread, length - 0.04, left=start, height=0.6, color=colour)
    ax.set(xlim=(0, 2 * THREADS), ylim=(THREADS - 0.4, -0.9), xticks=[])
    ax.set_title(title)
    ax.set_yticks(range(THREADS), [f"thread {n}" for n in range(THREADS)], color="black")
    ax.tick_params(length=0)
    ax.spines.left.set_visible(False)
