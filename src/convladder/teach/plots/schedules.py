"""Candidates of an autotuner: what they took, and what a model said they would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...compile.schedule import Schedule, Trial
from ...text import seconds_text
from .style import BLUE, GREEN, GREY, ORANGE, Picture, figure


def schedules_picture(trials: Sequence[Trial], predicted: Mapping[Schedule, float]) -> Picture:
    """Draw a bar for each candidate, the quickest on top and green; an orange mark for the
    forecast.

    predicted: seconds by schedule. Raises ValueError where no trial was timed.
    """
    timed = [trial for trial in trials if trial.seconds is not None]
    if not timed:
        raise ValueError("no candidate was right, so none was timed and there is nothing to draw")
    fig, ax = figure(7.4, 0.9 + 0.2 * len(timed))
    for row, trial in enumerate(timed):
        ax.barh(row, trial.seconds, height=0.72, color=BLUE if row else GREEN)
        ax.plot(
            [predicted[trial.schedule]] * 2, [row - 0.36, row + 0.36], color=ORANGE, linewidth=2
        )
        farthest = max(trial.seconds, predicted[trial.schedule])
        ax.annotate(
            seconds_text(trial.seconds),
            (farthest, row),
            (5, 0),
            va="center",
            textcoords="offset points",
            fontsize=7.5,
        )
    ax.set_yticks(
        range(len(timed)),
        [str(trial.schedule) for trial in timed],
        fontsize=7.5,
        family="monospace",
        color="black",
    )
    ax.tick_params(axis="y", length=0)
    slowest = max(timed[-1].seconds, *(predicted[trial.schedule] for trial in timed))
    ax.set(
        xscale="log",
        xlim=(min(t.seconds for t in timed) / 2.5, 2.2 * slowest),
        ylim=(len(timed) - 0.4, -0.6),
        xticks=[],
    )
    ax.minorticks_off()
    ax.set_xlabel("time of one call (log scale); orange: what the model predicts", color=GREY)
    ax.spines.bottom.set_visible(False)
    return Picture(
        fig,
        f"Times of {len(timed)} schedules of one convolution, the quickest first, "
        "each beside its forecast.",
    )
