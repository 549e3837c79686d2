"""Chapter 07: grids of threads, a chip, and a scheduler's issue slots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from ...core.text import count_text
from ...cuda import CHIPS
from ...cuda.latency_hiding import ARITHMETIC, LOAD, READY, WAITS, issue_share, issue_slots
from ...cuda.memory_model import LANES
from .shapes import box, cells, frame, write
from .style import BLUE, GREEN, GREY, ORANGE, OUTSIDE, PALE, SKY, Picture, figure, lettering

I_H, I_W, K = 9, 13, 3  # the image and its square kernel
O_H, O_W = I_H - K + 1, I_W - K + 1


def thread_grid_picture(block: str = "4 x 4", block_number: int = 0, thread: int = 0) -> Picture:
    """Draw a thread of a block of `block` (x by y) threads: its output pixel and that one's window.

    Blocks and threads are numbered in the order of x, then y; beyond the last, the last is meant.
    """
    across, down = (int(side) for side in block.split(" x "))
    grid = -(-O_W // across), -(-O_H // down)
    number, thread = min(block_number, grid[0] * grid[1] - 1), min(thread, across * down - 1)
    b_y, b_x = divmod(number, grid[0])
    t_y, t_x = divmod(thread, across)
    h, v = b_y * down + t_y, b_x * across + t_x
    inside = h < O_H and v < O_W

    fig, (left, right) = figure(8.6, 3.7, ncols=2, width_ratios=(I_W, grid[0] * across + 1))
    colours = np.full((I_H, I_W), PALE)
    if inside:
        colours[h : h + K, v : v + K] = ORANGE
    _cells(left, colours)
    left.set_title("x: the window of this thread\n" if inside else "x: no window for this thread\n")
    colours = np.full((grid[1] * down, grid[0] * across), PALE)
    colours[b_y * down : (b_y + 1) * down, b_x * across : (b_x + 1) * across] = SKY
    colours[O_H:] = colours[:, O_W:] = OUTSIDE
    colours[h, v] = ORANGE
    _cells(right, colours)
    for row, column in np.ndindex(grid[1], grid[0]):
        colour, line, above = (BLUE, 2.2, 3) if (row, column) == (b_y, b_x) else (GREY, 0.8, 2)
        style = {"linewidth": line, "zorder": above, "clip_on": False}
        frame(right, column * across, row * down, across, down, colour, **style)
    frame(right, 0, 0, O_W, O_H, "black", linewidth=1.4, linestyle="--")
    idle = grid[0] * across * grid[1] * down - O_H * O_W
    right.set_title(
        f"y (dashed) under {grid[0]} x {grid[1]} blocks\nof {block} threads; {idle} have no pixel"
    )
    fate = f"makes y[{h}, {v}]" if inside else f"has {_beyond(h, v)}: the bounds check ends it"
    fig.supxlabel(
        f"v = blockIdx.x * blockDim.x + threadIdx.x = {b_x} * {across} + {t_x} = {v}\n"
        f"h = blockIdx.y * blockDim.y + threadIdx.y = {b_y} * {down} + {t_y} = {h}\n"
        f"thread ({t_x}, {t_y}) of block ({b_x}, {b_y}) {fate}",
        fontsize=10,
        color="black" if inside else lettering(ORANGE),
        x=0.02,
        ha="left",
    )
    return Picture(
        fig,
        f"Thread ({t_x}, {t_y}) of block ({b_x}, {b_y}): h = {h}, v = {v}, "
        + ("with its window in the image." if inside else "outside the output."),
    )


def writers_picture(writers: np.ndarray) -> Picture:
    """Draw `writers[o_h, o_w]`: how many threads write each pixel. More than one is marked."""
    o_h, o_w = writers.shape
    fig, ax = figure(7.6, 4.6)
    _states(ax, writers > 1, [PALE, ORANGE])
    ax.set(aspect="equal", xlabel="column v", ylabel="row h")
    many = int((writers > 1).sum())
    ax.set_title(f"Orange: {many} pixels that more than one thread writes")
    return Picture(
        fig,
        f"The {o_h} x {o_w} output; {many} pixels are marked, which more than one thread writes.",
    )


def _beyond(h: int, v: int) -> str:
    return " and ".join([f"h >= {O_H}"] * (h >= O_H) + [f"v >= {O_W}"] * (v >= O_W))


def _cells(ax: Axes, colours: np.ndarray) -> None:
    """Draw a square for each entry, in its colour, with numbered rows and columns."""
    cells(ax, colours)
    ax.set_aspect("equal")
    for count, set_ticks in zip(colours.shape, (ax.set_yticks, ax.set_xticks)):
        set_ticks([n + 0.5 for n in range(count)], range(count), fontsize=8)
    ax.tick_params(length=0)


CYCLES = 64  # drawn
L2_MB, MEMORY_GB = 60, 141  # of an H200, as its driver (in 2**20 bytes) and its data sheet say


def chip_picture(arch: str = "sm_90") -> Picture:
    """Draw a GPU: its multiprocessors, caches and memory, and what is in one multiprocessor."""
    chip = CHIPS[arch]
    fig, (whole, one) = figure(9.4, 4.5, ncols=2, width_ratios=(1.0, 1.25))
    columns = 12
    for number in range(chip.sms):
        row, column = divmod(number, columns)
        box(whole, column + 0.08, row + 0.08, 0.84, 0.84, BLUE if number == 0 else SKY)
    rows = -(-chip.sms // columns)
    memory = f"global memory, {MEMORY_GB} GB, beside the chip"
    box(whole, 0.08, rows + 0.3, columns - 0.16, 1.2, GREEN, f"L2 cache, {L2_MB} MB, for all")
    box(whole, 0.08, rows + 1.8, columns - 0.16, 1.2, ORANGE, memory)
    whole.set(xlim=(0, columns), ylim=(rows + 3.2, -0.1), aspect="equal")
    whole.set_title(f"NVIDIA H200: {chip.sms} multiprocessors (SMs)")
    registers = chip.registers_per_sm // chip.partitions
    for part in range(chip.partitions):
        x = 0.1 + 3.0 * part
        box(one, x, 0.1, 2.8, 6.6, PALE, edgecolor=BLUE, linewidth=1.2)
        box(one, x + 0.15, 0.3, 2.5, 1.2, BLUE, "scheduler:\n1 instruction\nper cycle")
        write(one, f"{chip.warps_per_sm // chip.partitions} warps at most", x + 1.4, 2.2)
        box(one, x + 0.15, 2.8, 2.5, 1.5, GREY, f"{registers:,}\nregisters")
        for lane in range(LANES):
            box(one, x + 0.2 + 0.3 * (lane % 8), 4.6 + 0.4 * (lane // 8), 0.24, 0.3, SKY)
        write(one, f"{LANES} lanes", x + 1.4, 6.42)
    shared = (
        f"shared memory and L1 cache: 256 KB, up to {chip.shared_per_sm // 1024} as shared memory"
    )
    box(one, 0.1, 7.0, 11.8, 1.1, GREEN, shared)
    one.set(xlim=(0, 12), ylim=(8.3, 0))
    one.set_title("One of them: four parts, and memory for all four")
    for ax in (whole, one):
        ax.set_axis_off()
    return Picture(
        fig,
        f"A chip of {chip.sms} multiprocessors with an L2 cache and global memory; "
        f"one multiprocessor has {chip.partitions} parts, each with a scheduler, "
        f"{registers:,} registers and {LANES} lanes, and shared memory for all.",
    )


def issue_picture(warps: int = 1, wait: int = 16, arithmetic: int = 3) -> Picture:
    """Draw what each of `warps` does in each cycle, and which issue slots of their scheduler are
    used.
    """
    told = issue_slots(warps, wait, arithmetic, CYCLES)
    colours = {WAITS: PALE, READY: "#F3D9A4", LOAD: ORANGE, ARITHMETIC: BLUE}
    kinds = list(colours)
    fig, (ax, slots) = figure(
        9.0, 1.7 + 0.22 * warps, nrows=2, sharex=True, height_ratios=(warps + 0.5, 1.4)
    )
    states = [[kinds.index(state) for state in row] for row in told]
    _states(ax, states, list(colours.values()))
    places, names = zip(*[(warp + 0.5, f"warp {warp}") for warp in range(warps)])
    ax.set_yticks(places, names, fontsize=8, color="black")
    used = [any(row[cycle] in (LOAD, ARITHMETIC) for row in told) for cycle in range(CYCLES)]
    _states(slots, [used], [PALE, GREEN])
    slots.set_yticks([0.5], ["issue slot"], fontsize=8, color="black")
    slots.set_xlabel(
        "cycle; orange: a load, blue: arithmetic, pale: waits for its load, "
        "yellow: ready, another warp has the slot",
        fontsize=8.5,
    )
    slots.set_xticks(range(0, CYCLES + 1, 8))
    share = issue_share(warps, wait, arithmetic)
    ax.set_title(
        f"{count_text(warps, 'warp')}: a load, {wait} cycles of waiting, "
        f"{count_text(arithmetic, 'arithmetic instruction')}. {share:.0%} of the slots are used."
    )
    return Picture(
        fig,
        f"{count_text(warps, 'warp')} of one scheduler over {CYCLES} cycles: "
        f"{sum(used)} issue slots are used, {share:.0%} in the long run.",
    )


def _states(ax: Axes, states: Sequence[Sequence[int]], colours: list[str]) -> None:
    """Draw a square for each entry, a number of one of `colours`."""
    style = {"cmap": ListedColormap(colours), "edgecolors": "white", "linewidth": 0.4}
    ax.pcolormesh(states, vmin=-0.5, vmax=len(colours) - 0.5, **style)
    ax.set(xlim=(0, len(states[0])), ylim=(len(states), 0))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
