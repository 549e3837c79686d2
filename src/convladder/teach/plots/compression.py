"""All techniques on one picture; bytes beside float32 on the processor, formats on the GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib import colormaps
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ...bench.conv_cpu import ConvComparison
from ...bench.int8 import FLOAT32, INT8
from ...compress.scores import Score
from .labels import label_points
from .style import BLUE, GREEN, GREY, ORANGE, PINK, Picture, figure

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
        place = None if time is None else (time - SPAN[0]) / (SPAN[1] - SPAN[0])
        ax.plot(
            score.bytes,
            wrong,
            "o",
            markersize=2 * RADIUS,
            markeredgecolor=GREY,
            color="white" if place is None else shades(min(max(place, 0), 1)),
        )
        label = score.name if time is None else f"{score.name} · {time:.2f}"
        points.append((score.bytes, wrong, label))
    ax.set(
        xscale="log",
        yscale="log",
        xlim=(10_000, 300_000),
        ylim=(45, 14_000),
        xlabel="bytes of the weights as stored (log scale)",
        ylabel="wrong of 10,000 (log scale)",
        title="Left is smaller, down is more accurate; the number is the time over float32's",
    )
    ax.xaxis.set_major_locator(FixedLocator([10_000, 20_000, 50_000, 100_000, 200_000]))
    ax.yaxis.set_major_locator(FixedLocator([70, 100, 200, 500, 1000, 2000, 5000, 10_000]))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axis.set_minor_locator(NullLocator())
    ax.grid(True)
    label_points(ax, points, radius=RADIUS, fontsize=8)
    listed = "; ".join(
        f"{s.name} {s.bytes:,} bytes, {10_000 * (1 - s.accuracy):,.0f} wrong" for s in scores
    )
    return Picture(fig, f"Every technique by bytes and wrong labels: {listed}.")


def shrunk_picture(points: Mapping[str, tuple[int, float]], yours: str) -> Picture:
    """Draw networks by `(bytes, accuracy)`, of which `yours` is drawn apart; the line is 99 %."""
    fig, ax = figure(7.8, 3.8)
    labels = []
    for name, (size, share) in points.items():
        mine, wrong = name == yours, 10_000 * (1 - share)
        ax.plot(
            size,
            wrong,
            "D" if mine else "o",
            color=ORANGE if mine else BLUE,
            markersize=9 if mine else 7,
        )
        labels.append((size, wrong, f"{name}: {size:,} bytes"))
    ax.axhline(100, color=GREY, linewidth=0.9, linestyle="--")
    sizes = [size for size, _ in points.values()]
    ax.set(
        xscale="log",
        yscale="log",
        xlim=(min(sizes) / 1.5, 2.5 * max(sizes)),
        ylim=(50, 2000),
        xlabel="bytes (log scale)",
        ylabel="wrong of 10,000 (log scale)",
        title="Below the line, 99 % are right; left is smaller",
    )
    ax.xaxis.set_major_locator(FixedLocator([5000, 10_000, 20_000, 50_000, 100_000]))
    ax.yaxis.set_major_locator(FixedLocator([50, 100, 200, 500, 1000]))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axis.set_minor_locator(NullLocator())
    label_points(ax, labels, fontsize=8)
    listed = "; ".join(
        f"{name} {size:,} bytes, {10_000 * (1 - share):,.0f} wrong"
        for name, (size, share) in points.items()
    )
    return Picture(fig, f"Networks by bytes and wrong labels: {listed}.")


def int8_picture(runs: Sequence[Mapping[str, ConvComparison]], where: str) -> Picture:
    """Draw how many times as long float32 takes as int8, ours and ONNX Runtime's;
    a column each run.
    """
    rows = list(runs[0])
    fig, axes = figure(8.8, 0.9 + 0.23 * len(rows), ncols=len(runs), sharey=True, squeeze=False)
    fig.suptitle(where, fontsize=10.5, fontweight="bold")
    marks = (
        ("our float32 / our int8", "o", BLUE, FLOAT32, INT8),
        (
            "ONNX Runtime's float32 / its int8",
            "D",
            ORANGE,
            "onnxruntime float32",
            "onnxruntime int8",
        ),
        ("ONNX Runtime's int8 / our int8", "|", GREEN, "onnxruntime int8", INT8),
    )
    shown = [1.0]
    for ax, run in zip(axes[0], runs, strict=True):
        for name, mark, colour, above, under in marks:
            ratios = [_ratio(each, above, under) for each in run.values()]
            if None in ratios:
                continue
            ax.plot(
                ratios,
                range(len(rows)),
                mark,
                color=colour,
                label=name,
                markersize=7,
                markeredgewidth=2 if mark == "|" else 0.5,
            )
            shown += ratios
        ax.axvline(1, color=GREY, linewidth=1)
        threads = next(iter(run.values())).threads
        ax.set(
            xscale="log",
            xlabel="times as long (log scale)",
            title=f"{threads} thread{'s' * (threads > 1)}",
        )
        ax.xaxis.set_major_locator(FixedLocator([0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6]))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.grid(True, axis="y")
        ax.tick_params(axis="y", length=0)
    for ax in axes[0]:
        ax.set_xlim(min(shown) / 1.1, max(shown) * 1.1)
    axes[0, 0].set_yticks(range(len(rows)), rows, color="black")
    axes[0, 0].invert_yaxis()
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
    """Draw operations a second of one product in each format, bars; 2:4 in another colour."""
    fig, ax = figure(7.8, 0.9 + 0.36 * len(rates))
    for row, (name, rate) in enumerate(rates.items()):
        ax.barh(row, rate / 1e12, height=0.66, color=PINK if "2:4" in name else BLUE)
        ax.annotate(
            f"{rate / 1e12:,.0f}",
            (rate / 1e12, row),
            (5, 0),
            va="center",
            textcoords="offset points",
        )
    ax.set_yticks(range(len(rates)), list(rates), color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.set(
        xlim=(0, 1.15 * max(rates.values()) / 1e12),
        title=where,
        xlabel="10¹² operations a second; what 2:4 leaves out counts as done",
    )
    ax.title.set_fontsize(10)
    listed = ", ".join(f"{name} {rate / 1e12:,.0f}" for name, rate in rates.items())
    return Picture(fig, f"{where}: 10¹² operations a second of one product: {listed}.")
