"""Lab 06, exercise 5: a whole convolution in tiles."""

from fractions import Fraction

import numpy as np

from ...core.reference import ErrorModel, compare, conv2d_float64
from ...core.winograd_transforms import growth
from ..exercise import Exercise, Misconception, edit, random_fill
from .e2_point_matrices import BETTER, USUAL, point_matrices
from .e3_input_tiles import EDGES, EVEN, INSIDE, TALL, TOY, WIDE, fits, input_tiles
from .e4_tile_products import tile_products

HALF = 2.0**-11  # the relative rounding of float16


def winograd_conv(x, w, problem, m, points):
    AT, G, BT = point_matrices(m, problem.k_h, points)
    U = np.einsum("iu,uvck,jv->ijck", G, w, G, optimize=True).astype(np.float32)
    tiles = input_tiles(x, m, problem)
    n, rows, cols, a, _, i_c = tiles.shape
    M = tile_products(tiles.reshape(-1, a, a, i_c), U, BT.astype(np.float32))
    AT = AT.astype(np.float32)
    Y = np.einsum("pi,tijk,qj->tpqk", AT, M, AT, optimize=True)
    Y = Y.reshape(n, rows, cols, m, m, -1).transpose(0, 1, 3, 2, 4, 5)
    whole = Y.reshape(n, rows * m, cols * m, -1)
    return np.ascontiguousarray(whole[:, : problem.o_h, : problem.o_w])


def accept(x, w, problem, m, points, got):
    """Accept what float32's rounding in tiles explains.

    The error is relative to what a tile's outputs add up, since they share their errors.
    """
    shape = list(problem.output_shape)
    if not isinstance(got, np.ndarray) or list(got.shape) != shape or got.dtype != np.float32:
        what = f"{got.dtype} {list(got.shape)}" if isinstance(got, np.ndarray) else type(got)
        return f"The result is {what}; it should be float32 {shape}."
    if not np.isfinite(got).all():
        return "The result holds NaN or infinity: some of it was never written."
    model = ErrorModel((m, m), growth(m, problem.k_h, tuple(map(Fraction, points))))
    found = compare(got, x, w, problem, model)
    if found.ok:
        return None
    off = np.abs(got - conv2d_float64(x, w, problem))
    place = ", ".join(map(str, np.argwhere(off > off.max() / 2)[0]))
    coarse = " It is as large as float16's rounding." if found.error < HALF else ""
    return (
        f"The result is off by more than float32's rounding with these points explains, for "
        f"instance at [n, h, w, c] = [{place}]: {found.error:.1e} where {found.limit:.1e} is "
        f"possible.{coarse}"
    )


def spreads_within_tiles(answer):
    """Judge whether NaN in one pixel reaches its whole tile, as it does in the transforms."""
    x, w, *others = operands(random_fill(), EVEN, 4, USUAL[4])
    x[0, 1, 1] = np.nan  # in the windows of outputs 0 to 2, and in the tile of outputs 0 to 3
    if np.isnan(answer(x, w, *others)[0, 3, 3]).all():
        return None
    return (
        "computes each output from its own window. In Winograd's convolution the outputs of a tile "
        "share their products, so NaN in one pixel reaches all of them."
    )


def operands(fill, problem, m, points):
    return fill(*problem.input_shape), -fill(*problem.kernel_shape), problem, m, points


def makes_sense(problem, m, points):
    """Whether the points are those of F(m, k_h)."""
    return fits(m, problem) and len(set(points)) == len(points) == m + problem.k_h - 2 > 0


ORDER = ".transpose(0, 1, 3, 2, 4, 5)"
CUT = "whole[:, : problem.o_h, : problem.o_w]"

EXERCISE = Exercise(
    name="winograd_conv",
    lab=6,
    task="A convolution in tiles of m outputs per side, any size, with padding.",
    solution=winograd_conv,
    accept=accept,
    usage=spreads_within_tiles,
    cases=lambda rng: [
        (TOY, 2, USUAL[2]),
        (EVEN, 4, USUAL[4]),
        (EDGES, 2, USUAL[2]),
        (EDGES, 4, BETTER),
        (WIDE, 4, USUAL[4]),
        (INSIDE, 4, USUAL[4]),
        (TALL, 2, USUAL[4]),
    ],
    inputs=operands,
    valid=makes_sense,
    allowed=("convladder.core.problem",),
    mend="`Y.reshape(n, rows, cols, m, m, -1).transpose(0, 1, 3, 2, 4, 5)`, then "
    "`reshape(n, rows * m, cols * m, -1)[:, :o_h, :o_w]`",
    misconceptions=[
        Misconception(
            "a direct convolution",
            lambda x, w, problem, m, points: conv2d_float64(x, w, problem).astype(np.float32),
            "The values are right, but there are no transformed tiles.",
            "Winograd's convolution multiplies transformed tiles by transformed filters, so it "
            "needs fewer multiplications.",
        ),
        Misconception(
            "no cut at the edges",
            edit(CUT, "whole"),
            "Right where `m` divides the output. Elsewhere your result is too large.",
            "Tiles at the edge compute outputs that nobody asked for.",
        ),
        Misconception(
            "consecutive tiles",
            edit(ORDER, ""),
            "Your values are right, but the outputs of a tile lie one after the other.",
            "A row of the output passes through all tiles of a row: `row, p` before `col, q`.",
        ),
        Misconception(
            "transposed tiles of outputs",
            [edit(ORDER, ".transpose(0, 1, 4, 2, 3, 5)"), edit("->tpqk", "->tqpk")],
            "Within each tile of outputs rows and columns are exchanged.",
            "`AT` acts on the rows from the left and on the columns from the right.",
        ),
        Misconception(
            "a flipped kernel",
            edit(
                'np.einsum("iu,uvck,jv->ijck", G, w, G',
                'np.einsum("iu,uvck,jv->ijck", G, w[::-1, ::-1], G',
            ),
            "Your values are those of a kernel turned by 180°.",
            "The matrices compute a correlation, as the course's convolution is.",
            mend='`U = np.einsum("iu,uvck,jv->ijck", G, w, G)`',
        ),
        Misconception(
            "filters in half precision",
            edit(
                "optimize=True).astype(np.float32)",
                "optimize=True).astype(np.float16).astype(np.float32)",
            ),
            "The errors are as large as float16's rounding.",
            "The transforms amplify rounding, so float16 filters lose more than three digits.",
            mend='`U = np.einsum("iu,uvck,jv->ijck", G, w, G).astype(np.float32)`',
        ),
    ],
)
