"""What a swizzle does: the pieces of a tile's rows over groups of banks, and a column of them."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from .ink import ink
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

ROWS, GROUPS = 8, 8  # rows that ldmatrix reads at once; groups of four banks, 16 bytes each


def swizzle_picture(column: int = 0, chunks: int = 8) -> Picture:
    """Draw eight rows of a tile in shared memory, of `chunks` 16-byte chunks each.

    Across: the banks, by fours. In each cell row and chunk; orange: chunk `column` of every row,
    which one load asks for. Left as the rows come, right swizzled as `half_slices.cuh` has them. A
    column beyond the last chunk means the last.
    """
    column = min(column, chunks - 1)
    row, chunk = np.indices((ROWS, chunks))
    plain, swizzled = chunk, chunk ^ row * chunks // GROUPS % chunks
    fig, axes = figure(8.4, 1.5 + 0.32 * ROWS * chunks // GROUPS, ncols=2)
    turns = []
    for ax, places, title in zip(axes, (plain, swizzled), ("as they come", "swizzled")):
        groups = (row * chunks + places) % GROUPS
        turns.append(int(np.bincount(groups[:, column], minlength=GROUPS).max()))
        _draw(ax, (row * chunks + places) // GROUPS, groups, column)
        ax.set_title(f"{title}: {turns[-1]} turn{'s' * (turns[-1] > 1)}")
    return Picture(
        fig,
        f"Eight rows of {chunks} chunks over eight groups of banks, chunk {column} "
        f"of each: as they come the load takes {turns[0]} turns, swizzled "
        f"{turns[1]}.",
        colours=64,
    )


def _draw(ax: Axes, lines: np.ndarray, groups: np.ndarray, column: int) -> None:
    for (row, chunk), line in np.ndenumerate(lines):
        x, mine = groups[row, chunk], chunk == column
        ax.add_patch(
            Rectangle((x, line), 1, 1, facecolor=ORANGE if mine else PALE, edgecolor="white")
        )
        ax.text(
            x + 0.5,
            line + 0.5,
            f"{row}·{chunk}",
            ha="center",
            va="center",
            fontsize=8,
            color=ink(ORANGE) if mine else GREY,
            weight="bold" if mine else "normal",
        )
    ax.set(xlim=(-0.05, GROUPS + 0.05), ylim=(lines.max() + 1.05, -0.05))
    ax.set_xticks(
        [group + 0.5 for group in range(GROUPS)],
        [f"{4 * group}–{4 * group + 3}" for group in range(GROUPS)],
        fontsize=8,
    )
    ax.set_yticks([])
    ax.set_xlabel("banks; in each cell row · chunk", color=BLUE, fontsize=8.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
