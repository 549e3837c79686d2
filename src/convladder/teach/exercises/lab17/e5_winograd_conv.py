"""Lab 17, exercise 5: the whole convolution, judged as a method that computes in tiles is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ....reference import ErrorModel, compare, conv2d_float64
from ....winograd import growth
from ...grading import stages
from ...grading.compare import difference
from ...grading.exercise import Exercise, Misconception
from . import winograd_conv_wrong as wrong
from .steps import BETTER, EDGES, EVEN, INSIDE, PROBLEM, TALL, TOY, USUAL, WIDE, arrays


HALF = 2.0**-11  # what float16 rounds by, of 1
_COARSE = " Errors as small come of float16, for instance, or of matrices with few digits."


def winograd_conv(x, w, problem, m, points):
    return wrong.made_of()(x, w, problem, m, points)


def accept(x, w, problem, m, points, got):
    """Return None for what rounding in tiles explains, else what is wrong.

    Relative to what the tile's outputs add up, since they share their errors.
    """
    wrong = difference(np.zeros(problem.output_shape, np.float32), got)
    if wrong and (wrong[0] == stages.WRONG_SHAPE or not np.isfinite(got).all()):
        return wrong[:2]
    model = ErrorModel((m, m), growth(m, problem.k_h, tuple(map(Fraction, points))))
    found = compare(got, x, w, problem, model)
    if found.ok:
        return None
    off = np.abs(got - conv2d_float64(x, w, problem))
    place = ", ".join(map(str, np.argwhere(off > off.max() / 2)[0]))  # whichever is the largest
    return stages.WRONG_VALUES, (
        "returned values that float32's rounding with these points does not explain, even tile by "
        f"tile: with an error of {found.error:.1e}, above {found.limit:.1e}, for instance at "
        f"[n,h,w,c]=({place}).{_COARSE * (found.error < HALF)}"
    )


EXERCISE = Exercise(
    name="winograd_conv",
    lab=17,
    reference=winograd_conv,
    accept=accept,
    calls_allowed=PROBLEM,
    task="A convolution in tiles of m outputs a side, any size, with padding.",
    cases=lambda rng: [
        (*arrays(rng, p), p, m, points)
        for p, m, points in (
            (TOY, 2, USUAL[2]),
            (EVEN, 4, USUAL[4]),
            (EDGES, 2, USUAL[2]),
            (EDGES, 4, BETTER),
            (WIDE, 4, USUAL[4]),
            (INSIDE, 4, USUAL[4]),
            (TALL, 2, USUAL[4]),
        )
    ],
    misconceptions=[
        Misconception(
            "edge tiles not cut off",
            wrong.made_of(wrong.no_crop),
            symptom="Right where m divides the output. Elsewhere your result is too large.",
            concept="Tiles at the edge make outputs that nobody asked for.",
            line="`y[:, :problem.o_h, :problem.o_w]` in the end.",
        ),
        Misconception(
            "cut off in front",
            wrong.made_of(wrong.cropped_in_front),
            symptom="Right where m divides the output. Elsewhere everything is shifted.",
            concept="The first tile begins at the first output. What hangs over is behind.",
            line="Keep the first `o_h` rows and `o_w` columns, not the last.",
        ),
        Misconception(
            "edge tiles left empty",
            lambda *given, left=0.0: wrong.made_of(lambda Y, p: wrong.edge_tiles_empty(Y, p, left))(
                *given
            ),
            choices={"left": (np.nan,)},
            symptom="Right but for the last rows or columns, where m does not divide the output: "
            "nothing is written there.",
            concept="A tile that hangs over has outputs inside as well.",
            line="Let `y` be as large as all tiles, write each whole, cut off afterwards.",
        ),
        Misconception(
            "edge tiles missing",
            wrong.made_of(wrong.whole_tiles_only),
            symptom="Right where m divides the output. Elsewhere the last rows or columns are "
            "missing.",
            concept="What is left over at the edge needs a tile as well, of which a part is cut "
            "off.",
            line="`-(-problem.o_h // m)` tiles down, which rounds up, and so across; cut off at "
            "`problem.o_h` and `problem.o_w`.",
        ),
        Misconception(
            "tile after tile",
            wrong.made_of(wrong.tile_after_tile),
            symptom="Your values are in the wrong places: those of a tile lie one behind the "
            "other.",
            concept="An output row runs through all tiles of a row. In `Y[n, rows, cols, m, m, k]` "
            "the row within the tile must come before the column of tiles.",
            line="`Y.reshape(n, rows, cols, m, m, -1).transpose(0, 1, 3, 2, 4, 5)`, and then the "
            "`reshape` to `[n, rows * m, cols * m, k]`.",
        ),
        Misconception(
            "tiles on their side",
            wrong.made_of(back="pi,nhwijk,qj->nhwqpk"),
            symptom="Within each tile of outputs rows and columns are exchanged.",
            concept="Row `p`, column `q` of tile `(row, col)` is row `m * row + p`, column "
            "`m * col + q` of the output.",
            line="There are two places to look at: the axes of `Y`, in the order 0, 1, 3, 2, 4, 5 "
            "before the `reshape`; and `AT @ M @ AT.T`, which keeps rows as rows.",
        ),
        Misconception(
            "kernel flipped",
            wrong.made_of(kernel=lambda w: w[::-1, ::-1]),
            symptom="Your values are those of a kernel turned by half a circle.",
            concept="The matrices compute what deep learning calls convolution: the kernel is not "
            "turned round.",
            line="`G @ g @ G.T`, with `g` as it stands in `w` and `G` from `point_matrices`.",
        ),
        Misconception(
            "kernel on its side",
            wrong.made_of(kernel=lambda w: w.transpose(1, 0, 2, 3)),
            symptom="Your values are those of a kernel whose rows are its columns.",
            concept="Rows of the kernel go with rows of the image, and places of U with the same "
            "places of V.",
            line="`G @ g @ G.T` with `g = w[:, :, c, k]`, rows first. And place `(i, j)` of it "
            "meets place `(i, j)` of `BT @ d @ BT.T`.",
        ),
        Misconception(
            "other points for G",
            wrong.made_of(other=lambda m: [0.0, 0.5, -0.5, 3.0, -3.0][: m + 1]),
            symptom="All is wrong, and not by any one factor.",
            concept="A, G and B belong together. Values at some points cannot be multiplied by "
            "values at others.",
            line="All three from one call of `point_matrices(m, r, points)`.",
        ),
        Misconception(
            "infinity left out",
            wrong.made_of(last=wrong.without_infinity),
            symptom="The last row and the last column of each tile are wrong.",
            concept="The product at infinity belongs to the last output of each direction. Zeros "
            "for it, in `AT`, in `G` or in `BT`, lose it.",
            line="`AT[-1, -1]` and `G[-1, -1]` are 1, and the last row of `BT` is "
            "`np.poly(points)[::-1]`.",
        ),
        Misconception(
            "float64",
            lambda x, w, problem, m, points: winograd_conv(x, w, problem, m, points).astype(float),
            symptom="Your result is float64.",
            concept="The filters are transformed in float64, and then rounded once.",
            line="`.astype(np.float32)` for `U`, and for `BT` and `AT` before tiles meet them.",
        ),
        Misconception(
            "rows and columns of tiles exchanged",
            wrong.made_of(wrong.columns_for_rows),
            symptom="Right where the output is symmetric; else it lies on its side.",
            concept="Tiles are `[rows, cols]`, and so is the image that they make.",
            line="`transpose(0, 1, 3, 2, 4, 5)`: rows, row of the tile, columns, column of "
            "the tile.",
        ),
        Misconception(
            "filters backwards",
            wrong.made_of(wrong.filters_backwards),
            symptom="Every value is there, the last filter first.",
            concept="The last axis of `w` and of `y` is the same `k_c`.",
            line="Leave the last axis as it is.",
        ),
        Misconception(
            "halved",
            wrong.made_of(wrong.halved),
            symptom="All your values are half of what they should be.",
            concept="What has to be halved is halved in `G`.",
            line="`G` as it is, and nothing divided before or after the products.",
        ),
        Misconception(
            "padding left out",
            lambda x, w, problem, m, points: winograd_conv(
                x, w, type(problem)(*x.shape, *w.shape[:2], w.shape[3]), m, points
            ),
            symptom="Layers without padding are right, the others' results are too small.",
            concept="Tiles are cut from the padded image, and cover `problem.o_h` by "
            "`problem.o_w` outputs.",
            line="`input_tiles(x, m, problem)`, with this problem.",
        ),
        Misconception(
            "padding behind only",
            wrong.from_the_corner,
            symptom="Layers without padding are right. In the others your tiles begin at the "
            "image's corner, with no zeros in front.",
            concept="The first tile begins at row 0 of the *padded* image: `p_h` rows of zeros lie "
            "above the first pixel, and `p_w` columns to its left.",
            line="`np.pad` by `problem.p_h` in front of the rows and `problem.p_w` in front of the "
            "columns; behind by these and by enough for the last tile.",
        ),
        Misconception(
            "a padding of 1 for all",
            wrong.padding_of_one,
            symptom="Right where the padding is 1 in both directions; elsewhere your tiles begin "
            "in another place, or there are too few of them.",
            concept="A window of three taps often has a border of one pixel, and need not have "
            "it: the layer says how many zeros there are.",
            line="Pad by `problem.p_h` and `problem.p_w`, and count tiles by `problem.o_h` and "
            "`problem.o_w`.",
        ),
        Misconception(
            "filters in half precision",
            wrong.in_half_precision,
            symptom="Your errors are small, and far larger than float32's rounding: of the size of "
            "float16's.",
            concept="float16 keeps 11 bits of a number, and tiles enlarge what it loses. However "
            "small the numbers are, rounding is relative to them.",
            line="No `np.float16`, and no rounding to a few digits, on the way.",
        ),
        Misconception(
            "cut to the image's size",
            wrong.made_of(wrong.as_large_as_the_image),
            symptom="Right where the output is as large as the image. Elsewhere your result is "
            "too large, or too small.",
            concept="What hangs over is what lies beyond the *output*.",
            line="`[:, : problem.o_h, : problem.o_w]`: the output's size, not the image's.",
        ),
        Misconception(
            "batch behind the tiles",
            wrong.made_of(wrong.images_last),
            symptom="With one image all is right; in a batch the tiles of the images are mixed up.",
            concept="Tiles lie image by image: `[i_n, rows, cols, ...]`. Read as `[rows, cols, "
            "i_n, ...]` they go to other places.",
            line="`Y.reshape(i_n, rows, cols, m, m, k_c)`, then the transpose.",
        ),
        Misconception(
            "height and width exchanged in the cut",
            wrong.made_of(wrong.cut_on_its_side),
            symptom="Right for square results; else you cut off rows by the width and columns by "
            "the height.",
            concept="`y` is `[i_n, o_h, o_w, k_c]`: rows come first.",
            line="`[:, : problem.o_h, : problem.o_w]`",
        ),
        Misconception(
            "filters not transformed",
            wrong.filters_as_they_are,
            symptom="Your filters go into the products as they are, with zeros around them.",
            concept="Both factors must be values at the same points: the tile's by B, the "
            "filter's by G.",
            line='`U = np.einsum("ia,abck,jb->ijck", G, w, G).astype(np.float32)`.',
        ),
        Misconception(
            "one channel only",
            lambda x, w, problem, m, points, at=-1: winograd_conv(
                x[..., at:][..., :1],
                w[:, :, at:][:, :, :1],
                type(problem)(*x.shape[:3], 1, *w.shape[:2], w.shape[3], padding=problem.padding),
                m,
                points,
            ),
            choices={"at": (0,)},
            symptom="With one input channel all is right; with more only one of them counts.",
            concept="The products of all input channels are added, before they are transformed "
            "back.",
            line='A sum over the channels in the products: `np.einsum("...ijc,ijck->...ijk", V, '
            "U)`.",
        ),
    ],
)
