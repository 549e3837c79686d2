"""Lab 17, exercise 3: tiles that overlap."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from .steps import EDGES, EVEN, INSIDE, PROBLEM, TALL, TOY, WIDE, arrays, padded, tiles


def input_tiles(x, m, problem):
    return tiles(padded(x, problem, m), problem, m)


def _every(step):
    """Cut tiles that begin `step(m, r)` pixels apart, with zeros enough behind, or m of them."""

    def cut(x, m, problem, enough=True):
        more = 99 if enough else m
        image = np.pad(x, ((0, 0), *((p, p + more) for p in problem.padding), (0, 0)))
        return tiles(image, problem, m, step(m, problem.k_h))

    return cut


def _whole_tiles(x, m, problem):
    p = problem
    return tiles(padded(x, p, m), p, m, counts=(p.o_h // m, p.o_w // m))


def _from_the_image(x, m, problem):
    counts = -(-problem.i_h // m), -(-problem.i_w // m)
    image = np.pad(padded(x, problem, m), ((0, 0), (0, 99), (0, 99), (0, 0)))
    return tiles(image, problem, m, counts=counts)


def _inside_out(x, m, problem):
    return np.ascontiguousarray(input_tiles(x, m, problem).swapaxes(3, 4))


def _batch_behind(x, m, problem):
    return np.ascontiguousarray(input_tiles(x, m, problem).transpose(1, 2, 0, 3, 4, 5))


def _in_float64(x, m, problem):
    return input_tiles(x, m, problem).astype(np.float64)


def _rows_for_columns(x, m, problem):
    return np.ascontiguousarray(input_tiles(x, m, problem).swapaxes(1, 2))


def _paddings_exchanged(x, m, problem):
    return tiles(padded(x, problem, m, problem.padding[::-1]), problem, m)


def _hanging_unwritten(x, m, problem):
    """Leave NaN where a tile reads beyond the padded image."""
    p = problem
    image = padded(x, p, m)
    image[:, p.padded_h :], image[:, :, p.padded_w :] = np.nan, np.nan
    return tiles(image, p, m)


def _padding_alone(x, m, problem):
    p = problem
    return tiles(np.pad(x, ((0, 0), *((each, each) for each in p.padding), (0, 0))), p, m)


def _windows_last(x, m, problem):
    return np.ascontiguousarray(np.moveaxis(input_tiles(x, m, problem), -1, 3))


def _centred(x, m, problem):
    p = problem
    more = [(-o % m) // 2 for o in (p.o_h, p.o_w)]
    return tiles(padded(x, p, m, tuple(a + b for a, b in zip(p.padding, more))), p, m)


def _pushed_back(x, m, problem):
    p, right = problem, input_tiles(x, m, problem)
    a, image = m + p.k_h - 1, padded(x, p, m)
    for row, col in np.ndindex(right.shape[1:3]):
        top, left = min(m * row, p.padded_h - a), min(m * col, p.padded_w - a)
        right[:, row, col] = image[:, max(top, 0) :, max(left, 0) :][:, :a, :a]
    return right


def _no_zeros_behind(x, m, problem, mode="edge"):
    """Pad with zeros, and fill what hangs over with the last pixels."""
    p = problem
    image = np.pad(x, ((0, 0), *((each, each) for each in p.padding), (0, 0)))
    more = [
        max(m * -(-o // m) + k - 1 - size, 0)
        for o, k, size in zip((p.o_h, p.o_w), (p.k_h, p.k_w), image.shape[1:3])
    ]
    return tiles(np.pad(image, ((0, 0), *((0, each) for each in more), (0, 0)), mode=mode), p, m)


EXERCISE = Exercise(
    name="input_tiles",
    lab=17,
    reference=input_tiles,
    calls_allowed=PROBLEM,
    task="Cut a padded image into tiles that overlap.",
    cases=lambda rng: [
        (arrays(rng, p)[0], m, p)
        for p, m in ((TOY, 2), (EVEN, 4), (EDGES, 4), (WIDE, 2), (WIDE, 6), (INSIDE, 4), (TALL, 4))
    ],
    misconceptions=[
        Misconception(
            "tiles side by side",
            _every(lambda m, r: m + r - 1),
            choices={"enough": (False,)},
            symptom="The first tile is right. The others begin too far to the right, or too low.",
            concept="A tile makes `m` outputs a side, so the next one begins `m` pixels on. It "
            "reads `r - 1` pixels more than that: tiles overlap.",
            line="Tile `(row, col)` begins at `m * row`, `m * col` of the padded image.",
        ),
        Misconception(
            "the next begins at the last",
            _every(lambda m, r: m + r - 2),
            choices={"enough": (False,)},
            symptom="The first tile is right. Each next one begins at the last row, or column, "
            "of the one before.",
            concept="Tiles overlap by `r - 1` pixels, for a filter of three taps by two.",
            line="The step is `a - (r - 1)`, which is `m`.",
        ),
        Misconception(
            "a step of r - 1",
            _every(lambda m, r: r - 1),
            symptom="Right where m is `r - 1`: tiles of 2 outputs for three taps, of 4 for five.",
            concept="With m = 2 and three taps, `m` and `r - 1` are both 2. It is the outputs that "
            "say how far apart tiles are, not the filter.",
            line="Tiles begin `m` pixels apart: at `m * row`, `m * col`.",
        ),
        Misconception(
            "edge tiles left out",
            _whole_tiles,
            symptom="Right where m divides the output. Elsewhere last tiles can be missing.",
            concept="Tiles that fit whole do not cover all outputs. What is left over needs one "
            "more, which hangs over the edge.",
            line="`rows = -(-problem.o_h // m)`, rounded up, and `cols` so with `o_w`; with zeros "
            "enough behind the image.",
        ),
        Misconception(
            "padding left out",
            lambda x, m, problem: tiles(padded(x, problem, m, (0, 0)), problem, m),
            symptom="Layers without padding are right.",
            concept="The first output of a padded layer reads `p_h` rows and `p_w` columns of "
            "zeros.",
            line="Pad by `problem.p_h` and `problem.p_w` in front, and by enough behind.",
        ),
        Misconception(
            "edges repeated",
            lambda x, m, problem: tiles(padded(x, problem, m, mode="edge"), problem, m),
            symptom="Tiles in the middle are right; those at the edges hold no zeros.",
            concept="Padding here is with zeros, and so is what a tile reads beyond the image.",
            line="Zeros for all that lies outside the image: `np.pad` without a `mode` puts them.",
        ),
        Misconception(
            "as many as the image has",
            _from_the_image,
            symptom="Right where the output is as large as the image. Elsewhere there may be too "
            "many tiles, or too few.",
            concept="Tiles are tiles of *outputs*: `o_h` of them a column, not `i_h`.",
            line="`rows = -(-problem.o_h // m)`, `cols = -(-problem.o_w // m)`.",
        ),
        Misconception(
            "rows and columns exchanged",
            _inside_out,
            symptom="Each tile lies on its side.",
            concept="Within a tile the axes are (row, column), as in the image.",
            line="Pixel `(i, j)` of tile `(row, col)` is `padded[:, m * row + i, m * col + j]`.",
        ),
        Misconception(
            "batch behind the tiles",
            _batch_behind,
            symptom="Your array is `[rows, cols, i_n, ...]`.",
            concept="The image comes first, as everywhere.",
            line="All images in front: `[i_n, rows, cols, a, a, i_c]`.",
        ),
        Misconception(
            "float64",
            _in_float64,
            symptom="Your tiles are float64.",
            concept="`np.zeros` without a dtype makes float64.",
            line="float32, as `x` is: `np.zeros(shape, np.float32)`.",
        ),
        Misconception(
            "rows and columns of tiles exchanged",
            _rows_for_columns,
            symptom="Your tiles are right, in an array of columns by rows.",
            concept="Tile `(row, col)`: rows come first.",
            line="`[i_n, rows, cols, a, a, i_c]`: tile `(row, col)` begins at row `m * row`, "
            "column `m * col`.",
        ),
        Misconception(
            "paddings exchanged",
            _paddings_exchanged,
            symptom="Right where both paddings are equal.",
            concept="`p_h` is rows of zeros, above.",
            line="The second pair of `np.pad` begins with `p_h`, the third with `p_w`.",
        ),
        Misconception(
            "nothing where tiles hang over",
            _hanging_unwritten,
            symptom="There is NaN where tiles read beyond the padded image.",
            concept="`np.empty` holds anything, and NaN spreads through the transform.",
            line="`np.zeros`, or zeros behind the image by `np.pad`.",
        ),
        Misconception(
            "nothing behind the padding",
            _padding_alone,
            symptom="Right where m divides the output; else the last tiles find no pixels to the "
            "right, or below.",
            concept="The last tile ends `m * rows + k_h - 1` rows from the top of the padded "
            "image. Where m does not divide the output, that is beyond it.",
            line="More zeros behind: `(p_h, p_h + m)` rows and `(p_w, p_w + m)` columns.",
        ),
        Misconception(
            "the window's axes behind the channels",
            _windows_last,
            symptom="Your tiles are `[..., i_c, a, a]`: the channel stands before the pixels.",
            concept="`sliding_window_view` puts the axes of the window last, behind all others.",
            line="`np.moveaxis(view, 3, -1)` brings the channel back to the end.",
        ),
        Misconception(
            "what hangs over shared by both ends",
            _centred,
            symptom="Right where m divides the output; else your first tile may begin too early.",
            concept="Tile (0, 0) begins at row 0, column 0 of the padded image. All that is "
            "missing for the last tile is added *behind*.",
            line="`p_h` rows and `p_w` columns in front, whatever m is.",
        ),
        Misconception(
            "last tiles pushed back",
            _pushed_back,
            symptom="Where a tile would hang over, yours begins earlier, and ends with the image.",
            concept="Tile `(row, col)` makes the outputs from `m * row`, `m * col` on. Pushed back "
            "it makes others.",
            line="Each begins at `m * row`, `m * col`; what is missing behind are zeros.",
        ),
        Misconception(
            "the last pixel for what hangs over",
            _no_zeros_behind,
            choices={"mode": ("reflect", "symmetric", "wrap")},
            symptom="Where your last tiles read beyond the padded image, they hold copies of its "
            "pixels.",
            concept="What a tile reads beyond the padded image is zero, whatever the pixels at its "
            "edge are.",
            line="Zeros behind the image too, as `np.pad` puts them without a `mode`.",
        ),
    ],
)
