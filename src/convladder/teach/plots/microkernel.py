"""Chapter 05: register tiles, blocks of caches, and layouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from ...core.problem import ConvProblem
from ...core.text import bytes_text, count_text
from ...cpu.gemm import Blocks, moved
from ...cpu.isa import Isa
from ...cpu.simd.blocking import Tile
from ...cuda.memory_model import blocked_place
from ...measure.register_tile import known_isas, tile_code
from .axes import WHITE, name_rows
from .shapes import box, cells, frame, write
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, YELLOW, Picture, figure, lettering

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
    style = {"color": lettering(ORANGE), "bbox": WHITE}
    ax.text(knee + 0.4, 0.06 * peak, f"knee: {knee:.1f} chains", **style)
    ax.text(counts[-1], 1.03 * peak, f"peak, {peak:.0f} GFLOP/s", ha="right", va="bottom")
    ax.set(xlim=(0, counts[-1] + 0.5), ylim=(0, 1.18 * peak), ylabel="GFLOP/s, one core")
    ax.set_xlabel("independent chains of vector multiply-adds")
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
            colour = BLUE if first and second else SKY if first or second else PALE
            box(ax, place + 0.15 * column, 1.5 * row, 0.96, 0.9, colour)
        ax.text(-0.4, 1.5 * row + 0.5, f"row {row}", ha="right", va="center")

    def left(column: int) -> float:
        return column * (i_c + 0.15)

    for row in range(k_h):
        for at, low, colour in ((pixel, 1.08, GREEN), (pixel + 1, 1.24, GREY)):
            ax.plot([left(at), left(at + k_w) - 0.2], [1.5 * row + low] * 2, color=colour, lw=2)
    words = f"k_w·i_c = {k_w}·{i_c} = {k_w * i_c} values side by side"
    ax.text(left(pixel), -0.35, words, color=BLUE)
    bottom = 1.5 * (k_h + 1) + 0.1
    ax.text(0, bottom, f"read by output pixel {pixel}", color=lettering(GREEN), va="center")
    ax.text(left(3), bottom, f"by output pixel {pixel + 1}", color=GREY, va="center")
    ax.text(left(5), bottom, "dark: by both", color=BLUE, va="center")
    ax.set(xlim=(-2.5, left(i_w) + 0.1), ylim=(1.5 * (k_h + 1) + 0.5, -0.9))
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
    width, words = 4.0, f"w, {isa.lanes} channels" if vectors < 4 else "w"
    for v in range(vectors):
        box(ax, 1.6 + width * v, -1.6, width - 0.2, 1.05, ORANGE, words, text={"fontsize": 9})
        for p in range(pixels):
            box(ax, 1.6 + width * v, p, width - 0.2, 0.84, GREEN)
    for p in range(pixels):
        box(ax, 0, p, 1.2, 0.84, BLUE)
    write(ax, "x", 0.6, -0.5, fontsize=8.5, color=BLUE)
    ax.set(xlim=(-0.2, max(10, 1.6 + width * vectors)), ylim=(max(8, pixels) + 0.2, -2))
    ax.set_title(f"{pixels} × {vectors} sums: one step of the sum", fontsize=9.5)
    ax.set_axis_off()


def _registers(ax: Axes, code) -> None:
    isa = code.isa
    kinds = [GREEN] * code.accumulators + [ORANGE] * code.vectors + [BLUE]
    rows = -(-isa.registers // ROW)
    for place in range(isa.registers):
        colour = kinds[place] if place < len(kinds) else PALE
        box(ax, place % ROW, place // ROW, 0.92, 0.86, colour)
    over = len(kinds) - isa.registers
    ax.set_title(f"{isa.registers} registers of {isa.vector_bits} bits ({isa.name})", fontsize=9.5)
    fits, loads = f"{over} too many" if over > 0 else "all fit", code.pixels + code.vectors
    lines = [
        ("counted", None),
        (f"multiply-adds per step: {code.pixels}·{code.vectors} = {code.accumulators}", GREEN),
        (f"loads per step: {code.pixels} + {code.vectors} = {loads}, "
         f"{loads / code.accumulators:.2f} per multiply-add", BLUE),
        (f"registers: {code.accumulators} + {code.vectors} + 1 = {code.needed}, {fits}",
         PINK if over > 0 else GREY),
        ("compiled by LLVM", None),
        (f"loads per multiply-add: {code.loads_per_fma:.2f}", BLUE),
        (f"spills to or from the stack per step: {code.spills:.0f}", PINK if code.spills else GREY),
    ]  # fmt: skip
    y = rows + 0.75
    for text, colour in lines:
        x, weight = (0, "bold") if colour is None else (0.3, "normal")
        style = {"fontweight": weight, "color": lettering(colour or "black")}
        ax.text(x, y, text, va="center", fontsize=9, **style)
        y += 0.72
    ax.set(xlim=(-0.1, ROW + 2.2), ylim=(max(y, 9.6), -0.2))
    ax.set_axis_off()


def tile_shapes_picture(shares: Mapping[tuple[int, int], float], isa: Isa) -> Picture:
    """Draw measured share of peak of each tile (pixels, vectors), and where registers run out."""
    pixels, vectors = (sorted({shape[i] for shape in shares}) for i in (0, 1))
    values = np.array([[shares[p, v] for p in pixels] for v in vectors])
    fig, ax = figure(8.2, 1.3 + 0.52 * len(vectors))
    words = [[f"{100 * share:.0f}" for share in line] for line in values]
    cells(ax, colormaps["Blues"](values / 1.1), words, fontsize=9)
    ax.invert_yaxis()
    hatched = {"hatch": "///", "linewidth": 0, "alpha": 0.75}
    for (row, v), (column, p) in product(enumerate(vectors), enumerate(pixels)):
        if p * v + v + 1 > isa.registers:
            frame(ax, column + 0.04, row + 0.04, 0.92, 0.92, ORANGE, **hatched)
    ax.set_xticks(np.arange(len(pixels)) + 0.5, pixels)
    ax.set_yticks(np.arange(len(vectors)) + 0.5, vectors)
    ax.tick_params(length=0)
    ax.set(xlabel="pixels", ylabel=f"vectors of {isa.lanes}")
    ax.set_title("Share of the peak in %; hatched: more registers than there are")
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
    name_rows(ax, [name for name, *_ in rows])
    ax.set(xlim=(0, 2.0), xlabel="share of the measured FMA peak")
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "peak"])
    ax.spines.bottom.set_bounds(0, 1)
    names = ", ".join(name for name, *_ in rows)
    return Picture(
        fig,
        f"The microkernel's share of the peak on each of {len(rows)} layers: {names}.",
        colours=128,
    )


SIDE = 2048  # of the matrices in the drawing
TILE = Tile(6, 4, 16)
CACHES = {"L1": 32 * 2**10, "L2": 2**20, "L3": 32 * 2**20}  # a machine in round numbers


def gemm_blocks_picture(steps: int, rows: int, columns: int) -> Picture:
    """Draw the blocks of `C = A·B` of 2048×2048, and their bytes beside a machine's caches."""
    fig, (matrices, bars) = figure(8.6, 3.7, ncols=2, width_ratios=(1.25, 1))
    _matrices(matrices, steps, rows, columns)
    wide = TILE.vectors * TILE.lanes
    parts = [
        ("sliver of B", "L1", 4 * steps * wide, ORANGE),
        ("block of A", "L2", 4 * steps * rows, BLUE),
        ("panel of B", "L3", 4 * steps * columns, YELLOW),
    ]
    over = []
    for y, (name, cache, size, colour) in enumerate(parts):
        share = size / CACHES[cache]
        bars.barh(y, min(share, 1.6), 0.5, color=PINK if share > 1 else colour)
        words = f"{name}: {bytes_text(size)} of {cache}'s {bytes_text(CACHES[cache])}"
        bars.text(0, y - 0.36, words, va="bottom", fontsize=8.5, bbox=WHITE)
        bars.plot([1, 1], [y - 0.3, y + 0.3], color=GREY, linestyle="--", linewidth=1)
        if share > 1:
            over.append(name)
    write(bars, "full", 1, 2.42, color=GREY, fontsize=8.5)
    each = moved(TILE, Blocks(rows, steps, columns))
    words = (
        f"bytes for each multiply-add:\nsums of C {each['C']:.3f}, B again {each['B again']:.3f}, "
        f"A packed {each['A packed']:.3f}"
    )
    bars.text(0, 3.15, words, va="center", fontsize=8.5)
    bars.set(xlim=(0, 1.7), ylim=(3.5, -0.7))
    bars.set_axis_off()
    fits = "all fit" if not over else f"too large: {', '.join(over)}"
    return Picture(
        fig,
        f"Blocks of {rows} rows, {steps} steps and {columns} columns in "
        f"matrices of {SIDE}×{SIDE}; beside caches of 32 KiB, 1 MiB and 32 MiB: "
        f"{fits}.",
        colours=128,
    )


