"""The microkernel drawn: chains, the register tile, and where the rest of the peak is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...cpu.isa import Isa
from ...measure.register_tile import known_isas, tile_code
from ...text import labelled
from .ink import ink, lettering
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, YELLOW, Picture, figure

ROW = 8  # registers to a row of the drawing


def chains_picture(rates: Mapping[int, float]) -> Picture:
    """Draw FLOP/s against the number of independent chains, beside one chain's rate times n."""
    counts = sorted(rates)
    values = np.array([rates[count] for count in counts]) / 1e9
    one, peak = rates[1] / 1e9, values.max()
    fig, ax = figure(7.2, 3.3)
    knee = peak / one
    ax.plot([0, knee], [0, peak], color=GREY, linestyle="--", linewidth=1)
    ax.plot([0, counts[-1]], [peak, peak], color=GREY, linestyle="--", linewidth=1)
    ax.plot(counts, values, "o-", color=BLUE, markersize=5)
    ax.axvline(knee, color=ORANGE, linewidth=1, ymax=0.9)
    highest = max(rates.values())
    ax.text(
        knee + 0.4,
        0.06 * peak,
        labelled(f"knee: {knee:.1f} chains", highest, rates[1]),
        color=lettering(ORANGE),
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )
    ax.text(
        counts[-1],
        1.03 * peak,
        labelled(f"peak, {peak:.0f} GFLOP/s", highest),
        ha="right",
        va="bottom",
    )
    ax.set(
        xlim=(0, counts[-1] + 0.5),
        ylim=(0, 1.18 * peak),
        ylabel="GFLOP/s, one core",
        xlabel="independent chains of vector multiply-adds",
    )
    return Picture(
        fig,
        "The rate of one core against the number of independent chains: a line "
        "that rises with the chains, a knee, and a level, the peak.",
        colours=128,
    )


def row_picture(k_h: int = 3, k_w: int = 3, i_c: int = 3, pixel: int = 0) -> Picture:
    """Draw an image in memory, row under row, with the runs that output pixels `pixel`, +1 read."""
    i_w = 7
    pixel = min(pixel, i_w - k_w - 1)
    fig, ax = figure(7.8, 2.6)
    for row in range(k_h + 1):
        for place in range(i_w * i_c):
            column = place // i_c
            first = row < k_h and pixel <= column < pixel + k_w
            second = row < k_h and pixel + 1 <= column < pixel + 1 + k_w
            colour = YELLOW if first and second else SKY if first else GREEN if second else PALE
            ax.add_patch(Rectangle((place + 0.15 * column, 1.5 * row), 0.96, 0.9, facecolor=colour))
        ax.text(-0.4, 1.5 * row + 0.5, f"row {row}", ha="right", va="center")

    def left(column: int) -> float:
        return column * (i_c + 0.15)

    for row in range(k_h):
        ax.plot([left(pixel), left(pixel + k_w) - 0.2], [1.5 * row + 1.08] * 2, color=BLUE, lw=2)
        ax.plot(
            [left(pixel + 1), left(pixel + 1 + k_w) - 0.2],
            [1.5 * row + 1.24] * 2,
            color=GREEN,
            lw=2,
        )
    ax.text(
        left(pixel), -0.35, f"k_w·i_c = {k_w}·{i_c} = {k_w * i_c} values side by side", color=BLUE
    )
    ax.set(xlim=(-2.5, left(i_w) + 0.1), ylim=(1.5 * (k_h + 1) - 0.4, -0.9))
    ax.set_axis_off()
    return Picture(
        fig,
        f"The first {k_h + 1} rows of an image of {i_w} pixels with {i_c} "
        f"channels. Output pixels {pixel} and {pixel + 1} each read {k_h} runs of "
        f"{k_w * i_c} values, which overlap in {(k_w - 1) * i_c}.",
        colours=128,
    )


def tile_picture(pixels: int, vectors: int, isa: str) -> Picture:
    """Draw the tile, the registers it fills, and what LLVM made of it for a chosen processor."""
    if isa not in known_isas():
        there = ", ".join(known_isas())
        raise ValueError(f"this LLVM cannot compile for {isa}; it can for {there}")
    code = tile_code(pixels, vectors, isa)
    fig, (tile, file) = figure(8.4, 3.9, ncols=2, width_ratios=(1.15, 1))
    _tile(tile, pixels, vectors, code.isa)
    _registers(file, code)
    over = max(0, code.needed - code.isa.registers)
    fits = "all fit" if not over else f"{over} too many"
    return Picture(
        fig,
        f"A tile of {pixels} pixels by {vectors} vectors of {code.isa.lanes} "
        f"channels needs {code.needed} of the {code.isa.registers} vector "
        f"registers of {isa}: {fits}.",
        colours=128,
    )


def _tile(ax: Axes, pixels: int, vectors: int, isa: Isa) -> None:
    height, width = 1.0, 4.0
    for v in range(vectors):
        ax.add_patch(Rectangle((1.6 + width * v, -1.6), width - 0.2, 1.05, facecolor=ORANGE))
        ax.text(
            1.5 + width * (v + 0.5),
            -1.06,
            f"w, {isa.lanes} channels" if vectors < 4 else "w",
            ha="center",
            va="center",
            fontsize=7.5,
            color=ink(ORANGE),
        )
        for p in range(pixels):
            ax.add_patch(
                Rectangle((1.6 + width * v, height * p), width - 0.2, 0.84, facecolor=BLUE)
            )
    for p in range(pixels):
        ax.add_patch(Rectangle((0, height * p), 1.2, 0.84, facecolor=GREEN))
    ax.text(0.6, -0.5, "x", ha="center", va="center", fontsize=8.5, color=lettering(GREEN))
    ax.set(xlim=(-0.2, max(10, 1.6 + width * vectors)), ylim=(max(8, pixels) + 0.2, -2))
    ax.set_title(f"{pixels} × {vectors} sums: one step of the sum", fontsize=9.5)
    ax.set_axis_off()


