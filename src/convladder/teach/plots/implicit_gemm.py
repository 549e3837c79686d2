"""Chapter 10: the implicit matrix, block tiles, waves and stream-K."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes

from ...core.problem import ConvProblem
from ...core.text import count_text, seconds_text
from ...cuda.memory_model import FULL_CLOCK
from ...gpu.block_waves import Piece, lost, plan_with, stream_k_shares, waves
from ...gpu.tile_choice import TILES, TilePlan, plans, predicted_cycles
from ...gpu.tile_threads import threads_of
from .axes import behind, name_rows
from .shapes import bare, box, cells, frame, write
from .style import BLUE, GREY, ORANGE, OUTSIDE, PALE, SKY, Picture, figure

I_H, I_W, I_C, K = 4, 5, 2, 3
LIT = "#BBDDF2"


def implicit_index_picture(row: int = 0, column: int = 0, padding: int = 0) -> Picture:
    """Draw row `row` and column `column` of im2col's matrix for a small image, and the image in
    memory.

    Numbers are offsets in `x`; a dot is padding, which lies nowhere. Beyond the last row or
    column, the last is meant.
    """
    p = ConvProblem(1, I_H, I_W, I_C, K, K, 1, padding=padding)
    row, column = min(row, p.pixels - 1), min(column, p.window - 1)
    places = np.array([[_place(p, m, k) for k in range(p.window)] for m in range(p.pixels)])
    h, v = divmod(row, p.o_w)
    a, b, c = np.unravel_index(column, (K, K, I_C))
    i, j = h + a - padding, v + b - padding
    tall, below = 0.2 * p.pixels + 0.75, 0.28 * (I_H + 2 * padding) + 0.75
    fig, (matrix, image) = figure(7.0, tall + below + 0.7, nrows=2, height_ratios=(tall, below))
    run = slice(a * K * I_C, (a + 1) * K * I_C)
    colours = np.full(places.shape, PALE, object)
    colours[row] = SKY
    colours[row, run] = LIT
    colours[places < 0] = OUTSIDE
    colours[row, column] = ORANGE
    cells(matrix, colours, np.where(places < 0, "·", places), fontsize=8.5)
    for kernel_row in range(1, K):
        matrix.axvline(kernel_row * K * I_C, color=GREY, linewidth=1.4)
    matrix.set(xlabel="k: position in the window", ylabel="m: output pixel")
    matrix.set_title(f"A, {p.pixels} x {p.window}: written nowhere")
    memory = np.arange(I_H * I_W * I_C).reshape(I_H, I_W * I_C)
    colours = np.where(np.isin(memory, places[row, run]), LIT, PALE)
    colours[memory == places[row, column]] = ORANGE
    cells(image, colours, memory, fontsize=8.5)
    image.vlines([I_C * pixel for pixel in range(I_W + 1)], 0, I_H, color=GREY, linewidth=0.9)
    frame(image, (v - padding) * I_C, h - padding, K * I_C, K, clip_on=False)
    image.set(aspect="equal", xlabel="column and channel", ylabel="row")
    image.set_xlim(-padding * I_C - 0.1, (I_W + padding) * I_C + 0.1)
    image.set_ylim(I_H + padding + 0.1, -padding - 0.1)
    image.set_title("x in memory; outlined: the window")
    fate = "outside the image: a zero that is stored nowhere"
    if places[row, column] >= 0:
        fate = f"offset {places[row, column]} in x"
    pad = f" - {padding}" if padding else ""
    words = (
        f"m = {row} is pixel h = {row} // {p.o_w} = {h}, v = {row} % {p.o_w} = {v}\n"
        f"k = {column} is kernel row {a}, column {b}, channel {c}\n"
        f"x[0, {h} + {a}{pad}, {v} + {b}{pad}, {c}] = x[0, {i}, {j}, {c}]: {fate}"
    )
    fig.supxlabel(words, fontsize=10, x=0.02, ha="left")
    return Picture(
        fig,
        f"Row {row}, column {column} of a matrix of {p.pixels} x {p.window}: "
        f"x[0, {i}, {j}, {c}], {fate}.",
        colours=128,
    )


def _place(p: ConvProblem, m: int, k: int) -> int:
    """Return the offset in `x`, or -1 for padding."""
    h, v = divmod(m, p.o_w)
    a, b, c = np.unravel_index(k, (p.k_h, p.k_w, p.i_c))
    i, j = h + a - p.p_h, v + b - p.p_w
    inside = 0 <= i < p.i_h and 0 <= j < p.i_w
    return int((i * p.i_w + j) * p.i_c + c) if inside else -1


DRAWN = 40  # rows of blocks: beyond that only lines are seen


def tile_levels_picture(
    problem: ConvProblem, plan: TilePlan, warp: int = 0, lane: int = 9
) -> Picture:
    """Draw a launch's blocks over the result, warps over a block, lanes over a warp, one lane's
    values.

    Rows are output pixels, columns output channels, as the kernel numbers them.
    """
    t, threads = plan.tile, threads_of(plan.tile)
    down, across = -(-problem.pixels // t.pixels), -(-problem.k_c // t.channels)
    fig, panels = figure(7.0, 8.2, nrows=2, ncols=2)
    axes = panels.flat
    _blocks(axes[0], down, across)
    axes[0].set_title(f"grid: {down * across:,} blocks")
    axes[0].set_xlabel(
        f"y: {problem.pixels:,} pixels by {problem.k_c} channels\n"
        f"{t.pixels} by {t.channels} per block"
    )
    _mesh(axes[1], threads.warp, "Blues", threads.warp == warp)
    axes[1].set_title(f"block: {t.threads // 32} warps")
    rows, columns = np.nonzero(threads.warp == warp)
    part = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    lanes = threads.lane[part]
    _mesh(axes[2], lanes, "Greens", lanes == lane)
    axes[2].set_title("warp: 32 lanes")
    axes[2].set_xlabel(
        f"{lanes.shape[0]} by {lanes.shape[1]} values\n"
        f"{threads.lanes_down} by {threads.lanes_across} lanes; orange: lane {lane}"
    )
    axes[1].set_xlabel(
        f"{t.pixels} by {t.channels} values; orange: warp {warp}\n"
        f"{plan.depth} columns of the window at a time"
    )
    _thread(axes[3], lanes == lane)
    axes[3].set_title("thread: its registers")
    axes[3].set_xlabel(
        f"{t.thread_pixels} by {t.thread_channels} sums\n"
        f"{t.thread_pixels + t.thread_channels} loads for "
        f"{t.thread_pixels * t.thread_channels} multiply-adds"
    )
    return Picture(
        fig,
        f"{down * across:,} blocks of {t.pixels} by {t.channels} values over "
        f"{problem.pixels:,} pixels by {problem.k_c} channels; "
        f"{t.threads // 32} warps of {lanes.shape[0]} by {lanes.shape[1]}; "
        f"{t.thread_pixels} by {t.thread_channels} values per thread.",
        colours=256,
    )


def _blocks(ax: Axes, down: int, across: int) -> None:
    shown = min(down, DRAWN)
    colours = np.full((shown, across), PALE)
    colours[0, 0] = ORANGE
    cells(ax, colours)
    if down > shown:
        words = f"... {down - shown:,} more rows of blocks"
        write(ax, words, across / 2, shown + 0.6, va="top", fontsize=8.5, color=GREY)
    ax.set(xlim=(-0.02, across), ylim=(shown + (3 if down > shown else 0), -0.1))


def _mesh(ax: Axes, numbers: np.ndarray, colours: str, lit: np.ndarray) -> None:
    most = numbers.max() + 1
    shade = 0.12 + 0.5 * (numbers * 7 % most) / most  # neighbours are told apart
    ax.pcolormesh(shade, cmap=colours, vmin=0, vmax=1)
    ax.pcolormesh(np.ma.masked_where(~lit, np.ones(lit.shape)), cmap="autumn", vmin=0.4, vmax=1.9)
    ax.set_ylim(numbers.shape[0], 0)
    bare(ax)


def _thread(ax: Axes, mine: np.ndarray) -> None:
    """Draw its values where they stand in the warp's tile, and all others pale."""
    rows, columns = np.unique(np.nonzero(mine)[0]), np.unique(np.nonzero(mine)[1])
    cells(ax, np.full((len(rows), len(columns)), ORANGE))
    for places, set_ticks, line in (
        (rows, ax.set_yticks, ax.axhline),
        (columns, ax.set_xticks, ax.axvline),
    ):
        set_ticks(np.arange(len(places)) + 0.5, places, fontsize=8.5)
        for edge in np.nonzero(np.diff(places) > 1)[0] + 1:
            line(edge, color=BLUE, linewidth=2)
    ax.tick_params(length=0)