def _matrices(ax: Axes, steps: int, rows: int, columns: int) -> None:
    gap = SIDE / 5
    corners = {"A": (0, SIDE + gap), "B": (SIDE + gap, 0), "C": (SIDE + gap, SIDE + gap)}
    for name, (x, y) in corners.items():
        box(ax, x, y, SIDE, SIDE, PALE)
        ax.text(x + SIDE * 0.94, y + SIDE * 0.94, name, ha="right", va="bottom", color=GREY)
    columns, rows = min(columns, SIDE), min(rows, SIDE)
    thin = max(TILE.vectors * TILE.lanes, SIDE // 40)  # else nobody would see it
    (ax_, ay), (bx, by), (cx, cy) = corners.values()
    box(ax, bx, by, columns, steps, YELLOW)
    box(ax, bx, by, thin, steps, ORANGE)
    box(ax, ax_, ay, steps, rows, BLUE)
    box(ax, cx, cy, thin, min(SIDE // 30, rows), GREEN)
    ax.text(bx + SIDE / 2, by - 40, f"{columns} columns", ha="center", va="bottom", fontsize=8.5)
    ax.text(bx - 40, by + steps / 2, f"{steps} steps", ha="right", va="center", fontsize=8.5)
    ax.text(ax_ - 40, ay + rows / 2, f"{rows}\nrows", ha="right", va="center", fontsize=8.5)
    names = ("tile of C: registers", "sliver of B", "block of A", "panel of B")
    for y, (what, colour) in enumerate(zip(names, (GREEN, ORANGE, BLUE, YELLOW))):
        box(ax, 0, 130 + 250 * y, 130, 130, colour)
        ax.text(190, 195 + 250 * y, what, va="center", fontsize=8.5)
    ax.set(xlim=(-420, 2 * SIDE + gap + 40), ylim=(2 * SIDE + gap + 40, -220))
    ax.set_aspect("equal")
    ax.set_axis_off()


def block_sweep_picture(
    curves: Mapping[str, Mapping[int, float]],
    predicted: Mapping[str, int],
    what: str,
    library: float,
) -> Picture:
    """Draw shares of the peak over a block size, lines at those predicted, and the library's share.

    curves: `{label: {size: share}}`; predicted: `{label: size}`.
    """
    fig, ax = figure(7.4, 3.5)
    top = max(library, *(max(curve.values()) for curve in curves.values()))
    for (label, curve), colour in zip(curves.items(), (BLUE, GREEN)):
        sizes = sorted(curve)
        ax.plot(sizes, [100 * curve[size] for size in sizes], "o-", color=colour, markersize=4)
        end = 100 * curve[sizes[-1]]
        ax.text(sizes[-1] * 1.06, end, label, color=lettering(colour), va="center")
    ax.axhline(100 * library, color=GREY, linestyle="--", linewidth=1)
    behind = [curve[size] for curve in curves.values() for size in curve if size <= 3 * sizes[0]]
    if max(behind) < library - 0.02:
        ax.text(sizes[0], 100 * library + 1, "NumPy's BLAS", color=GREY, va="bottom")
    else:  # above its line it would lie on a curve
        ax.text(sizes[0], 100 * min(library, *behind) - 2, "NumPy's BLAS", color=GREY, va="top")
    for (label, size), y in zip(predicted.items(), (0.05, 0.15)):
        ax.axvline(size, color=ORANGE, linewidth=1)
        ax.text(size * 1.04, y * 115 * top, label, color=lettering(ORANGE))
    ax.set_xscale("log", base=2)
    ax.set(xlabel=what, xlim=(sizes[0] / 1.2, sizes[-1] * 2.6))
    ax.set(ylabel="% of one core's peak", ylim=(0, 115 * top))
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()
    return Picture(
        fig,
        f"Share of one core's peak against {what}, for {', '.join(curves)}, with "
        f"lines where {', '.join(predicted)} and NumPy's BLAS lie.",
        colours=128,
    )


HUES = (BLUE, ORANGE, GREEN, PINK)  # by threads
SHADES = (0.95, 0.5)  # of one tile and of the next: how much of the hue is left, on white
VECTORS, LANES = 2, 16  # of a tile; the same for every reader


def layer_tiles_picture(pixels: int, padding: int, threads: int) -> Picture:
    """Draw the tiles of at most `pixels` pixels in which the microkernel makes a 3×3 layer of 9×15.

    A number begins a tile, a colour is a thread; thick lines are the boxes into which padding cuts
    the output. The plan is the package's own, of one group of 32 channels.
    """
    from ...cpu.simd.tile_pixels import tile_pixels  # Numba: only for those who run this

    p = ConvProblem(1, 9, 15, 8, 3, 3, VECTORS * LANES, padding=padding)
    found = list(tile_pixels(p, Tile(pixels, VECTORS, LANES), threads))
    fig, ax = figure(8.4, 0.36 * p.o_h + 0.9)
    style = {"linewidth": 0.6, "edgecolor": "white"}
    for number, (thread, places) in enumerate(found):
        shade = SHADES[number % 2]
        fill = [1 - shade + shade * part for part in to_rgb(HUES[thread])]
        for place in places:
            h, v = divmod(place, p.o_w)
            words = number if place == places[0] else ""
            box(ax, v, h, 1, 1, fill, words, text={"weight": "bold"}, **style)
    boxes = _boxes(ax, p)
    sizes = sorted({len(places) for _, places in found})
    by_row = p.o_h * -(-p.o_w // pixels)
    said = (
        f"{p.o_h} × {p.o_w} outputs, {boxes} box{'es' * (boxes > 1)}: {len(found)} tiles of "
        f"{sizes[0]}{f' to {sizes[-1]}' if sizes[1:] else ''} pixels"
    )
    ax.set_title(said, loc="left")
    ax.text(0, p.o_h + 0.35, f"row by row it would be {by_row} tiles", va="top", color=GREY)
    for thread in range(threads):
        mine = sum(len(places) for who, places in found if who == thread)
        words, colour = f"thread {thread}: {mine} pixels", lettering(HUES[thread])
        ax.text(p.o_w + 0.4, thread + 0.5, words, va="center", color=colour)
    ax.set(xlim=(-0.1, p.o_w + 4.6), ylim=(p.o_h + 1.1, -0.1), aspect="equal")
    ax.set_axis_off()
    return Picture(
        fig,
        f"{said}, on {count_text(threads, 'thread')}; each row by itself would take {by_row}.",
        colours=128,
    )


def _boxes(ax: Axes, p: ConvProblem) -> int:
    """Frame the outputs that see the same part of the kernel, and return how many frames."""
    from ...cpu.simd.blocking import clips

    rows = list(clips(p.o_h, p.k_h, p.i_h, p.s_h, p.p_h))
    cols = list(clips(p.o_w, p.k_w, p.i_w, p.s_w, p.p_w))
    for top, bottom, *_ in rows:
        for left, right, *_ in cols:
            frame(ax, left, top, right - left, bottom - top, "black", linewidth=1.8)
    return len(rows) * len(cols)


ROWS, COLUMNS, CHANNELS = 2, 6, 8  # of the image in the drawing
NAMES = {1: "NCHW", CHANNELS: "NHWC"}


def layout_picture(block: int, wanted: str) -> Picture:
    """Draw a small image as it lies in memory, in blocks of channels, and what somebody reads.

    block: channels to a block, 1 to 8. wanted: "a pixel's channels" or "a row of one channel".
    """
    pixel = wanted == "a pixel's channels"
    values = {(c, 0, 2) for c in range(CHANNELS)} if pixel else {(1, 0, v) for v in range(COLUMNS)}
    asked = {blocked_place(c, h, v, ROWS, COLUMNS, block) for c, h, v in values}
    count = ROWS * COLUMNS * CHANNELS
    channels = {
        blocked_place(c, h, v, ROWS, COLUMNS, block): c
        for c, h, v in np.ndindex(CHANNELS, ROWS, COLUMNS)
    }
    fig, ax = figure(8.6, 3.4)
    width = 24  # places to a line of the drawing
    for place in range(count):
        y, x = divmod(place, width)
        colour, letters = (ORANGE, None) if place in asked else (PALE, GREY)
        box(ax, x, y, 0.92, 0.84, colour, channels[place], letters=letters)
    runs = sum(place - 1 not in asked for place in asked)
    touched = len({place // 8 for place in asked})
    name = NAMES.get(block, f"NCHW{block}c")
    ax.set_title(f"{name}: {wanted}, {count_text(runs, 'run')} of memory", fontsize=10)
    words = (
        "Each square is a value, its number the channel; memory runs on from line to line. "
        f"Pieces of 32 bytes touched: {touched}."
    )
    ax.text(0, count // width + 0.35, words, va="center", fontsize=8.5)
    ax.set(xlim=(0, width), ylim=(count // width + 0.7, -0.1))
    ax.set_axis_off()
    return Picture(
        fig,
        f"An image of {ROWS}×{COLUMNS} pixels and {CHANNELS} channels in {name}: "
        f"{wanted} are {runs} runs of memory, in {touched} pieces of 32 bytes.",
        colours=128,
    )
