"""Lab 16, exercise 2: a convolution made by several workers who see only their own rows."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Flaw, Misconception
from ....exercises.mocks.rows_worker import Worker
from . import conv_shared_wrong as wrong
from .layers import DEEP, PADDED, PLAIN, PROBLEM, SKIPPING, STRIDED, TALL, WIDE_HALO
from .layers import bands_by, image, kernel


def worker_for(p, parts):
    """Return a worker that is to get no more rows than a band needs."""
    return Worker(
        p, max(last - first + top + bottom for first, last, top, bottom in bands_by()(p, parts))
    )


def made_by_the_worker(answer):
    """Judge whether the output rows of `answer` came from the worker."""
    p, rng = PLAIN, np.random.default_rng(0)
    worker = worker_for(p, 3)
    answer(image(rng, p), kernel(rng, p), p, 3, worker)
    return (
        None
        if worker.made >= p.o_h
        else Flaw(
            "worker left out",
            f"`worker` made {worker.made} output rows of {p.o_h}: the others did not come from it.",
        )
    )


def conv_shared(x, w, problem, parts, worker):
    return wrong.shared_by(bands_by())(x, w, problem, parts, worker)


EXERCISE = Exercise(
    name="conv_shared",
    lab=16,
    reference=conv_shared,
    task="Convolve with several workers: each gets its rows with halo, and you join their parts.",
    calls_allowed=(*PROBLEM, "convladder.teach.mocks.rows_worker"),
    use=made_by_the_worker,
    cases=lambda rng: [
        (image(rng, p), kernel(rng, p), p, parts, worker_for(p, parts))
        for p, parts in (
            (PADDED, 2),
            (PLAIN, 3),
            (STRIDED, 2),
            (DEEP, 3),
            (TALL, 4),
            (SKIPPING, 2),
            (WIDE_HALO, 6),
        )
    ],
    misconceptions=[
        Misconception(
            "each band an image of its own",
            lambda *given, cut=wrong.no_halo: wrong.shared_by(cut)(*given),
            choices={"cut": (wrong.zeros_for_halo,)},
            symptom="Next to a cut, rows are wrong or missing, or there are too many of them.",
            concept="At a cut the image goes on. Without a halo, with zeros or nothing in its "
            "place, a share of its rows is convolved as if the image ended there.",
            line="Take the rows `first` to `last` of your `row_bands`, and its `top` and `bottom` "
            "zeros.",
        ),
        Misconception(
            "images for rows",
            lambda x, w, problem, parts, worker: np.concatenate(
                [
                    worker(np.pad(x[first:last], ((0, 0), (top, bottom), (0, 0), (0, 0))), w)
                    for first, last, top, bottom in bands_by()(problem, parts)
                ],
                axis=1,
            ),
            symptom="You cut the batch: your workers get whole images, or none.",
            concept="The first axis of `[i_n, i_h, i_w, i_c]` counts images.",
            line="`x[:, first:last]`.",
        ),
        Misconception(
            "rows of the halo left out",
            wrong.shared_by(bands_by(lower=lambda p, stop: p.s_h * (stop - 1) + p.k_h - 1 - p.p_h)),
            symptom="The last output row of each band is missing.",
            concept="Without the last row of its halo, a band has no room for its last window.",
            line="`x[:, first:last]` and `bottom` zeros as your `row_bands` tells them: `last` "
            "is `s_h * (stop - 1) + k_h - p_h`, cut off at `i_h`.",
        ),
        Misconception(
            "no zeros at all",
            lambda x, w, problem, parts, worker: np.concatenate(
                [worker(x[:, first:last], w) for first, last, *_ in bands_by()(problem, parts)],
                axis=1,
            ),
            symptom="Layers without padding are right; in others output rows are missing at the "
            "border, or belong to other windows.",
            concept="The worker pads sideways only. At the image's upper and lower border the "
            "zeros are yours to put.",
            line="`np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0)))`.",
        ),
        Misconception(
            "edge rows repeated",
            wrong.edge_rows,
            symptom="Only rows whose windows reach beyond the image, above or below, are wrong.",
            concept="Padding here is with zeros. Repeating the edge is another convolution, and "
            "not what one worker alone would give.",
            line="Rows of zeros: `np.zeros`, or `np.pad` without a `mode`.",
        ),
        Misconception(
            "joined along the batch",
            wrong.shared_by(bands_by(), np.concatenate),
            symptom="The bands came back as images, one after the other.",
            concept="Bands are rows of the same images: axis 1 of `[i_n, o_h, o_w, k_c]`.",
            line="Join the bands with `axis=1`.",
        ),
        Misconception(
            "joined side by side",
            wrong.shared_by(bands_by(), lambda parts: np.concatenate(parts, axis=2)),
            symptom="The bands came back beside one another.",
            concept="Axis 2 is the width. Bands lie one below the other.",
            line="Rows are axis 1.",
        ),
        Misconception(
            "zeros at every cut",
            wrong.shared_by(bands_by(zeros=lambda p, want, have: (p.p_h, p.p_h))),
            symptom="There are `p_h` rows of zeros above and below each band, also in the middle "
            "of the image.",
            concept="At a cut a neighbour's rows come first, and they are in the band already.",
            line="`top` and `bottom` of your `row_bands`, not `p_h` and `p_h`.",
        ),
        Misconception(
            "joined from below",
            wrong.shared_by(bands_by(), lambda parts: np.concatenate(parts[::-1], axis=1)),
            symptom="Each row is right, but the bands are in reverse order.",
            concept="Workers may be done in any order; their bands have one.",
            line="Band `i` of `row_bands` makes part `i` of the result, from above.",
        ),
        Misconception(
            "summed",
            wrong.shared_by(bands_by(), wrong.summed),
            symptom="The parts were added.",
            concept="Bands of rows are different outputs. What is added are partial sums, as of a "
            "cut by *input* channels.",
            line="One below the other, with nothing added up: `np.concatenate` along axis 1.",
        ),
        Misconception(
            "worker left out",
            wrong.bypassed,
            symptom="The values are right, and not all of them came from `worker`.",
            concept="Here the image lies with you and the work is done elsewhere: what you compute "
            "yourself, no worker takes off your hands.",
            line="Every output row is a row of what some `worker(rows, w)` returned.",
        ),
        Misconception(
            "everybody does everything",
            wrong.all_to_everyone,
            symptom="The output comes as often as there are workers.",
            concept="If each worker gets the whole image, each does all the work.",
            line="Give worker `i` its own rows: `x[:, first:last]`.",
        ),
        Misconception(
            "padded sideways too",
            wrong.sideways_too,
            symptom="Your result is too wide where the layer is padded at its sides.",
            concept="The worker pads sideways itself, as the task says.",
            line="`(0, 0)` for the third axis of `np.pad`.",
        ),
        Misconception(
            "the first band for all",
            wrong.first_band_for_all,
            symptom="The first band is right, the others repeat it.",
            concept="Each worker has rows of its own.",
            line="For worker `i` the `first`, `last`, `top` and `bottom` of band `i`.",
        ),
        Misconception(
            "zeros exchanged",
            wrong.shared_by(
                bands_by(zeros=lambda p, want, have: (want[1] - have[1], have[0] - want[0]))
            ),
            symptom="At the top the zeros come out below the band, at the bottom above it.",
            concept="The rows of zeros above a band come before its rows, those below behind them.",
            line="`top` first, then the rows, then `bottom`: `(top, bottom)` for the second axis "
            "of `np.pad`.",
        ),
        Misconception(
            "a list of parts",
            lambda x, w, problem, parts, worker: [
                worker(np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0))), w)
                for first, last, top, bottom in bands_by()(problem, parts)
            ],
            symptom="You return the parts, not joined.",
            concept="Whoever called you wants one array, as one worker alone would have made it.",
            line="Return `np.concatenate(..., axis=1)` of them.",
        ),
        Misconception(
            "ones in place of zeros",
            wrong.shared_by(bands_by(), fill=1.0),
            symptom="Rows whose windows reach beyond the image, above or below, are wrong: what "
            "was padded is not zero.",
            concept="Padding is with zeros: it adds nothing to a sum.",
            line="Rows of `np.zeros`, or `np.pad` without `constant_values`.",
        ),
        Misconception(
            "written at the image's rows",
            wrong.at_image_rows,
            symptom="Your first band begins where it should; the next ones lie too far up or down, "
            "over others, and leave rows as they were.",
            concept="`first` is a row of the *image*. A band's output rows begin where those of "
            "the band before end.",
            line="Join what the workers give, in order: `np.concatenate(..., axis=1)`.",
            choices={"cut": (False,)},
        ),
        Misconception(
            "all bands as tall",
            wrong.as_tall,
            symptom="Your workers all get as many rows, and what the shorter bands make too much "
            "is in the result.",
            concept="Bands may differ by a row. Rows of zeros that fill up a shorter one make "
            "output rows that nobody asked for.",
            line="`(top, bottom)` of the band itself; or cut off what is too much.",
        ),
        Misconception(
            "stride forgotten",
            wrong.shared_by(
                bands_by(
                    upper=lambda p, begin: begin - p.p_h,
                    lower=lambda p, stop: stop - 1 + p.k_h - p.p_h,
                )
            ),
            symptom="Right with a vertical stride of 1; else your bands are too short, and lie "
            "too high.",
            concept="Output row h has its window at row `s_h * h` of the padded image.",
            line="`first` and `last` of your `row_bands`.",
        ),
    ],
)
