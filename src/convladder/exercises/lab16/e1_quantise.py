"""Lab 16, exercise 1: values on an affine grid, with its scale and zero point."""

import numpy as np

from ..exercise import Exercise, Misconception, edit


def quantise(x, least, most, bits):
    least, most = min(least, 0.0), max(most, 0.0)
    scale = (most - least) / (2**bits - 1)
    zero = int(np.rint(-least / scale))
    q = np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1)
    return q.astype(np.int64).astype(np.uint8), scale, zero


def cases(rng):
    wild = rng.normal(0, 2, 200).round(3).tolist()
    return [
        ([-1.0, -0.4, 0.0, 0.3, 2.6, 9.0], -1.0, 3.0, 2),
        ([0.3, 0.9, 1.7, 2.0], 0.5, 2.0, 4),
        ([-9.0, -2.2, -0.1], -3.0, -1.0, 3),
        ([[-0.4, 1.2, 0.9], [0.0, 2.6, -1.0]], -1.0, 2.0, 3),
        (wild, -1.3, 2.9, 8),
        ([each / 10 for each in wild], -2.4, 0.8, 5),
    ]


STEPS = "np.rint(x / scale) + zero"
CLIP = f"np.clip({STEPS}, 0, 2**bits - 1)"

EXERCISE = Exercise(
    name="quantise",
    lab=16,
    solution=quantise,
    cases=cases,
    task="Put values on an affine grid, and give its scale and zero point too.",
    inputs=lambda fill, x, least, most, bits: (np.array(x, float), least, most, bits),
    valid=lambda x, least, most, bits: len(x) > 0 and least < most and bits > 1,
    mend="`q = np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1)`, with `zero = "
    "int(np.rint(-least / scale))` and `scale = (most - least) / (2**bits - 1)`",
    misconceptions=[
        Misconception(
            "a range without 0",
            [
                edit("min(least, 0.0), max(most, 0.0)", each)
                for each in ("least, most", "min(least, 0.0), most", "least, max(most, 0.0)")
            ],
            "Ranges that hold 0 are right. Ranges on one side of it are not.",
            "Padding and ReLU are full of zeros, so 0 must be on the grid exactly. Widen the range "
            "to 0 first.",
            mend="`least, most = min(least, 0.0), max(most, 0.0)`",
        ),
        Misconception(
            "one step too many",
            edit("/ (2**bits - 1)", "/ 2**bits"),
            "Your scale is a little too small, and the upper end is cut off.",
            "`2**bits` points have one gap fewer between them, as a fence has one more post than "
            "it has gaps.",
        ),
        Misconception(
            "truncation in place of rounding",
            [edit("np.rint(x / scale)", f"np.{each}(x / scale)") for each in ("trunc", "floor")],
            "Scale and zero point are right. Many `q` are off by one.",
            "A cast, and `//`, drop the fraction. Only rounding keeps the error below half a step.",
        ),
        Misconception(
            "steps counted from the range's end",
            edit(STEPS, "np.rint((x - least) / scale)"),
            "Scale and zero point are right. Some `q` are off by one.",
            "Steps counted from `least` miss 0.0, as `least` is only near the grid. Round `x / "
            "scale` and the zero point each by itself.",
        ),
        Misconception(
            "no clipping to the grid",
            [edit(CLIP, STEPS), edit(CLIP, f"np.clip({STEPS}, 0, 255)")],
            "Values in the range are right. Values beyond it leave the grid, or wrap around.",
            "The grid ends at 0 and `2**bits - 1`. A cast to uint8 keeps eight bits: 256 is 0.",
        ),
        Misconception(
            "clipping before the zero point",
            edit(CLIP, "np.clip(np.rint(x / scale), 0, 2**bits - 1) + zero"),
            "Negative values are all at the zero point, and large ones leave the grid.",
            "The ends 0 and `2**bits - 1` are those of `q`, zero point included: add, then clip.",
        ),
    ],
)
