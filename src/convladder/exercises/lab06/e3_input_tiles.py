"""Lab 06, exercise 3: overlapping tiles of a padded image."""

import numpy as np

from ...core.problem import ConvProblem
from ..exercise import Exercise, Misconception, edit

TOY = ConvProblem(1, 6, 6, 1, 3, 3, 1)
EVEN = ConvProblem(1, 8, 8, 2, 3, 3, 2, padding=1)
EDGES = ConvProblem(2, 7, 10, 3, 3, 3, 4, padding=1)
INSIDE = ConvProblem(1, 8, 9, 2, 3, 3, 1)  # fewer outputs than pixels, and tiles that hang over
TALL = ConvProblem(1, 9, 8, 2, 5, 5, 2, padding=(2, 0))  # hangs over below, by most of a tile
WIDE = ConvProblem(1, 14, 11, 5, 3, 3, 3, padding=(0, 2))


def input_tiles(x, m, problem):
    p, a = problem, m + problem.k_h - 1
    rows, cols = -(-p.o_h // m), -(-p.o_w // m)
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_h + m), (p.p_w, p.p_w + m), (0, 0)))
    tiles = np.zeros((len(x), rows, cols, a, a, x.shape[3]), np.float32)
    for row in range(rows):
        for col in range(cols):
            tiles[:, row, col] = padded[:, m * row : m * row + a, m * col : m * col + a]
    return tiles


def fits(m, problem):
    """Whether tiles of m × m outputs make sense: square kernels, no stride."""
    return m > 0 and problem.k_h == problem.k_w and problem.stride == (1, 1)


PAD = "(p.p_h, p.p_h + m), (p.p_w, p.p_w + m)"
TILE = "padded[:, m * row : m * row + a, m * col : m * col + a]"

EXERCISE = Exercise(
    name="input_tiles",
    lab=6,
    task="Cut a padded image into tiles that overlap.",
    solution=input_tiles,
    cases=lambda rng: [
        *((2, TOY), (4, EVEN), (4, EDGES), (2, WIDE), (6, WIDE), (4, INSIDE), (4, TALL))
    ],
    inputs=lambda fill, m, problem: (fill(*problem.input_shape), m, problem),
    valid=fits,
    allowed=("convladder.core.problem",),
    mend="Tile `(row, col)` is `padded[:, m * row : m * row + a, m * col : m * col + a]`, with "
    "`-(-o_h // m)` rows of tiles and enough zeros after the image",
    misconceptions=[
        Misconception(
            "tiles that do not overlap",
            edit(
                PAD,
                "(p.p_h, p.p_h + a * rows), (p.p_w, p.p_w + a * cols)",
                TILE,
                "padded[:, a * row : a * row + a, a * col : a * col + a]",
            ),
            "The first tile is right. Others begin too far to the right, or too low.",
            "A tile of `a` pixels gives `m` outputs, so the next one begins `m` pixels later.",
        ),
        Misconception(
            "a step of r - 1",
            edit(
                PAD,
                "(p.p_h, p.p_h + a * rows), (p.p_w, p.p_w + a * cols)",
                TILE,
                "padded[:, (a - m) * row : (a - m) * row + a, (a - m) * col : (a - m) * col + a]",
            ),
            "Right where `m` equals `r - 1`.",
            "`r - 1` pixels are the overlap of two tiles. The step is `a - (r - 1)`, which is `m`.",
        ),
        Misconception(
            "the last tiles left out",
            edit("-(-p.o_h // m), -(-p.o_w // m)", "p.o_h // m, p.o_w // m"),
            "Right where `m` divides the output. Elsewhere the last tiles are missing.",
            "The last tile may hang over the edge. Its extra outputs are cut off later.",
        ),
        Misconception(
            "padding left out",
            edit(PAD, "(0, 2 * p.p_h + m), (0, 2 * p.p_w + m)"),
            "Layers without padding are right.",
            "Tile (0, 0) begins in the zeros above and left of the image.",
            mend="`padded = np.pad(x, ((0, 0), (p_h, p_h + m), (p_w, p_w + m), (0, 0)))`",
        ),
        Misconception(
            "tiles counted on the image",
            edit(
                "-(-p.o_h // m), -(-p.o_w // m)",
                "-(-p.i_h // m), -(-p.i_w // m)",
                PAD,
                "(p.p_h, p.p_h + 2 * a), (p.p_w, p.p_w + 2 * a)",
            ),
            "Right where the output is as large as the image.",
            "Tiles are there for outputs, `o_h` by `o_w`.",
        ),
    ],
)
