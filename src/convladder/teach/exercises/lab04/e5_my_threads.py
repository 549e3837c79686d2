"""Lab 04, exercise 5: a threaded convolution of one's own."""

from __future__ import annotations

import numpy as np

from ....cpu import im2col
from ....cpu.im2col import padded_bytes
from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from . import threads_wrong as wrong
from .any_order import NOBODY_WAITS, ORDER, tasks_in_order
from .layers import (
    CUTS,
    MORE_THAN_ONE,
    PADDED,
    PHOTO,
    PROBLEM,
    SCRATCH,
    TOY,
    image,
    kernel,
    remainder_lost,
    single,
)
from .threads_wrong import THREADS

LEFT = {"left": (np.nan, 0.0)}  # by `np.empty`, as a check makes it, and by `np.zeros`
TALL = ConvProblem(2, 10, 9, 3, 3, 2, 5, stride=(2, 3))  # more rows of output than columns
BOTH = ConvProblem(7, 5, 6, 2, 3, 2, 3, stride=(2, 1), padding=(1, 2))  # stride and padding, down


def my_threads(x, w, problem, n):
    return wrong.banded()(x, w, problem, n)


def _my_bytes(x, w, problem, n):
    return int(1.1 * problem.mec_bytes()) + padded_bytes(problem) + SCRATCH


