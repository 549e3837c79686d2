"""Chapter 01: how im2col writes the lowered matrix, and what a product of matrices gains."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...core.problem import ConvProblem
from ...cpu.im2col import columns, pad
from ...functional import conv2d
from ...measure import Comparison
from .axes import lettering, ticks_in_words
from .style import BLUE, GREY, ORANGE, PALE, SKY, Picture, figure

MOST_ROWS, MOST_COLUMNS = 20, 36  # beyond that the numbers cannot be read
CELL = 0.27  # inches
LIT = "#BBDDF2"  # a pale blue that black numbers stand on
TINTS = ("white", "#DDF1E4", "#F7E3EF")  # one background a channel


def im2col_picture(
    x: np.ndarray, w: np.ndarray, problem: ConvProblem, column: int = 0, row: int | None = None
) -> Picture:
    """Draw the image `x[1,i_h,i_w,i_c]`, im2col's matrix and the first filter's output, in numbers.

    column: the window that is lit, in the image, in the matrix and in the output; it is counted
    on from the first again after the last. row: the weight whose row of the matrix is outlined,
    together with the pixels that it meets. Raises ValueError for a matrix too large to be read.
    """
    p = problem
    if p.i_n > 1 or p.window > MOST_ROWS or p.pixels > MOST_COLUMNS:
        raise ValueError(
            f"{p} has a matrix of {p.window} × {p.pixels}: draw one image, and at "
            f"most {MOST_ROWS} rows and {MOST_COLUMNS} columns"
        )
    column %= p.pixels
    h, v = divmod(column, p.o_w)
    matrix, padded = columns(x, p), pad(x, p)[0]
    y = conv2d(x, w, stride=p.stride, padding=p.padding)[0, :, :, 0]

    start = max(p.padded_w, p.o_w) + 3.6 + (p.i_c > 1)  # where the matrix begins
    bottom = (p.padded_h + 1.6) * p.i_c + p.o_h
    width, height = start + max(p.pixels, 6) + 0.4, max(bottom, p.window + 1) + 1.2
    fig, ax = figure(CELL * width, CELL * height)
    fig.set_layout_engine("none")  # the places are known: no time is spent on finding them
    ax.set_position([0, 0, 1, 1])
    for c in range(p.i_c):
        top = c * (p.padded_h + 1.6)
        title = f"image, channel {c}" if p.i_c > 1 else "image"
        _title(ax, 0, top, title)
        _grid(
            ax,
            0,
            top,
            padded[:, :, c],
            TINTS[c % 3],
            lambda i, j: p.p_h <= i < p.p_h + p.i_h and p.p_w <= j < p.p_w + p.i_w,
        )
        _light(ax, p.s_w * v, top + p.s_h * h, padded[:, :, c], p.s_h * h, p.s_w * v, p.k_h, p.k_w)
        _outline(ax, p.s_w * v, top + p.s_h * h, p.k_w, p.k_h, BLUE)
    top = p.i_c * (p.padded_h + 1.6)
    _title(ax, 0, top, "output" if p.k_c == 1 else "output, filter 0")
    _grid(ax, 0, top, y, "white")
    _light(ax, v, top + h, y, h, v, 1, 1)
    _outline(ax, v, top + h, 1, 1, BLUE)

    size = f"{p.window} rows × {p.pixels} column{'s' * (p.pixels > 1)}"
    _title(ax, start, 0, size)
    tints = [TINTS[r % p.i_c % 3] for r in range(p.window)]
    _grid(ax, start, 0, matrix, tints)
    _light(ax, start + column, 0, matrix, 0, column, p.window, 1)
    for r, (a, b, c) in enumerate(np.ndindex(p.k_h, p.k_w, p.i_c)):
        name = f"w[{a},{b},{c}]" if p.i_c > 1 else f"w[{a},{b}]"
        ax.text(
            start - 0.25,
            r + 0.5,
            name,
            ha="right",
            va="center",
            fontsize=8.3,
            color=lettering(ORANGE) if r == row else GREY,
            weight="bold" if r == row else "normal",
        )
    if row is not None:
        _meet(ax, p, row, start)
    _outline(ax, start + column, 0, 1, p.window, BLUE)
    ax.text(
        start + column + 0.5,
        p.window + 0.15,
        f"window {column}",
        ha="center",
        va="top",
        fontsize=8.3,
        color=BLUE,
    )
    ax.set(xlim=(-0.2, width), ylim=(height - 1.0, -1.1), aspect="equal")
    ax.axis("off")
    for artist in (*ax.texts, *ax.patches, *ax.lines):
        artist.set_in_layout(False)
    where = f"Window {column} of {p.pixels}, at row {p.s_h * h} and column {p.s_w * v} of the "
    where += "padded image" if p.padding != (0, 0) else "image"
    alt = f"{where}, is column {column} of the im2col matrix, which has {size}"
    if row is not None:
        a, b, c = np.unravel_index(row, (p.k_h, p.k_w, p.i_c))
        alt += f"; row {row} holds the {p.pixels} values that weight {a},{b},{c} meets"
    return Picture(fig, alt + ".")


def _meet(ax: Axes, p: ConvProblem, row: int, start: float) -> None:
    """Outline one row of the matrix, and the pixels in it, a window apart."""
    a, b, c = np.unravel_index(row, (p.k_h, p.k_w, p.i_c))
    for h in range(p.o_h):
        for v in range(p.o_w):
            place = (p.s_w * v + b + 0.5, c * (p.padded_h + 1.6) + p.s_h * h + a + 0.5)
            ax.plot(
                *place,
                "o",
                markersize=15,
                markerfacecolor="none",
                markeredgecolor=ORANGE,
                markeredgewidth=1.3,
            )
    _outline(ax, start, row, p.pixels, 1, ORANGE)


def _title(ax: Axes, left: float, top: float, text: str) -> None:
    ax.text(left, top - 0.25, text, ha="left", va="bottom", fontsize=9, weight="bold")


def _grid(ax: Axes, left, top, values: np.ndarray, tint, inside=lambda i, j: True) -> None:
    """Draw a table of numbers. tint: one colour, or one a row; cells not `inside` are padding."""
    for (i, j), value in np.ndenumerate(values):
        colour = tint if isinstance(tint, str) else tint[i]
        ours = inside(i, j)
        ax.add_patch(
            Rectangle(
                (left + j, top + i),
                1,
                1,
                linewidth=0.7,
                edgecolor="#B8BEC4",
                facecolor=colour if ours else PALE,
            )
        )
        number = f"{value:g}".replace("-", "−")
        ax.text(
            left + j + 0.5,
            top + i + 0.5,
            number,
            ha="center",
            va="center",
            fontsize=8.3,
            color="black" if ours else GREY,
            zorder=3,
        )


def _light(ax: Axes, left, top, values: np.ndarray, i, j, rows, across) -> None:
    for a, b in np.ndindex(*values[i : i + rows, j : j + across].shape):
        ax.add_patch(
            Rectangle(
                (left + b, top + a),
                1,
                1,
                linewidth=0.7,
                edgecolor="#B8BEC4",
                facecolor=LIT,
                zorder=2,
            )
        )


def _outline(ax: Axes, left: float, top: float, width: float, height: float, colour) -> None:
    ax.add_patch(
        Rectangle(
            (left, top), width, height, linewidth=2, edgecolor=colour, facecolor="none", zorder=4
        )
    )


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
