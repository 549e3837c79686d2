"""What compilers made of one network: a box for each node that is left, a row for each compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.patches import Rectangle

from .ink import ink
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure

KINDS = {"Conv": BLUE, "Gemm": GREEN, "FusedGemm": GREEN, "MaxPool": SKY, "GlobalAveragePool": SKY}
MARKED = ("ReorderInput", "ReorderOutput")  # nothing but a change of layout
SHORT = {
    "GlobalAveragePool": "Avg\nPool",
    "MaxPool": "Max\nPool",
    "FusedGemm": "Gemm",
    "BatchNormalization": "Batch\nNorm",
    "ReorderOutput": "Reorder",
    "ReorderInput": "Reorder",
    "Transpose": "Trans-\npose",
}
WIDTH, HEIGHT = 0.94, 0.6  # of a box, where the next one is 1 to the right and the next row 1 below


def nodes_picture(rows: Mapping[str, Sequence[str]]) -> Picture:
    """Draw the operators of each row in their order: `{"lenet, ours": ["Conv", ...]}`."""
    longest = max(map(len, rows.values()))
    fig, ax = figure(7.1, 0.1 + 0.62 * len(rows))
    for y, (label, ops) in enumerate(rows.items()):
        ax.text(0, y - 0.05, f"{label}: {len(ops)}", va="bottom", fontsize=9.5)
        for x, op in enumerate(ops):
            colour = ORANGE if op in MARKED else KINDS.get(op, PALE)
            ax.add_patch(Rectangle((x, y), WIDTH, HEIGHT, facecolor=colour))
            ax.text(
                x + WIDTH / 2,
                y + HEIGHT / 2,
                SHORT.get(op, op),
                ha="center",
                va="center",
                fontsize=7.8,
                linespacing=1,
                color=GREY if colour == PALE else ink(colour),
            )
    ax.set(xlim=(0, longest), ylim=(len(rows) - 1 + HEIGHT, -0.4))
    ax.set_axis_off()
    said = "; ".join(f"{label}, {len(ops)} nodes" for label, ops in rows.items())
    return Picture(fig, f"The nodes that are left of each network: {said}.", colours=128)
