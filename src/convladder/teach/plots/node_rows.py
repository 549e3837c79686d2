"""What compilers made of one network: a box for each node that is left, a row for each compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.patches import Rectangle

from .ink import ink
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure

KINDS = {"Conv": BLUE, "Gemm": GREEN, "FusedGemm": GREEN, "MaxPool": SKY, "GlobalAveragePool": SKY}
MARKED = ("ReorderInput", "ReorderOutput")  # nothing but a change of layout
SHORT = {"GlobalAveragePool": "AvgPool", "FusedGemm": "Gemm", "BatchNormalization": "BatchNorm",
         "ReorderOutput": "Reorder", "ReorderInput": "Reorder"}
WIDTH, STEP = 0.94, 1.0


def nodes_picture(rows: Mapping[str, Sequence[str]]) -> Picture:
    """Draw the operators of each row in their order: `{"lenet, ours": ["Conv", ...]}`."""
    longest = max(map(len, rows.values()))
    fig, ax = figure(9.2, 0.35 + 0.42 * len(rows))
    for y, (label, ops) in enumerate(rows.items()):
        ax.text(-0.15, y + 0.4, f"{label}: {len(ops)}", ha="right", va="center", fontsize=8.5)
        for x, op in enumerate(ops):
            colour = ORANGE if op in MARKED else KINDS.get(op, PALE)
            ax.add_patch(Rectangle((x * STEP, y), WIDTH, 0.8, facecolor=colour))
            ax.text(x * STEP + WIDTH / 2, y + 0.4, SHORT.get(op, op), ha="center", va="center",
                    fontsize=6.2, color=GREY if colour == PALE else ink(colour))
    ax.set(xlim=(-4.2, longest * STEP), ylim=(len(rows), -0.1))
    ax.set_axis_off()
    said = "; ".join(f"{label}, {len(ops)} nodes" for label, ops in rows.items())
    return Picture(fig, f"The nodes that are left of each network: {said}.",
                   colours=128)
