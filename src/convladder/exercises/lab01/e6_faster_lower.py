"""Lab 01, exercise 6: a lowering in no more memory than it must have."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from .e1_output_shape import output_shape
from .e3_lower_windows import LAYERS, image_and_settings

# The memory is measured on a batch: with one image, some copies of a whole array are free.
LARGE = ConvProblem(2, 66, 80, 5, 5, 6, 1, stride=(2, 1), padding=(2, 1))


def faster_lower(x, k_h, k_w, stride, padding):
    (s_h, s_w), (p_h, p_w) = stride, padding
    i_n, _, _, i_c = x.shape
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))
    matrix = np.empty((i_n, o_h, o_w, k_h, k_w, i_c), np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (k_h, k_w), axis=(1, 2))
    matrix[...] = windows[:, ::s_h, ::s_w].transpose(0, 1, 2, 4, 5, 3)
    return matrix.reshape(i_n * o_h * o_w, k_h * k_w * i_c)


def padded_image(x, k_h, k_w, stride, padding):
    """Bytes of the padded image."""
    i_n, i_h, i_w, i_c = x.shape
    return {"workspace": 4 * i_n * (i_h + 2 * padding[0]) * (i_w + 2 * padding[1]) * i_c}


RETURN = "return matrix.reshape(i_n * o_h * o_w, k_h * k_w * i_c)"
LIST = (
    "parts = [padded[n, s_h * h : s_h * h + k_h, s_w * v : s_w * v + k_w]{} "
    "for n, h, v in np.ndindex(i_n, o_h, o_w)]\n"
    "    return np.{}(parts).reshape(len(parts), -1)"
)

EXERCISE = Exercise(
    name="faster_lower",
    lab=1,
    task="Lower in one copy, with no memory but the result's and the padded image's.",
    solution=faster_lower,
    cases=lambda rng: [*((p,) for p in LAYERS), (layer(rng, 12),), (LARGE,)],
    inputs=image_and_settings,
    budget=padded_image,
    mend="`matrix[:, :, :, a, b] = padded[:, a : a + s_h * o_h : s_h, b : b + s_w * o_w : s_w]"
    "[:, :o_h, :o_w]` for each weight `(a, b)`, in one `np.empty((i_n, o_h, o_w, k_h, k_w, i_c), "
    "np.float32)`",
    misconceptions=[
        Misconception(
            "a list of windows",
            [
                edit(
                    "matrix = np.empty((i_n, o_h, o_w, k_h, k_w, i_c), np.float32)",
                    "pass",
                    "matrix[...] = windows[:, ::s_h, ::s_w].transpose(0, 1, 2, 4, 5, 3)",
                    "pass",
                    RETURN,
                    LIST.format(*how),
                )
                for how in ((".ravel()", "stack"), ("", "stack"), ("", "array"))
            ],
            "The values are right, but you hold hundreds of bytes for each window besides the "
            "result.",
            "Each item of the list is a Python object of more than a hundred bytes, and a copied "
            "window has its values on top. Write each part into its place in the result.",
        ),
        Misconception(
            "a second matrix",
            [
                edit(RETURN, f"{RETURN}.copy()"),
                edit(
                    *("k_w, i_c), np.float32)", "k_w, i_c))"),
                    *(RETURN, f"{RETURN}.astype(np.float32)"),
                ),
            ],
            "The values are right, but besides the result you hold its bytes once or twice more.",
            "One copy is needed, from the overlapping windows into the matrix. `.copy()`, `astype` "
            "and an array of indices each take the bytes of another.",
        ),
        Misconception(
            "a second image",
            [
                edit("np.pad(x,", "np.pad(x.astype(np.float64),"),
                edit("np.pad(x,", "np.pad(x := x.copy(),"),
            ],
            "The values are right, but besides the result you hold twice the bytes of the padded "
            "image.",
            "A padded image in float64 takes as much, and so do two images in float32. `np.pad` "
            "keeps the dtype and needs no copy of `x`.",
            mend="`padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`",
        ),
        Misconception(
            "the channel outermost",
            edit(
                "transpose(0, 1, 2, 4, 5, 3)", "transpose(0, 1, 2, 3, 4, 5).reshape(matrix.shape)"
            ),
            "Each row has the right values, but sorted by channel first.",
            "`sliding_window_view` puts the window's axes last: `[i_n, o_h, o_w, i_c, k_h, k_w]`. "
            "A row needs the channel last, as the weights have it.",
        ),
    ],
)
