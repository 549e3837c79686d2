"""Lab 08, exercise 4: four floats a request."""

import numpy as np

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

THREADS = 128

SOURCE = r"""
extern "C" __global__ void relu(const float *x, float *y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4 *>(x + i);
        v.x = fmaxf(v.x, 0); v.y = fmaxf(v.y, 0); v.z = fmaxf(v.z, 0); v.w = fmaxf(v.w, 0);
        *reinterpret_cast<float4 *>(y + i) = v;
    } else {
        for (; i < n; i++)
            y[i] = fmaxf(x[i], 0);
    }
}
"""
FIRST = "4 * (blockIdx.x * blockDim.x + threadIdx.x)"
LOAD = "float4 v = *reinterpret_cast<const float4 *>(x + i);"
STORE = "*reinterpret_cast<float4 *>(y + i) = v;"
REST = """        for (; i < n; i++)
            y[i] = fmaxf(x[i], 0);
"""


def relu(x):
    return np.maximum(x, 0)


def requests(x):
    most = -(-x.size // 128)  # 32 lanes by 4 floats
    return {"global_load_requests": most, "global_store_requests": most}


EXERCISE = Exercise(
    name="relu4",
    lab=8,
    task="ReLU with vector loads and stores: a quarter of the requests.",
    solution=SOURCE,
    reference=relu,
    cases=lambda rng: [(6,), (509,), (515,), (4 * whole(rng, 130, 250) + 1,), (4096,)],
    inputs=lambda fill, n: (fill(n) - np.float32(2),),
    valid=lambda n: n > 0,
    budget=requests,
    kernel=KernelSpec(
        "relu", lambda x: (x, OUT, x.size), lambda x: (-(-x.size // (4 * THREADS)), THREADS)
    ),
    mend="`int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x)`; a `float4` load and store while "
    "`i + 3 < n`, and a loop for the rest",
    misconceptions=[
        Misconception(
            "four single loads or stores",
            [
                edit(LOAD, "float4 v = {x[i], x[i + 1], x[i + 2], x[i + 3]};"),
                edit(
                    *(LOAD, "float4 v = {x[i], x[i + 1], x[i + 2], x[i + 3]};"),
                    *(STORE, "y[i] = v.x; y[i + 1] = v.y; y[i + 2] = v.z; y[i + 3] = v.w;"),
                ),
            ],
            "The values are right, with too many requests.",
            "A request of a warp carries 16 bytes per lane only if one instruction asks for a "
            "`float4`.",
        ),
        Misconception(
            "one float a thread",
            edit(
                "    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);",
                "    for (int i = blockIdx.x * 4 * blockDim.x + threadIdx.x, s = 0; s < 4; s++,"
                " i += blockDim.x)\n        if (i < n) y[i] = fmaxf(x[i], 0);\n    int i = n;",
            ),
            "Sectors are as few as possible, but there are four times as many requests.",
            "A `float4` moves four values with one request.",
        ),
        Misconception(
            "the rest left out",
            [
                edit(REST, ""),
                edit("for (; i < n; i++)", "if (i < n)"),
            ],
            "Up to three values at the end are never written.",
            "If `n` is not a multiple of 4, a few values remain for single stores.",
        ),
        Misconception(
            "a vector beyond the end",
            [edit("i + 3 < n", "i < n"), edit("i + 3 < n", "i + 2 < n")],
            "A vector reaches beyond the arrays, or two threads have the same value.",
            "A `float4` at `i` is `x[i]` to `x[i + 3]`: it needs `i + 3 < n`, and the next "
            "thread's begins at `i + 4`.",
        ),
        Misconception(
            "vectors in the wrong place",
            [
                edit(FIRST, "blockIdx.x * blockDim.x + threadIdx.x"),
                edit(FIRST, "blockIdx.x * blockDim.x + 4 * threadIdx.x"),
            ],
            "Vectors overlap, or begin at addresses that are not a multiple of 16.",
            "Each thread takes four values, so its first one is four times its number.",
        ),
    ],
)
