"""Lab 05, exercise 3: weights in the order in which tiles read them."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception


def pack_weights(w, lanes):
    steps, k_c = w[..., 0].size, w.shape[3]
    blocks = -(-k_c // lanes)
    filled = np.zeros((steps, blocks * lanes), np.float32)
    filled[:, :k_c] = w.reshape(steps, k_c)
    return filled.reshape(steps, blocks, lanes).transpose(1, 0, 2).copy()


def _dropped(w, lanes):
    return pack_weights(w[..., : max(1, w.shape[3] // lanes) * lanes], lanes)


def _reshaped(w, lanes):
    packed = pack_weights(w, lanes)
    return packed.transpose(1, 0, 2).reshape(packed.shape).copy()


def _striped(w, lanes):
    blocks, steps, _ = (packed := pack_weights(w, lanes)).shape
    flat = packed.transpose(1, 0, 2).reshape(steps, lanes, blocks)
    return flat.transpose(2, 0, 1).copy()


def _shifted(w, lanes):
    packed = pack_weights(w, lanes)
    packed[-1] = w.reshape(-1, w.shape[3])[:, -lanes:]
    return packed


EXERCISE = Exercise(
    name="pack_weights", lab=5, reference=pack_weights, contiguous=True,
    task="Lay the weights out in the order in which tiles of one vector read them.",
    cases=lambda rng: [
        (np.arange(1, 13, dtype=np.float32).reshape(1, 2, 1, 6), 4),
        (rng.standard_normal((3, 2, 4, 8), dtype=np.float32), 4),
        (rng.standard_normal((2, 3, 3, 21), dtype=np.float32), 8),
    ],
    misconceptions=[
        Misconception(
            "rest of the channels dropped", _dropped,
            symptom="The last block is missing where channels do not fill it.",
            concept="6 channels by blocks of 4 are two blocks; the second has two zeros.",
            line="Round the number of blocks up: `-(-k_c // lanes)`."),
        Misconception(
            "reshaped only", _reshaped,
            symptom="The shape is right, but the values have not moved.",
            concept="`reshape` names the values anew and leaves them where they are. A block must "
                    "hold `lanes` channels of *every* step.",
            line="Reshape to `[steps, blocks, lanes]` first, then `transpose(1, 0, 2)`."),
        Misconception(
            "channels dealt out", _striped,
            symptom="Each block has every second or third channel.",
            concept="A tile stores one vector of neighbouring channels: a block is `lanes` "
                    "channels in a row.",
            line="The channel axis splits into `[blocks, lanes]`, not `[lanes, blocks]`."),
        Misconception(
            "last block moved back", _shifted,
            symptom="The last block begins too early, so that it holds channels of the one before.",
            concept="Block `b` begins at channel `b * lanes`, whether it is full or not.",
            line="Fill up with zeros behind the last channel; do not shift the block."),
        Misconception(
            "kernel transposed",
            lambda w, lanes: pack_weights(w.transpose(1, 0, 2, 3), lanes),
            symptom="The steps come column by column.",
            concept="A pixel's run in memory is a kernel *row*: the steps are in the order row, "
                    "column, channel, as they are in `w`.",
            line="Leave the first three axes of `w` in their order."),
    ],
)
