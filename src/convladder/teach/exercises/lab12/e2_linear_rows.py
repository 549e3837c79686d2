"""Lab 12, exercise 2: a fully connected layer whose reads are coalesced, weights as they are."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting, edited
from .linear_sources import LOOP, REDUCTION, SOURCE, THREAD_AN_OUTPUT

WARPS = 4  # of a block: an output each


def linear_rows(x, w, bias):
    return (w.astype(np.float64) @ x + bias).astype(np.float32)


def _cases(rng: np.random.Generator) -> list[tuple]:
    def drawn(inputs: int, outputs: int) -> tuple:
        return tuple(
            rng.standard_normal(shape, dtype=np.float32)
            for shape in (inputs, (outputs, inputs), outputs)
        )

    return [(counting(3), counting(2, 3), counting(2)), drawn(33, 7), drawn(100, 5), drawn(120, 84)]


def _budget(x, w, bias):
    """Allow the weights once, and the inputs once for each output."""
    sectors = 2 * len(w) * -(-len(x) // 8) + len(w)
    return {"global_load_sectors": sectors}


EXERCISE = Exercise(
    name="linear_rows",
    lab=12,
    reference=linear_rows,
    task="A fully connected layer with 4 sectors a request: a warp for each row of the weights.",
    cases=_cases,
    kernel=KernelTask(
        name="linear",
        solution=SOURCE,
        arguments=lambda x, w, bias: (x, w, bias, OUT, len(x), len(w)),
        budget=_budget,
        launch=lambda x, w, bias: (blocks((len(w), WARPS)), 32 * WARPS),
    ),
    misconceptions=[
        Misconception(
            "a thread an output",
            THREAD_AN_OUTPUT,
            symptom="Your values are right; your lanes read from different rows of the weights.",
            concept="Rows are `inputs` floats apart. Lanes that stand on different rows share no "
            "sector; lanes that walk along one row share each sector with seven others.",
            line="`o` from the warp, `threadIdx.x / 32`; lanes take `i = lane, lane + 32, ...`; "
            "then `__shfl_down_sync` brings the sum of all to lane 0, which stores it.",
        ),
        Misconception(
            "a piece of the row for each lane",
            edited(
                SOURCE,
                (
                    LOOP,
                    "int piece = (inputs + 31) / 32;\n"
                    "    for (int i = lane * piece; i < inputs && i < (lane + 1) * piece; i++)",
                ),
            ),
            symptom="Your values are right; a request touches more sectors than it must.",
            concept="In each step of the loop the lanes should stand side by side. With a piece "
            "each, they stand a piece apart.",
            line=f"`{LOOP}`.",
        ),
        Misconception(
            "the whole row for each lane",
            edited(SOURCE, (LOOP, "for (int i = 0; i < inputs; i++)")),
            symptom="All products are in your sum 32 times.",
            concept="Every lane goes along the whole row, and then the 32 sums are added. The "
            "lanes should share the row.",
            line="A lane begins at `lane` and goes on by 32.",
        ),
        Misconception(
            "no sum over the lanes",
            edited(SOURCE, (REDUCTION, "")),
            symptom="You write what lane 0 has summed: of every 32 inputs one.",
            concept="Each lane has a part of the sum. `__shfl_down_sync(0xffffffff, sum, n)` gives "
            "a lane the value of the one n further on.",
            line="`for (int step = 16; step > 0; step /= 2)` before the store, with "
            "`sum += __shfl_down_sync(0xffffffff, sum, step);`.",
        ),
        Misconception(
            "weights transposed",
            edited(SOURCE, ("w[o * inputs + i]", "w[i * outputs + o]")),
            symptom="You walk down a column of the weights.",
            concept="`w` lies as `[outputs, inputs]`: row o begins at `o * inputs`.",
            line="Neighbouring lanes are neighbouring inputs: `w[o * inputs + i]`.",
        ),
        Misconception(
            "a row of outputs",
            edited(SOURCE, ("w[o * inputs + i]", "w[o * outputs + i]")),
            symptom="The first output is right, the others begin in the wrong place.",
            concept="A row of the weights has as many values as there are *inputs*.",
            line="`w[o * inputs + i]`.",
        ),
        Misconception(
            "half of the lanes",
            edited(SOURCE, ("int step = 16", "int step = 8")),
            symptom="Rows of up to 16 values are right; longer ones lack what lanes 16 to 31 have.",
            concept="32 lanes share a row, and are added in five steps: 16, 8, 4, 2, 1.",
            line="All five steps, the one of 16 among them, and every lane in the loop.",
        ),
        Misconception(
            "a last step missing",
            edited(SOURCE, ("step > 0", "step > 1")),
            symptom="Lane 0 ends with the sum of the even lanes.",
            concept="After the steps 16, 8, 4 and 2 two sums are left, in lanes 0 and 1.",
            line="Go on while `step > 0`.",
        ),
        Misconception(
            "every lane stores",
            edited(SOURCE, ("    if (lane == 0)\n        y[o]", "    y[o]")),
            symptom="Several lanes write to one place, each another value.",
            concept="After the steps only lane 0 has the sum of all: of the others each has a sum "
            "that begins with itself.",
            line="`if (lane == 0)` before the store.",
        ),
        Misconception(
            "a bias for each lane",
            edited(SOURCE, ("float sum = 0;", "float sum = bias[o];"), ("sum + bias[o]", "sum")),
            symptom="The bias is in the sum 32 times.",
            concept="What a lane begins with is added up over all lanes.",
            line="Begin with 0, and let lane 0 add `bias[o]` at the end.",
        ),
        Misconception(
            "the last piece forgotten",
            edited(SOURCE, (LOOP, "for (int i = lane; i < inputs / 32 * 32; i += 32)")),
            symptom="Only whole pieces of 32 inputs count.",
            concept="120 inputs are three times 32 and 24 more, for which 24 lanes are enough.",
            line=f"`{LOOP}`: lanes beyond the end stop by themselves.",
        ),
        Misconception(
            "beyond the row",
            edited(
                SOURCE,
                (LOOP, "for (int j = 0; j < (inputs + 31) / 32; j++)"),
                ("x[i] * w[o * inputs + i]", "x[32 * j + lane] * w[o * inputs + 32 * j + lane]"),
            ),
            symptom="Where inputs are no multiple of 32, lanes read behind the end of `x`.",
            concept="The last piece has fewer values than there are lanes.",
            line="Let each lane test its own place: it adds only where that is below `inputs`.",
        ),
        Misconception(
            "warps forgotten",
            edited(SOURCE, ("blockIdx.x * 4 + threadIdx.x / 32", "blockIdx.x")),
            symptom="Most outputs of a larger layer are NaN: nobody has written them.",
            concept="A block has four warps, so four outputs; a grid has a quarter as many blocks "
            "as there are outputs.",
            line="`int o = blockIdx.x * 4 + threadIdx.x / 32;`.",
        ),
        Misconception(
            "leaves before the sum",
            edited(
                SOURCE,
                ("    float sum = 0;\n", "    if (lane >= inputs) return;\n    float sum = 0;\n"),
            ),
            symptom="Where a row is shorter than a warp, some lanes are missing from a shuffle: "
            "they have left, go past it, or are not in its mask.",
            concept="A shuffle needs all 32 lanes, also those whose sum is 0.",
            line="`0xffffffff`, and no `return` and no `if` for single lanes.",
        ),
        Misconception(
            "a shuffle for some lanes",
            edited(SOURCE, ("        sum += __shfl", "        if (lane < step) sum += __shfl")),
            symptom="Lanes ask for the value of lanes that do not take part: a condition, a "
            "`return` or the mask keeps them away.",
            concept="A lane gives its value only by calling the same shuffle. What the upper "
            "lanes add to theirs meanwhile does no harm.",
            line="The shuffle with `0xffffffff`, by all lanes: no `if` around it, no `return` "
            "before it.",
        ),
        Misconception(
            "outputs not tested",
            edited(SOURCE, ("    if (o >= outputs) return;\n", "")),
            symptom="In the last block a warp without a row reads and writes all the same.",
            concept="7 outputs are two blocks of four warps: one warp has nothing to do.",
            line="`if (o >= outputs) return;`: a whole warp leaves, so that nobody waits for it.",
        ),
        Misconception(
            "steps of a block",
            edited(SOURCE, (LOOP, LOOP.replace("32", "blockDim.x"))),
            symptom="Rows of up to 32 values are right; of longer ones you take 32 of every 128.",
            concept="A row belongs to one warp. The block's other three warps are at other rows, "
            "so nobody adds what you step over.",
            line="`i += 32`.",
        ),
        Misconception(
            "lanes of four outputs in a warp",
            edited(
                SOURCE,
                ("threadIdx.x % 32;", "threadIdx.x / 4;"),
                ("threadIdx.x / 32", "threadIdx.x % 4"),
                ("    if (o >= outputs) return;\n", ""),
                (f"    {LOOP}", f"    if (o < outputs)\n    {LOOP}"),
                ("lane == 0", "lane == 0 && o < outputs"),
            ),
            symptom="Your sums have products of several outputs in them.",
            concept="A shuffle adds up over a warp, 32 threads that follow each other. These must "
            "all belong to one output.",
            line="`lane = threadIdx.x % 32`, and the output by `threadIdx.x / 32`.",
        ),
        Misconception(
            "the last lane stores",
            edited(SOURCE, ("lane == 0", "lane == 31")),
            symptom="What you store has only lane 31's part of the row in it.",
            concept="`__shfl_down_sync` brings sums *down*: after five steps lane 0 has all 32.",
            line="`if (lane == 0)`.",
        ),
        Misconception(
            "the first inputs over and over",
            edited(SOURCE, ("x[i] *", "x[lane] *")),
            symptom="Rows of up to 32 inputs are right. In longer ones each lane takes its first "
            "input again.",
            concept="In the second round a lane is at `lane + 32`, of the weights and of `x`.",
            line="`x[i] * w[o * inputs + i]`: `i` in both.",
        ),
        Misconception(
            "sums up, not down",
            edited(SOURCE, ("__shfl_down_sync", "__shfl_up_sync")),
            symptom="What lane 0 stores is 32 times its own part of the row, not the sum of all "
            "lanes.",
            concept="All lanes have the same part, or lane 0 gets nothing of the others: "
            "`__shfl_up_sync` brings values to *higher* lanes, `__shfl_sync` those of "
            "one lane to all.",
            line="A lane begins at `lane`; `__shfl_down_sync` brings the sums to lane 0.",
        ),
        Misconception(
            "a mask without some lanes",
            edited(SOURCE, ("0xffffffff", "0xffff")),
            symptom="Lanes are missing from a shuffle: its mask leaves them out, or they do not "
            "come to it.",
            concept="The mask names all lanes that take part, a bit for each, and all of them "
            "must call the shuffle.",
            line="`0xffffffff`, eight times f, and every lane calls the shuffle.",
        ),
        Misconception(
            "a step of 32",
            edited(SOURCE, ("int step = 16", "int step = 32")),
            symptom="Your sums are twice as large as they should be, before the bias.",
            concept="A first step of 32 asks for a lane that does not exist: the shuffle then "
            "gives a lane its own value, which is added.",
            line="Half of a warp is the first step, 16, and 1 the last.",
        ),
        Misconception(
            "no bias",
            edited(SOURCE, ("sum + bias[o]", "sum")),
            symptom="Your values are those without a bias.",
            concept="Each output has a bias.",
            line="`y[o] = sum + bias[o]`, by lane 0.",
        ),
        Misconception(
            "a ReLU nobody asked for",
            edited(SOURCE, ("sum + bias[o]", "fmaxf(sum + bias[o], 0.0f)")),
            symptom="Positive values are right; where one should be negative there is 0.",
            concept="This layer has no ReLU: its negative values are answers too.",
            line="`y[o] = sum + bias[o]`.",
        ),
        Misconception(
            "the sum overwritten",
            edited(SOURCE, ("sum += __shfl", "sum = __shfl")),
            symptom="In each step you replace a lane's sum by the other one's.",
            concept="A step of the reduction adds two sums: a lane's own and the one that comes.",
            line="`sum +=`, with the plus.",
        ),
        Misconception(
            "begun by the thread's number",
            edited(SOURCE, ("int i = lane;", "int i = threadIdx.x;")),
            symptom="Of each four outputs the first is right; the others lack their row's "
            "beginning.",
            concept="Each warp begins its own row, whichever warp of the block it is.",
            line="`i = lane`, from 0 to 31 in every warp.",
        ),
        Misconception(
            "whole numbers summed",
            edited(SOURCE, ("float sum = 0", "int sum = 0")),
            symptom="Right for whole numbers; of others you cut off what is behind the point.",
            concept="An `int` that a float is added to keeps the whole part only, each time.",
            line="`float sum = 0;`.",
        ),
        Misconception(
            "32 outputs a block",
            edited(SOURCE, ("blockIdx.x * 4", "blockIdx.x * 32")),
            symptom="The first four outputs are right; of the others most are NaN: nobody has "
            "written them.",
            concept="A block of 128 threads is four warps, so it makes four outputs.",
            line="`blockIdx.x * 4 + threadIdx.x / 32`.",
        ),
        Misconception(
            "one input too many",
            edited(SOURCE, ("i < inputs", "i <= inputs")),
            symptom="One lane of each warp reads behind the end of its row.",
            concept="Inputs are numbered from 0 to `inputs - 1`.",
            line="`i < inputs`.",
        ),
    ],
)
