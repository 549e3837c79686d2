"""Lab 07, exercise 6: a direct convolution of your own, with few sectors."""

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import conv2d_float64
from ..draws import layer
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit


def my_direct(problem):
    p, threads = problem, 128
    source = r"""
extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
                                int o_h, int o_w, int s_h, int s_w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_h * o_w * k_c) return;
    int k = i % k_c;
    int v = i / k_c % o_w;
    int h = i / k_c / o_w;
    float sum = 0;
    for (int a = 0; a < k_h; a++)
        for (int b = 0; b < k_w; b++)
            for (int c = 0; c < i_c; c++)
                sum += x[((s_h * h + a) * i_w + s_w * v + b) * i_c + c]
                     * w[((a * k_w + b) * i_c + c) * k_c + k];
    y[(h * o_w + v) * k_c + k] = sum;
}
"""
    return source, -(-p.o_h * p.o_w * p.k_c // threads), threads


NUMBER = """\
    int k = i % k_c;
    int v = i / k_c % o_w;
    int h = i / k_c / o_w;
"""
ONE_PIXEL = "    int v = i % o_w, h = i / o_w;\n    for (int k = 0; k < k_c; k++) {\n"
OUTSIDE, BLOCKS = "if (i >= o_h * o_w * k_c) return;", "-(-p.o_h * p.o_w * p.k_c // threads)"
PIXEL, WEIGHT = (
    "((s_h * h + a) * i_w + s_w * v + b) * i_c + c",
    "((a * k_w + b) * i_c + c) * k_c + k",
)
STORE = "y[(h * o_w + v) * k_c + k]"
TOY = ConvProblem(1, 3, 3, 1, 2, 2, 1)
STRIDED = ConvProblem(1, 9, 10, 5, 3, 2, 3, stride=(2, 3))
MANY_FILTERS = ConvProblem(1, 4, 5, 2, 3, 3, 1400)  # more than a block can have threads
COUNTED = ConvProblem(1, 18, 18, 4, 3, 3, 32)
SECTORS = 46_080  # that gpu_coalesced loads for it


EXERCISE = Exercise(
    name="my_direct",
    lab=7,
    task="A direct convolution as a kernel of your own, with few sectors.",
    solution=my_direct,
    reference=lambda x, w, problem: conv2d_float64(x[None], w, problem)[0].astype(np.float32),
    cases=lambda rng: [
        (TOY,),
        (STRIDED,),
        (MANY_FILTERS,),
        (layer(rng, 12, 1, padded=False),),
        (COUNTED,),
    ],
    inputs=lambda fill, p: (fill(*p.input_shape[1:]), fill(*p.kernel_shape), p),
    valid=lambda p: p.i_n == 1 and not any(p.padding),
    budget=lambda x, w, problem: {"global_load_sectors": SECTORS},
    kernel=KernelSpec(
        "conv",
        lambda x, w, p: (
            *(x, w, OUT, p.i_h, p.i_w, p.i_c, p.k_h, p.k_w, p.k_c),
            *(p.o_h, p.o_w, p.s_h, p.s_w),
        ),
    ),
    mend="`k = i % k_c`, `v = i / k_c % o_w`, `h = i / k_c / o_w`; "
    f"`sum += x[{PIXEL}] * w[{WEIGHT}]`; `{STORE} = sum`; and `-(-o_h * o_w * k_c // 128)` blocks "
    "of 128 threads",
    misconceptions=[
        Misconception(
            "neighbouring threads on different pixels",
            [
                edit(NUMBER, "    int v = i % o_w, h = i / o_w % o_h, k = i / o_w / o_h;\n"),
                edit(
                    *(NUMBER, ONE_PIXEL),
                    *(OUTSIDE, "if (i >= o_h * o_w) return;"),
                    *(f"{STORE} = sum;", f"{STORE} = sum;\n    }}"),
                    *(BLOCKS, BLOCKS.replace(" * p.k_c", "")),
                ),
            ],
            "The values are right, but a warp loads pixels that lie apart, each in a sector of "
            "its own.",
            "The filter is the fastest axis of `w` and `y`. If neighbouring threads have "
            "neighbouring filters, a warp shares one pixel and its weights lie side by side.",
        ),
        Misconception(
            "a sum in global memory",
            edit(
                *("float sum = 0;", f"{STORE} = 0;", "sum +=", f"{STORE} +="),
                *(f"    {STORE} = sum;\n", ""),
            ),
            "Every step of your sum loads `y` and stores it.",
            "A sum belongs in a register, `float sum = 0;`, and goes to `y` once. What is in `y` "
            "before the kernel isn't zero.",
        ),
        Misconception(
            "no test of the bounds",
            edit(f"    {OUTSIDE}\n", ""),
            "Threads of the last block compute values that `y` doesn't have.",
            "A launch has whole blocks, and `y` rarely fills the last one.",
            mend="`if (i >= o_h * o_w * k_c) return;`",
        ),
        Misconception(
            "a wrong width",
            [
                edit("% o_w", "% o_h", "k_c / o_w;", "k_c / o_h;"),
                edit("+ a) * i_w", "+ a) * o_w"),
                edit("(h * o_w", "(h * i_w"),
            ],
            "You use a width or height in the place of another, so rows have a wrong length.",
            "Rows of `x` are `i_w` long, rows of `y` are `o_w` and rows of a window `k_w`.",
        ),
        Misconception(
            "strides in the wrong places",
            [
                edit("s_h * h", "h", "s_w * v", "v"),
                edit("s_h * h + a", "s_h * (h + a)", "s_w * v + b", "s_w * (v + b)"),
            ],
            "With a stride of 1 all is right.",
            "Output row `h` looks at image rows from `s_h * h` on, and column `v` at columns from "
            "`s_w * v` on. Within a window pixels are neighbours.",
        ),
        Misconception(
            "weights in another order",
            [
                edit(WEIGHT, "((k * k_h + a) * k_w + b) * i_c + c"),
                edit(WEIGHT, "((a * k_w + b) * k_c + k) * i_c + c"),
            ],
            "The pixels are right, but they meet the wrong weights.",
            "`w` is `[k_h, k_w, i_c, k_c]`: the filter is the fastest axis and the window's row "
            "the slowest.",
        ),
    ],
)
