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


def _steps_first(w, lanes):
    return np.ascontiguousarray(pack_weights(w, lanes).transpose(1, 0, 2))


def _lanes_before_steps(w, lanes):
    return np.ascontiguousarray(pack_weights(w, lanes).transpose(0, 2, 1))


def _zeros_in_front(w, lanes, last=False):
    """Put what is missing in front of all channels, or of those of the last block."""
    spare = -w.shape[3] % lanes
    if last:
        packed = pack_weights(w, lanes)
        packed[-1] = np.roll(packed[-1], spare, axis=-1)
        return packed
    return pack_weights(np.pad(w, ((0, 0), (0, 0), (0, 0), (spare, 0))), lanes)


def _rest_unwritten(w, lanes):
    packed = pack_weights(w, lanes)
    if spare := -w.shape[3] % lanes:
        packed[-1, :, -spare:] = np.nan
    return packed


def _last_repeated(w, lanes):
    spare = -w.shape[3] % lanes
    return pack_weights(np.pad(w, ((0, 0), (0, 0), (0, 0), (0, spare)), mode="edge"), lanes)


def _first_channels_again(w, lanes):
    spare = -w.shape[3] % lanes
    return pack_weights(np.pad(w, ((0, 0), (0, 0), (0, 0), (0, spare)), mode="wrap"), lanes)


def _shared_out(w, lanes):
    """Give each block as many channels, or one more, and zeros of its own."""
    packed = np.zeros_like(pack_weights(w, lanes))
    flat = w.reshape(packed.shape[1], -1)
    for block, part in zip(packed, np.array_split(flat, len(packed), axis=1), strict=True):
        block[:, : part.shape[1]] = part
    return packed


def _one_block_more(w, lanes, wherever=False):
    """Fill up by lanes - k_c % lanes, or round up by // + 1, also where nothing is missing."""
    packed = pack_weights(w, lanes)
    if w.shape[3] % lanes and not wherever:
        return packed
    return np.concatenate([packed, np.zeros_like(packed[:1])])


def _input_channels_outermost(w, lanes):
    return pack_weights(np.ascontiguousarray(w.transpose(2, 0, 1, 3)), lanes)


