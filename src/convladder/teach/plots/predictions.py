"""Predictions beside what was measured, each as a point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .labels import power_text
from .style import BLUE, GREY, PALE, Picture, figure

NEAR = 2.0  # the band within which a prediction is off by less than this factor


def predictions_picture(pairs: Sequence[tuple[float, float]]) -> Picture:
    """Draw each (predicted, measured) of positive numbers: what lies on the line was right.

    Raises ValueError where there is no pair.
    """
    if not pairs:
        raise ValueError("there is no pair to draw: give at least one (predicted, measured)")
    guess, truth = np.array(pairs, float).T
    fig, ax = figure(5.2, 4.6)
    low, high = min(guess.min(), truth.min()) / 3, max(guess.max(), truth.max()) * 3
    ends = np.array([low, high])
    ax.fill_between(ends, ends / NEAR, ends * NEAR, color=PALE, zorder=0, linewidth=0)
    ax.plot(ends, ends, color=GREY, linewidth=1)
    ax.scatter(truth, guess, color=BLUE, s=28, alpha=0.8, linewidths=0)
    ax.set(
        xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="measured", ylabel="you predicted"
    )
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(power_text)
    ax.set_title(f"{len(pairs)} predictions; the band is a factor of {NEAR:.0f}", loc="left")
    within = int((np.maximum(guess / truth, truth / guess) <= NEAR).sum())
    many = f"{len(pairs)} prediction{'s' * (len(pairs) != 1)}"
    return Picture(
        fig, f"{many} against what was measured: {within} within a factor of {NEAR:.0f}."
    )
