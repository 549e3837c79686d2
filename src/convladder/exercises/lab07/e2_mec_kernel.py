"""Lab 07, exercise 2: MEC's lowering as a kernel, with a thread for each value of L."""

from ...core.problem import ConvProblem
from ...cpu import mec
from ..draws import layer
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SOURCE = r"""
extern "C" __global__ void lower(const float *x, float *L, int i_h, int i_w, int i_c,
                                 int k_w, int o_w, int s_w, int p_h, int p_w)
{
    int padded_h = i_h + 2 * p_h;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_w * padded_h * k_w * i_c) return;
    int c = i % i_c;
    int b = i / i_c % k_w;
    int row = i / (i_c * k_w) % padded_h - p_h;
    int w = i / (i_c * k_w * padded_h);
    int column = s_w * w + b - p_w;
    bool inside = row >= 0 && row < i_h && column >= 0 && column < i_w;
    L[i] = inside ? x[(row * i_w + column) * i_c + c] : 0.0f;
}
"""
INSIDE = "row >= 0 && row < i_h && column >= 0 && column < i_w"
STORE = "L[i] = inside ? x[(row * i_w + column) * i_c + c] : 0.0f;"
TOY = ConvProblem(1, 3, 4, 1, 2, 2, 1)
STRIDED = ConvProblem(1, 5, 9, 2, 3, 3, 1, stride=(1, 2))
PADDED = ConvProblem(1, 6, 7, 3, 3, 3, 1, stride=(1, 2), padding=(1, 2))
WIDE = ConvProblem(1, 12, 20, 3, 7, 7, 1, padding=1)


def mec_kernel(x, problem):
    return mec.lower(x[None], problem)[0]


EXERCISE = Exercise(
    name="mec_kernel",
    lab=7,
    task="MEC's lowering as a kernel, with a thread for each value of L.",
    solution=SOURCE,
    reference=mec_kernel,
    cases=lambda rng: [(TOY,), (STRIDED,), (PADDED,), (layer(rng, 12, 1),), (WIDE,)],
    inputs=lambda fill, problem: (fill(*problem.input_shape[1:]), problem),
    valid=lambda problem: problem.i_n == 1,
    kernel=KernelSpec(
        "lower",
        lambda x, p: (x, OUT, p.i_h, p.i_w, p.i_c, p.k_w, p.o_w, p.s_w, p.p_h, p.p_w),
        lambda x, p: (-(-p.o_w * p.padded_h * p.k_w * p.i_c // 128), 128),
    ),
    mend="`int row = i / (i_c * k_w) % padded_h - p_h, column = s_w * w + b - p_w;`, and "
    "`L[i] = inside ? x[(row * i_w + column) * i_c + c] : 0.0f;`",
    misconceptions=[
        Misconception(
            "no test of the bounds",
            edit("    if (i >= o_w * padded_h * k_w * i_c) return;\n", ""),
            "Threads of the last block write past the end of `L`.",
            "A launch has whole blocks of 128 threads, and `L` rarely has a multiple of 128 "
            "values.",
            mend="`if (i >= o_w * padded_h * k_w * i_c) return;`",
        ),
        Misconception(
            "padding not subtracted",
            [
                edit("padded_h - p_h", "padded_h", "+ b - p_w", "+ b"),
                edit("+ b - p_w", "+ b"),
            ],
            "Without padding all is right. With it the image lies too far up or to the left.",
            "`L` is cut from the padded image. Its row `p_h` and column `p_w` are where `x` "
            "begins.",
        ),
        Misconception(
            "a border that is not fully tested",
            [
                edit(INSIDE, "true"),
                edit(INSIDE, "row < i_h && column < i_w"),
                edit(INSIDE, "row >= 0 && row < i_h"),
            ],
            "Without padding all is right. With it you read pixels that don't exist.",
            "The border has four sides, and to the right of a row memory goes on with the next "
            "row. Rows and columns each need two tests.",
            mend="`bool inside = row >= 0 && row < i_h && column >= 0 && column < i_w;`",
        ),
        Misconception(
            "zeros not written",
            edit(STORE, "if (inside) L[i] = x[(row * i_w + column) * i_c + c];"),
            "Without padding all is right. With it the border holds values that nobody wrote.",
            "New memory isn't zero. Every thread writes its value, zeros included.",
        ),
        Misconception(
            "the stride left out",
            edit("s_w * w", "w"),
            "With a horizontal stride of 1 all is right. Otherwise later strips begin too far "
            "to the left.",
            "Strip `w` belongs to output column `w`, whose window begins in column `s_w * w`.",
        ),
        Misconception(
            "rows before strips",
            edit(
                *("i / (i_c * k_w) % padded_h", "i / (i_c * k_w * o_w)"),
                *("i / (i_c * k_w * padded_h)", "i / (i_c * k_w) % o_w"),
            ),
            "The values are right, in the order `[padded_h, o_w, k_w, i_c]`.",
            "A strip is one piece of memory, so `w` is the slowest axis of `L`.",
        ),
    ],
)
