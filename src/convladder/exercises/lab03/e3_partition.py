"""Lab 03, exercise 3: a partition of L, without a copy."""

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

PROBLEMS = [
    ConvProblem(1, 4, 3, 1, 2, 2, 1),
    ConvProblem(2, 8, 9, 3, 3, 2, 4, stride=(2, 3)),
    ConvProblem(3, 12, 9, 2, 5, 4, 10),
    ConvProblem(1, 12, 8, 2, 5, 3, 2, stride=(3, 2)),
    ConvProblem(1, 7, 7, 2, 1, 2, 3, stride=(2, 3)),  # skips pixels
]
PHOTO = ConvProblem(2, 224, 112, 3, 7, 7, 16, padding=1)  # whose memory is measured


def cases(rng):
    layers = [*PROBLEMS, layer(rng, 12), PHOTO]
    return [(p, h) for p in layers for h in (0, p.o_h - 1)] + [(PHOTO, 100)]


def partition(L, h, problem):
    p = problem
    row = p.k_w * p.i_c
    begin = p.s_h * h * row
    return L.reshape(p.i_n, p.o_w, -1)[:, :, begin : begin + p.k_h * row]


EXERCISE = Exercise(
    name="partition",
    lab=3,
    solution=partition,
    view=True,
    task="Return the matrix that output row h is made of, as a view of L.",
    cases=cases,
    inputs=lambda fill, problem, h: (
        fill(problem.i_n, problem.o_w, problem.padded_h, problem.k_w, problem.i_c),
        h,
        problem,
    ),
    valid=lambda problem, h: h < problem.o_h,
    allowed=("convladder.core.problem",),
    budget=lambda L, h, problem: {"workspace": 0},
    mend="`L.reshape(i_n, o_w, -1)[:, :, begin : begin + k_h * k_w * i_c]`, with `begin = s_h * h "
    "* k_w * i_c`",
    misconceptions=[
        Misconception(
            "a wrong step between partitions",
            [edit("p.s_h * h", "h"), edit("p.s_h * h", "p.s_w * h")],
            "Your first partition is right; others begin in the wrong row.",
            "Output row `h` begins at row `s_h * h` of the padded image.",
        ),
        Misconception(
            "partitions side by side",
            edit("p.s_h * h * row", "h * p.k_h * row"),
            "Your first partition is right; the others begin too far down.",
            "Partitions overlap. The next one begins `s_h` rows further down, not `k_h`.",
        ),
        Misconception(
            "a copy",
            [edit("-1)[:", "-1).copy()[:"), edit("+ p.k_h * row]", "+ p.k_h * row].copy()")],
            "The values are right, but you copied them.",
            "A slice is a view and costs nothing. An index that is a list or an array copies, and "
            "so do `.copy()`, and `reshape` of an array that isn't contiguous.",
        ),
        Misconception(
            "rows counted as values",
            edit("row = p.k_w * p.i_c", "row = p.i_c"),
            "Your partition is narrower than a window, and begins too far left.",
            "One row of a strip is `k_w` pixels of `i_c` values each.",
        ),
    ],
)
