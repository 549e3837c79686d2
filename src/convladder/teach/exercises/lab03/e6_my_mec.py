"""Lab 03, exercise 6: a MEC of your own, in half the bytes."""

from __future__ import annotations

import numpy as np

from ....cpu import im2col, mec
from ....cpu.im2col import pad
from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from .layers import PROBLEM, TOY, images_and_kernels

BAND = 8  # output rows that the last exercise's example lowers at a time
BANDS = {"band": (2, 3, 4, 5, 6, 7, 10, 12, 16, 20, 32)}  # that others may take
LEFT_BANDS = {"band": (BAND, *BANDS["band"]), "left": (0.0, np.nan)}
TALL = ConvProblem(1, 23, 7, 2, 4, 3, 3, padding=(1, 0))
TALL_STRIDED = ConvProblem(2, 143, 10, 3, 4, 2, 4, stride=(3, 2), padding=(0, 1))
FEW_FILTERS = ConvProblem(1, 224, 224, 3, 7, 7, 4, padding=1)  # a result much smaller than L
ONE_PHOTO = ConvProblem(1, 224, 224, 3, 7, 7, 16, padding=1)  # half of a batch would be no band


def my_mec(x, w, problem):
    return mec.mec_rows(x, w, problem) if problem.pixels < 1000 else _banded(x, w, problem)


def _banded(x, w, p, shared=True, step=None, band=BAND, cut_at_band=False):
    """Make MEC over bands of `band` output rows, and the ways in which it goes wrong."""
    padded = pad(x, p)
    y = np.zeros(p.output_shape, np.float32)
    step = p.s_h if step is None else step
    for first in range(0, p.o_h, band):
        count = min(band, p.o_h - first)
        top = step * first
        rows = padded[:, top : top + p.s_h * (count - 1) + p.k_h]
        if not shared:
            rows = rows.copy()
            rows[:, p.s_h * (band if cut_at_band else count) :] = 0
        part = ConvProblem.from_arrays(rows, w, stride=p.stride)
        y[:, first : first + count] = mec.mec_rows(rows, w, part)
    return y


def _the_whole_L(x, w, problem, how="at once"):
    """Lower all, beside the padded copy or after it, or one whole image after the other."""
    if how == "at once":
        return mec.mec_rows(x, w, problem)
    if how == "beside the image":
        padded = pad(x, problem)
        return mec.mec_rows(padded, w, ConvProblem.from_arrays(padded, w, stride=problem.stride))
    y = np.empty(problem.output_shape, np.float32)
    for n, image in enumerate(pad(x, problem)):
        image = np.ascontiguousarray(image[np.newaxis])
        one = ConvProblem.from_arrays(image, w, stride=problem.stride)
        y[n] = mec.mec_rows(image, w, one)[0]
    return y


def _last_band_missing(x, w, problem, band=BAND, left=0.0):
    done, y = problem.o_h // band * band, _banded(x, w, problem, band=band)
    y[:, done:] = left
    return y


def _same_band(x, w, problem, band=BAND):
    """Fill every band with the products of the first one."""
    p, y = problem, _banded(x, w, problem, band=band)
    for first in range(band, p.o_h, band):
        count = min(band, p.o_h - first)
        y[:, first : first + count] = y[:, :count]
    return y


def _rows_on_one_another(x, w, problem, band=BAND):
    y = _banded(x, w, problem, band=band)
    wrong = np.full_like(y, np.nan)
    for first in range(0, problem.o_h, band):
        part = y[:, first : first + band]
        wrong[:, : part.shape[1]] = part
    return wrong


def _bands_kept(x, w, problem, band=BAND):
    """Lower all bands first, and multiply them afterwards."""
    p, padded, y = problem, pad(x, problem), np.empty(problem.output_shape, np.float32)
    bands = {}
    for first in range(0, p.o_h, band):
        rows = padded[:, p.s_h * first :][:, : p.s_h * (min(band, p.o_h - first) - 1) + p.k_h]
        part = ConvProblem.from_arrays(rows, w, stride=p.stride)
        bands[first] = mec.lower(rows, part), part
    for first, (L, part) in bands.items():
        for h in range(part.o_h):
            y[:, first + h] = mec.partition(L, h, part) @ w.reshape(p.window, p.k_c)
    return y


def _rows_of_stride_1(x, w, problem, band=BAND):
    """Lower as many image rows as a band needs if the vertical stride is 1."""
    p, padded, y = problem, pad(x, problem), np.empty(problem.output_shape, np.float32)
    for first in range(0, p.o_h, band):
        count = min(band, p.o_h - first)
        rows = padded[:, p.s_h * first :][:, : count + p.k_h - 1]
        part = ConvProblem.from_arrays(rows, w, stride=p.stride)
        L = mec.lower(rows, part).reshape(p.i_n, p.o_w, -1)
        for h in range(count):
            begin = p.s_h * h * p.k_w * p.i_c
            y[:, first + h] = L[:, :, begin : begin + p.window] @ w.reshape(p.window, p.k_c)
    return y


def _unpadded(x, w, problem):
    return _banded(x, w, ConvProblem.from_arrays(x, w, stride=problem.stride))


def _half_precision(x, w, problem, kernel=False, result=True):
    """Round the image, and with it the kernel and the result, to float16."""
    image, w = (each.astype(np.float16).astype(np.float32) if rounded else each
                for each, rounded in ((x, True), (w, kernel)))
    y = _banded(image, w, problem)
    return y.astype(np.float16).astype(np.float32) if result else y