EXERCISE = Exercise(
    name="pack_weights",
    lab=5,
    reference=pack_weights,
    contiguous=True,
    task="Lay the weights out in the order in which tiles of one vector read them.",
    cases=lambda rng: [
        (np.arange(1, 13, dtype=np.float32).reshape(1, 2, 1, 6), 4),
        (rng.standard_normal((3, 2, 4, 8), dtype=np.float32), 4),
        (rng.standard_normal((2, 3, 3, 17), dtype=np.float32), 8),
    ],
    misconceptions=[
        Misconception(
            "rest of the channels dropped",
            _dropped,
            symptom="The last block is missing where channels do not fill it.",
            concept="6 channels by blocks of 4 are two blocks; the second has two zeros.",
            line="Round the number of blocks up, `-(-k_c // lanes)`, with zeros behind the last "
            "channel: `filled[:, :k_c] = w.reshape(steps, k_c)`.",
        ),
        Misconception(
            "reshaped only",
            _reshaped,
            symptom="The shape is right, but the values have not moved.",
            concept="`reshape` names the values anew and leaves them where they are. A block must "
            "hold `lanes` channels of *every* step.",
            line="Reshape to `[steps, blocks, lanes]` first, then `transpose(1, 0, 2).copy()`.",
        ),
        Misconception(
            "channels dealt out",
            _striped,
            symptom="Each block has every second or third channel.",
            concept="A tile stores one vector of neighbouring channels: a block is `lanes` "
            "channels in a row.",
            line="Channel `k` goes to block `k // lanes`, lane `k % lanes`; in a `reshape`, the "
            "channel axis splits into `[blocks, lanes]`.",
        ),
        Misconception(
            "last block moved back",
            _shifted,
            symptom="The last block begins too early, so that it holds channels of the one before.",
            concept="Block `b` begins at channel `b * lanes`, whether it is full or not.",
            line="Fill up with zeros behind the last channel; do not shift the block.",
        ),
        Misconception(
            "kernel transposed",
            lambda w, lanes: pack_weights(w.transpose(1, 0, 2, 3), lanes),
            symptom="The steps come column by column.",
            concept="A pixel's run in memory is a kernel *row*: the steps are in the order row, "
            "column, channel, as they are in `w`.",
            line="Leave the first three axes of `w` in their order: `w[a, b, c]` is step "
            "`(a * k_w + b) * i_c + c`.",
        ),
        Misconception(
            "blocks inside the steps",
            _steps_first,
            symptom="Your array is `[steps, blocks, lanes]`.",
            concept="A tile goes through all steps of *one* block. They should follow one "
            "another in memory.",
            line="The block is the first axis: `.transpose(1, 0, 2)` of what you have, and a copy; "
            "or an array of `[blocks, steps, lanes]` from the start.",
        ),
        Misconception(
            "lanes before steps",
            _lanes_before_steps,
            symptom="Your array is `[blocks, lanes, steps]`.",
            concept="One load fetches a vector: `lanes` channels of one step, side by side.",
            line="The lanes are the last axis.",
        ),
        Misconception(
            "zeros in front",
            _zeros_in_front,
            choices={"last": (True,)},
            symptom="Where channels do not fill the last block, your zeros stand in front of "
            "channels.",
            concept="Block `b` begins with channel `b * lanes`, the last block too. What is "
            "missing is missing at the end.",
            line="All zeros behind the last channel: `filled[:, :k_c] = ...`, or in the block "
            "itself `[:, :count] = ...` for its `count` channels.",
        ),
        Misconception(
            "rest never written",
            _rest_unwritten,
            symptom="There is NaN where the last block has no channels.",
            concept="`np.empty` holds anything. The tile multiplies these lanes like all others.",
            line="Begin with `np.zeros`.",
        ),
        Misconception(
            "last channel repeated",
            _last_repeated,
            symptom="The last block is filled up with copies of the last channel.",
            concept="Lanes without a channel hold zeros, so that nothing depends on them.",
            line="`np.zeros` first, and then only the channels that there are; or `np.pad` with "
            "its default mode.",
        ),
        Misconception(
            "a block of zeros",
            _one_block_more,
            symptom="You have a block too many, of nothing but zeros.",
            concept="The last block is the one that holds the last channel. Where it is full, "
            "nothing is missing: `lanes - k_c % lanes` is `lanes` there, and not 0.",
            line="`-(-k_c // lanes)` blocks, or `-k_c % lanes` zeros.",
            choices={"wherever": (True,)},
        ),
        Misconception(
            "input channels outermost",
            _input_channels_outermost,
            symptom="The steps come channel by channel.",
            concept="A step is (kernel row, kernel column, input channel), the last one fastest.",
            line="`w.reshape(steps, k_c)` as it is: `w[a, b, c]` is step "
            "`(a * k_w + b) * i_c + c`.",
        ),
        Misconception(
            "float64",
            lambda w, lanes: pack_weights(w, lanes).astype(np.float64),
            symptom="Your values are right, in float64: half as many fit into a vector.",
            concept="`np.zeros` without a dtype makes float64, and so does `np.array` of a list of "
            "Python's numbers.",
            line="Make the array in float32: `np.zeros(shape, np.float32)`.",
        ),
        Misconception(
            "seen from outside",
            lambda w, lanes: np.ascontiguousarray(
                pack_weights(w, lanes).transpose(1, 0, 2)
            ).transpose(1, 0, 2),
            symptom="The values are right. In memory they still lie step by step.",
            concept="`transpose` moves nothing, it changes strides, and `np.copy` keeps their "
            "order. Packing is a copy in the order of the new axes.",
            line="Behind the last change of axes, by `transpose` or otherwise, `.copy()` or "
            "`np.ascontiguousarray`.",
        ),
        Misconception(
            "first channels again",
            _first_channels_again,
            symptom="The last block is filled up with channels from the beginning.",
            concept="`np.resize` makes an array larger by its own values, from the first on; a "
            "channel's number `% k_c` leads back there, too. Lanes without a channel hold "
            "zeros.",
            line="`filled = np.zeros(...)`, and then `filled[:, :k_c] = ...`.",
        ),
        Misconception(
            "channels shared out evenly",
            _shared_out,
            symptom="You share the channels out evenly, so that a block that could be full is "
            "filled up with zeros.",
            concept="Block `b` begins at channel `b * lanes`. Only the last one may have fewer "
            "channels than lanes.",
            line="`lanes` channels for each block: the zeros are all behind the last channel.",
        ),
    ],
)
