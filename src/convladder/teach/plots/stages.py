"""The picture of chapter 07's stages: copies on their way while others are computed with."""

from __future__ import annotations

from matplotlib.patches import Rectangle

from ..models.schedules import staged
from .ink import ink
from .style import BLUE, GREEN, ORANGE, PALE, Picture, figure

SLICES = 8


def stages_picture(stages: int = 1, copy: int = 4, compute: int = 2) -> Picture:
    """Draw eight slices in `stages` places of shared memory: copied, then computed with.

    copy and compute: the time that a slice's copy takes, and the arithmetic on it.
    """
    done = staged(stages, copy, compute, SLICES)
    end, worst = done[-1].ends, SLICES * (copy + compute)
    fig, ax = figure(9.0, 1.5 + 0.42 * (stages + 1))
    for place in range(stages):
        ax.add_patch(Rectangle((0, place + 0.1), end, 0.8, facecolor=PALE))
    ax.add_patch(Rectangle((0, stages + 0.25), end, 0.6, facecolor=PALE))
    for number, each in enumerate(done):
        place = number % stages
        for begin, until, colour in (
            (each.issued, each.there, ORANGE),
            (each.begins, each.ends, BLUE),
        ):
            ax.add_patch(
                Rectangle((begin + 0.03, place + 0.1), until - begin - 0.06, 0.8, facecolor=colour)
            )
            ax.text(
                (begin + until) / 2,
                place + 0.52,
                str(number),
                ha="center",
                va="center",
                color=ink(colour),
                fontsize=8,
            )
        ax.add_patch(
            Rectangle((each.begins + 0.03, stages + 0.25), compute - 0.06, 0.6, facecolor=GREEN)
        )
    share = SLICES * compute / end
    ax.set_yticks(
        [*(place + 0.5 for place in range(stages)), stages + 0.55],
        [*(f"stage {place}" for place in range(stages)), "arithmetic"],
        color="black",
    )
    ax.tick_params(axis="y", length=0)
    ax.spines[:].set_visible(False)
    ax.set(
        xlim=(0, worst),
        ylim=(stages + 1, 0),
        xlabel="time; orange: a slice is on its way, blue: it is computed with",
    )
    ax.set_title(
        f"{stages} stage{'s' * (stages > 1)}, copy {copy}, arithmetic {compute}: "
        f"{SLICES} slices take {end}, the arithmetic works {share:.0%} of it"
    )
    return Picture(
        fig,
        f"{SLICES} slices through {stages} stage{'s' * (stages > 1)}, a copy takes "
        f"{copy} and its arithmetic {compute}: {end} in all, and the arithmetic "
        f"works {share:.0%} of that.",
    )
