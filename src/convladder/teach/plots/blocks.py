"""The leaderboard of lab 02: what each block costs on paper, and what it took here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.ticker import LogLocator, NullLocator

from ...measure import compare
from ...text import seconds_text
from ..models.block_design import ENTRIES, design, faults, runner
from .ink import ink
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

YOURS = "your block"


def blocks_leaderboard(mine: Sequence[str] | None = None) -> Picture:
    """Draw the course's entries and `mine`, each with its least time on paper and its time here.

    A block that breaks a rule is shown pale. What is no block (`...`, None, or texts that
    `blocks.review` has a complaint about) is left out.
    """
    blocks = {name: design(texts) for name, texts in ENTRIES.items()}
    try:
        blocks[YOURS] = design(mine)
    except (TypeError, ValueError, AttributeError):
        pass
    measured = compare(
        {name: runner(block) for name, block in blocks.items()}, budget=0.2, threads=1
    )
    return _picture(blocks, {name: t.median for name, t in measured.timings.items()})


def _picture(blocks: Mapping, measured: Mapping[str, float]) -> Picture:
    paper = {name: sum(layer.seconds for layer in block) for name, block in blocks.items()}
    order = sorted(blocks, key=lambda name: (bool(faults(blocks[name])), paper[name]))
    fig, ax = figure(8.2, 0.9 + 0.62 * len(order))
    low = 1e-5
    for row, name in enumerate(order):
        broken = bool(faults(blocks[name]))
        colour = PALE if broken else ORANGE if name == YOURS else BLUE
        ax.barh(row, paper[name] - low, left=low, height=0.55, color=colour)
        weights = sum(layer.weights for layer in blocks[name])
        label = f"{seconds_text(paper[name])} on paper, {weights:,} weights"
        ax.annotate(
            label + (", breaks a rule" if broken else ""),
            (low, row),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color=ink(colour),
        )
        ax.plot(measured[name], row, "D", color="black", clip_on=False)
        ax.annotate(
            f"{seconds_text(measured[name])} here",
            (measured[name], row),
            (7, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    high = max(*paper.values(), *measured.values())
    ax.set(
        xscale="log",
        xlim=(low, high * 4),
        xlabel="time (log scale; bar: least on the nominal machine, diamond: measured here)",
    )
    ticks = [t for t in LogLocator(subs=(1.0,)).tick_values(low, high * 4) if low <= t <= high * 4]
    ax.set_xticks(ticks, [seconds_text(t).replace(".00", "").replace(".0", "") for t in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_yticks(range(len(order)), order, color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.spines.bottom.set_color(GREY)
    kept = [name for name in order if not faults(blocks[name])]
    return Picture(
        fig,
        f"Blocks by their least time on paper: {', '.join(order)}. Within the "
        f"rules: {', '.join(kept) or 'none'}.",
    )
