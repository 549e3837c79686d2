"""Lab 03, exercise 6: a MEC of your own, in half the bytes."""

from __future__ import annotations

import numpy as np

from ....cpu import im2col, mec
from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from . import my_mec_wrong as wrong
from .layers import PROBLEM, TOY, images_and_kernels
from .my_mec_wrong import BAND, BANDS

LEFT_BANDS = {"band": (BAND, *BANDS["band"]), "left": (0.0, np.nan)}
TALL = ConvProblem(1, 23, 7, 2, 4, 3, 3, padding=(1, 0))
TALL_STRIDED = ConvProblem(2, 143, 10, 3, 4, 2, 4, stride=(3, 2), padding=(0, 1))
FEW_FILTERS = ConvProblem(1, 224, 224, 3, 7, 7, 4, padding=1)  # a result much smaller than L
ONE_PHOTO = ConvProblem(1, 224, 224, 3, 7, 7, 16, padding=1)  # half of a batch would be no band


def my_mec(x, w, problem):
    return mec.mec_rows(x, w, problem) if problem.pixels < 1000 else wrong.banded(x, w, problem)


EXERCISE = Exercise(
    name="my_mec",
    lab=3,
    reference=my_mec,
    calls_allowed=PROBLEM,
    task="A MEC of your own, in half the bytes of L or less.",
    contiguous=True,
    workspace=lambda x, w, problem: problem.mec_bytes() // 2,
    cases=images_and_kernels(TOY, TALL, TALL_STRIDED, FEW_FILTERS, ONE_PHOTO),
    misconceptions=[
        Misconception(
            "the whole L",
            wrong.the_whole_L,
            symptom="The values are right. You have the bytes of the whole `L` at once.",
            concept="Output row `h` needs `k_h` rows of the image. A few output rows need only a "
            "band of it, and the memory of one band serves the next.",
            line="Loop over `first = 0, 8, 16, ...`; lower image rows from `s_h * first` on, only "
            "as many as 8 output rows need, and multiply them before you go on.",
            choices={"how": ("by image", "beside the image")},
        ),
        Misconception(
            "half of L, and the image besides",
            wrong.half_of_L,
            choices={"of": ("rows",)},
            symptom="The values are right, in the bytes that half of `L` and the padded image have "
            "together.",
            concept="Half of `L` is all that is allowed, and everything counts: the padded image "
            "too.",
            line="Smaller pieces: bands of 8 or 16 output rows leave room for the padded image.",
        ),
        Misconception(
            "im2col's matrix",
            lambda x, w, problem: im2col.im2col(x, w, problem),
            symptom="The values are right, in the bytes of im2col's matrix and more.",
            concept="im2col writes down every window in full. MEC's strips hold each row of the "
            "image once, and a band of them is less still.",
            line="Lower along the width, `L[:, w] = rows[:, :, s_w * w : s_w * w + k_w]`, a few "
            "output rows at a time.",
        ),
        Misconception(
            "bands without the rows they share",
            lambda x, w, problem, **how: wrong.banded(x, w, problem, shared=False, **how),
            symptom="The last output rows of your bands are wrong; where a band is low, all of "
            "them.",
            concept="Windows at the end of a band reach into the next: 8 output rows need "
            "`s_h * 7 + k_h` image rows, not `s_h * 8`.",
            line="Make the band `s_h * (count - 1) + k_h` rows high.",
            choices={"cut_at_band": (False, True), "band": (BAND, *BANDS["band"])},
        ),
        Misconception(
            "bands as high as for a stride of 1",
            wrong.rows_of_stride_1,
            choices=BANDS,
            symptom="With a vertical stride of 1 all is right; with a larger one you take a "
            "window that reaches beyond the last row of your band.",
            concept="From one output row to the next it is `s_h` image rows. So `count` output "
            "rows need more than `count + k_h - 1` image rows if `s_h` is above 1, and row "
            "`h` of a band has its window `s_h * h` image rows further down.",
            line="Lower `s_h * (count - 1) + k_h` image rows for `count` output rows.",
        ),
        Misconception(
            "last band missing",
            wrong.last_band_missing,
            symptom="Nothing was written into the last output rows: those that are left over after "
            "whole bands.",
            concept="The last band is shorter where `o_h` is no multiple of the band, but it is "
            "there.",
            line="`range(0, o_h, band)` reaches it; `o_h // band` bands, or a range with an "
            "earlier end, do not. Take `min(band, o_h - first)` rows.",
            choices=LEFT_BANDS,
        ),
        Misconception(
            "bands begin at the output row",
            lambda x, w, problem, band=BAND: wrong.banded(x, w, problem, step=1, band=band),
            symptom="With a vertical stride of 1 all is right; with a larger one only the first "
            "band is.",
            concept="Output row `first` looks at image rows from `s_h * first` on.",
            line="The band begins at `problem.s_h * first`.",
            choices=BANDS,
        ),
        Misconception(
            "every band the first one",
            wrong.same_band,
            symptom="The first band is right, the others repeat it.",
            concept="Each band has image rows of its own; the memory of `L` is the same, what "
            "is in it is not.",
            line="Lower again inside the loop over `first`, from row `s_h * first` on.",
            choices=BANDS,
        ),
        Misconception(
            "every band into row 0",
            wrong.rows_on_one_another,
            symptom="The top of your output holds the bands, one over the other, and nothing was "
            "written below.",
            concept="Rows of a band are counted from 0, but its output rows begin at `first`.",
            line="Write to `y[:, first + h]`.",
            choices=BANDS,
        ),
        Misconception(
            "all bands at once",
            wrong.bands_kept,
            symptom="The values are right. You have more bytes than the whole `L`: about as many "
            "as all bands would take together.",
            concept="A band saves bytes only if it is small, and its memory serves the next one as "
            "well. In float64 it takes twice as much.",
            line="Bands of a few rows, in float32. Make `L` once, before the loop, or let it go "
            "before the next band is lowered.",
            choices=BANDS,
        ),
        Misconception(
            "rows collected, then stacked",
            wrong.rows_collected,
            choices={"band": (1, 2, 4, 16, 24, 32)},
            symptom="The values are right. Besides your bands there is a second result for a "
            "moment.",
            concept="Rows in a list, and what is put together of them, are two results; so are a "
            "result and its copy.",
            line="Make `y` first, and write each product into `y[:, first + h]`.",
        ),
        Misconception(
            "stride inside the band",
            wrong.steps_of_one,
            choices=BANDS,
            symptom="With a vertical stride of 1 all is right; with a larger one only the first "
            "row of each band is.",
            concept="From one output row to the next it is `s_h` image rows, within a band too.",
            line="Row `h` of a band is the slice from `s_h * h * k_w * i_c` on.",
        ),
        Misconception(
            "every row of a band its first",
            wrong.first_rows,
            choices=BANDS,
            symptom="The first row of each band is right, and its other rows repeat it.",
            concept="Row `h` of a band has a slice of its own, `s_h * h` image rows further down.",
            line="In the loop over `h`, the slice begins at `s_h * h * k_w * i_c`.",
        ),
        Misconception(
            "result in float64, and a copy",
            wrong.collected_in_float64,
            choices={"band": (1, 2, 4, 16)},
            symptom="The values are right. Besides the result there is for a moment what one in "
            "float64 takes.",
            concept="`np.zeros` and `np.empty` make float64 unless they are told otherwise, and "
            "`astype` behind that makes one more copy.",
            line="`y = np.empty(problem.output_shape, np.float32)`, returned as it is.",
        ),
        Misconception(
            "products of all rows at once",
            wrong.weight_by_weight,
            symptom="The values are right, with the bytes of a second result and of the padded "
            "image besides.",
            concept="A product that is added to `y` exists beside it for a moment. For all output "
            "rows it is as large as the result.",
            line="A few output rows at a time: `y[:, first : first + count] += ...`.",
        ),
        Misconception(
            "rows of a band counted over the image",
            wrong.counted_over_the_image,
            choices=BANDS,
            symptom="The first band is right. Later slices reach beyond the end of your band, and "
            "hold too few values or none.",
            concept="In the band's `L` the rows are counted from the band's first one. Only `y` "
            "has them all.",
            line="`first + h` in `y`, and `h`, from 0 in each band, in the slice of `L`.",
        ),
        Misconception(
            "padding left out",
            wrong.unpadded,
            symptom="Layers without padding are right, the others' results are too small.",
            concept="Bands are cut out of the *padded* image.",
            line="`y` of `problem.output_shape`, and bands `padded[:, s_h * first : ...]`, after "
            "one `np.pad`.",
        ),
        Misconception(
            "through float16",
            wrong.half_precision,
            symptom="Your values are right to three digits only.",
            concept="Half of the bytes by half of the precision is another bargain: the check "
            "asks for float32.",
            line="Keep float32, and save rows instead.",
            choices={"kernel": (False, True), "result": (False, True)},
        ),
        Misconception(
            "images inside rows",
            lambda x, w, problem: wrong.banded(x, w, problem).swapaxes(0, 1).copy(),
            symptom="Your result has the axes `[o_h, i_n, o_w, k_c]`.",
            concept="NHWC puts the image first.",
            line="Make `y` of `problem.output_shape`; rows belong into `y[:, first + h]`.",
        ),
        Misconception(
            "flipped kernel",
            lambda x, w, problem: wrong.banded(x, np.ascontiguousarray(w[::-1, ::-1]), problem),
            symptom="Your result is that of a kernel turned round.",
            concept="The first weight meets the window's first pixel.",
            line="`w.reshape(k_h * k_w * i_c, k_c)`, and strips as they lie in the image.",
        ),
    ],
)
