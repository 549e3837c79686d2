"""Patterns in which weights are left out, on a small matrix, and what each of them saves."""

from __future__ import annotations

import numpy as np

INPUTS, OUTPUTS = 16, 12  # of the small matrix
PATTERNS = ("scattered", "two of four", "channels")


def kept_weights(pattern: str, left: int) -> np.ndarray:
    """Return which weights `[inputs,outputs]` of a small matrix stay, `left` percent of them.

    Two of four always leaves half. Channels leave with their inputs: the layer before lost them
    too, so that a share of each axis stays whose product is nearest to `left`. Raises `ValueError`
    for another pattern.
    """
    rng = np.random.default_rng(1)
    if pattern == "scattered":
        order = rng.permutation(INPUTS * OUTPUTS).reshape(INPUTS, OUTPUTS)
        return order < round(left / 100 * INPUTS * OUTPUTS)
    if pattern == "two of four":
        order = rng.permuted(np.tile(np.arange(4), (INPUTS // 4, OUTPUTS, 1)), axis=2)
        return (order < 2).transpose(0, 2, 1).reshape(INPUTS, OUTPUTS)
    if pattern != "channels":
        raise ValueError(f"pattern={pattern!r}: there are {', '.join(PATTERNS)}")
    side = (left / 100) ** 0.5
    kept = np.zeros((INPUTS, OUTPUTS), bool)
    kept[: max(1, round(side * INPUTS)), : max(1, round(side * OUTPUTS))] = True
    return kept[rng.permutation(INPUTS)][:, rng.permutation(OUTPUTS)]


def pattern_costs(kept: np.ndarray, pattern: str) -> dict[str, float]:
    """Return shares of the dense matrix: bytes stored, and multiply-adds by who multiplies.

    Scattered zeros are stored as a bit for each weight and the values that stay, two of four as two
    bits for each that stays; channels need nothing.
    """
    share = float(kept.mean())
    marks = {"scattered": 1 / 32, "two of four": share * 2 / 32, "channels": 0.0}[pattern]
    return {
        "bytes": share + marks,
        "a dense kernel": share if pattern == "channels" else 1.0,
        "tensor cores with 2:4": 1.0 if pattern == "scattered" else share,
        "a kernel made for it": share,
    }
