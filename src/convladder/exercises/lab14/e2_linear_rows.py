"""Lab 14, exercise 2: a fully connected layer whose reads are coalesced."""

import numpy as np

from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

WARPS = 4  # of a block: an output each

SOURCE = r"""
extern "C" __global__ void linear(const float *x, const float *w, const float *bias, float *y,
                                  int inputs, int outputs)
{
    int lane = threadIdx.x % 32;
    int o = blockIdx.x * 4 + threadIdx.x / 32;
    if (o >= outputs) return;  // the whole warp
    float sum = 0;
    for (int i = lane; i < inputs; i += 32)
        sum += x[i] * w[o * inputs + i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[o] = sum + bias[o];
}
"""
REDUCTION = """    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
"""
BODY = SOURCE[SOURCE.index("    int lane") : SOURCE.rindex("}")]


def linear_rows(x, w, bias):
    return (w.astype(np.float64) @ x + bias).astype(np.float32)


def budget(x, w, bias):
    """The weights once, and the inputs once for each output."""
    return {"global_load_sectors": 2 * len(w) * -(-len(x) // 8) + len(w)}


EXERCISE = Exercise(
    name="linear_rows",
    lab=14,
    task="A fully connected layer with 4 sectors per request: a warp for each row of the weights.",
    solution=SOURCE,
    reference=linear_rows,
    cases=lambda rng: [(3, 2), (33, 7), (100, 5), (120, 84)],
    inputs=lambda fill, inputs, outputs: (fill(inputs), fill(outputs, inputs), fill(outputs)),
    valid=lambda inputs, outputs: inputs > 0 and outputs > 0,
    budget=budget,
    kernel=KernelSpec(
        "linear",
        lambda x, w, bias: (x, w, bias, OUT, len(x), len(w)),
        lambda x, w, bias: (-(-len(w) // WARPS), 32 * WARPS),
    ),
    mend="`for (int i = lane; i < inputs; i += 32)`, then five `__shfl_down_sync` steps from 16 "
    "to 1, and lane 0 stores `sum + bias[o]`",
    misconceptions=[
        Misconception(
            "a thread for each output",
            edit(
                BODY,
                """    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= outputs) return;
    float sum = bias[o];
    for (int i = 0; i < inputs; i++) sum += x[i] * w[o * inputs + i];
    y[o] = sum;
""",
            ),
            "The values are right, but the lanes of a request read from different rows.",
            "Neighbouring lanes should read neighbouring addresses: a warp per row.",
        ),
        Misconception(
            "a piece of the row for each lane",
            edit(
                "for (int i = lane; i < inputs; i += 32)",
                "int each = (inputs + 31) / 32;\n"
                "    for (int i = lane * each; i < min(inputs, (lane + 1) * each); i++)",
            ),
            "The values are right, but a request touches more sectors than necessary.",
            "In each step the 32 lanes should read 32 neighbouring values.",
        ),
        Misconception(
            "no sum over the lanes",
            [
                edit(REDUCTION, ""),
                edit("step > 0", "step > 1"),
                edit("step = 16", "step = 8"),
            ],
            "Lane 0 stores less than the sum of all lanes.",
            "Steps of 16, 8, 4, 2 and 1 add up 32 lanes.",
        ),
        Misconception(
            "no bias, or one per lane",
            [
                edit("float sum = 0", "float sum = bias[o]", "sum + bias[o]", "sum"),
                edit("sum + bias[o]", "sum"),
            ],
            "All values are off by a multiple of the bias.",
            "Lane 0 adds the bias once, at the end.",
        ),
        Misconception(
            "lanes that leave before the shuffle",
            edit("    float sum = 0;", "    if (lane >= inputs) return;\n    float sum = 0;"),
            "Where a row is shorter than a warp, lanes are missing from a shuffle.",
            "The mask 0xffffffff promises all 32 lanes. A lane without inputs adds 0.",
        ),
        Misconception(
            "every lane stores",
            edit("    if (lane == 0)\n    ", "    "),
            "Lanes other than lane 0 store their own part of the sum.",
            "After `__shfl_down_sync` only lane 0 has the sum of all lanes.",
        ),
    ],
)
