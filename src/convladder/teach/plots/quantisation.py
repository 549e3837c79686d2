"""Grids, their errors, and what calibration and bits make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ...compress.grids import Grid, grid
from ...compress.noise import sqnr
from .ink import lettering
from .labels import power_text
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, Picture, figure

COLOURS = (BLUE, ORANGE, GREEN, PINK)
ROUNDINGS: dict[str, Callable] = {"to nearest": np.rint, "down": np.floor, "towards 0": np.trunc}
SHOWN = 4000  # points of an error curve


def rounding_picture(
    values: np.ndarray, bits: int, kept: float = 100, rounding: str = "to nearest",
    symmetric: bool = True,
) -> Picture:  # fmt: skip
    """Draw a sample's values with the grid that `kept` per cent of them get; its error, value by
    value.

    `rounding` is one of ROUNDINGS. Raises KeyError for another.
    """
    values = np.asarray(values, np.float32).ravel()
    tails = (
        (100 - kept) / 2 if values.min() < 0 else 0,
        (100 + kept) / 2 if values.min() < 0 else kept,
    )
    made = grid(*np.percentile(values, tails), bits, symmetric=symmetric)
    back = _rounded(values, made, rounding)
    ends = made.dequantise(np.array([made.low, made.high]))
    inside = (values >= ends[0]) & (values <= ends[1])
    noise = np.square(values - back, dtype=np.float64)
    fig, (above, below) = figure(7.8, 4.6, nrows=2, sharex=True, height_ratios=(3, 2))
    above.hist(values, bins=120, color=PALE, edgecolor=GREY, linewidth=0.3)
    points = made.dequantise(np.arange(made.low, made.high + 1))
    if bits < 8:
        for point in points:
            above.axvline(point, color=BLUE, linewidth=0.9)
    else:
        above.axvspan(*ends, color=BLUE, alpha=0.12, linewidth=0)
    above.set(ylabel="values", yticks=[])
    above.set_title(
        f"{2**bits - symmetric} places, {made.scale:.3g} apart: SQNR "
        f"{sqnr(values, back):.1f} dB, {1 - inside.mean():.2%} cut off",
        fontsize=10,
    )
    x = np.linspace(values.min(), values.max(), SHOWN, dtype=np.float32)
    below.plot(x, _rounded(x, made, rounding) - x, color=ORANGE, linewidth=0.9)
    below.axhline(0, color=GREY, linewidth=0.7)
    share = noise[~inside].sum() / max(noise.sum(), 1e-30)
    below.set(xlabel="value", ylabel="error")
    below.set_title(f"of the noise, {share:.0%} is from values that were cut off", fontsize=10)
    return Picture(
        fig,
        f"A histogram with a grid of {bits} bits over {kept:g} % of the values, "
        f"rounded {rounding}: SQNR {sqnr(values, back):.1f} dB, and the error of "
        "each value below it.",
    )


def _rounded(x: np.ndarray, made: Grid, rounding: str) -> np.ndarray:
    q = ROUNDINGS[rounding](x / made.scale) + made.zero
    return made.dequantise(np.clip(q, made.low, made.high))


def sqnr_picture(ways: Mapping[str, Mapping[str, float]]) -> Picture:
    """Draw signal over noise by layer: a line of points for each of `ways`, `{name: {layer:
    dB}}`.
    """
    fig, ax = figure(7.4, 3.6)
    layers = list(next(iter(ways.values())))
    for (name, values), colour in zip(ways.items(), COLOURS, strict=False):
        ax.plot(range(len(layers)), list(values.values()), "o-", color=colour)
        ax.annotate(
            name,
            (len(layers) - 1, list(values.values())[-1]),
            (8, 0),
            va="center",
            textcoords="offset points",
            color=lettering(colour),
            annotation_clip=False,
        )
    ax.set(
        xticks=range(len(layers)),
        ylabel="SQNR, dB (20 more: ten times finer)",
        xlim=(-0.2, len(layers) - 0.8),
    )
    ax.set_xticklabels(layers)
    ax.grid(True, axis="y")
    listed = "; ".join(
        f"{name} " + ", ".join(f"{layer} {value:.0f}" for layer, value in v.items())
        for name, v in ways.items()
    )
    return Picture(fig, f"Signal over noise in dB, by layer: {listed}.")


def ranges_picture(
    samples: Mapping[str, np.ndarray], ranges: Mapping[str, Mapping[str, float]]
) -> Picture:
    """Draw how often values occur, and where each calibration ends its range; both axes
    logarithmic.

    `samples`: positive values by title; `ranges`: for each title, `{calibration: largest}`.
    """
    fig, axes = figure(8.6, 3.8, ncols=len(samples), sharey=True, squeeze=False)
    for ax, (title, values) in zip(axes[0], samples.items(), strict=True):
        positive = values[values > 0]
        bins = np.geomspace(max(positive.min(), 1e-3), positive.max() * 1.05, 70)
        ax.hist(positive, bins=bins, color=PALE, edgecolor=GREY, linewidth=0.3)
        ax.set(xscale="log", yscale="log", title=title, xlabel="value (log scale)")
        ax.title.set_fontsize(10)
        _ends(ax, ranges[title])
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ax.xaxis.set_minor_locator(NullLocator())
    axes[0, 0].set_ylabel("how many (log scale)")
    axes[0, 0].yaxis.set_major_formatter(power_text)
    axes[0, 0].set_ylim(top=50 * axes[0, 0].get_ylim()[1])  # room for the ends' names
    listed = "; ".join(
        f"{title}: " + ", ".join(f"{name} ends at {end:.3g}" for name, end in ranges[title].items())
        for title in samples
    )
    return Picture(fig, f"Histograms of a layer's inputs with the ends of ranges. {listed}.")


def _ends(ax: Axes, ends: Mapping[str, float]) -> None:
    for row, ((name, end), colour) in enumerate(
        zip(ends.items(), (ORANGE, BLUE, GREEN), strict=False)
    ):
        top = 0.97 - 0.1 * row  # the line ends there, so that it crosses no name above
        ax.axvline(end, ymax=top, color=colour, linewidth=1.5)
        ax.annotate(
            name,
            (end, top),
            (-5, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="right",
            va="top",
            color=lettering(colour),
            fontsize=8.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )


def wrong_picture(
    lines: Mapping[str, Mapping[float, float]], xlabel: str, whole: float, images: int = 10_000
) -> Picture:
    """Draw images labelled wrong, logarithmic, against what `lines` `{name: {x: accuracy}}` vary.

    `whole` is float32's accuracy, drawn as a line. The first x is at the left.
    """
    fig, ax = figure(7.4, 3.7)
    for (name, points), colour in zip(lines.items(), COLOURS, strict=False):
        wrong = [images * (1 - share) for share in points.values()]
        places = list(points)
        ax.plot(places, wrong, "o-", color=colour)
        ax.annotate(
            name,
            (places[-1], wrong[-1]),
            (8, 0),
            textcoords="offset points",
            va="center",
            color=lettering(colour),
            annotation_clip=False,
        )
    level = images * (1 - whole)
    ax.axhline(level, color=GREY, linewidth=0.9, linestyle="--")
    ax.annotate(
        "float32",
        (1, level),
        (-4, -4),
        xycoords=("axes fraction", "data"),
        ha="right",
        va="top",
        textcoords="offset points",
        color=GREY,
    )
    ax.set(
        yscale="log",
        xlabel=xlabel,
        ylabel=f"wrong of {images:,} (log scale)",
        xticks=list(next(iter(lines.values()))),
    )
    if len(next(iter(lines.values()))) > 1 and places[0] > places[-1]:
        ax.invert_xaxis()
    ax.set_ylim(ax.get_ylim()[0] / 1.2, 1.3 * images)  # below: room for the line's name
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.grid(True, axis="y")
    listed = "; ".join(
        f"{name}: "
        + ", ".join(f"{images * (1 - share):,.0f} at {x:g}" for x, share in points.items())
        for name, points in lines.items()
    )
    return Picture(fig, f"Wrong of {images:,} by {xlabel}. {listed}.")
