"""Lab 09, exercise 5: the bytes that a memory pool counts at MEC's peak."""

from ...core.problem import PAPER, REPORT, ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from .e1_mec_numbers import PADDED, STRIDED, THIN, TOY

SMALL = ConvProblem(2, 6, 5, 2, 2, 2, 1)  # two outputs of 160 bytes would share 512
MANY = ConvProblem(4, 6, 6, 1, 2, 2, 96)  # an output larger than L


def peak_bytes(problem, which):
    def pooled(values):
        return -(-4 * values // 512) * 512

    p = problem
    L = p.i_n * p.o_w * p.padded_h * p.k_w * p.i_c
    results = 2 if which == "A" else 1
    return pooled(L) + results * pooled(p.i_n * p.o_h * p.o_w * p.k_c)


OUTPUT = "results * pooled(p.i_n * p.o_h * p.o_w * p.k_c)"

EXERCISE = Exercise(
    name="peak_bytes",
    lab=9,
    task="The most bytes that MEC has allocated at a time, as CuPy's pool counts them.",
    solution=peak_bytes,
    cases=lambda rng: [
        (TOY, "B"),
        (STRIDED, "B"),
        (layer(rng), "A"),
        (PADDED, "A"),
        (MANY, "A"),
        (SMALL, "A"),
        (REPORT, "B"),
        (PAPER["cv5"].with_batch(32), "A"),
        (THIN, "A"),
        (REPORT.with_batch(32), "B"),
    ],
    valid=lambda problem, which: which in ("A", "B"),
    allowed=("convladder.core.problem",),
    mend='`pooled(L)` and the output, `pooled(4 * i_n * o_h * o_w * k_c)`, twice for "A", where '
    "`pooled(size)` is `-(-size // 512) * 512`",
    misconceptions=[
        Misconception(
            "sizes that are not rounded up",
            edit("-(-4 * values // 512) * 512", "4 * values"),
            "Your total is too low, by less than 512 bytes per array.",
            "The pool gives out multiples of 512 bytes, rounded up.",
        ),
        Misconception(
            "a sum rounded once",
            [
                edit(
                    "pooled(L) + " + OUTPUT, "pooled(L + results * p.i_n * p.o_h * p.o_w * p.k_c)"
                ),
                edit(OUTPUT, "pooled(results * p.i_n * p.o_h * p.o_w * p.k_c)"),
            ],
            "Your total can be too low by 512 or 1,024 bytes.",
            "The pool rounds every array on its own.",
        ),
        Misconception(
            "one result for Solution A",
            edit('2 if which == "A" else 1', "1"),
            '"B" is right. "A" lacks a second output.',
            "Solution A writes its rows in one order and copies them into another, so two results "
            "exist together with `L`, which the library still holds.",
        ),
        Misconception(
            "two results for Solution B",
            edit('2 if which == "A" else 1', "2"),
            '"A" is right. "B" counts the output twice.',
            "Solution B writes every row straight into its place.",
        ),
        Misconception(
            "no output",
            edit(
                "pooled(L) + " + OUTPUT,
                "pooled(L) + (results - 1) * pooled(p.i_n * p.o_h * p.o_w * p.k_c)",
            ),
            "You count the workspace, without the result.",
            "The peak has all that is allocated at that time, the output included.",
        ),
    ],
)
