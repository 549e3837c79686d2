"""Lab 01, exercise 4: convolution is one matrix product."""

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from .e1_output_shape import output_shape
from .e3_lower_windows import lower_windows

LAYERS = [
    ConvProblem(1, 4, 4, 1, 3, 3, 1),  # the im2col note's example
    ConvProblem(1, 7, 9, 2, 3, 2, 4),
    ConvProblem(2, 8, 6, 3, 2, 3, 5, stride=(2, 1), padding=(1, 0)),
    ConvProblem(1, 9, 12, 2, 3, 3, 3, stride=(3, 2), padding=(1, 2)),
    ConvProblem(1, 2, 7, 2, 1, 2, 3, stride=(2, 3)),  # skips pixels, and has one output row
]


def convolve_gemm(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    product = lower_windows(x, k_h, k_w, stride, padding) @ w.reshape(k_h * k_w * i_c, k_c)
    return product.reshape(len(x), o_h, o_w, k_c)


def arrays_and_settings(fill, problem):
    p = problem
    return fill(*p.input_shape), fill(*p.kernel_shape), p.stride, p.padding


WEIGHTS = "w.reshape(k_h * k_w * i_c, k_c)"
OUTPUT = "(len(x), o_h, o_w, k_c)"

EXERCISE = Exercise(
    name="convolve_gemm",
    lab=1,
    task="Convolution as one matrix product, and the reshape that makes it NHWC.",
    solution=convolve_gemm,
    cases=lambda rng: [*((p,) for p in LAYERS), (layer(rng, 12),)],
    inputs=arrays_and_settings,
    mend="`lowered @ w.reshape(k_h * k_w * i_c, k_c)`, then `.reshape(i_n, o_h, o_w, k_c)`",
    misconceptions=[
        Misconception(
            "a flipped kernel",
            edit(WEIGHTS, f"w[::-1, ::-1].{WEIGHTS[2:]}"),
            "Your result comes from a kernel turned by 180°.",
            "Mathematics flips the kernel before it slides. Deep learning doesn't: its convolution "
            "is cross-correlation.",
        ),
        Misconception(
            "weights reshaped with the filters first",
            edit(WEIGHTS, "w.reshape(k_c, -1).T"),
            "Layers with one filter are right. With several, their weights are mixed up.",
            "In `w[k_h, k_w, i_c, k_c]` the filter moves fastest. `w.reshape(k_c, -1)` cuts this "
            "sequence in the wrong places, and a transpose can't repair that.",
        ),
        Misconception(
            "the product reshaped with the filters first",
            [
                edit(OUTPUT, "(len(x), k_c, o_h, o_w)"),
                edit(OUTPUT, "(len(x), k_c, o_h, o_w).transpose(0, 2, 3, 1).copy()"),
            ],
            "Values of different pixels and filters are mixed up, unless there is one filter.",
            "Each row of the product is one pixel, and the filter moves fastest. A reshape can't "
            "change that order.",
        ),
        Misconception(
            "o_h and o_w exchanged",
            edit("o_h, o_w =", "o_w, o_h ="),
            "Square outputs are right. In others, height and width are exchanged.",
            "The rows of the product are in the order of `h`, then `v`: height first.",
        ),
    ],
)
