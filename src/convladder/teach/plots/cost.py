"""Pictures of chapter 02: what layers cost on paper, and what they cost here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ...problem import ConvProblem
from ...text import bytes_text, rate_text, seconds_text
from ..models.networks import NOMINAL
from .ink import ink, lettering
from .labels import label_points, power_text
from .style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure


def shares_picture(network: Mapping[str, ConvProblem]) -> Picture:
    """Draw which part of the weights and of the MACs of `network` is in convolutions,
    and in `fc...`.
    """
    counts = {"weights": lambda p: p.params, "MACs": lambda p: p.macs}
    fig, ax = figure(7.2, 1.7)
    shares = {}
    for row, (what, count) in enumerate(counts.items()):
        total = sum(count(p) for p in network.values())
        dense = sum(count(p) for name, p in network.items() if name.startswith("fc"))
        shares[what] = 1 - dense / total
        ax.barh(row, shares[what], color=BLUE, height=0.62)
        ax.barh(row, dense / total, left=shares[what], color=ORANGE, height=0.62)
        parts = (
            ("convolutions", 0, shares[what], BLUE),
            ("fully connected", shares[what], 1, ORANGE),
        )
        for name, begin, end, colour in parts:
            label = f"{end - begin:.0%}" + (f"  {name}" if end - begin > 0.5 else "")
            if end - begin > 0.05:
                ax.text(
                    (begin + end) / 2,
                    row,
                    label,
                    ha="center",
                    va="center",
                    color=ink(colour),
                    fontweight="bold",
                )
            else:
                ax.text(
                    end + 0.01, row, label, va="center", color=lettering(colour), fontweight="bold"
                )
    ax.set(xlim=(0, 1.08), yticks=range(len(counts)), xticks=[])
    ax.set_yticklabels(
        [f"{_short(sum(c(p) for p in network.values()))} {what}" for what, c in counts.items()],
        color="black",
    )
    ax.tick_params(axis="y", length=0)
    ax.spines[:].set_visible(False)
    ax.invert_yaxis()
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
    """Draw values fetched from memory (from `teach.reuse`) against the size of the cache."""
    naive = problem.accesses().input
    distinct = problem.i_n * problem.i_h * problem.i_w * problem.i_c
    sizes = sorted(missed)
    fig, ax = figure(7.2, 3.5)
    ax.loglog(sizes, [missed[size] for size in sizes], color=BLUE, linewidth=2.2)
    for count, name, side in ((naive, "naive count", -13), (distinct, "compulsory", -13)):
        ax.axhline(count, color=GREY, linewidth=0.9, linestyle="--", zorder=1)
        ax.annotate(
            f"{name}: {count:,}",
            (sizes[-1], count),
            (0, side),
            ha="right",
            textcoords="offset points",
            color=GREY,
        )
    for size, name in (
        (problem.window, "one window fits"),
        (problem.k_h * problem.padded_w * problem.i_c, f"{problem.k_h} rows fit"),
    ):
        ax.axvline(size, color=ORANGE, linewidth=0.9, linestyle=":", zorder=1)
        ax.annotate(
            f"{name}:\n{size} values",
            (size, naive),
            (6, -30),
            textcoords="offset points",
            color=lettering(ORANGE),
            va="top",
        )
    ax.set(
        xlabel="values that the cache can hold (log scale)",
        ylim=(distinct / 2, naive * 2),
        ylabel="values fetched (log scale)",
        title=f"Reads of the image in {problem}",
    )
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axis.set_minor_locator(NullLocator())
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
        ax.annotate(
            name,
            (lengths[-1], error[-1]),
            (6, 0),
            textcoords="offset points",
            color=lettering(colour),
            va="center",
        )
    ax.axhline(2.0**-11, color=GREY, linewidth=0.9, linestyle="--", zorder=1)
    ax.annotate(
        "one float16 rounding, 2⁻¹¹",
        (lengths[0], 2.0**-11),
        (0, 9),
        textcoords="offset points",
        color=GREY,
    )
    ax.set(xlabel="terms added up (log scale)", ylabel="error relative to float64 (log scale)")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.xaxis.set_minor_locator(NullLocator())
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
        ax.xaxis.set_major_formatter(power_text)
        ax.yaxis.set_major_formatter(
            FuncFormatter(lambda s, _: seconds_text(s).replace(".00", "").replace(".0", ""))
        )
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(LogLocator(numticks=5))
            axis.set_minor_locator(NullLocator())
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
    colours = (BLUE, BLUE, ORANGE, ORANGE)
    for row, ((name, count), colour) in enumerate(zip(counts.items(), colours)):
        bars.barh(row, count, color=colour, height=0.62)
        text = _short(count) + (f" = {bytes_text(moved)}" if row == 3 else "")
        bars.annotate(text, (count, row), (5, 0), textcoords="offset points", va="center")
    bars.set(
        xscale="log",
        xlim=(10, 1e15),
        yticks=range(len(counts)),
        xlabel="number of values or operations (log scale)",
    )
    bars.set_yticklabels(counts, color="black")
    bars.set_xticks([10**n for n in range(1, 14, 3)])
    bars.xaxis.set_major_formatter(power_text)
    bars.xaxis.set_minor_locator(NullLocator())
    bars.tick_params(axis="y", length=0)
    bars.invert_yaxis()
    kind = "depthwise" if depthwise else "all channels"
    bars.set_title(
        f"{batch} × {image}×{image}×{channels}, {kernel}×{kernel} {kind}, stride {stride}",
        fontsize=10,
    )

    intensity = 2 * counts["MACs"] / moved
    written = f"{intensity:.3g}" if intensity < 999.5 else f"{intensity:,.0f}"
    x = np.array([0.02, NOMINAL.ridge, 5000])
    roof.fill_between(x, [NOMINAL.attainable(i) for i in x], 1e7, color=PALE, linewidth=0)
    roof.loglog(x, [NOMINAL.attainable(i) for i in x], color="black", linewidth=2.2)
    reached = NOMINAL.attainable(intensity)
    roof.plot([intensity] * 2, [1e7, reached], color=ORANGE, linestyle=":")
    roof.plot(intensity, reached, "o", color=ORANGE, markersize=8)
    bound = "memory" if intensity < NOMINAL.ridge else "arithmetic"
    seconds = max(2 * counts["MACs"] / NOMINAL.flops_per_s, moved / NOMINAL.bytes_per_s)
    roof.annotate(
        f"{written} FLOP/byte\n{bound} is the limit\nat least {seconds_text(seconds)}",
        (intensity, 2e7),
        (-8 if intensity > NOMINAL.ridge else 8, 0),
        ha="right" if intensity > NOMINAL.ridge else "left",
        textcoords="offset points",
    )
    roof.set(
        xlim=(0.02, 5000),
        ylim=(1e7, 4e11),
        xlabel="FLOP per byte (log scale)",
        title=f"a machine of {rate_text(NOMINAL.flops_per_s).replace('.0', '')}, "
        f"{rate_text(NOMINAL.bytes_per_s, 'B').replace('.0', '')}",
    )
    roof.title.set_fontsize(10)
    for axis, unit in (
        (roof.xaxis, lambda v, _: f"{v:g}"),
        (roof.yaxis, lambda v, _: rate_text(v).replace(".00", "").replace(".0", "")),
    ):
        axis.set_major_locator(LogLocator(numticks=8))
        axis.set_major_formatter(FuncFormatter(unit))
        axis.set_minor_locator(NullLocator())
    return Picture(
        fig,
        f"A layer of {batch} × {image}×{image}×{channels}, {kernel}×{kernel} "
        f"{kind}, stride {stride}: {counts['MACs']:,} MACs, "
        f"{counts['weights']:,} weights, {written} FLOP/byte; on a machine "
        f"of 100 GFLOP/s and 20 GB/s, {bound} is its limit.",
    )
