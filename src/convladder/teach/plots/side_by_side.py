"""Programs that share a core, and what a wall clock, a thread's clock and a turn make of it."""

from __future__ import annotations

from matplotlib.axes import Axes

from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

SLICE, LONG, SHORT = 3, 12, 1  # milliseconds: of a core at a time, and of work in two calls


def wall_ms(work: int, others: int) -> int:
    """Return the milliseconds from begin to end of `work` on a core shared with `others`.

    The core goes round, a slice for each; the call begins with a slice of its own.
    """
    return work + (-(-work // SLICE) - 1) * others * SLICE


def side_by_side_picture(others: int = 1) -> Picture:
    """Draw a long call and a short one on a core that `others` want as well, then in a turn."""
    fig, ax = figure(8.4, 2.9)
    end = max(wall_ms(LONG, others), LONG + SHORT + 2 * SLICE) + 1
    _row(ax, 2, LONG, others, BLUE)
    _row(ax, 1, SHORT, others, ORANGE)
    for begin, work, colour in ((0, LONG, BLUE), (LONG, SHORT, ORANGE)):
        ax.barh(0, work, left=begin, color=colour, height=0.55)
    if others:
        ax.barh(0, 2 * SLICE, left=LONG + SHORT, color=PALE, edgecolor=GREY, height=0.55)
        ax.text(LONG + SHORT + SLICE, 0, "others", ha="center", va="center", fontsize=8.5)
    ax.set_yticks([2, 1, 0], ["the long call", "the short call", "both, in a turn"], color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, max(end, 1) * 1.42), ylim=(-0.5, 2.6), xlabel="ms on one core")
    by_wall = wall_ms(LONG, others) / SHORT
    for row, text in (
        (2, f"wall clock {wall_ms(LONG, others)} ms, own clock {LONG} ms"),
        (1, f"wall clock {wall_ms(SHORT, others)} ms, own clock {SHORT} ms"),
        (0, f"wall clock {LONG} ms and {SHORT} ms"),
    ):
        last = (
            wall_ms(LONG, others)
            if row == 2
            else SHORT
            if row == 1
            else (LONG + SHORT + 2 * SLICE * bool(others))
        )
        ax.annotate(
            text, (last, row), (6, 0), textcoords="offset points", va="center", fontsize=8.5
        )
    ax.set_title(
        f"long over short: {by_wall:g} by the wall clock, {LONG // SHORT} by the thread's "
        f"own clock, {LONG // SHORT} in a turn"
    )
    programs = f"{others} other program{'s' * (others != 1)}"
    return Picture(
        fig,
        f"A core shared with {programs}: a call of {LONG} ms "
        f"ends after {wall_ms(LONG, others)} ms, one of {SHORT} ms fits into its slice "
        f"of {SLICE} ms. The ratio is {by_wall:g} by the wall clock, {LONG // SHORT} by "
        "the thread's own clock or in a turn.",
    )


def _row(ax: Axes, row: int, work: int, others: int, colour: str) -> None:
    at = 0
    while work > 0:
        piece = min(SLICE, work)
        ax.barh(row, piece, left=at, color=colour, height=0.55)
        at, work = at + piece, work - piece
        if work > 0 and others:
            ax.barh(row, others * SLICE, left=at, color=PALE, edgecolor=GREY, height=0.55)
            ax.text(at + others * SLICE / 2, row, "others", ha="center", va="center", fontsize=8.5)
            at += others * SLICE