def _registers(ax: Axes, code) -> None:
    isa = code.isa
    kinds = [BLUE] * code.accumulators + [ORANGE] * code.vectors + [GREEN]
    rows = -(-isa.registers // ROW)
    for place in range(isa.registers):
        ax.add_patch(
            Rectangle(
                (place % ROW, place // ROW),
                0.92,
                0.86,
                facecolor=kinds[place] if place < len(kinds) else PALE,
            )
        )
    over = len(kinds) - isa.registers
    ax.set_title(f"{isa.registers} registers of {isa.vector_bits} bits ({isa.name})", fontsize=9.5)
    lines = [
        ("counted", None),
        (f"multiply-adds a step: {code.pixels}·{code.vectors} = {code.accumulators}", BLUE),
        (
            f"loads a step: {code.pixels} + {code.vectors} = {code.pixels + code.vectors}, "
            f"{(code.pixels + code.vectors) / code.accumulators:.2f} a multiply-add",
            GREEN,
        ),
        (
            f"registers: {code.accumulators} + {code.vectors} + 1 = {code.needed}"
            + (f", {over} too many" if over > 0 else ", all fit"),
            ORANGE if over > 0 else GREY,
        ),
        ("compiled by LLVM", None),
        (f"loads a multiply-add: {code.loads_per_fma:.2f}", GREEN),
        (
            f"vectors to or from the stack a step: {code.spills:.0f}",
            ORANGE if code.spills else GREY,
        ),
    ]
    y = rows + 0.75
    for text, colour in lines:
        ax.text(
            0 if colour is None else 0.3,
            y,
            text,
            va="center",
            fontsize=9,
            fontweight="bold" if colour is None else "normal",
            color=lettering(colour or "black"),
        )
        y += 0.72
    ax.set(xlim=(-0.1, ROW + 2.2), ylim=(max(y, 9.6), -0.2))
    ax.set_axis_off()


def tile_shapes_picture(shares: Mapping[tuple[int, int], float], isa: Isa) -> Picture:
    """Draw measured share of peak of each tile (pixels, vectors), and where registers run out."""
    pixels, vectors = (sorted({shape[i] for shape in shares}) for i in (0, 1))
    values = np.array([[shares[p, v] for p in pixels] for v in vectors])
    fig, ax = figure(8.2, 1.3 + 0.52 * len(vectors))
    mesh = ax.pcolormesh(values, cmap="Blues", vmin=0, vmax=1.1, edgecolors="white", linewidth=1.5)
    for (row, column), share in np.ndenumerate(values):
        p, v = pixels[column], vectors[row]
        full = p * v + v + 1 > isa.registers
        text = f"{100 * shares[p, v]:.0f}".replace(" (", "\n(")  # disturbed: within its cell
        ax.text(
            column + 0.5,
            row + 0.5,
            text,
            ha="center",
            va="center",
            fontsize=7.2 if "\n" in text else 9,
            color=ink(mesh.to_rgba(share)),
        )
        if full:
            ax.add_patch(
                Rectangle(
                    (column + 0.04, row + 0.04),
                    0.92,
                    0.92,
                    fill=False,
                    edgecolor=ORANGE,
                    hatch="///",
                    linewidth=0,
                    alpha=0.75,
                )
            )
    ax.set_xticks(np.arange(len(pixels)) + 0.5, pixels)
    ax.set_yticks(np.arange(len(vectors)) + 0.5, vectors)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(
        xlabel="pixels",
        ylabel=f"vectors of {isa.lanes}",
        title="Share of the peak in %; hatched: more registers than there are",
    )
    return Picture(
        fig,
        "A table in colours: the measured share of the peak for tiles of "
        f"{pixels[0]} to {pixels[-1]} pixels by {vectors[0]} to {vectors[-1]} "
        "vectors, hatched where registers run out.",
        colours=128,
    )


def layer_shares_picture(rows: Sequence[tuple[str, float, str]]) -> Picture:
    """Draw share of the peak of each layer: (name, share, note), a bar each."""
    fig, ax = figure(7.8, 0.9 + 0.3 * len(rows))
    for place, (_, share, note) in enumerate(rows):
        ax.barh(place, share, height=0.66, color=BLUE)
        ax.text(max(share, 1) + 0.02, place, f"{share:.0%}   {note}", va="center", fontsize=8.5)
    ax.axvline(1, color=ORANGE, linewidth=1)
    ax.set_yticks(range(len(rows)), [name for name, *_ in rows], color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.set(xlim=(0, 2.0), xlabel="share of the measured FMA peak")
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "peak"])
    ax.spines.bottom.set_bounds(0, 1)
    names = ", ".join(name for name, *_ in rows)
    return Picture(
        fig,
        f"The microkernel's share of the peak on each of {len(rows)} layers: {names}.",
        colours=128,
    )
