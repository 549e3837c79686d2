"""The picture of asynchronous launches: when a call returns, and when the GPU is done."""

from __future__ import annotations

from collections.abc import Mapping

from ...text import seconds_text
from .style import BLUE, GREY, ORANGE, Picture, figure


def launches_picture(runs: Mapping[str, Mapping]) -> Picture:
    """Draw host and GPU of the first of `runs`: two bars for each of its kernels, on one axis of
    time.

    Without any run there is a sentence in the picture's place.
    """
    if not runs:
        fig, ax = figure(8.4, 1.0)
        ax.text(0, 0, "No GPU has recorded its launches yet.", va="center")
        ax.set_axis_off()
        return Picture(fig, "No GPU has recorded its launches yet.")
    label, run = next(iter(runs.items()))
    kernels = run["kernels"]
    longest = max(kernel["done"][1] for kernel in kernels.values()) * 1e6
    fig, ax = figure(8.4, 0.9 + 0.75 * len(kernels))
    for place, kernel in enumerate(kernels.values()):
        returns, done = 1e6 * kernel["returns"][1], 1e6 * kernel["done"][1]
        for offset, end, colour, what in (
            (-0.19, returns, ORANGE, "the call returns"),
            (0.19, done, BLUE, "the GPU is done"),
        ):
            ax.barh(place + offset, end, height=0.34, color=colour)
            ax.annotate(
                f"{what}: {seconds_text(end / 1e6)}",
                (end, place + offset),
                (5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
            )
    ax.set_yticks(range(len(kernels)), kernels, color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.spines.bottom.set_color(GREY)
    ax.set(xlim=(0, 1.35 * longest), xlabel="µs from the start of the call, host's clock")
    ax.set_title(f"{label}: the MEC report's layer")
    return Picture(
        fig,
        f"Two bars for each of {', '.join(kernels)}: when the call returns, and "
        "when the GPU is done.",
    )