PLACES, SLICES = 6, 8
SHADES = colormaps["Blues"]


def stream_k_picture(tiles: int = 7) -> Picture:
    """Draw `tiles` tiles of eight slices on a chip with six block slots: a column per slot, time
    down.

    Left: whole tiles, in waves. Right: stream-K. Orange: tiles that two or more slots share, whose
    sums must be added up.
    """
    whole = [[(tile, 0, SLICES) for tile in range(place, tiles, PLACES)] for place in range(PLACES)]
    even = stream_k_shares(tiles, SLICES, PLACES)
    longest = _length(whole[0])
    fig, axes = figure(8.8, 2.0 + 0.1 * longest, ncols=2, sharey=True)
    for ax, shares, title in zip(axes, (whole, even), ("whole tiles", "stream-K")):
        _draw(ax, shares, longest)
        ax.set_title(f"{title}: done after {max(map(_length, shares))} slices")
        ax.set_xlabel("block slot on the chip")
    axes[0].set_ylabel("time, in slices")
    cut = len(_shared(even))
    waves = -(-tiles // PLACES)
    words = (
        f"{tiles} tiles on {PLACES} block slots: {count_text(waves, 'wave')}, "
        f"{lost(tiles, PLACES):.0%} of the time idle; stream-K adds "
        f"{count_text(cut, 'tile')} up from pieces"
    )
    fig.supxlabel(words, fontsize=9.5)
    return Picture(
        fig, f"{words}: {longest} slices of time against {max(map(_length, even))}.", colours=128
    )


def _length(share: list[Piece]) -> int:
    return sum(last - first for _, first, last in share)


def _shared(shares: list[list[Piece]]) -> set[int]:
    """Return the tiles that are not one piece."""
    return {tile for share in shares for tile, first, last in share if last - first < SLICES}


def _draw(ax: Axes, shares: list[list[Piece]], longest: int) -> None:
    shared = _shared(shares)
    small = {"fontsize": 7.5}
    for place, share in enumerate(shares):
        box(ax, place, 0, 1, longest, PALE, edgecolor="white")
        begin = 0
        for tile, first, last in share:
            cut = tile in shared
            fill = ORANGE if cut else SHADES(0.35 + 0.1 * (tile % 4))
            of = f"\n{first}–{last - 1}" if cut and last - first > 1 else ""
            words = f"{tile}{of}"
            box(ax, place, begin, 1, last - first, fill, words, edgecolor="white", text=small)
            begin += last - first
    ax.set(xlim=(-0.05, PLACES + 0.05), ylim=(longest + 0.1, -0.1))
    ax.set_xticks([place + 0.5 for place in range(PLACES)], range(PLACES))
    ax.set_yticks(range(0, longest + 1, SLICES))
    ax.tick_params(length=0, colors=GREY)
    ax.spines[:].set_visible(False)


TILE_LABELS = {tile.name: tile.label for tile in TILES}
MOST = 48  # waves drawn


def waves_picture(
    layer: str = "cv5", batch: int = 32, tile: str = TILES[-1].label, split: int = 1
) -> Picture:
    """Draw a layer's blocks on an H200: a column a multiprocessor, a row a wave,
    blue where it works, and the darker, the more blocks it has.
    """
    problem = ConvProblem.parse(layer).with_batch(batch)
    plan = plan_with(problem, next(t for t in TILES if t.label == tile), split)
    w = waves(problem, plan)
    held = np.full((w.number, w.multiprocessors), float(w.each))
    last = w.blocks - (w.number - 1) * w.places
    held[-1] = [max(0, -(-(last - sm) // w.multiprocessors)) for sm in range(w.multiprocessors)]
    shown = held[-MOST:]
    fig, ax = figure(8.8, 1.5 + 0.2 * min(len(shown), 14))
    works = np.where(shown > 0, 0.4 + 0.6 * shown / w.each, 0)  # one block, too, is to be seen
    ax.pcolormesh(works, cmap="Blues", vmin=-0.1, vmax=1.25, edgecolors="white", linewidth=0.3)
    ax.set_ylim(len(shown), 0)
    ends = sorted({0, len(shown) - 1})
    ax.set_yticks([end + 0.5 for end in ends], [w.number - len(shown) + 1 + end for end in ends])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    micro = predicted_cycles(problem, plan) / FULL_CLOCK
    parts = f", the window in {split} parts" if split > 1 else ""
    ax.set_title(f"{layer}, batch {batch}, {tile}{parts}: {w.blocks:,} blocks, room for {w.places}")
    ax.set(
        xlabel=f"multiprocessor ({w.each} blocks on each at a time)\n"
        f"{count_text(w.number, 'wave')}, {w.share:.0%} of the block slots filled, "
        f"{w.idle} multiprocessors idle in the last; the model says "
        f"{seconds_text(micro)}",
        ylabel="wave",
    )
    return Picture(
        fig,
        f"{layer}, batch {batch}, tiles of {tile}{parts}: {w.blocks:,} blocks on "
        f"{w.multiprocessors} multiprocessors with room for {w.each} each, "
        f"{count_text(w.number, 'wave')}, {w.share:.0%} of the block slots filled, "
        f"{w.idle} idle in the last.",
    )


def sweep_picture(entry: Mapping, where: str) -> Picture:
    """Draw every tile on one layer: the model's time, and the time recorded at `where`.

    entry: of `bench.ablation`'s record, under "tiles".
    """
    problem = ConvProblem.parse(entry["problem"])
    chosen = {
        plan.tile.name: plan
        for plan in plans(problem)
        if plan.split == 1 and plan.tile.name in entry["seconds"]
    }
    fig, ax = figure(8.8, 0.95 + 0.5 * len(chosen))
    fastest, longest = min(entry["seconds"][name] for name in chosen), 0.0
    for y, (name, plan) in enumerate(chosen.items()):
        model, measured = predicted_cycles(problem, plan) / FULL_CLOCK, entry["seconds"][name]
        w, colour = waves(problem, plan), ORANGE if measured == fastest else BLUE
        taken = f"{count_text(w.number, 'wave')}, {w.share:.0%} filled"
        ax.barh(y - 0.19, model * 1e6, height=0.34, color=PALE, edgecolor=GREY, linewidth=0.7)
        ax.barh(y + 0.19, measured * 1e6, height=0.34, color=colour)
        behind(ax, f"model {seconds_text(model)}: {taken}", model * 1e6, y - 0.19, fontsize=8)
        behind(ax, seconds_text(measured), measured * 1e6, y + 0.19, fontsize=8)
        longest = max(longest, model, measured)
    name_rows(ax, [TILE_LABELS[name] for name in chosen])
    ax.set_xlim(0, 1.5e6 * longest)
    ax.set_xlabel(f"microseconds; pale: the model, blue: {where}, orange: the fastest")
    ax.set_title(f"{entry['layer']}, batch {entry['batch']}: six tiles")
    return Picture(
        fig,
        f"{entry['layer']}, batch {entry['batch']}: the time of "
        f"{len(chosen)} tiles by the model and as recorded, {where}.",
        colours=64,
    )
