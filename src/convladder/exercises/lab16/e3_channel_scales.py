"""Lab 16, exercise 3: a scale for each output channel."""

import numpy as np

from ..exercise import Exercise, Misconception, edit


def channel_scales(w, bits):
    scale = np.abs(w).max(axis=(0, 1, 2)) / (2 ** (bits - 1) - 1)
    return np.where(scale > 0, scale, 1).astype(np.float32)


KINDS = {
    "drawn": lambda w: w,
    "sum of 0": lambda w: w - w[:, :, ::-1],
    "equal": np.ones_like,
    "one 0": lambda w: w * (np.arange(w.size).reshape(w.shape) >= w.shape[3]),
}


def weights(fill, shape, by_channel, bits, kind):
    """Weights of a shape, each channel times a factor."""
    return (KINDS[kind](fill(*shape)) * np.float32(by_channel)).astype(np.float32), bits


LARGEST = "np.abs(w).max(axis=(0, 1, 2))"
STEPS = "(2 ** (bits - 1) - 1)"

EXERCISE = Exercise(
    name="channel_scales",
    lab=16,
    task="Give each output channel's weights the scale of a symmetric grid.",
    solution=channel_scales,
    cases=lambda rng: [
        ((1, 2, 1, 2), [1, -1], 3, "drawn"),
        ((3, 3, 5, 5), [1, -1, 1, -1, 1], 8, "drawn"),
        ((3, 3, 5, 5), [1, 1, -1, 1, -1], 4, "drawn"),
        ((1, 2, 2, 4), [0.01, 0.35, -0.7, 0.21], 4, "sum of 0"),
        ((1, 2, 1, 4), [0.01, 0.35, -0.7, 0.21], 4, "equal"),
        ((1, 2, 1, 4), [0.01, 0.35, -0.7, 0.21], 4, "one 0"),
        ((5, 5, 6, 6), [1, -1, 0, 1, 1e-4, 1e-10], 8, "drawn"),
        ((3, 3, 5, 5), rng.uniform(-1e-9, 1e-9, 5).tolist(), 8, "drawn"),
    ],
    inputs=weights,
    valid=lambda shape, by_channel, bits, kind: (
        bits > 1 and min(shape) > 0 and len(by_channel) in (1, shape[3])
    ),
    mend="`np.abs(w).max(axis=(0, 1, 2)) / (2**(bits - 1) - 1)`, and 1 where that is 0",
    misconceptions=[
        Misconception(
            "the largest weight without its sign",
            [edit(LARGEST, "w.max(axis=(0, 1, 2))"), edit(LARGEST, "-w.min(axis=(0, 1, 2))")],
            "Channels whose most extreme weight has one sign are wrong.",
            "A symmetric grid reaches equally far on both sides: it needs the largest magnitude.",
        ),
        Misconception(
            "scales along the wrong axis",
            [edit("axis=(0, 1, 2)", "axis=(0, 1, 3)"), edit("axis=(0, 1, 2)", "axis=(1, 2, 3)")],
            "You reduced over the wrong axes: there is no scale for each output channel.",
            "`w` is [k_h, k_w, i_c, k_c]. Per-channel means one scale for each index of the last "
            "axis.",
        ),
        Misconception(
            "one scale for the layer",
            edit(LARGEST, "np.full(w.shape[3], np.abs(w).max())"),
            "All your scales are that of the largest channel.",
            "That is a per-tensor scale. A channel of small weights would use a few steps only.",
        ),
        Misconception(
            "a wrong number of steps",
            [
                edit(STEPS, "2 ** (bits - 1)"),
                edit(STEPS, "(2**bits - 1)"),
                edit(STEPS, "127"),
            ],
            "Your scales are off by the same factor in all channels.",
            "With `bits` bits a symmetric grid has `2**(bits - 1) - 1` steps on each side of 0.",
        ),
        Misconception(
            "channels of zeros",
            [
                edit("np.where(scale > 0, scale, 1)", "scale"),
                edit("np.where(scale > 0, scale, 1)", "scale + 1e-12"),
            ],
            "Channels that hold only zeros get a scale of 0, or nearly 0.",
            "A scale divides the weights, so 0 is no scale. Any other number will do for zeros: "
            "the exercise asks for 1.",
        ),
    ],
)
