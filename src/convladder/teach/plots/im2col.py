"""Chapter 01: windows become rows, rows become sums; what the product gains, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...core.problem import ConvProblem
from ...measure import Comparison
from .axes import ticks_in_words
from .shapes import box, frame, write
from .style import BLUE, GREY, ORANGE, PINK, SKY, Picture, figure

# One colour code: image and windows are blue, weights orange, outputs green.
WINDOW, WEIGHT, OUTPUT = "#8CC5EA", "#F2A950", "#5FC7A3"
IMAGE = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8], [9, 7, 9, 3]], np.float32)
KERNEL = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]], np.float32)


def shapes_picture(p: ConvProblem, photo: np.ndarray) -> Picture:
    """Draw a layer as a product: a window of `photo[i_h,i_w,3]` is a row of L, and L·W = Y."""
    fig, ax = figure(6.4, 2.9)
    ax.imshow(photo, extent=(-190, -50, 90, 230))
    for colour, width in (("white", 3.4), (BLUE, 2)):
        frame(ax, -128, 150, 17, 17, colour, linewidth=width, zorder=1)
        arrow = {"arrowstyle": "->", "color": colour, "linewidth": width - 0.3}
        ax.annotate("", (0, 156.5), (-108, 158.5), arrowprops=arrow)
    size = f"{p.i_h} × {p.i_w} pixels\n× {p.i_c} colours"
    write(ax, size, -120, 78, va="top", fontsize=9)
    for x, y, w, h, colour, name, words in (
        (0, 0, 147, 230, WINDOW, "L", f"{p.pixels:,} windows\n× {p.window} values"),
        (200, 83, 64, 147, WEIGHT, "W", f"{p.window} weights\n× {p.k_c} filters"),
        (320, 0, 64, 230, OUTPUT, "Y", f"{p.pixels:,} pixels\n× {p.k_c} channels"),
    ):
        box(ax, x, y, w, h, colour, edgecolor=GREY, linewidth=0.8)
        write(ax, name, x + w / 2, y + h / 2, fontsize=13, weight="bold")
        write(ax, words, x + w / 2, -12, va="top", fontsize=9)
    for row in range(8, 230, 9):
        ax.plot([0, 147], [row, row], color="white", linewidth=0.6)
    for column in range(204, 264, 4):
        ax.plot([column, column], [83, 230], color="white", linewidth=0.6)
    frame(ax, 0, 152, 147, 9, linewidth=2, zorder=1)
    frame(ax, 228, 83, 4, 147, "#B35F00", linewidth=2, zorder=1)
    box(ax, 346, 153, 8, 8, "#00543C", edgecolor="#00543C")
    write(ax, "@", 173, 120, fontsize=15)
    write(ax, "=", 292, 120, fontsize=15)
    ax.set(xlim=(-200, 410), ylim=(-55, 235), aspect="equal")
    ax.axis("off")
    return Picture(
        fig,
        f"A window of the photograph is a row of L, {p.pixels} windows by {p.window} values. Times "
        f"the weights W, {p.window} by {p.k_c}, it gives the output Y, {p.pixels} by {p.k_c}.",
        colours=128,
    )


def areas_picture(p: ConvProblem, photo: np.ndarray) -> Picture:
    """Draw image, weights, output and matrix as squares whose areas are their bytes.

    The matrix is filled with as many copies of `photo[i_h,i_w,3]` as it takes bytes.
    """
    image_bytes = 4 * p.i_n * p.i_h * p.i_w * p.i_c
    parts = (
        ("image", image_bytes, WINDOW),
        ("weights", 4 * p.params, WEIGHT),
        ("output", 4 * p.pixels * p.k_c, OUTPUT),
        ("im2col's matrix", p.im2col_bytes(), WINDOW),
    )
    fig, ax = figure(6.2, 3.3)
    at, tile, small = 0.0, (image_bytes / 2**20) ** 0.5, photo[::4, ::4]
    for name, size, colour in parts:
        side = (size / 2**20) ** 0.5
        area = Rectangle((at, 0), side, side, facecolor=colour, edgecolor=colour, linewidth=1.5)
        ax.add_patch(area)
        places = np.arange(0, side - 1e-9, tile) if colour == WINDOW else ()
        for left in places:
            for low in places:
                extent = (at + left, at + left + tile, low, low + tile)
                copy = ax.imshow(small, extent=extent, interpolation="antialiased", zorder=3)
                copy.set_clip_path(area)
        words = f"{name}\n{size / 2**20:.2f} MiB"
        write(ax, words, at + side / 2, -0.15, va="top", fontsize=9)
        at += max(side, 1.35) + 0.6
    ax.set(xlim=(-0.4, at), ylim=(-1.1, 5.4), aspect="equal")
    ax.axis("off")
    times = p.im2col_bytes() / image_bytes
    return Picture(
        fig,
        "Areas in proportion to bytes: image, weights, output, and im2col's matrix, which is as "
        f"large as {times:.0f} copies of the image.",
        colours=128,
    )


def gain_picture(sweep: Mapping[int, Comparison], **formulas: Callable[[int], float]) -> Picture:
    """Draw the gain of im2col by the number of filters, with the middle half of its runs.

    sweep: filters -> comparison of "loops" and "im2col". formulas: gain by filters, by name.
    """
    fig, ax = figure(6.2, 3.7)
    counts = np.geomspace(min(sweep), max(sweep), 60)
    for (name, formula), colour, line in zip(formulas.items(), (GREY, PINK), ("--", "-")):
        label = name.replace("_", " ")
        ax.plot(counts, [formula(k) for k in counts], line, color=colour, label=label)
    gains = {k: run.ratio("loops", "im2col") for k, run in sweep.items()}
    for k, run in sweep.items():
        ax.plot(
            [k, k], run.spread("loops", "im2col"), color="black", linewidth=1.5,
            label="middle half of the runs" if k == min(sweep) else None,
        )  # fmt: skip
    ax.plot(list(gains), list(gains.values()), "o", color="black", label="measured", zorder=3)
    ax.legend(loc="lower right", fontsize=9)
    ax.set(xscale="log", yscale="log", xlabel="filters, k_c", ylabel="gain over compiled loops")
    ax.set_xticks(list(gains), [str(k) for k in gains])
    shown = [*gains.values(), *(f(k) for f in formulas.values() for k in sweep)]
    low, high = min(shown) / 1.5, max(shown) * 1.5
    ticks = [t for t in NICE if low <= t <= high]
    ax.set_yticks(ticks, [f"{t:g}×" for t in ticks])
    ax.set_ylim(low, high)
    ax.minorticks_off()
    ax.grid(axis="y")
    said = " and ".join(name.replace("_", " ") for name in formulas)
    return Picture(fig, f"Gain of im2col over compiled loops by filters: measured, and {said}.")


def fee_picture(times: Mapping[int, float], **stories: Callable[[int], float]) -> Picture:
    """Draw the product's time in ms by the number of filters, all of them and the few.

    stories: what should be measured, ms by filters, by name.
    """
    fig, (ax, near) = figure(6.8, 3.3, ncols=2, width_ratios=(1.4, 1))
    for each, most in ((ax, max(times)), (near, 30)):
        counts = np.linspace(0, most, 200)
        for (name, story), colour, line in zip(stories.items(), (PINK, GREY), ("-", "--")):
            forecast = [story(k) for k in counts]
            each.plot(counts, forecast, line, color=colour, label=name.replace("_", " "))
        shown = [k for k in times if k <= most]
        each.plot(shown, [times[k] for k in shown], "o", color="black", label="measured")
        each.set(xlabel="filters, k_c", xlim=(-0.03 * most, 1.05 * most), ylim=(0, None))
    ax.set(ylabel="time of the product, ms", title="all counts of filters")
    ax.legend(loc="upper left", fontsize=9)
    near.set_title("the few, enlarged")
    said = " and ".join(name.replace("_", " ") for name in stories)
    return Picture(fig, f"Time of the matrix product by filters: measured, and {said}.")


Sweep = Mapping[str, Mapping[int, tuple[ConvProblem, Comparison]]]
NICE = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def channel_gain_picture(sweep: Sweep, **formulas: Callable[[ConvProblem], float]) -> Picture:
    """Draw, for each axis of `sweep`, the gain above, the shares of copying and multiplying below.

    sweep: axis -> value -> (problem, comparison of "loops", "im2col", "copy" and "multiply").
    formulas: gain that is forecast for a problem, by the name to write beside the curve.
    Raises ValueError for an empty sweep.
    """
    if not sweep:
        raise ValueError("sweep is empty: measure along at least one axis")
    fig, axes = figure(
        1.2 + 2.1 * len(sweep),
        4.9,
        nrows=2,
        ncols=len(sweep),
        sharey="row",
        squeeze=False,
        height_ratios=(3, 2),
    )
    shown: list[float] = []
    for (axis, points), (above, below) in zip(sweep.items(), axes.T, strict=True):
        shown += _gains(above, points, formulas)
        above.set_title(axis)
        copying = _bars(below, [measured for _, measured in points.values()])
        below.set_xticks(range(len(points)), [str(value) for value in points])
        above.set_xticks(range(len(points)), [])
        for ax in (above, below):
            ax.set_xlim(-0.6, len(points) - 0.4)
    first, ticks = axes[0, 0], [t for t in NICE if min(shown) / 3 <= t <= max(shown) * 3]
    first.set(
        yscale="log",
        ylabel="gain over compiled loops\n(log scale)",
        ylim=(min(0.8, min(shown) / 1.3), max(shown) * 1.5),
    )
    first.set_yticks(ticks)
    ticks_in_words(first.yaxis, lambda value, _: f"{value:g}×")
    axes[0, -1].legend(loc="lower right", fontsize=8)
    for name, height in (("copying", copying / 2), ("multiplying", (100 + copying) / 2)):
        axes[1, -1].annotate(
            name, (len(points) - 0.4, height), va="center", fontsize=8.5, annotation_clip=False
        )
    axes[1, 0].set(ylabel="share of im2col's\nwork, %", ylim=(0, 100))
    return Picture(
        fig,
        "Gain of im2col over compiled loops, and the shares of copying and "
        f"multiplying in its time, by {', '.join(sweep)}.",
    )


def _gains(ax: Axes, points: Mapping, formulas: Mapping[str, Callable]) -> list[float]:
    """Draw the gains forecast and measured for the points of an axis, and return all of them."""
    places, shown = range(len(points)), []
    for (name, formula), line in zip(formulas.items(), ("--", "-"), strict=False):
        curve = [formula(problem) for problem, _ in points.values()]
        ax.plot(places, curve, line, color=ORANGE, linewidth=1.5, label=name)
        shown += curve
    for place, (_, measured) in zip(places, points.values(), strict=True):
        gain = measured.ratio("loops", "im2col")
        ax.plot([place] * 2, measured.spread("loops", "im2col"), color=BLUE, linewidth=1.5)
        ax.plot(place, gain, "o", color=BLUE, label="measured" if place == 0 else None)
        shown.append(gain)
    ax.axhline(1, color=GREY, linewidth=0.9, linestyle=":")
    ax.grid(True, axis="y")
    return shown


def _bars(ax: Axes, comparisons: list[Comparison]) -> float:
    """Draw the shares in per cent; return that of copying in the last bar."""
    medians = [[c.timings[part].median for part in ("copy", "multiply")] for c in comparisons]
    copying, multiplying = 100 * (np.array(medians) / np.sum(medians, axis=1)[:, None]).T
    ax.bar(range(len(medians)), copying, color=ORANGE, width=0.7)
    ax.bar(range(len(medians)), multiplying, bottom=copying, color=SKY, width=0.7)
    return copying[-1]
