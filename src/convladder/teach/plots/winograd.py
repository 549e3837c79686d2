"""Chapter 06: Winograd's tiles, points and errors, and its times beside others'."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from ...core.problem import ConvProblem
from ...core.winograd_transforms import BETTER, USUAL, growth, matrices, sizes
from ...cpu.costs import direct
from ...cpu.isa import host_isa
from ...cpu.winograd import cut, parts
from .axes import SERIES, WHITE, behind, label_points, power_text, ratio_rows
from .shapes import box, frame, write
from .style import BLUE, GREY, ORANGE, PALE, PINK, YELLOW, Picture, figure, lettering

READ = {1: PALE, 2: "#BFD9EA", 4: "#7FB2D5"}  # by how many tiles read a value
PARTS = {"products": BLUE, "transforms": ORANGE, "V and M": YELLOW, "U": PINK}
ROUNDOFF = 2.0**-24
# What the learner may choose from, for three taps; `Fraction` of a whole number is that number.
POINT_SETS = {
    "0 ±1": USUAL[2, 3], "0 1 2": (0, 1, 2),
    "0 ±1 ±2": USUAL[4, 3], "0 ±5/8 ±3/2": BETTER, "0 1 2 3 4": (0, 1, 2, 3, 4),
    "0 ±1 ±2 ±1/2": USUAL[6, 3],
}  # fmt: skip


def winograd_tiles_picture(m: int = 2, outputs: int = 8) -> Picture:
    """Draw the tiles of F(m×m, 3×3) over the input of `outputs`² outputs, and what they cost."""
    a, count = m + 2, -(-outputs // m)
    side, image = count * m + 2, outputs + 2
    line = np.zeros(side, int)
    for tile in range(count):
        line[tile * m : tile * m + a] += 1
    fig, ax = figure(8.2, 4.2)
    for row, col in np.ndindex(side, side):
        if row < image and col < image:
            box(ax, col + 0.05, row + 0.05, 0.9, 0.9, READ[line[row] * line[col]])
        else:
            style = {"linewidth": 0.6, "linestyle": ":", "zorder": 1}
            frame(ax, col + 0.05, row + 0.05, 0.9, 0.9, GREY, **style)
    frame(ax, 0, 0, a, a, linewidth=2.4)
    if count > 1:
        frame(ax, m, 0, a, a, ORANGE, linewidth=2.4, linestyle="--")
    frame(ax, 1, 1, m, m, linewidth=1, linestyle=":")
    products, straight = (count * a) ** 2, 9 * outputs**2
    texts = [
        (f"tiles of {a}×{a} pixels, {m} apart", "black"),
        (f"dotted: the {m}×{m} outputs of the first", BLUE),
        (f"{count}×{count} tiles for {outputs}×{outputs} outputs", "black"),
        (f"{products:,} transformed values: {products / image**2:.2f} per pixel", "black"),
        (f"{products:,} products for each pair of channels", BLUE),
        (f"direct: 9·{outputs}² = {straight:,}", GREY),
        (f"so {straight / products:.2f} times fewer", BLUE),
    ]
    if count * m > outputs:
        texts.append((f"{(count * m) ** 2 - outputs**2} outputs are made and thrown away", ORANGE))
    for place, (text, colour) in enumerate(texts):
        y = side * (0.12 + 0.115 * place)
        ax.text(side * 1.06, y, text, color=lettering(colour), va="center")
    ax.set(xlim=(-0.2, side * 2.05), ylim=(side + 0.2, -0.2), aspect="equal")
    ax.set_axis_off()
    ax.set_title("Two neighbouring tiles; darker pixels are read by two tiles, or four")
    return Picture(
        fig,
        f"{count} by {count} tiles of {a} by {a} pixels, {m} apart, over "
        f"{image} by {image} pixels: {products:,} products for each pair of "
        f"channels, where direct convolution makes {straight:,}.",
    )


def winograd_parts_picture(layers: Mapping[str, ConvProblem]) -> Picture:
    """Draw the model's time of each F(m×m) over the microkernel's, part by part, on one thread."""
    rows = [(name, p, m) for name, p in layers.items() for m in sizes(p)]
    fig, ax = figure(8.4, 1.2 + 0.25 * len(rows) + 0.2 * len(layers))
    lanes, y, ticks, right = host_isa().lanes, 0.0, [], 0.0
    for at, (name, p, m) in enumerate(rows):
        y += 1.0 if at and rows[at - 1][0] == name else 1.8
        left, base = 0.0, direct(p, lanes, 1)
        for part, value in parts(p, m, cut(p, m, 1), 1).items():
            style = {"color": PARTS[part], "label": part if at == 0 else None}
            ax.barh(y, value / base, left=left, height=0.82, **style)
            left += value / base
        ideal = (m + p.k_h - 1) ** 2 / (m * p.k_h) ** 2
        ax.plot([ideal, ideal], [y - 0.42, y + 0.42], color="black", linewidth=1.6)
        behind(ax, f"{1 / left:.2f}×", left, y, bbox=WHITE)
        ticks.append((y, f"{name}, F({m})"))
        right = max(right, left)
    ax.axvline(1, color=GREY, linewidth=1)
    ax.set_yticks(*zip(*ticks, strict=True), color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1.25 * max(1, right)), ylim=(y + 0.7, 1.0))
    ax.set_xlabel(
        "predicted time relative to the microkernel, and how many times as fast; black: products"
    )
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=8.5)
    return Picture(
        fig,
        "The predicted time of F(2), F(4) and F(6) relative to the microkernel, part "
        f"by part, on {', '.join(layers)}.",
        colours=64,
    )


def error_growth_picture(errors: Mapping[str, Mapping[int, float]]) -> Picture:
    """Draw errors by tile size for each set of points; `errors`: name -> m -> error."""
    fig, ax = figure(7.6, 3.9)
    shown = []
    for (name, points), (colour, mark) in zip(errors.items(), SERIES):
        ax.plot(list(points), list(points.values()), marker=mark, color=colour, markersize=6)
        m = max(points)
        shown.append((m, points[m], name))
    ax.axhline(ROUNDOFF, color=GREY, linewidth=1, linestyle="--")
    ax.text(1.6, ROUNDOFF * 1.2, "one rounding of float32", color=GREY, fontsize=8.5)
    every = sorted({m for points in errors.values() for m in points})
    ax.set(xticks=every, xlim=(1.5, max(every) + 2.6), xlabel="m: outputs per side of a tile")
    ax.set(yscale="log", ylabel="largest error over the\nlargest value (log scale)")
    ax.yaxis.set_major_formatter(power_text)
    ax.grid(True, axis="y")
    label_points(ax, shown, fontsize=8.5)
    return Picture(fig, "The error of Winograd by size of tile, for " + ", ".join(errors) + ".")


def points_picture(points: str = "0 ±1") -> Picture:
    """Draw Bᵀ, G and Aᵀ of some of `POINT_SETS`, for a filter of three taps, in exact fractions.

    Raises `ValueError` for a name that is not there.
    """
    if points not in POINT_SETS:
        raise ValueError(f"points={points!r}; there are {', '.join(POINT_SETS)}")
    chosen = POINT_SETS[points]
    m = len(chosen) - 1
    made = matrices(m, 3, chosen)
    drawn = {"Bᵀ (signal)": made.BT, "G (filter)": made.G, "Aᵀ (inverse)": made.AT}
    widths = [len(matrix[0]) for matrix in drawn.values()]
    fig, axes = figure(8.6, 1.0 + 0.33 * (m + 2), ncols=3, width_ratios=widths)
    names = [str(Fraction(p)) for p in chosen] + ["∞"]
    for ax, (title, matrix) in zip(axes, drawn.items(), strict=True):
        for row, col in np.ndindex(len(matrix), len(matrix[0])):
            value, size = matrix[row][col], 8.5
            text = str(value) if value else "·"
            if len(text) > (5 if m < 6 else 4):
                text, size = text.replace("/", "\n/"), 7.5
            fill, small = PALE if value else "white", {"fontsize": size, "linespacing": 0.95}
            box(ax, col + 0.04, row + 0.06, 0.92, 0.88, fill, text, text=small)
        ax.set(xlim=(0, len(matrix[0])), ylim=(m + 2, 0), title=title)
        ax.set_axis_off()
    style = {"color": BLUE, "fontsize": 8.5}
    for at, name in enumerate(names):
        for ax in axes[:2]:
            write(ax, name, -0.1, at + 0.5, ha="right", **style)
        write(axes[2], name, at + 0.5, m + 0.35, **style)
    enlarges = growth(m, 3, chosen)
    axes[2].text(0, m + 1.2, f"F({m}, 3): {m + 2} products instead of {3 * m};", fontsize=8.5)
    axes[2].text(0, m + 1.75, f"in 2-D errors may grow {enlarges:,.0f}-fold", fontsize=8.5)
    return Picture(
        fig,
        f"F({m}, 3) with the points {', '.join(names)}: Bᵀ of {m + 2} by {m + 2}, "
        f"G of {m + 2} by 3, Aᵀ of {m} by {m + 2}; in two dimensions an error may "
        f"grow {enlarges:,.0f}-fold.",
    )


def ahead_picture(rows: Mapping[str, Mapping[str, float]], title: str, xlabel: str) -> Picture:
    """Draw how many times as fast something is, one row per layer, a mark for each entry of a row.

    Left of 1 it is slower.
    """
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    fig, ax = figure(7.8, 1.3 + 0.27 * len(rows))
    series = {name: {key: row[name] for key, row in rows.items() if name in row} for name in names}
    ratio_rows(ax, rows, series, xlabel=xlabel, title=title)
    if len(names) > 1:
        above = 1 + 0.9 / len(rows)  # above the title, which may take the whole width
        ax.legend(loc="lower right", bbox_to_anchor=(1, above), ncols=len(names), fontsize=8)
    return Picture(fig, f"{title}: {', '.join(names)} on {', '.join(rows)}.", colours=64)
