"""Lab 18, exercise 1: the rows that each worker's band needs."""

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

PADDED = ConvProblem(1, 8, 5, 1, 3, 3, 1, padding=1)
PLAIN = ConvProblem(1, 9, 4, 2, 3, 2, 3)
STRIDED = ConvProblem(2, 12, 7, 2, 3, 3, 2, stride=2, padding=1)
DEEP = ConvProblem(1, 15, 9, 2, 5, 3, 3, stride=(1, 2), padding=(2, 1))
TALL = ConvProblem(1, 25, 4, 1, 4, 2, 2, stride=(3, 1), padding=(2, 0))
SKIPPING = ConvProblem(1, 12, 4, 1, 2, 2, 1, stride=(3, 1))  # rows that no window reads
WIDE_HALO = ConvProblem(1, 6, 4, 1, 5, 3, 1, padding=(2, 1))  # the second row's is in the padding


def row_bands(problem, parts):
    p, bands, begin = problem, [], 0
    size, extra = divmod(p.o_h, parts)
    for i in range(min(parts, p.o_h)):
        stop = begin + size + (i < extra)
        upper, lower = p.s_h * begin - p.p_h, p.s_h * (stop - 1) + p.k_h - p.p_h
        first, last = max(0, upper), min(p.i_h, lower)
        bands.append((first, last, first - upper, lower - last))
        begin = stop
    return tuple(bands)


STOP = "begin + size + (i < extra)"
UPPER, LOWER = "p.s_h * begin - p.p_h", "p.s_h * (stop - 1) + p.k_h - p.p_h"
ZEROS = "first - upper, lower - last"

EXERCISE = Exercise(
    name="row_bands",
    lab=18,
    task="The image rows and the rows of zeros that each worker's band of output rows needs.",
    solution=row_bands,
    allowed=("convladder.core.problem",),
    cases=lambda rng: [
        (PADDED, 2),
        (PLAIN, 2),
        (STRIDED, 2),
        (DEEP, 3),
        (layer(rng, 25), 4),
        (PLAIN, 9),
        (STRIDED, 4),
        (SKIPPING, 2),
        (WIDE_HALO, 6),
    ],
    valid=lambda problem, parts: parts > 0 and problem.p_h < problem.k_h,
    mend="A band of output rows `begin` to `stop` reads rows `s_h * begin - p_h` to "
    "`s_h * (stop - 1) + k_h - p_h`, cut off at 0 and `i_h`; what was cut off are zeros. With "
    "`size, extra = divmod(o_h, parts)` the first `extra` bands have `size + 1` rows, the others "
    "`size`",
    misconceptions=[
        Misconception(
            "no halo",
            edit(LOWER, "p.s_h * stop - p.p_h"),
            "Your bands end where the next one begins.",
            "The last window of a band reaches `k_h - s_h` rows into the next band. These rows go "
            "to both workers.",
        ),
        Misconception(
            "zeros at every cut",
            edit(ZEROS, "p.p_h, p.p_h"),
            "Every band gets `p_h` rows of zeros above and below, within the image too.",
            "A worker in the middle of the image needs its neighbours' rows. Zeros belong only "
            "where a row lies outside the image.",
        ),
        Misconception(
            "padding above the first band only",
            edit(UPPER, "p.s_h * begin - (p.p_h if i == 0 else 0)"),
            "Your first band is right. With padding the others begin `p_h` rows too late.",
            "Padding shifts every window up by `p_h` rows, not only the first.",
        ),
        Misconception(
            "a band that is too long",
            [
                edit(LOWER, "p.s_h * stop - 1 + p.k_h - p.p_h"),
                edit(LOWER, "p.s_h * stop + p.k_h - p.p_h"),
            ],
            "Your bands reach too far down.",
            "The last window of a band is number `stop - 1`. It ends at "
            "`s_h * (stop - 1) + k_h - p_h`.",
        ),
        Misconception(
            "extra rows on the wrong worker",
            [
                edit(STOP, "begin + size + (i == parts - 1) * extra"),
                edit(STOP, "begin + size + (i >= parts - extra)"),
                edit(
                    "range(min(parts, p.o_h))",
                    "range(-(-p.o_h // -(-p.o_h // parts)))",
                    STOP,
                    "min(begin - (-p.o_h // parts), p.o_h)",
                ),
            ],
            "Right where the output rows divide evenly. Elsewhere a band is too long or too short.",
            "With `size, extra = divmod(o_h, parts)` the first `extra` bands get one row more.",
        ),
        Misconception(
            "rows outside the image",
            [
                edit("max(0, upper), min(p.i_h, lower)", "upper, lower"),
                edit(
                    "max(0, upper), min(p.i_h, lower)",
                    "upper, lower",
                    ZEROS,
                    "max(0, -upper), max(0, lower - p.i_h)",
                ),
            ],
            "Layers without padding are right. Elsewhere your bands reach beyond the image.",
            "A worker gets rows that exist. What lies outside is counted as zeros.",
        ),
    ],
)
