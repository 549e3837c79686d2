"""Chapter 02: counted accesses and bytes, and a ledger of claims about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from ...core.problem import ConvProblem
from ...core.text import bytes_text, rate_text, seconds_text
from ...measure import Roofline
from ..table import Table, table
from .axes import (
    behind,
    beside,
    label_points,
    name_rows,
    power_text,
    short_rate,
    short_seconds,
    ticks_in_words,
)
from .shapes import bare, box
from .style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure, lettering

# One middling core, in round numbers: for pictures that must look the same for every reader.
NOMINAL = Roofline(flops_per_s=100e9, bytes_per_s=20e9, threads=1)


def shares_picture(network: Mapping[str, ConvProblem]) -> Picture:
    """Draw which part of the weights and of the MACs of `network` is in convolutions,
    and in `fc...`.
    """
    counts = {"weights": lambda p: p.params, "MACs": lambda p: p.macs}
    fig, ax = figure(7.2, 1.7)
    shares, names = {}, []
    for row, (what, count) in enumerate(counts.items()):
        total = sum(count(p) for p in network.values())
        dense = sum(count(p) for name, p in network.items() if name.startswith("fc"))
        shares[what] = 1 - dense / total
        names.append(f"{_short(total)} {what}")
        for name, begin, width, colour in (
            ("convolutions", 0, shares[what], BLUE),
            ("fully connected", shares[what], dense / total, ORANGE),
        ):
            label = f"{width:.0%}" + (f"  {name}" if width > 0.5 else "")
            place, style = (begin, row - 0.31, width, 0.62), {"fontweight": "bold"}
            if width > 0.05:
                box(ax, *place, colour, label, text={"fontsize": 9.5, **style})
            else:
                box(ax, *place, colour)
                style["color"] = lettering(colour)
                ax.text(begin + width + 0.01, row, label, va="center", **style)
    bare(ax)
    ax.set(xlim=(0, 1.08), ylim=(-0.5, len(counts) - 0.5))
    name_rows(ax, names)
    return Picture(
        fig,
        f"Of the weights of {len(network)} layers, convolutions hold "
        f"{shares['weights']:.0%}; of the MACs they do {shares['MACs']:.0%}. "
        "Fully connected layers have the rest.",
    )


def _short(count: float) -> str:
    """Return 138344128 -> "138 M"."""
    for factor, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= 0.9995 * factor:
            return f"{count / factor:.3g} {letter}"
    return f"{count:,.0f}"


def reuse_picture(problem: ConvProblem, missed: Mapping[int, int]) -> Picture:
    """Draw values fetched from memory (from `cpu.misses`) against the size of the cache."""
    naive = problem.accesses().input
    distinct = problem.i_n * problem.i_h * problem.i_w * problem.i_c
    sizes = sorted(missed)
    fig, ax = figure(7.2, 3.5)
    ax.loglog(sizes, [missed[size] for size in sizes], color=BLUE, linewidth=2.2)
    for count, name in ((naive, "naive count"), (distinct, "compulsory")):
        ax.axhline(count, color=GREY, linewidth=0.9, linestyle="--", zorder=1)
        words, point = f"{name}: {count:,}", (sizes[-1], count)
        beside(ax, words, point, (0, -13), ha="right", color=GREY)
    rows = problem.k_h * problem.padded_w * problem.i_c
    for size, name in ((problem.window, "one window fits"), (rows, f"{problem.k_h} rows fit")):
        ax.axvline(size, color=ORANGE, linewidth=0.9, linestyle=":", zorder=1)
        words = f"{name}:\n{size} values"
        beside(ax, words, (size, naive), (6, -30), color=lettering(ORANGE), va="top")
    ax.set(xlabel="values that the cache can hold (log scale)")
    ax.set(ylim=(distinct / 2, naive * 2), ylabel="values fetched (log scale)")
    ax.set_title(f"Reads of the image in {problem}")
    for axis in (ax.xaxis, ax.yaxis):
        ticks_in_words(axis, "{:,.0f}".format)
    return Picture(
        fig,
        f"Values of the image fetched in {problem} against cache size: "
        f"{naive:,} with a tiny cache, {missed[problem.window]:,} once a window "
        f"fits, {missed[sizes[-1]]:,} once {problem.k_h} rows fit.",
    )


def accumulation_picture(lengths: Sequence[int], errors: Mapping[str, Sequence[float]]) -> Picture:
    """Draw relative error of sums of `lengths` terms, one line for each way to add them up."""
    fig, ax = figure(7.2, 3.7)
    for (name, error), colour in zip(errors.items(), (ORANGE, GREEN, BLUE)):
        ax.loglog(lengths, error, color=colour)  # an error of exactly zero has no place: a gap
        behind(ax, name, lengths[-1], error[-1], color=lettering(colour), fontsize=9.5)
    ax.axhline(2.0**-11, color=GREY, linewidth=0.9, linestyle="--", zorder=1)
    beside(ax, "one float16 rounding, 2⁻¹¹", (lengths[0], 2.0**-11), (0, 9), color=GREY)
    ax.set(xlabel="terms added up (log scale)", ylabel="error relative to float64 (log scale)")
    ticks_in_words(ax.xaxis, "{:,.0f}".format)
    ax.yaxis.set_major_formatter(power_text)
    return Picture(
        fig,
        f"Error of sums of up to {lengths[-1]:,} terms: {', '.join(errors)}. "
        "Only with the float16 accumulator does the error grow towards 100 %.",
    )


def forecast_picture(
    names: Sequence[str],
    seconds: Sequence[float],
    forecasts: Mapping[str, Sequence[float]],
    marked: Sequence[str] = (),
    units: Sequence[str] = (),
) -> Picture:
    """Draw measured `seconds` against each forecast, with the line on which all would lie.

    forecasts: in any units, which `units` names for their axes; only how well they are
    proportional to the time is shown. marked: names to be labelled.
    """
    fig, axes = figure(9.2, 3.5, ncols=len(forecasts), sharey=True)
    for ax, (title, forecast), unit in zip(
        np.atleast_1d(axes), forecasts.items(), units or [""] * len(forecasts)
    ):
        per_unit = float(np.exp(np.mean(np.log(np.divide(seconds, forecast)))))
        ends = np.array([min(forecast) / 3, max(forecast) * 3])
        ax.loglog(ends, per_unit * ends, color=GREY, linewidth=0.9, linestyle="--", zorder=1)
        ax.loglog(forecast, seconds, "o", color=BLUE)
        points = [(f, s, name) for f, s, name in zip(forecast, seconds, names) if name in marked]
        ax.loglog([f for f, *_ in points], [s for _, s, _ in points], "o", color=ORANGE)
        ax.set(title=title, xlim=ends, ylim=(min(seconds) / 3, max(seconds) * 3))
        ax.set_xlabel(f"forecast{unit and ', '}{unit} (log scale)")
        for axis, words in ((ax.xaxis, power_text), (ax.yaxis, short_seconds)):
            axis.set_major_locator(LogLocator(numticks=5))
            ticks_in_words(axis, words)
        label_points(ax, points, fontsize=8.5, color=lettering(ORANGE))
    np.atleast_1d(axes)[0].set_ylabel("measured time (log scale)")
    return Picture(
        fig,
        f"Measured time of {len(names)} layers against {len(forecasts)} "
        f"forecasts: {', '.join(forecasts)}.",
    )


def layer_cost_picture(
    image: int, kernel: int, channels: int, stride: int, batch: int, depthwise: bool
) -> Picture:
    """Draw one layer's counts, and its place under the roof of `NOMINAL`.

    `channels` in and out; padding of half the kernel, as most networks have.
    """
    i_c, times = (1, channels) if depthwise else (channels, 1)
    p = ConvProblem(batch, image, image, i_c, kernel, kernel, i_c, stride, kernel // 2)
    moved = times * p.compulsory_bytes()
    counts = {
        "MACs": times * p.macs,
        "naive accesses": times * p.accesses().total,
        "weights": times * p.params,
        "compulsory traffic": moved // 4,
    }
    fig, (bars, roof) = figure(9.2, 3.3, ncols=2, width_ratios=(1, 1.15))
    _count_bars(bars, counts, moved)
    kind = "depthwise" if depthwise else "all channels"
    bars.set_title(
        f"{batch} × {image}×{image}×{channels}, {kernel}×{kernel} {kind}, stride {stride}",
        fontsize=10,
    )
    intensity = 2 * counts["MACs"] / moved
    written = f"{intensity:.3g}" if intensity < 999.5 else f"{intensity:,.0f}"
    bound = "memory" if intensity < NOMINAL.ridge else "arithmetic"
    seconds = max(2 * counts["MACs"] / NOMINAL.flops_per_s, moved / NOMINAL.bytes_per_s)
    words = f"{written} FLOP/byte\n{bound} is the limit\nat least {seconds_text(seconds)}"
    _nominal_roof(roof, intensity, words)
    return Picture(
        fig,
        f"A layer of {batch} × {image}×{image}×{channels}, {kernel}×{kernel} "
        f"{kind}, stride {stride}: {counts['MACs']:,} MACs, "
        f"{counts['weights']:,} weights, {written} FLOP/byte; on a machine "
        f"of 100 GFLOP/s and 20 GB/s, {bound} is its limit.",
    )


def _count_bars(ax: Axes, counts: Mapping[str, int], moved: int) -> None:
    """Draw a bar for each count; the last one, of values, is also told as `moved` bytes."""
    for row, (count, colour) in enumerate(zip(counts.values(), (BLUE, BLUE, ORANGE, ORANGE))):
        ax.barh(row, count, color=colour, height=0.62)
        text = _short(count) + (f" = {bytes_text(moved)}" if row == 3 else "")
        behind(ax, text, count, row, fontsize=9.5)
    ax.set(xscale="log", xlim=(10, 1e15), xlabel="number of values or operations (log scale)")
    ticks_in_words(ax.xaxis, power_text, [10**n for n in range(1, 14, 3)])
    name_rows(ax, counts)


def _nominal_roof(ax: Axes, intensity: float, words: str) -> None:
    """Draw the roof of `NOMINAL`, the point of an intensity on it, and `words` below that."""
    x = np.array([0.02, NOMINAL.ridge, 5000])
    ax.fill_between(x, [NOMINAL.attainable(i) for i in x], 1e7, color=PALE, linewidth=0)
    ax.loglog(x, [NOMINAL.attainable(i) for i in x], color="black", linewidth=2.2)
    reached = NOMINAL.attainable(intensity)
    ax.plot([intensity] * 2, [1e7, reached], color=ORANGE, linestyle=":")
    ax.plot(intensity, reached, "o", color=ORANGE, markersize=8)
    gap, side = (-8, "right") if intensity > NOMINAL.ridge else (8, "left")
    beside(ax, words, (intensity, 2e7), (gap, 0), ha=side)
    ax.set(xlim=(0.02, 5000), ylim=(1e7, 4e11), xlabel="FLOP per byte (log scale)")
    moves = rate_text(NOMINAL.bytes_per_s, "B").replace(".0", "")
    ax.set_title(f"a machine of {short_rate(NOMINAL.flops_per_s)}, {moves}", fontsize=10)
    for axis, unit in ((ax.xaxis, "{:g}".format), (ax.yaxis, short_rate)):
        axis.set_major_locator(LogLocator(numticks=8))
        ticks_in_words(axis, unit)


class Ledger:
    """Claims by `source`, checked against what `counter` says."""

    def __init__(self, source: str, counter: str) -> None:
        self.rows: list[dict[str, object]] = []
        self._columns = source, counter

    def claim(self, what: str, theirs: object, ours: object, correction: str | None = None) -> None:
        """Note a claim. Raises `AssertionError` where the two differ and nobody says why."""
        assert correction or theirs == ours, f"{what}: {theirs} is not {ours}"
        self.rows.append(
            {
                "claim": what,
                **dict(zip(self._columns, (theirs, ours))),
                "verdict": correction or "holds",
            }
        )

    @property
    def held(self) -> int:
        """Return how many claims hold."""
        return sum(str(row["verdict"]).startswith("holds") for row in self.rows)

    def table(self) -> Table:
        """Return all claims, with a count above."""
        count = len(self.rows)
        return table(
            self.rows, caption=f"{count} claims: {self.held} hold, {count - self.held} need a word"
        )

    def __str__(self) -> str:
        return f"{len(self.rows)} claims checked, {self.held} hold"


def percent(part: float, whole: float) -> str:
    """Return a share to two digits behind the point."""
    return f"{100 * part / whole:.2f} %"
