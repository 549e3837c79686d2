"""A rung of the LeNet-5 ladder on a card: its hypothesis, its parts as forecast and as measured."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from matplotlib.axes import Axes

from ...bench.lenet_times import Times
from ...lenet.forecast import Forecast
from ...lenet.rungs import Rung
from ...text import seconds_text
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

LINE = 112  # characters across the card
BEFORE = {"tensor_core": "one_kernel"}  # where a rung does not go on from the one above it


def card_picture(
    rungs: list[Rung],
    number: int,
    forecasts: Mapping[str, Forecast],
    times: Times,
    surprises: Mapping[str, str],
) -> Picture:
    """Draw card `number` (from 1) of `rungs`: the ladder on the left with this rung marked;
    forecast and `times` of each part on the right; above the hypothesis, below what surprised.
    """
    rung = rungs[number - 1]
    before = BEFORE.get(rung.name, rungs[number - 2].name) if number > 1 else None
    fig, (ladder, parts) = figure(8.8, 3.3, ncols=2, width_ratios=(1, 2.4))
    _ladder(ladder, rungs, number, times)
    forecast = forecasts[rung.name]
    rows = {
        "on the wire": (forecast.up + forecast.down, None),
        "on the device": (forecast.kernels, times.device_seconds.get(rung.name)),
        "launching them": (forecast.launches, times.issue_seconds.get(rung.name)),
        "starting copies": (forecast.copies, None),
        "labels on the host": (forecast.labels, None),
        "all": (forecast.total, times.seconds[rung.name]),
    }
    _parts(parts, rows)
    gains = "the first rung"
    if before is not None:
        gains = (
            f"over {before}: {_gain(forecasts[before].total / forecast.total)} forecast, "
            f"{_gain(times.gain(before, rung.name))} measured"
        )
    parts.set_title(gains, fontsize=9.5, fontweight="normal", loc="left")
    fig.suptitle(
        f"{number} · {rung.title}  ({rung.name})",
        fontsize=12,
        fontweight="bold",
        x=0.02,
        ha="left",
        y=1.2,
    )
    fig.text(0.02, 1.13, textwrap.fill(f"Hypothesis: {rung.idea}", LINE), va="top", fontsize=9)
    if surprise := surprises.get(rung.name, ""):  # of a new rung nobody has said it yet
        surprise = f"What surprised: {surprise}"
        fig.text(0.02, -0.03, textwrap.fill(surprise, LINE), va="top", fontsize=9)
    fig.text(
        0.98,
        1.2,
        f"pale: forecast, blue: {times.label}",
        ha="right",
        va="center",
        fontsize=8,
        color=GREY,
    )
    return Picture(
        fig,
        f"Card {number}, {rung.title}. Hypothesis: {rung.idea} Forecast and "
        f"measured times of its parts. {surprise}",
    )


def _gain(times: float) -> str:
    return f"{times:.3g}×" if times < 100 else f"{times:,.0f}×"


def _ladder(ax: Axes, rungs: list[Rung], number: int, times: Times) -> None:
    seconds = [times.seconds[rung.name] for rung in rungs]
    low = min(seconds) / 3
    colours = [BLUE if row == number else PALE for row in range(1, len(rungs) + 1)]
    ax.barh(range(len(rungs)), [s - low for s in seconds], left=low, height=0.7, color=colours)
    ax.set(xscale="log", xlim=(low, 2 * max(seconds)))
    ax.set_yticks(range(len(rungs)), [rung.name for rung in rungs], fontsize=7.5)
    ax.tick_params(axis="y", length=0)
    ax.get_yticklabels()[number - 1].set_fontweight("bold")
    ax.set_xticks([])
    ax.set_xlabel("time (log scale)", fontsize=8)
    ax.minorticks_off()
    ax.spines.bottom.set_visible(False)
    ax.invert_yaxis()


def _parts(ax: Axes, rows: Mapping[str, tuple[float, float | None]]) -> None:
    longest = max(value for pair in rows.values() for value in pair if value)
    for row, (forecast, measured) in enumerate(rows.values()):
        bars = [(forecast, PALE)] + ([(measured, BLUE)] if measured is not None else [])
        for place, (value, colour) in enumerate(bars):
            y = row + (place - (len(bars) - 1) / 2) * 0.4
            ax.barh(
                y,
                value,
                height=0.36,
                color=colour,
                edgecolor=GREY if colour == PALE else "none",
                linewidth=0.7,
            )
            ax.annotate(
                seconds_text(value) if value else "none",
                (value, y),
                (5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color="black" if value else GREY,
            )
    ax.axhline(len(rows) - 1.5, color=ORANGE, linewidth=0.8)
    ax.set_yticks(range(len(rows)), list(rows), color="black", fontsize=8.5)
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1.22 * longest))
    ax.set_xticks([])
    ax.spines.bottom.set_visible(False)
    ax.invert_yaxis()
