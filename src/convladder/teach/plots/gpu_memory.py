"""Chapter 08: a warp's requests, shared memory, stages, and recorded kernels."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from ...bench.records import load_records
from ...core.problem import ConvProblem
from ...core.text import count_text, rate_text, seconds_text
from ...cuda import Report, Request
from ...cuda.memory_model import (
    BANKS,
    LANES,
    SECTOR,
    WORD,
    ceiling,
    request_of,
    sectors,
    strided_addresses,
    words_by_bank,
)
from ...gpu.variants import RECORDED_REGISTERS, VARIANTS, occupancy_of
from ..table import Table, table
from .axes import behind, name_rows, ticks_in_words
from .gpu_runs import COLOURS, drawn
from .provenance import absent, gpu_provenance
from .shapes import bare, box, cells, frame
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure, lettering

GAP = 0.3  # of a sector's width, between sectors
MOST = 64  # sectors drawn
WIDE = 7.1  # inches
POINTS = 72  # of an inch
SMALL = 7.8  # points: a box has room for "–31"
TITLE = 72  # letters in a line of it
TURN = colormaps["viridis"]


def warp_picture(report: Report, line: int | str, number: int = 0) -> Picture:
    """Draw what the 32 lanes of the watched warp ask for in one request of a line.

    line: its number or a part of its text; number: which request of it. Global memory is drawn as
    sectors, shared memory as banks. Raises ValueError where there is no such request.
    """
    return request_picture(request_of(report, line, number))


def request_picture(request: Request) -> Picture:
    """Draw a request against 32-byte sectors, or against the 32 banks if it is to shared memory."""
    return (banks_picture if request.kind.startswith("shared") else sectors_picture)(request)


def stride_picture(stride: int = 1, offset: int = 0, bytes_a_lane: int = WORD) -> Picture:
    """Draw a warp that loads items of 4, 8 or 16 bytes, `stride` items apart,
    from item `offset` on.
    """
    return sectors_picture(strided_addresses(stride, offset, bytes_a_lane))


def sectors_picture(request: Request) -> Picture:
    """Draw the lanes above, the sectors that they touch below, and in these the bytes asked for."""
    touched = sectors(request)
    shown = touched[:MOST]
    begins = [first for first in request.offsets if first is not None]
    asked = {byte for first in begins for byte in range(first, first + request.size)}
    fig, ax = figure(WIDE, 2.9)
    width = min(4.0, LANES / (len(shown) * (1 + GAP) - GAP))
    pitch = width * (1 + GAP)
    left = (LANES - pitch * len(shown) + GAP * width) / 2
    place = {sector: left + pitch * number for number, sector in enumerate(shown)}
    lanes = _draw_lanes(ax, request, 1.0)
    each, line = width * WORD / SECTOR, 0.6 if width > 1.5 else 0.2
    for sector, x in place.items():
        for word, byte in enumerate(range(sector * SECTOR, (sector + 1) * SECTOR, WORD)):
            tint = BLUE if byte in asked else PALE
            box(ax, x + word * each, -0.34, each, 0.34, tint, edgecolor="white", linewidth=line)
        frame(ax, x, -0.34, width, 0.34, GREY, linewidth=0.9)
    lines, colours = [], []
    for lane, first in enumerate(request.offsets):
        if first is not None and first // SECTOR in place:
            at = (first % SECTOR + min(request.size, SECTOR) / 2) / SECTOR * width
            lines.append([(lane + 0.5, 1.0), (place[first // SECTOR] + min(at, width), 0.0)])
            colours.append(lanes[lane])
    ax.add_collection(LineCollection(lines, colors=colours, linewidths=0.9, zorder=0))
    _label_sectors(ax, touched, place, width)
    moved, used = SECTOR * len(touched), len(asked)
    ax.set(xlim=(-0.2, LANES + 0.2), ylim=(-0.72, 1.42))
    ax.set_axis_off()
    count = count_text(len(touched), "sector")
    title = f"{_title_of(request)}: {count}, {moved:,} bytes moved, {used:,} of them asked for"
    ax.set_title(fill(title, TITLE))
    return Picture(
        fig,
        f"A warp's {_verb_of(request)} {request.array}, {request.size} bytes per lane: "
        f"its lanes touch {count} of 32 bytes, {moved} bytes, and "
        f"ask for {used} of them.",
        colours=256,
    )


def banks_picture(request: Request) -> Picture:
    """Draw the 32 banks side by side, and on each the words wanted of it, in the colours of the
    lanes.

    A bank gives one word a turn. Lanes that want the same word share it, and stand in one box.
    """
    stacks = words_by_bank(request)
    height = max(map(len, stacks.values()))
    colours = TURN(np.linspace(0.05, 0.85, LANES))
    wanting: dict[int, list[int]] = {}
    for lane, first in enumerate(request.offsets):
        if first is not None:
            for word in range(first // WORD, -(-(first + request.size) // WORD)):
                wanting.setdefault(word, []).append(lane)
    shared = any(len(lanes) > 1 for lanes in wanting.values())  # then a box has two lines
    tall = 0.34 if shared else 0.26 if height <= 8 else 0.16  # inches of a box
    fig, ax = figure(WIDE, 1.0 + tall * (height + 1.2))
    style = {"fontsize": SMALL, "linespacing": 0.95}
    for bank, words in stacks.items():
        if not words:
            box(ax, bank + 0.04, 0.06, 0.92, 0.88, PALE)
        for level, word in enumerate(words):
            names, colour = _lanes_text(wanting[word]), colours[wanting[word][0]]
            box(ax, bank + 0.04, level + 0.06, 0.92, 0.88, colour, names, text=style)
    turns, where = "no conflict", "all in the first turn"
    if height > 1:
        ax.axhline(1, color=ORANGE, linewidth=1.6)
        turns = f"{height} turns, {height - 1} more than needed"
        above = f"above it {count_text(height - 1, 'conflict')}"
        where = f"below the orange line the first turn, {above}"
    bare(ax)
    ax.set(xlim=(0, LANES), ylim=(0, height + 0.1))
    ax.set_xticks([bank + 0.5 for bank in range(BANKS)], range(BANKS), fontsize=SMALL)
    ax.set_xlabel(f"bank; in each box the lanes that want this word\n{where}")
    ax.tick_params(axis="x", length=0)
    ax.set_title(fill(f"{_title_of(request)}, {request.size} bytes per lane: {turns}", TITLE))
    return Picture(
        fig,
        f"A warp's {_verb_of(request)} {request.array} over the 32 banks: the fullest "
        f"bank is asked for {count_text(height, 'different word')}, so "
        f"the bank conflicts number {height - 1}.",
    )


def _lanes_text(lanes: list[int]) -> str:
    """Return lanes in a box: `7`, or from the first to the last on two lines."""
    if len(lanes) == 1:
        return str(lanes[0])
    if lanes == list(range(lanes[0], lanes[-1] + 1)):
        return f"{lanes[0]}\n–{lanes[-1]}"
    return f"{lanes[0]}\n{lanes[1]}" if len(lanes) == 2 else f"{lanes[0]}\n…{lanes[-1]}"


def _draw_lanes(ax: Axes, request: Request, y: float) -> np.ndarray:
    """Draw a row of boxes, one per lane, above `y`, and return their colours."""
    colours = TURN(np.linspace(0.05, 0.85, LANES))
    for lane, first in enumerate(request.offsets):
        fill, letters = (PALE, GREY) if first is None else (colours[lane], None)
        small = {"fontsize": SMALL}
        box(ax, lane + 0.06, y, 0.88, 0.26, fill, lane, letters=letters, text=small)
    return colours


def _label_sectors(ax: Axes, touched: list[int], place: dict[int, float], width: float) -> None:
    """Write the bytes at which some of the sectors begin, from the first one on."""
    room = WIDE * POINTS / LANES * width * (1 + GAP)  # of a sector, in points
    longest = 0.64 * SMALL * (1 + len(f"{max(place) * SECTOR:,}"))
    small = {"va": "top", "fontsize": SMALL, "color": GREY}
    every = next((each for each in (1, 4) if room * each > longest), 8)
    for number, sector in enumerate(place):
        if number % every == 0:
            ax.text(place[sector], -0.42, f"{sector * SECTOR:,}", **small)
    which = "each" if every == 1 else f"every {every}th"
    ax.text(LANES, -0.62, f"first byte of {which} sector", ha="right", **small)
    if len(touched) > MOST:
        ax.text(0, -0.62, f"{len(touched) - MOST} more sectors", **small)


def _verb_of(request: Request) -> str:
    word = request.kind.removeprefix("shared_")
    return {"loads": "load from", "stores": "store to"}.get(word, "atomic operation on")


def _title_of(request: Request) -> str:
    shared = "shared " if request.kind.startswith("shared") else ""
    return f"{_verb_of(request).capitalize()} {shared}{request.array}"


def gpu_times_picture(
    predicted: Mapping[str, float], runs: Mapping[str, Mapping[str, float]], what: str
) -> Picture:
    """Draw times over that of the first of `predicted`: as predicted from counts, and on GPUs.

    predicted: step -> times as long as the first. runs: label -> step -> seconds.
    """
    runs, whose = drawn(runs)
    base = next(iter(predicted))
    bars = 1 + len(runs)
    fig, ax = figure(8.2, 1.1 + 0.24 * (bars + 0.5) * len(predicted))
    longest = 0.0
    for row, (step, guess) in enumerate(predicted.items()):
        entries = [(guess, PALE, f"{guess:.2f} predicted" if row else "predicted: 1")]
        for results, colour in zip(runs.values(), COLOURS.values()):
            ratio = results[step] / results[base]
            entries.append((ratio, colour, f"{ratio:.2f}, {seconds_text(results[step])}"))
        for place, (value, colour, text) in enumerate(entries):
            y = row + (place - (bars - 1) / 2) * 0.8 / bars
            edge = GREY if colour == PALE else "none"
            ax.barh(y, value, height=0.74 / bars, color=colour, edgecolor=edge, linewidth=0.7)
            behind(ax, text, value, y)
            longest = max(longest, value)
    name_rows(ax, list(predicted))
    ax.set(xlim=(0, 1.3 * longest), title=what)
    ax.set_xlabel(f"time over that of {base!r}\n{whose or 'no GPU has been timed'}")
    return Picture(
        fig,
        f"{what}: times over that of {base}, as predicted from counts"
        f"{' and as measured' if runs else ''}, for {', '.join(predicted)}.",
    )


def gpu_ladder_picture(
    reports: Mapping[str, Report],
    macs: int,
    runs: Mapping[str, Mapping[str, float]],
    peaks: Mapping[str, float],
    flops: int,
    layer: str,
) -> Picture:
    """Draw share of the peak on the left, with each rung's ceiling; sectors on the right.

    reports: of each rung, on a launch of `macs` multiply-adds. runs: label -> rung -> seconds for
    `flops`; peaks: label -> FLOP/s. Without runs only the ceilings are drawn.
    """
    runs, _ = drawn(runs)
    fig, (speed, traffic) = figure(
        9.0, 1.2 + 0.62 * len(reports), ncols=2, sharey=True, width_ratios=(3, 2)
    )
    bars = max(1, len(runs))
    for row, (name, report) in enumerate(reports.items()):
        most = 100 * ceiling(report, macs).share
        for place, ((label, results), colour) in enumerate(zip(runs.items(), COLOURS.values())):
            rate = flops / results[name]
            share = 100 * rate / peaks[label]
            y = row + (place - (bars - 1) / 2) * 0.7 / bars
            speed.barh(y, share, height=0.62 / bars, color=colour)
            near = f"{share:.1f} %  ·  {rate_text(rate)}  ·  {seconds_text(results[name])}"
            behind(speed, near, max(share, most), y)
        speed.plot([most, most], [row - 0.4, row + 0.4], color=ORANGE, linewidth=2)
        if not runs:
            behind(speed, f"at most {most:.0f} %", most, row)
        sectors = 1000 * report.sectors / macs
        traffic.barh(row, sectors - 0.3, left=0.3, height=0.62, color=GREY)
        behind(traffic, f"{sectors:,.3g}" if sectors < 100 else f"{sectors:,.0f}", sectors, row)
    speed.set_xlim(0, 178)
    speed.set_xlabel("share of the multiply-add peak; orange: the ceiling from the counts")
    speed.set_xticks([0, 25, 50, 75, 100], ["0", "25 %", "50 %", "75 %", "100 %"])
    speed.spines.bottom.set_bounds(0, 100)
    name_rows(speed, list(reports))
    speed.set_title(f"{layer}: {', '.join(runs)}" if runs else f"{layer}: not timed yet")
    traffic.set(xscale="log", xlim=(0.3, 9000), xlabel="log scale", title="Sectors for 1,000 MACs")
    ticks_in_words(traffic.xaxis, "{:,.0f}".format, [1, 10, 100, 1000])
    traffic.tick_params(axis="y", length=0)
    where = f" on {', '.join(runs)}" if runs else ""
    return Picture(
        fig,
        f"The GPU ladder, {', '.join(reports)}: share of the multiply-add peak"
        f"{where} with each rung's ceiling, and sectors of global memory for "
        f"1,000 multiply-adds.{'' if runs else ' ' + absent('steps')}",
    )


def windows_over(tile: int, kernel: int) -> np.ndarray:
    """Return `[tile + kernel - 1] * 2`: how many of `tile`² windows, a pixel apart,
    cover each pixel.
    """
    line = np.convolve(np.ones(tile, int), np.ones(kernel, int))
    return np.outer(line, line)


def halo_picture(tile: int = 4, kernel: int = 3) -> Picture:
    """Draw a tile of `tile`² outputs and the pixels that it needs;
    the frame is what lies under it.
    """
    counts = windows_over(tile, kernel)
    side, outputs = len(counts), count_text(tile * tile, "output")
    fig, ax = figure(6.6, 3.7)
    colours = colormaps["viridis_r"](0.08 + 0.8 * counts / kernel**2)
    cells(ax, colours, counts if side <= 12 else None, fontsize=9 if side <= 8 else 7)
    edge = (kernel - 1) / 2
    frame(ax, edge, edge, tile, tile, ORANGE, linewidth=2)
    x = side * 1.06
    texts = (
        (outputs, ORANGE),
        (f"{side}×{side} = {side * side} pixels fetched", "black"),
        (f"{side * side / tile**2:.2f} for each output", "black"),
        (f"without a tile: {kernel**2}", GREY),
    )
    for place, (text, colour) in enumerate(texts):
        ax.text(x, side * (0.3 + 0.13 * place), text, color=lettering(colour), va="center")
    ax.set(xlim=(0, side * 1.85), ylim=(side, 0), aspect="equal")
    ax.set_axis_off()
    ax.set_title("Pixels under a tile, and how many windows read each")
    return Picture(
        fig,
        f"A tile of {tile} by {tile} outputs with windows of {kernel} by {kernel}: "
        f"{side * side} pixels are fetched for {outputs}; each pixel is "
        f"read by 1 to {counts.max()} windows.",
    )


GROUPS = ("sums", "histograms", "divergence", "stages", "layouts", "depthwise")


def small_kernels_table(group: str) -> Table:
    """Return a row for each kernel of a group: time, and its rate as a share of a copy's; or,
    where all are below one per cent of that, times the fastest kernel's time.

    Raises ValueError for a group that is none of `GROUPS`.
    """
    if group not in GROUPS:
        raise ValueError(f"{group!r} is no group; there are {', '.join(GROUPS)}")
    run = next(iter(load_records("small-kernels")), None)
    columns = [group, "time", "bytes it must move, a second", "of a copy's rate"]
    if run is None:
        return table([], columns, caption=absent())
    source = gpu_provenance(run)
    limit, kernels = run["bytes_per_s"], run[group]
    times = {name: found["seconds"] for name, found in kernels.items()}
    rates = {name: found["bytes"] / found["seconds"] for name, found in kernels.items()}
    if max(rates.values()) < limit / 100:
        least = min(times.values())
        rows = [(name, seconds_text(took), f"{took / least:.2f}") for name, took in times.items()]
        return table(rows, [group, "time", "over the fastest"], caption=source)
    rows = [
        (name, seconds_text(times[name]), f"{rate / 1e9:,.0f} GB/s", f"{rate / limit:.0%}")
        for name, rate in rates.items()
    ]
    return table(rows, columns, caption=f"{source}; a copy moves {limit / 1e12:.2f} TB/s")


def registers_table(problem: ConvProblem, runs: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a row a variant: registers, spills, warps on an SM,
    and its seconds in each of `runs`.
    """
    rows = []
    for variant in VARIANTS:
        registers, spilled = RECORDED_REGISTERS[variant.name]
        fits = occupancy_of(variant, problem)
        times = [seconds_text(results[variant.name]) for results in runs.values()]
        spills = f"{spilled:,}" if spilled else "none"
        rows.append([variant.name, registers, spills, fits.warps, *times])
    return table(rows, ["a thread has", "registers", "spilled bytes", "warps of 64", *runs])