EXERCISE = Exercise(
    name="my_threads",
    lab=4,
    reference=my_threads,
    contiguous=True,
    task="A convolution on n threads of your own, in the bytes of one MEC lowering.",
    calls_allowed=(*PROBLEM, "convladder.measure", "convladder.teach.mocks.thread_pool"),
    workspace=_my_bytes,
    use=tasks_in_order,
    cases=lambda rng: [
        (image(rng, p), kernel(rng, p), p, n)
        for p, n in ((TOY, 2), (TALL, 2), (PADDED, 3), (BOTH, 5), (PHOTO, THREADS))
    ],
    misconceptions=[
        Misconception(
            "rows below left out",
            wrong.banded(halo=False),
            choices=CUTS,
            symptom="The last output rows of chunks are wrong, as if the image ended there.",
            concept="Windows reach over the border between chunks. Output rows `begin` to `stop` "
            "need image rows up to `s_h * (stop - 1) + k_h`: some are lowered by two "
            "threads.",
            line="The band is `s_h * (stop - begin - 1) + k_h` image rows high.",
        ),
        Misconception(
            "stride at the border",
            wrong.banded(first_row=lambda p, begin: begin),
            choices=MORE_THAN_ONE,
            symptom="With a vertical stride of 1 all is right; else the first chunk only.",
            concept="The chunk's first output row looks at image rows from `s_h * begin` on.",
            line="The band begins at image row `problem.s_h * begin`.",
        ),
        Misconception(
            "stride in no row",
            lambda x, w, problem, n: wrong.banded(
                lambda rows, _: single(rows, 1), lambda p, begin: begin
            )(x, w, problem, n),
            symptom="With a vertical stride of 1 all is right; else the top output row only.",
            concept="You compute row `h` from image rows `h` on. From one output row to the next "
            "it is `s_h` image rows, in whichever chunk they are.",
            line="In a lowering of the whole image, output row `h` is the slice from `s_h * h * "
            "k_w * i_c` on. A band begins at image row `s_h * begin`, and in it the slices "
            "begin `s_h * k_w * i_c` values apart.",
        ),
        Misconception(
            "stride inside the chunk",
            wrong.banded(row=1),
            choices=CUTS,
            symptom="With a vertical stride of 1 all is right; else only the first row of each "
            "chunk is.",
            concept="From one output row to the next it is `s_h` image rows, within a chunk too.",
            line="Row `h` of a chunk is the slice from `s_h * h * k_w * i_c` on.",
        ),
        Misconception(
            "remaining filters lost",
            wrong.changed(wrong.filters_lost),
            choices=LEFT,
            symptom="Right where the filters can be shared out evenly among the threads; elsewhere "
            "the last ones were never written.",
            concept="`k_c // n` filters for each of n threads leaves `k_c % n` filters to nobody. "
            "(With more threads than filters `k_c // n` is 0.)",
            line="Your `split(problem.k_c, n)`; or share out rows, `split(problem.o_h, n)`.",
        ),
        Misconception(
            "remainder lost",
            wrong.banded(chunks=remainder_lost),
            symptom="Where rows are left over, the last output rows are missing.",
            concept="`o_h // n` rows for each of n threads leaves `o_h % n` rows to nobody.",
            line="Use your `split(problem.o_h, n)`.",
        ),
        Misconception(
            "every chunk into row 0",
            wrong.rows_from_0,
            symptom="All chunks were written to the top of the output, one over the other.",
            concept="A thread counts its own rows from 0, but its output rows begin at `begin`. "
            "Here the threads race for the same memory.",
            line="Write to `y[:, begin + h]`.",
            choices={"left": (np.nan, 0.0), **CUTS},
        ),
        Misconception(
            "im2col's matrix",
            lambda x, w, problem, n: im2col.im2col(x, w, problem),
            symptom="The values are right, in im2col's bytes.",
            concept="Threads change nothing in what a lowering stores. MEC's strips hold each row "
            "of the image once.",
            line="Lower along the width only, and let each output row be a slice of that.",
        ),
        Misconception(
            "memory of its own for each thread",
            wrong.memory_in_each,
            symptom="The values are right, in more bytes than one lowering takes.",
            concept="Whatever a thread makes for itself is there once for each thread at work: a "
            "whole `L`, a padded image, a result to be added up. Windows that are written out "
            "in full, as by im2col, and arrays in float64 take as much, whoever makes them.",
            line="Pad once, before the pool starts. Lower along the width only: once with all "
            "threads, and multiply when all have finished; or in each thread the image rows "
            "that its output rows need. Let all write into the one `y`, in float32.",
            choices={
                "more": (1, 2, 3, 6),
                "each": (("L",), ("image",), ("image", "L"), ("result",)),
            },
        ),
        Misconception(
            ORDER,
            wrong.nobody_waits_between,
            symptom="Your result depends on which of your tasks runs first.",
            concept="A pool begins tasks in any order, and several at once: what a task reads must "
            "have been written before it is submitted, or by the task itself.",
            line="Wait for all that write (`future.result()` of each) before you submit the first "
            "that reads; or let each task lower the rows that it multiplies.",
        ),
        Misconception(
            NOBODY_WAITS,
            wrong.nobody_waits,
            symptom="Your `y` may be returned before all of your tasks have written into it.",
            concept="`submit` only puts a task into a queue. What it has written is there when its "
            "future is done.",
            line="`future.result()` of every future, or the end of a `with ThreadPoolExecutor(n) "
            "as pool:` block, before you return `y`.",
        ),
        Misconception(
            "more threads than rows",
            wrong.no_first_row,
            symptom="You are right where there are output rows for every thread. With more threads "
            "than rows there are none for some: the line that raises asks for a first row "
            "that is not there, steps by 0, or counts less than no rows.",
            concept="A layer may have fewer output rows than your machine has cores. A chunk "
            "without a row needs no thread.",
            line="Your `split(problem.o_h, n)` gives `min(o_h, n)` chunks, and none is empty.",
            choices={"items": ("list", "step", "ends")},
        ),
        Misconception(
            "only the first chunk",
            wrong.changed(wrong.first_chunk_only),
            choices=LEFT | CUTS,
            symptom="The first chunk is right; nothing was written into the others.",
            concept="Each chunk needs a task of its own. `submit` only puts it into a queue; what "
            "it has written is there when its future is done.",
            line="A list of futures first, one for each chunk, then `future.result()` for each, "
            "before you return `y`. In a task, its own rows: from `begin` on.",
        ),
        Misconception(
            "every chunk the first one",
            wrong.changed(wrong.same_rows),
            choices=CUTS,
            symptom="All chunks hold the rows of the first.",
            concept="Each thread needs image rows of its own.",
            line="The band of image rows begins at `s_h * begin`, not at 0. In a lowering of the "
            "whole image it is the slice that begins at `s_h * (begin + h) * k_w * i_c`.",
        ),
        Misconception(
            "last row of each chunk",
            wrong.changed(wrong.last_row_of_each),
            choices=LEFT | MORE_THAN_ONE,
            symptom="In each chunk the last output row was never written.",
            concept="`stop` is the first row that is not in the chunk, and `range` leaves it "
            "out by itself.",
            line="A chunk's `stop` is its last row plus 1, and it has `stop - begin` rows, with no "
            "`- 1`.",
        ),
        Misconception(
            "images in place of rows",
            wrong.changed(wrong.images_shared_out),
            choices=LEFT,
            symptom="You are right where the images can be shared out evenly among the threads; "
            "elsewhere images were never written.",
            concept="A layer may have one image only. What there is enough of is output rows.",
            line="`split(problem.o_h, n)`, and every chunk for all images.",
        ),
        Misconception(
            "padding left out",
            wrong.unpadded,
            symptom="Layers without padding are right, the others' results are too small.",
            concept="Output rows look at the *padded* image.",
            line="Pad once, before the pool starts; every thread cuts its band out of that.",
        ),
        Misconception(
            "flipped kernel",
            lambda x, w, problem, n: wrong.banded()(
                x, np.ascontiguousarray(w[::-1, ::-1]), problem, n
            ),
            symptom="Your values are those of a kernel that is turned round.",
            concept="The first weight meets the window's first pixel.",
            line="`w.reshape(k_h * k_w * i_c, k_c)` as it is.",
        ),
        Misconception(
            "float64",
            wrong.changed(lambda y, p, n: y.astype(np.float64)),
            symptom="Your result is float64.",
            concept="NumPy makes float64 where no dtype is named, and what is computed from "
            "float64 is float64.",
            line="`np.empty(problem.output_shape, np.float32)`",
        ),
    ],
)
