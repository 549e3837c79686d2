"""Lab 03, exercise 1: how many bytes MEC's lowered matrix L has."""

from ...core.problem import REPORT, ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

TOY = ConvProblem(1, 4, 3, 1, 2, 2, 1)
UNEVEN = ConvProblem(2, 6, 5, 2, 3, 4, 2, stride=(2, 3), padding=(2, 1))  # a row in no window


def lowered_bytes(problem):
    p = problem
    return 4 * p.i_n * p.o_w * p.padded_h * p.k_w * p.i_c


EXERCISE = Exercise(
    name="lowered_bytes",
    lab=3,
    solution=lowered_bytes,
    cases=lambda rng: [(TOY,), (layer(rng),), (UNEVEN,), (REPORT,)],
    task="Count the bytes of MEC's lowered matrix L, padding included.",
    allowed=("convladder.core.problem.Shapes",),
    mend="`4 * i_n * o_w * padded_h * k_w * i_c`: the sizes of `L[i_n, o_w, padded_h, k_w, i_c]`",
    misconceptions=[
        Misconception(
            "padded rows left out",
            edit("p.padded_h", "p.i_h"),
            "Layers with vertical padding come out too small.",
            "A partition is a view, so the zeros above and below the image must lie in `L` itself: "
            "a strip is as high as the padded image.",
        ),
        Misconception(
            "a strip at every column",
            [edit("p.o_w", each) for each in ("(p.padded_w - p.k_w + 1)", "p.padded_w", "p.i_w")],
            "You count strips for columns at which no window begins.",
            "There is one strip for each output column. With a stride of `s_w`, only every "
            "`s_w`-th column of the padded image begins one.",
        ),
        Misconception(
            "values, not bytes",
            edit("4 * ", ""),
            "Every answer is a quarter of the right one.",
            "You counted values. A float32 has 4 bytes.",
        ),
        Misconception(
            "im2col's matrix",
            edit("p.padded_h", "p.o_h * p.k_h"),
            "This is the size of im2col's matrix, which MEC avoids.",
            "im2col stores `k_h` rows for each of `o_h` output rows. MEC stores each row of the "
            "padded image once per strip.",
        ),
        Misconception(
            "lowered along the height",
            edit("p.o_w * p.padded_h * p.k_w", "p.o_h * p.padded_w * p.k_h"),
            "Square layers are right; for others your `L` is that of the other direction.",
            "A strip is `k_w` columns wide and runs over the full height. Each output column has "
            "one.",
        ),
    ],
)