EXERCISE = Exercise(
    name="my_mec", lab=3, reference=my_mec, calls_allowed=PROBLEM,
    task="A MEC of your own, in half the bytes of L or less.", contiguous=True,
    workspace=lambda x, w, problem: problem.mec_bytes() // 2,
    cases=images_and_kernels(TOY, TALL, TALL_STRIDED, FEW_FILTERS, ONE_PHOTO),
    misconceptions=[
        Misconception(
            "the whole L", _the_whole_L,
            symptom="The values are right. You have the bytes of the whole `L` at once.",
            concept="Output row `h` needs `k_h` rows of the image. A few output rows need only a "
                    "band of it, and the memory of one band serves the next.",
            line="Loop over `first = 0, 8, 16, ...`; lower image rows from `s_h * first` on, only "
                 "as many as 8 output rows need, and multiply them before you go on.",
            choices={"how": ("by image", "beside the image")}),
        Misconception(
            "im2col's matrix", lambda x, w, problem: im2col.im2col(x, w, problem),
            symptom="The values are right, in the bytes of im2col's matrix and more.",
            concept="im2col writes down every window in full. MEC's strips hold each row of the "
                "image once, and a band of them is less still.",
            line="Lower along the width, `L[:, w] = rows[:, :, s_w * w : s_w * w + k_w]`, a few "
                "output rows at a time."),
        Misconception(
            "bands without the rows they share",
            lambda x, w, problem, **how: _banded(x, w, problem, shared=False, **how),
            symptom="The last output rows of your bands are wrong.",
            concept="Windows at the end of a band reach into the next: 8 output rows need "
                    "`s_h * 7 + k_h` image rows, not `s_h * 8`.",
            line="Make the band `s_h * (count - 1) + k_h` rows high.",
            choices={"cut_at_band": (False, True), "band": (BAND, *BANDS["band"])}),
        Misconception(
            "bands as high as for a stride of 1", _rows_of_stride_1, choices=BANDS,
            symptom="With a vertical stride of 1 all is right; with a larger one you take a "
                "window that reaches beyond the last row of your band.",
            concept="From one output row to the next it is `s_h` image rows. So `count` output "
                "rows need more than `count + k_h - 1` image rows if `s_h` is above 1, and row "
                "`h` of a band has its window `s_h * h` image rows further down.",
            line="Lower `s_h * (count - 1) + k_h` image rows for `count` output rows."),
        Misconception(
            "last band missing", _last_band_missing,
            symptom="Nothing was written into the last output rows, where `o_h` is no multiple of "
                    "the band.",
            concept="The last band is shorter than the others, but it is there.",
            line="`range(0, o_h, band)` reaches it; `o_h // band` bands do not. Take "
                 "`min(band, o_h - first)` rows.", choices=LEFT_BANDS),
        Misconception(
            "bands begin at the output row",
            lambda x, w, problem, band=BAND: _banded(x, w, problem, step=1, band=band),
            symptom="With a vertical stride of 1 all is right; with a larger one only the first "
                    "band is.",
            concept="Output row `first` looks at image rows from `s_h * first` on.",
            line="The band begins at `problem.s_h * first`.", choices=BANDS),
        Misconception(
            "every band the first one", _same_band,
            symptom="The first band is right, the others repeat it.",
            concept="Each band has image rows of its own; the memory of `L` is the same, what "
                    "is in it is not.",
            line="Lower again inside the loop over `first`, from row `s_h * first` on.",
            choices=BANDS),
        Misconception(
            "every band into row 0", _rows_on_one_another,
            symptom="All bands were written to the top of the output, one over the other.",
            concept="Rows of a band are counted from 0, but its output rows begin at `first`.",
            line="Write to `y[:, first + h]`.", choices=BANDS),
        Misconception(
            "all bands at once", _bands_kept,
            symptom="The values are right. You have more bytes than the whole `L`: as many as all "
                "bands together.",
            concept="A band saves bytes only if its memory serves the next one as well.",
            line="Make `L` once, before the loop, or let it go before the next band is "
                    "lowered.", choices=BANDS),
        Misconception(
            "padding left out", _unpadded,
            symptom="Layers without padding are right, the others' results are too small.",
            concept="Bands are cut out of the *padded* image.",
            line="`padded[:, s_h * first : ...]`, after one `np.pad`."),
        Misconception(
            "through float16", _half_precision,
            symptom="Your values are right to three digits only.",
            concept="Half of the bytes by half of the precision is another bargain: the check "
                    "asks for float32.",
            line="Keep float32, and save rows instead.",
            choices={"kernel": (False, True), "result": (False, True)}),
        Misconception(
            "images inside rows",
            lambda x, w, problem: _banded(x, w, problem).swapaxes(0, 1).copy(),
            symptom="Your result has the axes `[o_h, i_n, o_w, k_c]`.",
            concept="NHWC puts the image first.",
            line="`y = np.empty(problem.output_shape, np.float32)`, and rows into `y[:, "
                    "first + h]`."),
        Misconception(
            "flipped kernel",
            lambda x, w, problem: _banded(x, np.ascontiguousarray(w[::-1, ::-1]), problem),
            symptom="Your kernel was turned round.",
            concept="The first weight meets the window's first pixel.",
            line="`w.reshape(k_h * k_w * i_c, k_c)` as it is."),
    ],
)
