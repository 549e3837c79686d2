"""Blocks over steps: when each lives, how many bytes that makes, and where a plan puts them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import cycle

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from ...memory import Block, Plan, live_bytes, lower_bound, overlaps
from ...text import bytes_text
from .ink import lettering
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, YELLOW, Picture, figure

COLOURS = (SKY, YELLOW, GREEN, PINK, BLUE, "#B0A36B", GREY)
RED = "#B00020"


def lifetimes_picture(blocks: Sequence[Block], title: str = "Who lives when") -> Picture:
    """Draw a bar for each block from its first step to its last,
    and the bytes alive at each step.
    """
    live, bound = live_bytes(blocks), lower_bound(blocks)
    fig, (bars, sums) = figure(
        7.4, 1.9 + 0.2 * len(blocks), nrows=2, sharex=True, height_ratios=(0.2 * len(blocks), 1.1)
    )
    for row, (block, colour) in enumerate(zip(blocks, cycle(COLOURS))):
        bars.barh(
            row, block.last - block.first + 1, left=block.first - 0.5, height=0.72, color=colour
        )
        bars.annotate(
            bytes_text(block.bytes),
            (block.last + 0.5, row),
            (4, 0),
            va="center",
            textcoords="offset points",
            fontsize=8,
        )
    bars.set_yticks(range(len(blocks)), [block.name for block in blocks], fontsize=8)
    bars.set(ylim=(len(blocks) - 0.4, -0.6), title=title)
    bars.grid(True, axis="x")
    sums.bar(range(len(live)), live, width=1, color=PALE, edgecolor=GREY, linewidth=0.6)
    sums.axhline(bound, color=ORANGE)
    sums.annotate(
        f"the most at once: {bound:,} bytes",
        (len(live) - 0.4, bound),
        (0, 3),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=lettering(ORANGE),
        fontsize=8.5,
    )
    sums.set_xticks(range(0, len(live), 1 + len(live) // 12))
    sums.set(
        xlabel="step", ylabel="bytes alive", xlim=(-0.7, len(live) + 1.2), ylim=(0, 1.35 * bound)
    )
    sums.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    listed = "; ".join(f"{b.name} {b.first} to {b.last}" for b in blocks)
    return Picture(
        fig,
        f"{len(blocks)} arrays with their first and last steps ({listed}) and the "
        f"bytes alive at each step: {bound:,} at most.",
    )


def arena_plan_picture(plan: Plan) -> Picture:
    """Draw where a plan puts each block: steps across, places in the arena up."""
    fig, ax = figure(7.4, 3.7)
    _draw(ax, plan.blocks, plan.offsets, plan.bytes)
    ax.set_title(f"{plan.planner}: {plan.bytes:,} bytes, lower bound {plan.bound:,}")
    return Picture(
        fig,
        f"{len(plan.blocks)} arrays in an arena of {plan.bytes:,} bytes, as "
        f"planner {plan.planner!r} places them; the lower bound is "
        f"{plan.bound:,}.",
    )


def placing_picture(
    blocks: Sequence[Block], offsets: Mapping[str, int], marks: Mapping[str, int]
) -> Picture:
    """Draw a reader's own placing; overlaps in red. `marks` are others' arenas, drawn as lines."""
    clashes, bound = overlaps(blocks, offsets), lower_bound(blocks)
    arena = max(offsets[b.name] + b.bytes for b in blocks)
    fig, ax = figure(7.4, 4.1)
    _draw(
        ax,
        blocks,
        offsets,
        max(arena, *marks.values()),
        bound,
        {block.name for pair in clashes for block in pair},
    )
    for a, b in clashes:
        low = max(offsets[a.name], offsets[b.name])
        high = min(offsets[a.name] + a.bytes, offsets[b.name] + b.bytes)
        begin, end = max(a.first, b.first), min(a.last, b.last)
        ax.add_patch(
            Rectangle(
                (begin - 0.46, low),
                end - begin + 0.92,
                high - low,
                hatch="///",
                facecolor="none",
                edgecolor=RED,
                linewidth=1.4,
            )
        )
    steps = max(b.last for b in blocks)
    for name, size in marks.items():
        ax.plot([-0.6, steps + 0.55], [size, size], color=GREY, linewidth=0.9, linestyle=":")
        ax.annotate(
            f"{name}: {size}",
            (steps + 0.6, size),
            (2, 0),
            va="center",
            fontsize=8,
            textcoords="offset points",
            color=GREY,
        )
    if clashes:
        names = ", ".join(f"{a.name} and {b.name}" for a, b in clashes[:2])
        more = f" and {len(clashes) - 2} more" * (len(clashes) > 2)
        verdict = f"in each other's way: {names}{more}"
    else:
        beaten = [name for name, size in marks.items() if arena < size]
        verdict = f"valid, arena {arena}: " + (
            "the lower bound, nobody can do better"
            if arena == bound
            else f"better than {' and '.join(beaten)}"
            if beaten
            else "go on"
        )
    ax.set_title(verdict, color=lettering(RED) if clashes else "black")
    return Picture(
        fig,
        f"{len(blocks)} arrays placed by hand; {verdict}. Lower bound {bound}, "
        + ", ".join(f"{name} {size}" for name, size in marks.items())
        + ".",
    )


def _draw(
    ax: Axes, blocks: Sequence[Block], offsets: Mapping[str, int], top: int,
    bound: int | None = None, clashing: Collection[str] = (),
) -> None:  # fmt: skip
    """Names stand in the middle of their blocks; those that clash, beside each other."""
    steps = max(b.last for b in blocks) + 1
    bound = lower_bound(blocks) if bound is None else bound
    for turn, (block, colour) in enumerate(zip(blocks, cycle(COLOURS))):
        begin, wide = block.first - 0.46, block.last - block.first + 0.92
        ax.add_patch(
            Rectangle(
                (begin, offsets[block.name]),
                wide,
                block.bytes,
                facecolor=colour,
                alpha=0.75,
                edgecolor="white",
                linewidth=1,
            )
        )
        if block.bytes > top / 25:
            name = block.name if len(block.name) < 9 * wide else "…"
            middle = 0.92 * (turn + 0.5) / len(blocks) if block.name in clashing else wide / 2
            ax.text(
                begin + middle,
                offsets[block.name] + block.bytes / 2,
                name,
                ha="center",
                va="center",
                fontsize=8,
                path_effects=[withStroke(linewidth=2.5, foreground="white")],
            )
    ax.axhline(bound, color=ORANGE, linewidth=1.3)
    ax.annotate(
        "lower bound",
        (-0.6, bound),
        (2, 3),
        textcoords="offset points",
        color=lettering(ORANGE),
        fontsize=8,
    )
    ax.set_xticks(range(0, steps, 1 + steps // 12))
    ax.set(xlim=(-0.7, steps + 0.9), ylim=(0, 1.12 * top), xlabel="step", ylabel="place, bytes")
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
