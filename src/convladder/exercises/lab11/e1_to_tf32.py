"""Lab 11, exercise 1: what a tensor core reads of a float32."""

import numpy as np

from ..exercise import Exercise, Misconception, edit


def to_tf32(x):
    bits = np.ascontiguousarray(x).view(np.uint32)
    last_kept = bits >> np.uint32(13) & np.uint32(1)
    return (bits + np.uint32(0xFFF) + last_kept & np.uint32(0xFFFFE000)).view(np.float32)


KINDS = {
    "drawn": lambda x: x,
    "zeros": lambda x: 0 * x,
    "ties": lambda x: (  # numbers halfway between two of TF32's
        np.sign(x) * (1 + np.float32(2**-11) * (1 + 2 * np.arange(x.size).reshape(x.shape)))
    ),
    "close to ties": lambda x: np.nextafter(
        1 + np.float32(2**-11) * (1 + 2 * np.arange(x.size).reshape(x.shape)), np.sign(x) * 2
    ),
    "below powers of two": lambda x: np.sign(x) * np.float32(1.9999) * 2.0 ** np.round(4 * x),
}


def values(fill, shape, scale, kind):
    return ((KINDS[kind](fill(*shape)) * np.float32(scale)).astype(np.float32),)


SUM = "bits + np.uint32(0xFFF) + last_kept & np.uint32(0xFFFFE000)"

EXERCISE = Exercise(
    name="to_tf32",
    lab=11,
    task="Round a float32 array to TF32: ten bits of fraction, the nearest, ties to even.",
    solution=to_tf32,
    cases=lambda rng: [
        ([6], 1.0, "drawn"),
        ([12], 1.0, "ties"),
        ([8], 1.0, "close to ties"),
        ([8], 1.0, "below powers of two"),
        ([200], float(rng.uniform(1e4, 1e6)), "drawn"),
        ([50], 1e-9, "drawn"),
        ([3], 1.0, "zeros"),
        ([3, 4, 5], 1.0, "drawn"),
    ],
    inputs=values,
    valid=lambda shape, scale, kind: len(shape) > 0 and min(shape) > 0 and scale != 0,
    mend="`(bits + 0xFFF + (bits >> 13 & 1) & 0xFFFFE000).view(np.float32)` with "
    "`bits = x.view(np.uint32)`",
    misconceptions=[
        Misconception(
            "truncation in place of rounding",
            edit(SUM, "bits & np.uint32(0xFFFFE000)"),
            "Your values are never farther from zero than `x`.",
            "Clearing bits always goes towards zero. Half a unit has to be added before.",
        ),
        Misconception(
            "ties away from zero",
            edit(SUM, "bits + np.uint32(0x1000) & np.uint32(0xFFFFE000)"),
            "Right except for numbers exactly halfway: all of them go away from zero.",
            "Ties go to the number whose last kept bit is 0. Otherwise sums drift.",
        ),
        Misconception(
            "a wrong number of bits",
            [
                edit("0xFFFFE000", "0xFFFFF000", "0xFFF)", "0x7FF)", "(13)", "(12)"),
                edit("0xFFFFE000", "0xFFFFC000", "0xFFF)", "0x1FFF)", "(13)", "(14)"),
                edit("0xFFFFE000", "0xFFFF0000", "0xFFF)", "0x7FFF)", "(13)", "(16)"),
            ],
            "You keep too many bits of the fraction, or too few.",
            "A float32 has 23 bits of fraction and TF32 has 10: the last 13 go.",
        ),
        Misconception(
            "float16 in place of TF32",
            edit("    bits =", "    return x.astype(np.float16).astype(np.float32)\n    bits ="),
            "Numbers near 1 come close, and large or small ones are wrong.",
            "TF32 has float32's range, with fewer digits at every size.",
        ),
        Misconception(
            "bits converted in place of viewed",
            edit(").view(np.float32)", ").astype(np.float32)"),
            "Your values have nothing to do with `x`.",
            "`view` reads the same bits as another type. `astype` converts the number.",
        ),
    ],
)
