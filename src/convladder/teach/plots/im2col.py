"""Chapter 01: windows that become rows, what a product of matrices gains, and its memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...core.problem import ConvProblem
from ...measure import Comparison
from .axes import ticks_in_words
from .style import BLUE, GREY, ORANGE, PALE, PINK, SKY, Picture, figure

PALE_BLUE, LIT_BLUE = "#E3F0FA", "#8CC5EA"  # image and windows
PALE_ORANGE, LIT_ORANGE = "#FBE0BD", "#F2A950"  # weights
PALE_GREEN, LIT_GREEN = "#D5EFE4", "#5FC7A3"  # outputs


def im2col_picture(image: np.ndarray, kernel: np.ndarray, window: int = 0) -> Picture:
    """Draw im2col on one channel: windows up to `window` lie in rows of the matrix, and that row
    is multiplied by the weights above it, added up, and written into the output.
    """
    (i_h, i_w), (k_h, k_w) = image.shape, kernel.shape
    across, taps = i_w - k_w + 1, kernel.size
    h, v = divmod(window, across)
    cut = image[h : h + k_h, v : v + k_w].ravel()
    products = cut * kernel.ravel()
    rows = [divmod(r, across) for r in range((i_h - k_h + 1) * across)]
    left, below = i_w + 1.4, len(rows) + 3.6
    fig, ax = figure(0.38 * (left + taps + 4.2), 0.38 * (below + 2.9))
    fig.set_layout_engine("none")  # the places are known
    ax.set_position((0, 0, 1, 1))

    inside = {(h + a, v + b) for a in range(k_h) for b in range(k_w)}
    _title(ax, 0, 2, f"image, {i_h}×{i_w}")
    for (row, column), value in np.ndenumerate(image):
        colour = LIT_BLUE if (row, column) in inside else PALE_BLUE
        _cell(ax, column, 2 + row, value, colour)
    _outline(ax, v, 2 + h, k_w, k_h, BLUE)
    _title(ax, left, 0, "weights, laid out in a line")
    _title(ax, left, 2, f"matrix, {len(rows)}×{taps}: one window per row")
    _title(ax, left + taps + 1.2, 2, "output")
    for column, weight in enumerate(kernel.ravel()):
        _cell(ax, left + column, 0, weight, LIT_ORANGE)
        _cell(ax, left + column, below, products[column], "white")
    sums = []
    for r, (down, right) in enumerate(rows):
        written = image[down : down + k_h, right : right + k_w].ravel()
        sums.append(float(written @ kernel.ravel()))
        for column, value in enumerate(written):
            colour = PALE if r > window else LIT_BLUE if r == window else PALE_BLUE
            _cell(ax, left + column, 2 + r, value if r <= window else None, colour)
        colour = PALE if r > window else LIT_GREEN if r == window else PALE_GREEN
        _cell(ax, left + taps + 1.2, 2 + r, sums[r] if r <= window else None, colour)
    _outline(ax, left, 2 + window, taps, 1, BLUE)
    _title(ax, left, below, f"row {window} times the weights, product by product")
    _title(ax, left, below + 2, "running sum, from left to right")
    for column, value in enumerate(np.cumsum(products)):
        last = column == taps - 1
        _cell(ax, left + column, below + 2, value, LIT_GREEN if last else PALE_GREEN)
    ax.set(xlim=(-0.2, left + taps + 4), ylim=(below + 3.2, -0.9), aspect="equal")
    ax.axis("off")
    return Picture(
        fig,
        f"Window {window} of a {i_h}×{i_w} image, at row {h} and column {v}, is row {window} of "
        f"the matrix. Its {taps} products with the weights add up to {sums[window]:g}.",
    )


def _title(ax: Axes, left: float, top: float, text: str) -> None:
    ax.text(left, top - 0.2, text, ha="left", va="bottom", fontsize=9, weight="bold", color=GREY)


def _cell(ax: Axes, left: float, top: float, value: float | None, colour: str) -> None:
    """Draw a number in its cell; None is a cell that nothing was written into yet."""
    style = {"facecolor": colour, "edgecolor": "#B8BEC4", "linewidth": 0.7}
    ax.add_patch(Rectangle((left, top), 1, 1, **style))
    if value is not None:
        number = f"{value:g}".replace("-", "−")
        ax.text(left + 0.5, top + 0.5, number, ha="center", va="center", fontsize=9.5)


def _outline(ax: Axes, left: float, top: float, width: float, height: float, colour) -> None:
    style = {"edgecolor": colour, "facecolor": "none", "linewidth": 2, "zorder": 4}
    ax.add_patch(Rectangle((left, top), width, height, **style))


def product_shapes_picture(p: ConvProblem, photo: np.ndarray) -> Picture:
    """Draw a layer as a product: a window of `photo[i_h,i_w,3]` is a row of L, and L @ W = Y."""
    fig, ax = figure(6.4, 3.0)
    ax.imshow(photo, extent=(-190, -50, 90, 230))
    white = {"color": "white", "linewidth": 3.4}
    blue = {"color": BLUE, "linewidth": 1.7}
    for line in (white, blue):
        ax.plot([-128, -111, -111, -128, -128], [150, 150, 167, 167, 150], **line)
        arrow = {"arrowstyle": "->", **line}
        ax.annotate("", (0, 156.5), (-108, 158.5), arrowprops=arrow)
    under = {"ha": "center", "va": "top", "fontsize": 9}
    ax.text(-120, 78, f"{p.i_h} × {p.i_w} pixels\n× {p.i_c} colours", **under)
    for left, low, wide, high, colour, name, size in (
        (0, 0, 147, 230, LIT_BLUE, "L", f"{p.pixels:,} windows\n× {p.window} values"),
        (200, 83, 64, 147, LIT_ORANGE, "W", f"{p.window} weights\n× {p.k_c} filters"),
        (330, 0, 64, 230, LIT_GREEN, "Y", f"{p.pixels:,} pixels\n× {p.k_c} channels"),
    ):
        area = Rectangle((left, low), wide, high, facecolor=colour, edgecolor=GREY, linewidth=0.8)
        ax.add_patch(area)
        middle = (left + wide / 2, low + high / 2)
        ax.text(*middle, name, ha="center", va="center", fontsize=13, weight="bold")
        ax.text(middle[0], -12 if low == 0 else 71, size, **under)
    for row in range(8, 230, 9):
        ax.plot([0, 147], [row, row], color="white", linewidth=0.6)
    for at in range(204, 264, 4):
        ax.plot([at, at], [83, 230], color="white", linewidth=0.6)
    _outline(ax, 0, 152, 147, 9, BLUE)
    _outline(ax, 228, 83, 4, 147, ORANGE)
    ax.add_patch(Rectangle((356, 153), 8, 8, facecolor="#00543C"))
    ax.text(173, 120, "@", ha="center", va="center", fontsize=15)
    ax.text(297, 120, "=", ha="center", va="center", fontsize=15)
    ax.set(xlim=(-200, 430), ylim=(-62, 235), aspect="equal")
    ax.axis("off")
    return Picture(
        fig,
        f"A window of the photograph is a row of L, {p.pixels} windows by {p.window} values. Times "
        f"the weights W, {p.window} by {p.k_c}, it gives the output Y, {p.pixels} by {p.k_c}.",
        colours=128,
    )


def matrix_bytes_picture(p: ConvProblem, photo: np.ndarray) -> Picture:
    """Draw image, weights, output and im2col's matrix as squares whose areas are their bytes.

    The matrix is filled with as many copies of `photo[i_h,i_w,3]` as it has room for.
    """
    image = 4 * p.i_n * p.i_h * p.i_w * p.i_c
    parts = (
        ("image", image, LIT_BLUE),
        ("weights", 4 * p.params, LIT_ORANGE),
        ("output", 4 * p.pixels * p.k_c, LIT_GREEN),
        ("im2col's matrix", p.im2col_bytes(), LIT_BLUE),
    )
    fig, ax = figure(6.0, 3.2)
    at, tile, small = 0.0, (image / 2**20) ** 0.5, photo[::4, ::4]
    for name, size, colour in parts:
        side = (size / 2**20) ** 0.5
        frame = Rectangle((at, 0), side, side, facecolor=colour, edgecolor=colour, linewidth=1.5)
        ax.add_patch(frame)
        places = np.arange(0, side - 1e-9, tile) if colour == LIT_BLUE else ()
        for left in places:
            for low in places:
                extent = (at + left, at + left + tile, low, low + tile)
                copy = ax.imshow(small, extent=extent, interpolation="antialiased", zorder=3)
                copy.set_clip_path(frame)
        words = f"{name}\n{size / 2**20:.2f} MiB"
        ax.text(at + side / 2, -0.15, words, ha="center", va="top", fontsize=9)
        at += max(side, 1.35) + 0.6
    ax.set(xlim=(-0.4, at), ylim=(-1.1, 5.4), aspect="equal")
    ax.axis("off")
    return Picture(
        fig,
        "Areas in proportion to bytes: the image, the weights, the output, and im2col's matrix, "
        f"which is as large as {p.im2col_bytes() / image:.0f} copies of the image.",
        colours=128,
    )


def filter_gain_picture(
    sweep: Mapping[int, Comparison], **formulas: Callable[[int], float]
) -> Picture:
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
        ax.plot([k, k], run.spread("loops", "im2col"), color="black", linewidth=1.5)
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
    shown = []
    for (axis, points), (above, below) in zip(sweep.items(), axes.T, strict=True):
        places, problems = range(len(points)), [problem for problem, _ in points.values()]
        for (name, formula), line in zip(formulas.items(), ("--", "-"), strict=False):
            curve = [formula(problem) for problem in problems]
            above.plot(places, curve, line, color=ORANGE, linewidth=1.5, label=name)
            shown += curve
        for place, (_, measured) in zip(places, points.values(), strict=True):
            gain = measured.ratio("loops", "im2col")
            above.plot([place] * 2, measured.spread("loops", "im2col"), color=BLUE, linewidth=1.5)
            above.plot(place, gain, "o", color=BLUE, label="measured" if place == 0 else None)
            shown.append(gain)
        above.axhline(1, color=GREY, linewidth=0.9, linestyle=":")
        above.set_title(axis)
        copying = _bars(below, [measured for _, measured in points.values()])
        below.set_xticks(places, [str(value) for value in points])
        above.set_xticks(places, [])
        above.set_xlim(-0.6, len(points) - 0.4)
        below.set_xlim(-0.6, len(points) - 0.4)
        above.grid(True, axis="y")
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


def _bars(ax: Axes, comparisons: list[Comparison]) -> float:
    """Draw the shares in per cent; return that of copying in the last bar."""
    medians = [[c.timings[part].median for part in ("copy", "multiply")] for c in comparisons]
    copying, multiplying = 100 * (np.array(medians) / np.sum(medians, axis=1)[:, None]).T
    ax.bar(range(len(medians)), copying, color=ORANGE, width=0.7)
    ax.bar(range(len(medians)), multiplying, bottom=copying, color=SKY, width=0.7)
    return copying[-1]
