"""Chapter 17: arenas, planners, layers cut into tiles, and what holds memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from ...core.problem import ConvProblem
from ...core.text import bytes_text, count_text
from ...exercises.lab17.graphs import graphs
from ...networks import memory
from ...networks.memory import (
    PUZZLE,
    Block,
    CachingAllocator,
    Plan,
    best_fit,
    in_order,
    live_bytes,
    lower_bound,
    overlaps,
)
from ...networks.memory.halo import Slide, sizes, spans
from ..explore import Explorer, explore
from ..table import Table, table
from .axes import behind, beside, name_rows
from .shapes import box, cells, frame, write
from .style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    PINK,
    SKY,
    YELLOW,
    Picture,
    figure,
    ink,
    lettering,
)

COLOURS = (SKY, YELLOW, GREEN, PINK, BLUE, "#B0A36B", GREY)
RED = "#B00020"


def lifetimes_picture(blocks: Sequence[Block], title: str = "Which array lives when") -> Picture:
    """Draw a bar for each block from its first step to its last,
    and the bytes alive at each step.
    """
    live, bound = live_bytes(blocks), lower_bound(blocks)
    fig, (bars, sums) = figure(
        7.4, 1.9 + 0.2 * len(blocks), nrows=2, sharex=True, height_ratios=(0.2 * len(blocks), 1.1)
    )
    for row, (block, colour) in enumerate(zip(blocks, cycle(COLOURS))):
        steps = block.last - block.first + 1
        bars.barh(row, steps, left=block.first - 0.5, height=0.72, color=colour)
        behind(bars, bytes_text(block.bytes), block.last + 0.5, row, fontsize=8)
    name_rows(bars, [block.name for block in blocks], inverted=False, fontsize=8)
    bars.set(ylim=(len(blocks) - 0.4, -0.6), title=title)
    bars.grid(True, axis="x")
    sums.bar(range(len(live)), live, width=1, color=PALE, edgecolor=GREY, linewidth=0.6)
    sums.axhline(bound, color=ORANGE)
    style = {"ha": "right", "va": "bottom", "color": lettering(ORANGE), "fontsize": 8.5}
    beside(sums, f"the most at once: {bound:,} bytes", (len(live) - 0.4, bound), (0, 3), **style)
    sums.set_xticks(range(0, len(live), 1 + len(live) // 12))
    sums.set(xlabel="step", ylabel="bytes alive", xlim=(-0.7, len(live) + 1.2))
    sums.set_ylim(0, 1.35 * bound)
    sums.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    listed = "; ".join(f"{b.name} {b.first} to {b.last}" for b in blocks)
    return Picture(
        fig,
        f"{len(blocks)} arrays with their first and last steps ({listed}) and the "
        f"bytes alive at each step: {bound:,} at most.",
    )


def arena_plan_picture(plan: Plan) -> Picture:
    """Draw where a plan puts each block: steps across, offsets in the arena up."""
    fig, ax = figure(7.4, 3.7)
    _draw(ax, plan.blocks, plan.offsets, plan.bytes)
    ax.set_title(f"{plan.planner}: {plan.bytes:,} bytes, lower bound {plan.bound:,}")
    return Picture(
        fig,
        f"{len(plan.blocks)} arrays in an arena of {plan.bytes:,} bytes, as "
        f"planner {plan.planner!r} places them; the lower bound is "
        f"{plan.bound:,}.",
    )


def placing_picture(
    blocks: Sequence[Block], offsets: Mapping[str, int], marks: Mapping[str, int]
) -> Picture:
    """Draw a reader's own placing; overlaps in red. `marks` are others' arenas, drawn as lines."""
    clashes, bound = overlaps(blocks, offsets), lower_bound(blocks)
    arena = max(offsets[b.name] + b.bytes for b in blocks)
    fig, ax = figure(7.4, 4.1)
    clashing = {block.name for pair in clashes for block in pair}
    _draw(ax, blocks, offsets, max(arena, *marks.values()), bound, clashing)
    for a, b in clashes:
        low = max(offsets[a.name], offsets[b.name])
        high = min(offsets[a.name] + a.bytes, offsets[b.name] + b.bytes)
        begin, end = max(a.first, b.first) - 0.46, min(a.last, b.last) + 0.46
        frame(ax, begin, low, end - begin, high - low, RED, hatch="///", linewidth=1.4)
    steps = max(b.last for b in blocks)
    for name, size in marks.items():
        ax.plot([-0.6, steps + 0.55], [size, size], color=GREY, linewidth=0.9, linestyle=":")
        behind(ax, f"{name}: {size}", steps + 0.5, size, fontsize=8, color=GREY)
    if clashes:
        names = ", ".join(f"{a.name} and {b.name}" for a, b in clashes[:2])
        more = f" and {len(clashes) - 2} more" * (len(clashes) > 2)
        verdict = f"in each other's way: {names}{more}"
    else:
        beaten = [name for name, size in marks.items() if arena < size]
        verdict = f"better than {' and '.join(beaten)}" if beaten else "keep going"
        if arena == bound:
            verdict = "the lower bound, nobody can do better"
        verdict = f"valid, arena {arena}: {verdict}"
    ax.set_title(verdict, color=lettering(RED) if clashes else "black")
    others = ", ".join(f"{name} {size}" for name, size in marks.items())
    alt = f"{len(blocks)} arrays placed by hand; {verdict}. Lower bound {bound}, {others}."
    return Picture(fig, alt)


def _draw(
    ax: Axes, blocks: Sequence[Block], offsets: Mapping[str, int], top: int,
    bound: int | None = None, clashing: Collection[str] = (),
) -> None:  # fmt: skip
    """Names stand in the middle of their blocks; those that clash, beside each other."""
    steps = max(b.last for b in blocks) + 1
    bound = lower_bound(blocks) if bound is None else bound
    halo = [withStroke(linewidth=2.5, foreground="white")]
    for turn, (block, colour) in enumerate(zip(blocks, cycle(COLOURS))):
        begin, wide, low = block.first - 0.46, block.last - block.first + 0.92, offsets[block.name]
        box(ax, begin, low, wide, block.bytes, colour, alpha=0.75, edgecolor="white", linewidth=1)
        if block.bytes > top / 25:
            name = block.name if len(block.name) < 9 * wide else "…"
            middle = 0.92 * (turn + 0.5) / len(blocks) if block.name in clashing else wide / 2
            write(ax, name, begin + middle, low + block.bytes / 2, path_effects=halo)
    ax.axhline(bound, color=ORANGE, linewidth=1.3)
    beside(ax, "lower bound", (-0.6, bound), (2, 3), color=lettering(ORANGE), fontsize=8)
    ax.set_xticks(range(0, steps, 1 + steps // 12))
    ax.set(xlim=(-0.7, steps + 0.9), ylim=(0, 1.12 * top), xlabel="step", ylabel="offset, bytes")
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


PIXELS = 40  # of the image, along the axis


def stack_picture(layers: int = 3, kernel: int = 3, tile: int = 4, stride: int = 1,
                  at: int = 2) -> Picture:  # fmt: skip
    """Draw maps of `layers` equal layers, the image at the bottom; tile number `at` of the last
    map.

    Padding keeps the size (with a stride of 1). Blue is what lies under the tile, yellow the halo,
    the dashed squares zeros beyond the edge.
    """
    slides = [Slide(kernel, stride, kernel // 2)] * layers
    from_image = sizes(slides, PIXELS)
    begin = min(at * tile, max(0, from_image[-1] - tile))
    end = min(begin + tile, from_image[-1])
    needed = spans(slides, PIXELS, begin, end)
    fig, ax = figure(7.6, 0.9 + 0.44 * len(needed))
    right = max(size * stride**level for level, size in enumerate(from_image))
    for level, (size, span) in enumerate(zip(from_image, needed)):
        scale = stride**level  # an output stands above the middle of its window
        under = begin * stride ** (layers - level), end * stride ** (layers - level)
        for pixel in range(size):
            colour = PALE
            if span.begin <= pixel < span.end:
                colour = BLUE if under[0] <= pixel < under[1] else YELLOW
            box(ax, pixel * scale + 0.06, 1.25 * level, scale - 0.12, 0.9, colour)
        for zero in range(span.before):
            place = -(zero + 1) * scale + 0.06, 1.25 * level, scale - 0.12, 0.9
            box(ax, *place, "none", edgecolor=GREY, linestyle=":")
        name, colour = ("image", lettering(ORANGE)) if level == 0 else (f"map {level}", "black")
        words = f"{name}: {span.size} of {size}"
        ax.text(right + 1, 1.25 * level + 0.45, words, va="center", color=colour)
    left = max(span.before * stride**level for level, span in enumerate(needed))
    ax.set(xlim=(-max(left, 1.25 * kernel) - 1, right + 13), ylim=(-0.3, 1.25 * len(needed)))
    ax.set_axis_off()
    one = end - begin == 1
    who = "output needs" if one else "outputs need"
    ax.set_title(f"{end - begin} {who} {needed[0].size} pixels")
    who = f"output {begin} needs" if one else f"outputs {begin} to {end - 1} need"
    counts = ", ".join(str(span.size) for span in reversed(needed))
    return Picture(
        fig,
        f"{count_text(layers, 'layer')} with windows of {kernel} and stride "
        f"{stride}: {who}, from the last map down to the image, {counts} values "
        "of a row.",
    )


PART_COLOURS = (BLUE, ORANGE, YELLOW, GREEN, PINK, GREY)


def memory_breakdown_picture(
    rows: Mapping[str, Mapping[str, int]], title: str, alt: str
) -> Picture:
    """Draw `{row: {kind: bytes}}` as bars of one length unit; all rows have the same kinds."""
    fig, ax = figure(7.6, 1.3 + 0.5 * len(rows))
    most = max(sum(row.values()) for row in rows.values())
    kinds = list(next(iter(rows.values())))
    for kind, colour in zip(kinds, PART_COLOURS):
        left = [sum(row[each] for each in kinds[: kinds.index(kind)]) for row in rows.values()]
        widths = [row[kind] for row in rows.values()]
        ax.barh(range(len(rows)), widths, left=left, height=0.62, color=colour, label=kind)
        for row, (begin, wide) in enumerate(zip(left, widths)):
            if wide > most / 9:
                write(ax, bytes_text(wide), begin + wide / 2, row, color=ink(colour))
    for row, held in enumerate(rows.values()):
        behind(ax, bytes_text(sum(held.values())), sum(held.values()), row)
    name_rows(ax, rows, inverted=False)
    ax.set(ylim=(len(rows) - 0.5, -0.5), xlim=(0, 1.18 * most), title=title)
    ax.xaxis.set_visible(False)
    ax.spines["bottom"].set_visible(False)
    fig.legend(loc="outside lower center", ncols=min(4, len(kinds)))
    return Picture(fig, alt)


def segments_picture(allocator: CachingAllocator, unit: str = "MiB") -> Picture:
    """Draw a bar for each segment that an allocator asked for: whose bytes, and which are free."""
    fig, ax = figure(7.4, 0.9 + 0.4 * len(allocator.segments))
    owners = list(
        dict.fromkeys(p.owner for pieces in allocator.segments for p in pieces if p.owner)
    )
    for row, pieces in enumerate(allocator.segments):
        for piece in pieces:
            colour, letters = "white", GREY
            if piece.owner:
                colour, letters = COLOURS[owners.index(piece.owner) % len(COLOURS)], None
            words = f"{piece.owner or 'free'}, {piece.size:g}"
            place = piece.begin, row - 0.36, piece.size, 0.72
            box(ax, *place, colour, words, letters=letters, edgecolor=GREY)
    name_rows(ax, [f"segment {n + 1}" for n in range(len(allocator.segments))], inverted=False)
    ax.set(ylim=(len(allocator.segments) - 0.4, -0.6), xlabel=unit)
    ax.set_xlim(0, 1.05 * max(p.begin + p.size for pieces in allocator.segments for p in pieces))
    ax.set_title(f"{allocator.allocated:g} {unit} in use, {allocator.reserved:g} {unit} reserved")
    free = [f"{p.size:g}" for pieces in allocator.segments for p in pieces if p.owner is None]
    return Picture(
        fig,
        f"{len(allocator.segments)} segments with {allocator.reserved:g} {unit}, of which "
        f"{allocator.allocated:g} are in use; free pieces: {', '.join(free) or 'none'}.",
    )


SIDE, K = 6, 3  # of the image in the backward pass, and of its kernel


def kinds_picture() -> Picture:
    """Draw a window without and with gaps, and which channels meet in one, two and four groups."""
    fig, (above, below) = figure(8.0, 5.2, nrows=2, ncols=3, width_ratios=(1, 1, 2))
    above[2].set_axis_off()
    for ax, d in zip(above[:2], (1, 2), strict=True):
        taps = {(1 + d * a, 1 + d * b) for a, b in np.ndindex(K, K)}
        _cells(ax, 7, 7, lambda at, taps=taps: (ORANGE if at in taps else PALE, ""))
        reach = d * (K - 1) + 1
        ax.set_title(f"dilation {d}:\n9 taps reach over {reach} × {reach}", fontsize=10)
    kinds = (1, 4, "groups 1"), (2, 4, "groups 2"), (4, 8, "depthwise, multiplier 2")
    for ax, (groups, k_c, name) in zip(below, kinds, strict=True):
        p = ConvProblem(1, 5, 5, 4, K, K, k_c, groups=groups)

        def meets(at, p=p):
            return (SKY if at[0] // p.group_i_c == at[1] // p.group_k_c else PALE, "")

        _cells(ax, 4, k_c, meets)
        ax.set_title(f"{name}:\n{p.params // K**2} pairs, {p.params} weights", fontsize=10)
        ax.set(xlabel="channel out", ylabel="channel in")
    return Picture(
        fig,
        "Two windows, without gaps and with dilation 2; pairs of channels that "
        "meet in one group, in two, and depthwise with two filters per channel.",
        colours=64,
    )


def way_back_picture(row: int = 2, column: int = 3, stride: int = 1) -> Picture:
    """Draw what one pixel's gradient and one weight's are made of, for a 6 × 6 image and 3 × 3.

    The pixel is `(row, column)`; the weight the one in the kernel's upper right corner.
    """
    p = ConvProblem(1, SIDE, SIDE, 1, K, K, 1, stride)
    fig, (image, back, weight) = figure(8.2, 3.1, ncols=3, width_ratios=(SIDE, p.o_h + 0.8, SIDE))
    h, v = min(row // stride, p.o_h - 1), min(column // stride, p.o_w - 1)
    window = {(h * stride + a, v * stride + b): _tap(a, b) for a, b in np.ndindex(K, K)}
    _cells(image, SIDE, SIDE, lambda at: (SKY, window[at]) if at in window else (PALE, ""))
    image.set_title(f"forward: y[{h}, {v}] reads 9 pixels,\neach by its tap", fontsize=9.5)

    def seen(at):
        a, b = row - stride * at[0], column - stride * at[1]
        inside = 0 <= a < K and 0 <= b < K
        return (ORANGE if inside else PALE, _tap(a, b) if inside else "")

    _cells(back, p.o_h, p.o_w, seen)
    count = sum(bool(seen(at)[1]) for at in np.ndindex(p.o_h, p.o_w))
    title = f"dx[{row}, {column}]: {count} values of dy,\nthe taps turned around"
    back.set_title(title, fontsize=9.5)
    meets = {(stride * at[0], stride * at[1] + K - 1): at for at in np.ndindex(p.o_h, p.o_w)}

    def met(at):
        return (SKY, "dy\n{},{}".format(*meets[at])) if at in meets else (PALE, "")

    _cells(weight, SIDE, SIDE, met)
    weight.set_title(f"dw[0, {K - 1}]: {len(meets)} pixels,\neach by its value of dy", fontsize=9.5)
    return Picture(
        fig,
        f"With stride {stride}, the gradient of pixel ({row}, {column}) is made of "
        f"{count} values of dy, that of a weight of {len(meets)} pixels.",
        colours=64,
    )


def _tap(a: int, b: int) -> str:
    return f"w\n{a},{b}"


def _cells(ax: Axes, rows: int, columns: int, cell) -> None:
    """Fill a grid with `cell((row, column)) -> (colour, words)`."""
    found = [[cell((row, column)) for column in range(columns)] for row in range(rows)]
    colours, words = ([[each[part] for each in line] for line in found] for part in (0, 1))
    cells(ax, colours, words, fontsize=7.5, linespacing=0.95)
    ax.set_aspect("equal")


PACKAGE = {"in order": memory.in_order, "largest first": memory.best_fit, "best": memory.best}


def compare_planners(planner: Callable[[Sequence[Block]], dict[str, int]]) -> Table:
    """Tabulate the arenas on each graph of exercise "my_planner", over the graph's lower bound.

    `planner` takes part if all of its plans are valid, however large.
    """
    arenas = {
        name: {graph: _times(blocks, make(blocks).offsets) for graph, blocks in graphs().items()}
        for name, make in PACKAGE.items()
    }
    with suppress(Exception):  # whatever a reader's planner does: then it takes no part
        plans = {g: Plan("yours", blocks, planner(blocks)) for g, blocks in graphs().items()}
        arenas["yours"] = {g: _times(plan.blocks, plan.offsets) for g, plan in plans.items()}
    rows = [(graph, *(_over(each[graph]) for each in arenas.values())) for graph in graphs()]
    return table(rows, ("arena over lower bound", *arenas))


def _over(times: float) -> str:
    return "bound" if times == 1 else f"{times - 1:+.0%}"


def _times(blocks: Sequence[Block], offsets: dict[str, int]) -> float:
    """Return an arena over the lower bound."""
    return max(offsets[b.name] + b.bytes for b in blocks) / memory.lower_bound(blocks)


def arena_by_hand(blocks: Sequence[Block] = PUZZLE) -> Explorer:
    """Return sliders for the places of `blocks`, all at 0 to begin with.

    The picture says what overlaps.
    Sizes should be small whole numbers: a slider moves by 1.
    """
    marks = {"largest first": best_fit(blocks).bytes, "in order": in_order(blocks).bytes}

    def draw(**offsets: int) -> Picture:
        return placing_picture(blocks, offsets, marks)

    most = max(marks.values())
    sliders: dict[str, Any] = {block.name: (0, most - block.bytes) for block in blocks}
    return explore(draw, **sliders)
