"""Lab 01, exercise 2: each window of one channel becomes a column."""

import numpy as np

from ..draws import whole, wholes
from ..exercise import Exercise, Misconception, edit


def window_columns(image, k_h, k_w):
    o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1
    matrix = np.empty((k_h * k_w, o_h * o_w), np.float32)
    for h in range(o_h):
        for v in range(o_w):
            matrix[:, h * o_w + v] = image[h : h + k_h, v : v + k_w].ravel()
    return matrix


def cases(rng):
    drawn = (wholes(rng, 8, 14), whole(rng, 2, 4), whole(rng, 5, 6))
    return [((4, 4), 3, 3), ((3, 4), 2, 2), ((9, 7), 3, 2), ((6, 8), 1, 4), drawn]


RIGHT = "image.shape[0] - k_h + 1, image.shape[1] - k_w + 1"
VIEW = "np.lib.stride_tricks.sliding_window_view(image, (k_h, k_w))"

EXERCISE = Exercise(
    name="window_columns",
    lab=1,
    task="im2col of one channel: each window becomes a column.",
    solution=window_columns,
    cases=cases,
    inputs=lambda fill, image, k_h, k_w: (fill(*image), k_h, k_w),
    valid=lambda image, k_h, k_w: 0 < k_h <= image[0] and 0 < k_w <= image[1],
    mend="`matrix[:, h * o_w + v] = image[h : h + k_h, v : v + k_w].ravel()` for each `h` in "
    "`range(o_h)` and each `v` in `range(o_w)`",
    misconceptions=[
        Misconception(
            "windows in rows",
            edit("return matrix", "return matrix.T.copy()"),
            "Your matrix is the transpose of the right one: each window is a row.",
            "The kernel stands left of the product as a row of `k_h * k_w` weights, so the matrix "
            "needs `k_h * k_w` rows.",
        ),
        Misconception(
            "windows counted down the image",
            edit("h * o_w + v", "v * o_h + h"),
            "Every column is a window, but the columns are in the wrong order.",
            "Column `h * o_w + v` belongs to output pixel `(h, v)`. Then a reshape of the product "
            "gives the output, whose columns move fastest.",
        ),
        Misconception(
            "windows read down their columns",
            edit(".ravel()", ".T.ravel()"),
            "Within each column the values are right, but in the wrong order.",
            "`kernel.ravel()` reads the kernel row by row. A window must be read the same way, or "
            "its pixels meet other pixels' weights.",
        ),
        Misconception(
            "the last windows left out",
            [
                edit(RIGHT, "image.shape[0] - k_h, image.shape[1] - k_w"),
                edit(RIGHT, "image.shape[0] - k_h, image.shape[1] - k_w + 1"),
                edit(RIGHT, "image.shape[0] - k_h + 1, image.shape[1] - k_w"),
            ],
            "Your matrix has too few columns: windows at an edge of the image are missing.",
            "The last window begins at row `i_h - k_h`. Together with row 0 these are "
            "`i_h - k_h + 1` places, and `range` stops before its end.",
            mend="`o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1`",
        ),
        Misconception(
            "a reshape where axes must be exchanged",
            edit("return matrix", f"return {VIEW}.reshape(k_h * k_w, -1).copy()"),
            "The shape is right, but the values of one window are spread over several columns.",
            "A reshape doesn't reorder values. To exchange axes, transpose first.",
        ),
    ],
)
