"""Chapter 16: ranges, roundings, and what each technique costs and gains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes

from ...bench.conv_cpu import ConvComparison
from ...bench.int8 import FLOAT32, INT8
from ...networks.compress.blocks import E2M1, e4m3
from ...networks.compress.grids import Grid, grid
from ...networks.compress.noise import sqnr
from ...networks.compress.patterns import kept_weights, pattern_costs
from ...networks.compress.scores import Score
from .axes import (
    WHITE,
    behind,
    beside,
    label_points,
    name_rows,
    power_text,
    ratio_rows,
    rivals,
    ticks_in_words,
)
from .cpu_records import threads_text
from .shapes import box, write
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, Picture, figure, lettering

COLOURS = (BLUE, ORANGE, GREEN, PINK)
ROUNDINGS: dict[str, Callable] = {"to nearest": np.rint, "down": np.floor, "towards 0": np.trunc}
SHOWN = 4000  # points of an error curve
COUNTS = [digit * 10**power for power in range(1, 6) for digit in (1, 2, 5)]  # ticks


def rounding_picture(
    values: np.ndarray, bits: int, kept: float = 100, rounding: str = "to nearest",
    symmetric: bool = True,
) -> Picture:  # fmt: skip
    """Draw a sample's values with the grid that `kept` per cent of them get; its error, value by
    value.

    `rounding` is one of ROUNDINGS. Raises KeyError for another.
    """
    values = np.asarray(values, np.float32).ravel()
    tails = ((100 - kept) / 2, (100 + kept) / 2) if values.min() < 0 else (0, kept)
    low, high = np.percentile(values, tails)
    made = grid(low, high, bits, symmetric=symmetric)
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
        f"{2**bits - symmetric} grid points, {made.scale:.3g} apart: SQNR "
        f"{sqnr(values, back):.1f} dB, {1 - inside.mean():.2%} clipped",
        fontsize=10,
    )
    x = np.linspace(values.min(), values.max(), SHOWN, dtype=np.float32)
    below.plot(x, _rounded(x, made, rounding) - x, color=ORANGE, linewidth=0.9)
    below.axhline(0, color=GREY, linewidth=0.7)
    share = noise[~inside].sum() / max(noise.sum(), 1e-30)
    below.set(xlabel="value", ylabel="error")
    below.set_title(f"{share:.0%} of the noise comes from clipped values", fontsize=10)
    return Picture(
        fig,
        f"A histogram with a grid of {bits} bits over {kept:g} % of the values, "
        f"rounded {rounding}: SQNR {sqnr(values, back):.1f} dB, and the error of "
        "each value below it.",
    )


def _rounded(x: np.ndarray, made: Grid, rounding: str) -> np.ndarray:
    q = ROUNDINGS[rounding](x / made.scale) + made.zero
    return made.dequantise(np.clip(q, made.low, made.high))


def block_picture(largest: float) -> Picture:
    """Draw the places that 4 bits have for a block whose largest size is `largest` (1 to 16)."""
    power = 2.0 ** (np.floor(np.log2(largest)) - 2)
    rows = {
        "int4: largest / 7": largest / 7 * np.arange(8),
        "MXFP4: a power of two": power * E2M1,
        "NVFP4: largest / 6": float(e4m3(np.array(largest / 6))) * E2M1,
    }
    fig, ax = figure(7.8, 2.9)
    for row, (places, colour) in enumerate(zip(rows.values(), COLOURS, strict=False)):
        both = np.concatenate([-places, places])
        ax.hlines(row, both.min(), both.max(), color=PALE, linewidth=1)
        ax.plot(both, np.full(len(both), row), "|", color=colour, markersize=16, markeredgewidth=2)
    for end in (-largest, largest):
        ax.axvline(end, color=GREY, linewidth=1, linestyle="--")
    name_rows(ax, list(rows))
    ax.set(xlim=(-12.5, 12.5), ylim=(2.4, -0.4))
    ax.set_xlabel("value (NVFP4's float32 scale of the tensor is 1 here)")
    ax.set_title(f"The largest value of the block is {largest:g}")
    ends = ", ".join(f"{name.partition(':')[0]} {places[-1]:.3g}" for name, places in rows.items())
    return Picture(fig, f"A block whose largest value is {largest:g}. Its grid ends at: {ends}.")


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
        ticks_in_words(ax.xaxis)
    axes[0, 0].set_ylabel("how many (log scale)")
    axes[0, 0].yaxis.set_major_formatter(power_text)
    axes[0, 0].set_ylim(top=50 * axes[0, 0].get_ylim()[1])  # room for the ends' names
    listed = "; ".join(
        f"{title}: " + ", ".join(f"{name} ends at {end:.3g}" for name, end in ranges[title].items())
        for title in samples
    )
    return Picture(fig, f"Histograms of a layer's inputs with the ends of ranges. {listed}.")


def _ends(ax: Axes, ends: Mapping[str, float]) -> None:
    style = {"xycoords": ("data", "axes fraction"), "ha": "right", "va": "top", "fontsize": 8.5}
    style["bbox"] = WHITE
    for row, ((name, end), colour) in enumerate(zip(ends.items(), (ORANGE, BLUE, GREEN))):
        top = 0.97 - 0.1 * row  # the line ends there, so that it crosses no name above
        ax.axvline(end, ymax=top, color=colour, linewidth=1.5)
        beside(ax, name, (end, top), (-5, 0), color=lettering(colour), **style)


def top1_error_picture(
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
        style = {"va": "center", "color": lettering(colour), "annotation_clip": False}
        beside(ax, name, (places[-1], wrong[-1]), (8, 0), **style)
    level = images * (1 - whole)
    ax.axhline(level, color=GREY, linewidth=0.9, linestyle="--")
    style = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "top", "color": GREY}
    beside(ax, "float32", (1, level), (-4, -4), **style)
    ax.set(yscale="log", xlabel=xlabel, ylabel=f"wrong of {images:,} (log scale)")
    ax.set_xticks(list(next(iter(lines.values()))))
    if len(next(iter(lines.values()))) > 1 and places[0] > places[-1]:
        ax.invert_xaxis()
    ax.set_ylim(ax.get_ylim()[0] / 1.2, 1.3 * images)  # below: room for the line's name
    ticks_in_words(ax.yaxis, "{:,.0f}".format, COUNTS)
    ax.grid(True, axis="y")
    listed = "; ".join(
        f"{name}: "
        + ", ".join(f"{images * (1 - share):,.0f} at {x:g}" for x, share in points.items())
        for name, points in lines.items()
    )
    return Picture(fig, f"Wrong of {images:,} by {xlabel}. {listed}.")


SPAN = 0.4, 1.6  # of times over float32's: the ends of the colours
RADIUS = 4  # points, of a technique's mark


def scores_picture(scores: Sequence[Score], times: Mapping[str, float]) -> Picture:
    """Draw bytes across, wrong labels up, both logarithmic; the colour is the time over float32's.

    `times` has that quotient for those that were timed; the others are rings.
    """
    shades = colormaps["coolwarm"]
    fig, ax = figure(9.2, 6.2)
    points = []
    for score in scores:
        wrong = 10_000 * (1 - score.accuracy)
        time = times.get(score.name)
        label, colour = score.name, "white"
        if time is not None:
            label += f" · {time:.2f}"
            colour = shades((min(max(time, SPAN[0]), SPAN[1]) - SPAN[0]) / (SPAN[1] - SPAN[0]))
        style = {"markersize": 2 * RADIUS, "markeredgecolor": GREY, "color": colour}
        ax.plot(score.bytes, wrong, "o", **style)
        points.append((score.bytes, wrong, label))
    _bytes_and_wrong(ax, (10_000, 300_000), (45, 14_000))
    ax.set_title("Left is smaller, down is more accurate; the number is time relative to float32")
    ax.grid(True)
    label_points(ax, points, radius=RADIUS, fontsize=8)
    listed = "; ".join(
        f"{s.name} {s.bytes:,} bytes, {10_000 * (1 - s.accuracy):,.0f} wrong" for s in scores
    )
    return Picture(fig, f"Every technique by bytes and wrong labels: {listed}.")


def _bytes_and_wrong(ax: Axes, across: tuple[float, float], up: tuple[float, float]) -> None:
    ax.set(xscale="log", yscale="log", xlim=across, ylim=up)
    ax.set(
        xlabel="bytes of the weights as stored (log scale)", ylabel="wrong of 10,000 (log scale)"
    )
    for axis in (ax.xaxis, ax.yaxis):
        ticks_in_words(axis, "{:,.0f}".format, COUNTS)


def shrunk_picture(points: Mapping[str, tuple[int, float]], yours: str) -> Picture:
    """Draw networks by `(bytes, accuracy)`, of which `yours` is drawn apart; the line is 99 %."""
    fig, ax = figure(7.8, 3.8)
    marks = {
        name: (size, 10_000 * (1 - share), f"{size:,} bytes")
        for name, (size, share) in points.items()
    }
    labels = rivals(ax, marks, yours)
    ax.axhline(100, color=GREY, linewidth=0.9, linestyle="--")
    sizes = [size for size, _ in points.values()]
    _bytes_and_wrong(ax, (min(sizes) / 1.5, 2.5 * max(sizes)), (50, 2000))
    ax.set_title("Below the line, 99 % are right; left is smaller")
    label_points(ax, labels, fontsize=8)
    listed = "; ".join(
        f"{name} {size:,} bytes, {10_000 * (1 - share):,.0f} wrong"
        for name, (size, share) in points.items()
    )
    return Picture(fig, f"Networks by bytes and wrong labels: {listed}.")


OVER = {
    "our float32 / our int8": (FLOAT32, INT8),
    "ONNX Runtime's float32 / its int8": ("onnxruntime float32", "onnxruntime int8"),
    "ONNX Runtime's int8 / our int8": ("onnxruntime int8", INT8),
}


def int8_picture(runs: Sequence[Mapping[str, ConvComparison]], where: str) -> Picture:
    """Draw how many times as long float32 takes as int8, ours and ONNX Runtime's;
    a column each run.
    """
    rows = list(runs[0])
    fig, axes = figure(
        8.8, 0.9 + 0.23 * len(rows), ncols=len(runs), sharex=True, sharey=True, squeeze=False
    )
    fig.suptitle(where, fontsize=10.5, fontweight="bold")
    for ax, run in zip(axes[0], runs, strict=True):
        series = {
            name: {row: _ratio(each, above, under) for row, each in run.items()}
            for name, (above, under) in OVER.items()
        }
        series = {name: line for name, line in series.items() if None not in line.values()}
        ratio_rows(ax, rows, series, xlabel="times as long (log scale)", title=threads_text(run))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)
    return Picture(
        fig,
        f"{where}: times of float32 over int8, and of ONNX Runtime's int8 over "
        f"ours, on {', '.join(rows)}.",
    )


def _ratio(layer: ConvComparison, above: str, under: str) -> float | None:
    names = [layer.best_of(name) or name for name in (above, under)]
    if not all(name in layer.comparison.timings for name in names):
        return None
    return layer.comparison.ratio(*names)


def formats_picture(rates: Mapping[str, float], where: str) -> Picture:
    """Draw operations per second of a matrix product in each format; 2:4 in another colour."""
    fig, ax = figure(7.8, 0.9 + 0.36 * len(rates))
    for row, (name, rate) in enumerate(rates.items()):
        ax.barh(row, rate / 1e12, height=0.66, color=PINK if "2:4" in name else BLUE)
        behind(ax, f"{rate / 1e12:,.0f}", rate / 1e12, row)
    name_rows(ax, list(rates))
    ax.set_xlim(0, 1.15 * max(rates.values()) / 1e12)
    ax.set_xlabel("10¹² operations per second; what 2:4 leaves out counts as done")
    ax.set_title(where, fontsize=10)
    listed = ", ".join(f"{name} {rate / 1e12:,.0f}" for name, rate in rates.items())
    return Picture(fig, f"{where}: 10¹² operations per second of one matrix product: {listed}.")


def zeros_picture(pattern: str, left: int) -> Picture:
    """Draw a matrix with `left` percent of its weights in a pattern, beside what that saves."""
    kept = kept_weights(pattern, left)
    inputs, outputs = kept.shape
    costs = pattern_costs(kept, pattern)
    fig, (matrix, bars) = figure(8.4, 3.2, ncols=2, width_ratios=(1, 1.2))
    for i, j in np.ndindex(kept.shape):
        box(matrix, j, i, 0.9, 0.9, BLUE if kept[i, j] else PALE)
    always = "always " * (pattern == "two of four")  # whatever is chosen
    matrix.set_title(f"{pattern}: {always}{kept.mean():.0%} of the weights left", fontsize=10)
    matrix.set(xlim=(0, outputs), ylim=(inputs, 0), aspect="equal")
    style = {"color": GREY, "fontsize": 8.5}
    write(matrix, "outputs", outputs / 2, inputs + 0.6, **style)
    write(matrix, "inputs", -0.5, inputs / 2, rotation=90, **style)
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
