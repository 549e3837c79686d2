"""Lab 05, exercise 3: weights in the order in which tiles read them."""

import numpy as np

from ..draws import whole, wholes
from ..exercise import Exercise, Misconception, edit


def pack_weights(w, lanes):
    k_h, k_w, i_c, k_c = w.shape
    steps = k_h * k_w * i_c
    blocks = -(-k_c // lanes)
    filled = np.zeros((steps, blocks * lanes), np.float32)
    filled[:, :k_c] = w.reshape(steps, k_c)
    return filled.reshape(steps, blocks, lanes).transpose(1, 0, 2).copy()


ORDER = "filled.reshape(steps, blocks, lanes).transpose(1, 0, 2).copy()"
FILL = "filled[:, :k_c] = w.reshape(steps, k_c)"

EXERCISE = Exercise(
    name="pack_weights",
    lab=5,
    task="Lay the weights out in the order in which tiles of one vector read them.",
    solution=pack_weights,
    cases=lambda rng: [
        *[((1, 2, 1, 4), 4), ((3, 2, 4, 8), 4), ((2, 3, 3, 17), 8)],
        ((*wholes(rng, 2, 5, 3), whole(rng, 9, 15)), 8),
    ],
    inputs=lambda fill, weights, lanes: (fill(*weights), lanes),
    valid=lambda weights, lanes: min(*weights, lanes) > 0,
    contiguous=True,
    mend="`filled = np.zeros((steps, blocks * lanes), np.float32)` with `blocks = -(-k_c // "
    f"lanes)`; `{FILL}`; then `{ORDER}`",
    misconceptions=[
        Misconception(
            "the last channels dropped",
            edit(
                *("-(-k_c // lanes)", "max(1, k_c // lanes)"),
                *(FILL, "filled[:, :k_c] = w.reshape(steps, k_c)[:, : blocks * lanes]"),
            ),
            "The last block is missing unless the channels fill it.",
            "6 channels in blocks of 4 make two blocks, and the second holds two zeros per step.",
        ),
        Misconception(
            "a reshape only",
            edit(
                ".reshape(steps, blocks, lanes).transpose(1, 0, 2)", ".reshape(blocks, steps, -1)"
            ),
            "The shape is right, but the values lie where they lay before.",
            "`reshape` moves no value. A block holds `lanes` channels of *every* step, so the "
            "values must move.",
        ),
        Misconception(
            "blocks inside the steps",
            edit(".transpose(1, 0, 2)", ""),
            "Your array has the axes `[steps, blocks, lanes]`.",
            "A tile goes through all steps of one block, so these should be neighbours in memory.",
        ),
        Misconception(
            "lanes never written",
            edit("np.zeros", "np.empty"),
            "The last block holds NaN where it has no channels.",
            "`np.empty` may hold anything, and the tile multiplies these lanes like all others.",
        ),
        Misconception(
            "a view instead of a copy",
            edit(".copy()", ""),
            "The values are right, but only the strides were exchanged.",
            "A tile reads memory one address after another. The values must be moved, once.",
        ),
    ],
)
