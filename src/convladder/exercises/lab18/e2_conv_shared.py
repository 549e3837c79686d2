"""Lab 18, exercise 2: a convolution by several workers."""

import numpy as np

from ..exercise import Exercise, Misconception, edit, random_fill
from ..mocks.rows_worker import Worker
from .e1_row_bands import DEEP, PADDED, PLAIN, SKIPPING, STRIDED, TALL, WIDE_HALO, row_bands


def conv_shared(x, w, problem, parts, worker):
    made = []
    for first, last, top, bottom in row_bands(problem, parts):
        rows = np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0)))
        made.append(worker(rows, w))
    return np.concatenate(made, axis=1)


def operands(fill, problem, parts):
    bands = row_bands(problem, parts)
    most = max(last - first + top + bottom for first, last, top, bottom in bands)
    x, w = fill(*problem.input_shape), -fill(*problem.kernel_shape)[::-1].copy()
    return x, w, problem, parts, Worker(problem, most, len(bands))


def made_by_the_worker(answer):
    """Judge whether the output rows came from the worker."""
    *args, worker = operands(random_fill(), PLAIN, 3)
    answer(*args, worker)
    if worker.made >= PLAIN.o_h:
        return None
    return f"takes only {worker.made} of {PLAIN.o_h} output rows from `worker`."


ROWS = "np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0)))"

EXERCISE = Exercise(
    name="conv_shared",
    lab=18,
    task="Convolve with several workers: each gets its rows with halo, and you join their parts.",
    solution=conv_shared,
    allowed=("convladder.core.problem",),
    usage=made_by_the_worker,
    cases=lambda rng: [
        (PADDED, 2),
        (PLAIN, 3),
        (STRIDED, 2),
        (DEEP, 3),
        (TALL, 4),
        (SKIPPING, 2),
        (WIDE_HALO, 6),
        (PLAIN, 9),
        (DEEP, int(rng.integers(2, 6))),
    ],
    inputs=operands,
    valid=lambda problem, parts: parts > 0 and problem.p_h < problem.k_h,
    mend="`rows = np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0)))`, "
    "`made.append(worker(rows, w))`, and `np.concatenate(made, axis=1)`",
    misconceptions=[
        Misconception(
            "no zeros",
            edit(ROWS, "x[:, first:last]"),
            "Layers without padding are right. Elsewhere rows at the border are missing.",
            "The worker pads nothing above or below: it needs `top` rows of zeros before the "
            "band, and `bottom` rows after it.",
        ),
        Misconception(
            "padding at the sides",
            edit("(top, bottom), (0, 0)", "(top, bottom), (problem.p_w, problem.p_w)"),
            "Layers padded at their sides come out too wide.",
            "The worker pads the columns itself.",
        ),
        Misconception(
            "parts joined along the wrong axis",
            edit("axis=1", "axis=0"),
            "The parts are joined along another axis than the rows.",
            "`y` is [i_n, o_h, o_w, k_c], and the bands are rows: axis 1.",
        ),
        Misconception(
            "the whole image for each worker",
            edit(ROWS, "np.pad(x, ((0, 0), (problem.p_h, problem.p_h), (0, 0), (0, 0)))"),
            "Workers get more rows than a band needs.",
            "Sharing pays only if each worker gets its own rows and their halo.",
        ),
        Misconception(
            "no halo",
            edit(
                "    for first",
                "    rows_each = -(-problem.i_h // parts)\n    for first",
                "x[:, first:last]",
                "x[:, first:min(last, first + rows_each)]",
            ),
            "Rows at the cuts are missing.",
            "A band's last window reaches into the next band. Those rows go to both workers.",
        ),
    ],
)
