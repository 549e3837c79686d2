"""Lab 06, exercise 4: transform tiles, and multiply them by U."""

import numpy as np

from ..exercise import Exercise, Misconception, edit
from .e2_point_matrices import USUAL, point_matrices


def tile_products(tiles, U, BT):
    V = np.einsum("iu,tuvc,jv->tijc", BT, tiles, BT, optimize=True)
    M = np.empty((*V.shape[:3], U.shape[3]), np.float32)
    for i, j in np.ndindex(*U.shape[:2]):
        M[:, i, j] = V[:, i, j] @ U[i, j]
    return M


def operands(fill, count, m, i_c, k_c):
    a = m + 2
    BT = point_matrices(m, 3, USUAL[m])[2].astype(np.float32)
    return fill(count, a, a, i_c), -fill(a, a, i_c, k_c)[::-1].copy(), BT


TRANSFORM = '"iu,tuvc,jv->tijc", BT, tiles, BT'
PRODUCT = "V[:, i, j] @ U[i, j]"

EXERCISE = Exercise(
    name="tile_products",
    lab=6,
    task="Transform tiles, multiply them by U place by place, add up over the input channels.",
    solution=tile_products,
    cases=lambda rng: [(1, 2, 1, 1), (3, 2, 2, 3), (2, 4, 3, 2), (5, 4, 4, 4)],
    inputs=operands,
    valid=lambda count, m, i_c, k_c: m in USUAL,
    mend='`V = np.einsum("iu,tuvc,jv->tijc", BT, tiles, BT)`, then `M[:, i, j] = V[:, i, j] @ '
    "U[i, j]`",
    misconceptions=[
        Misconception(
            "Bᵀ transposed",
            edit('"iu,tuvc,jv->tijc"', '"ui,tuvc,vj->tijc"'),
            "Your transform uses the columns of `BT` where it should use the rows.",
            "`V` is `Bᵀ d B`, which is `BT @ d @ BT.T` for each channel.",
        ),
        Misconception(
            "one direction only",
            [
                edit(TRANSFORM, '"iu,tujc->tijc", BT, tiles'),
                edit(TRANSFORM, '"jv,tivc->tijc", BT, tiles'),
            ],
            "Each tile is transformed along one of its sides only.",
            "A tile is transformed in both directions: `BT` from the left, `BT.T` from the right.",
        ),
        Misconception(
            "no transform",
            edit(f"np.einsum({TRANSFORM}, optimize=True)", "tiles"),
            "The pixels themselves are multiplied by U.",
            "The element-wise products hold only for transformed tiles and filters.",
        ),
        Misconception(
            "transposed tiles",
            edit("->tijc", "->tjic"),
            "Rows and columns of the tiles are exchanged when they meet U.",
            "Place `(i, j)` of a tile meets place `(i, j)` of U.",
        ),
        Misconception(
            "U transformed as well",
            edit("    M = np", '    U = np.einsum("iu,uvck,jv->ijck", BT, U, BT)\n    M = np'),
            "U is transformed again, as if it were a tile.",
            "U is the transformed filter already, made with `G`.",
        ),
        Misconception(
            "a matrix product of tiles",
            edit(
                "    for i, j in np.ndindex(*U.shape[:2]):\n        M[:, i, j] = " + PRODUCT,
                '    M[...] = np.einsum("tilc,ljck->tijk", V, U)',
            ),
            "Tile and filter are multiplied as matrices.",
            "Each place is a product of its own: the only sum is over the channels.",
        ),
    ],
)
