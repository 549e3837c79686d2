"""Where zeros lie in a matrix, and what each pattern saves."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Rectangle

from .style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure

INPUTS, OUTPUTS = 16, 12  # of the matrix in the drawing
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
        "a kernel for it": share,
    }


def zeros_picture(pattern: str, left: int) -> Picture:
    """Draw a matrix with `left` percent of its weights in a pattern, beside what that saves."""
    kept = kept_weights(pattern, left)
    costs = pattern_costs(kept, pattern)
    fig, (matrix, bars) = figure(8.4, 3.2, ncols=2, width_ratios=(1, 1.2))
    for i, j in np.ndindex(kept.shape):
        matrix.add_patch(Rectangle((j, i), 0.9, 0.9, facecolor=BLUE if kept[i, j] else PALE))
    always = "always " * (pattern == "two of four")  # whatever is chosen
    matrix.set_title(
        f"{pattern}: {always}{kept.mean():.0%} of the weights left", loc="left", fontsize=10
    )
    matrix.set(xlim=(0, OUTPUTS), ylim=(INPUTS, 0))
    matrix.text(OUTPUTS / 2, INPUTS + 0.9, "outputs", ha="center", color=GREY, fontsize=8.5)
    matrix.text(
        -0.5, INPUTS / 2, "inputs", rotation=90, ha="center", va="center", color=GREY, fontsize=8.5
    )
    matrix.set_aspect("equal")
    for y, (name, share) in enumerate(costs.items()):
        bars.barh(y, 100 * share, 0.5, color=GREEN if y == 0 else ORANGE)
        label = "bytes" if y == 0 else f"multiply-adds of {name}"
        bars.text(0, y - 0.3, label, va="bottom", fontsize=8.5)
        bars.text(100 * share + 1.5, y, f"{share:.0%}", va="center", fontsize=9)
    bars.set(xlim=(0, 116), ylim=(3.6, -0.8))
    for ax in (matrix, bars):
        ax.set_axis_off()
    said = ", ".join(f"{name} {share:.0%}" for name, share in costs.items())
    return Picture(
        fig,
        f"{kept.mean():.0%} of the weights left, pattern {pattern}; of the dense matrix's: {said}.",
        colours=128,
    )
