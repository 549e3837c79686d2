"""Fewer multiplications, drawn: tiles that overlap, what a tile costs, digits, and records."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ...cpu.costs import direct
from ...cpu.isa import host_isa
from ...cpu.winograd import cut, parts
from ...problem import ConvProblem
from ...winograd import BETTER, USUAL, growth, matrices, sizes
from .ink import lettering
from .labels import label_points, power_text
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, YELLOW, Picture, figure

READ = {1: PALE, 2: "#BFD9EA", 4: "#7FB2D5"}  # by how many tiles read a value
PARTS = {"products": BLUE, "transforms": ORANGE, "V and M": YELLOW, "U": PINK}
MARKS = (("o", BLUE), ("D", ORANGE), ("s", GREEN), ("^", PINK))
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
        inside = row < image and col < image
        ax.add_patch(
            Rectangle(
                (col + 0.05, row + 0.05),
                0.9,
                0.9,
                edgecolor=GREY,
                linewidth=0 if inside else 0.6,
                facecolor=READ[line[row] * line[col]] if inside else "white",
                linestyle="-" if inside else ":",
            )
        )  # Matplotlib 3.9 refuses dots without width
    ax.add_patch(Rectangle((0, 0), a, a, fill=False, edgecolor=BLUE, linewidth=2.4))
    if count > 1:
        ax.add_patch(
            Rectangle((m, 0), a, a, fill=False, edgecolor=ORANGE, linewidth=2.4, linestyle="--")
        )
    ax.add_patch(Rectangle((1, 1), m, m, fill=False, edgecolor=BLUE, linewidth=1, linestyle=":"))
    products, straight = (count * a) ** 2, 9 * outputs**2
    texts = [
        (f"tiles of {a}×{a} pixels, {m} apart", "black"),
        (f"dotted: the {m}×{m} outputs of the first", BLUE),
        (f"{count}×{count} tiles for {outputs}×{outputs} outputs", "black"),
        (f"{products:,} values of V: {products / image**2:.2f} for each pixel", "black"),
        (f"{products:,} products for each pair of channels", BLUE),
        (f"direct: 9·{outputs}² = {straight:,}", GREY),
        (f"so {straight / products:.2f} times fewer", BLUE),
    ]
    if count * m > outputs:
        texts.append((f"{(count * m) ** 2 - outputs**2} outputs are made and thrown away", ORANGE))
    for place, (text, colour) in enumerate(texts):
        ax.text(
            side * 1.06, side * (0.12 + 0.115 * place), text, color=lettering(colour), va="center"
        )
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
    rows = [(name, p, m) for name, p in layers.items() for m in sizes(p.k_h)]
    fig, ax = figure(8.4, 1.2 + 0.25 * len(rows) + 0.2 * len(layers))
    lanes, y, ticks, right = host_isa().lanes, 0.0, [], 0.0
    for at, (name, p, m) in enumerate(rows):
        y += 1.0 if at and rows[at - 1][0] == name else 1.8
        left, base = 0.0, direct(p, lanes, 1)
        for part, value in parts(p, m, cut(p, m, 1), 1).items():
            ax.barh(
                y,
                value / base,
                left=left,
                height=0.82,
                color=PARTS[part],
                label=part if at == 0 else None,
            )
            left += value / base
        ideal = (m + p.k_h - 1) ** 2 / (m * p.k_h) ** 2
        ax.plot([ideal, ideal], [y - 0.42, y + 0.42], color="black", linewidth=1.6)
        ax.annotate(
            f"{1 / left:.2f} times as fast",
            (left, y),
            (6, 0),
            va="center",
            textcoords="offset points",
            fontsize=8.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
        ticks.append((y, f"{name}, F({m})"))
        right = max(right, left)
    ax.axvline(1, color=GREY, linewidth=1)
    ax.set_yticks(*zip(*ticks, strict=True), color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(
        xlim=(0, 1.25 * max(1, right)),
        ylim=(y + 0.7, 1.0),
        xlabel="time over the microkernel's, as the model has it; black: the products alone, "
        "no tile over the edge",
    )
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=8.5)
    return Picture(
        fig,
        "What F(2), F(4) and F(6) are expected to take over the microkernel, part "
        f"by part, on {', '.join(layers)}.",
        colours=64,
    )


def error_growth_picture(errors: Mapping[str, Mapping[int, float]]) -> Picture:
    """Draw errors by tile size for each set of points; `errors`: name -> m -> error."""
    fig, ax = figure(7.6, 3.9)
    shown = []
    for (name, points), (mark, colour) in zip(errors.items(), MARKS, strict=False):
        ax.plot(list(points), list(points.values()), marker=mark, color=colour, markersize=6)
        m = max(points)
        shown.append((m, points[m], name))
    ax.axhline(ROUNDOFF, color=GREY, linewidth=1, linestyle="--")
    ax.text(1.6, ROUNDOFF * 1.2, "one rounding of float32", color=GREY, fontsize=8.5)
    every = sorted({m for points in errors.values() for m in points})
    ax.set(
        yscale="log",
        xticks=every,
        xlabel="m: outputs of a tile, a side",
        ylabel="largest error over the\nlargest value (log scale)",
        xlim=(1.5, max(every) + 2.6),
    )
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
    fig, axes = figure(
        8.6,
        1.0 + 0.33 * (m + 2),
        ncols=3,
        width_ratios=[len(each[0]) for each in (made.BT, made.G, made.AT)],
    )
    names = [str(Fraction(p)) for p in chosen] + ["∞"]
    for ax, title, matrix in zip(
        axes, ("Bᵀ (signal)", "G (filter)", "Aᵀ (back)"), (made.BT, made.G, made.AT), strict=True
    ):
        for row, col in np.ndindex(len(matrix), len(matrix[0])):
            value = matrix[row][col]
            ax.add_patch(
                Rectangle(
                    (col + 0.04, row + 0.06), 0.92, 0.88, facecolor=PALE if value else "white"
                )
            )
            text = str(value) if value else "·"
            fits = len(text) < (6 if m < 6 else 5)
            ax.text(
                col + 0.5,
                row + 0.5,
                text if fits else text.replace("/", "\n/"),
                ha="center",
                va="center",
                fontsize=8.5 if fits else 7.5,
                linespacing=0.95,
            )
        ax.set(xlim=(0, len(matrix[0])), ylim=(m + 2, 0), title=title)
        ax.set_axis_off()
    for axis in axes[:2]:
        for row, name in enumerate(names):
            axis.text(-0.1, row + 0.5, name, ha="right", va="center", color=BLUE, fontsize=8.5)
    for col, name in enumerate(names):
        axes[2].text(col + 0.5, m + 0.35, name, ha="center", va="center", color=BLUE, fontsize=8.5)
    enlarges = growth(m, 3, chosen)
    axes[2].text(0, m + 1.2, f"F({m}, 3): {m + 2} products for {3 * m};", fontsize=8.5)
    axes[2].text(0, m + 1.75, f"in 2-D errors may grow {enlarges:,.0f}-fold", fontsize=8.5)
    return Picture(
        fig,
        f"F({m}, 3) with the points {', '.join(names)}: Bᵀ of {m + 2} by {m + 2}, "
        f"G of {m + 2} by 3, Aᵀ of {m} by {m + 2}; in two dimensions an error may "
        f"grow {enlarges:,.0f}-fold.",
    )


def ahead_picture(
    rows: Mapping[str, Mapping[str, float]], goals: Mapping[str, float], title: str, xlabel: str
) -> Picture:
    """Draw how many times as fast something is, a row a layer, a mark for each entry of a row.

    goals: row -> what was to be reached, a short line there. Left of 1 it is slower.
    """
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    fig, ax = figure(7.8, 1.3 + 0.27 * len(rows))
    for name, (mark, colour) in zip(names, MARKS, strict=False):
        places = [(row[name], y) for y, row in enumerate(rows.values()) if name in row]
        ax.plot(*zip(*places, strict=True), mark, color=colour, label=name, markersize=6)
    for y, row in enumerate(rows):
        if row in goals:
            ax.plot([goals[row]] * 2, [y - 0.4, y + 0.4], color="black", linewidth=1.6)
    values = [value for row in rows.values() for value in row.values()] + [1.0, *goals.values()]
    ax.axvline(1, color=GREY, linewidth=1)
    ax.set(xscale="log", xlim=(0.85 * min(values), 1.15 * max(values)), xlabel=xlabel, title=title)
    ax.xaxis.set_major_locator(FixedLocator((0.2, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 10)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_yticks(range(len(rows)), list(rows), color="black")
    ax.tick_params(axis="y", length=0)
    ax.grid(True, axis="y")
    ax.invert_yaxis()
    if len(names) > 1:
        above = 1 + 0.9 / len(rows)  # above the title, which may take the whole width
        ax.legend(loc="lower right", bbox_to_anchor=(1, above), ncols=len(names), fontsize=8)
    return Picture(fig, f"{title}: {', '.join(names)} on {', '.join(rows)}.", colours=64)
