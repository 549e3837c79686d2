"""Lab 11, exercise 2: a float32 as the sum of two TF32 numbers."""

import numpy as np

from ..exercise import Exercise, Misconception, edit
from .e1_to_tf32 import to_tf32, values


def split_tf32(x):
    large = to_tf32(x)
    return large, to_tf32(x - large)


def cut_off(x):
    return (np.ascontiguousarray(x).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


EXERCISE = Exercise(
    name="split_tf32",
    lab=11,
    task="Split float32 numbers into a large and a small part, each a TF32 number.",
    solution=split_tf32,
    cases=lambda rng: [
        ([3], 1.0, "drawn"),
        ([100], 1.0, "drawn"),
        ([8], 1.0, "ties"),
        ([5, 6], float(rng.uniform(1e4, 1e6)), "drawn"),
    ],
    inputs=values,
    valid=lambda shape, scale, kind: len(shape) > 0 and min(shape) > 0 and scale != 0,
    mend="`large = to_tf32(x)`, then `small = to_tf32(x - large)`",
    misconceptions=[
        Misconception(
            "an unrounded rest",
            edit("to_tf32(x - large)", "x - large"),
            "The large part is right. The small one has too many bits.",
            "A tensor core would drop the other bits of the rest.",
        ),
        Misconception(
            "truncated parts",
            [
                lambda x: (cut_off(x), cut_off(x - cut_off(x))),
                lambda x: (cut_off(x), to_tf32(x - cut_off(x))),
                lambda x: (to_tf32(x), cut_off(x - to_tf32(x))),
            ],
            "One part or both are truncated, not rounded.",
            "Rounding halves the error, and the rest gets one bit more. Use `to_tf32` for both.",
        ),
        Misconception(
            "no subtraction",
            [
                edit("to_tf32(x - large)", "to_tf32(x)"),
                edit("to_tf32(x - large)", "to_tf32(x / large)"),
            ],
            "Your small part isn't what the large one leaves.",
            "The two parts add up to `x`, so the small one is `x - large`, rounded.",
        ),
        Misconception(
            "float16 for the small part",
            edit("to_tf32(x - large)", "(x - large).astype(np.float16).astype(np.float32)"),
            "Large numbers become infinite, or small ones lose their digits.",
            "float16 ends at 65,504 and at 6e-8. TF32 has float32's range.",
        ),
    ],
)
