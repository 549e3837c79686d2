"""One request of a warp drawn: lanes and the sectors, or the banks, that they ask."""

from __future__ import annotations

from textwrap import fill

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from ...cuda import Report, Request
from ...cuda.memory_model import BANKS, LANES, SECTOR, WORD, request_of, sectors, spread, towers
from .ink import ink
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

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
    return sectors_picture(spread(stride, offset, bytes_a_lane))


def pitch_picture(pitch: int = 32) -> Picture:
    """Draw a warp that reads a column of a tile in shared memory, its rows `pitch` floats apart."""
    return banks_picture(spread(pitch, kind="shared_loads", array="tile"))


def sectors_picture(request: Request) -> Picture:
    """Draw the lanes above, the sectors that they touch below, and in these the bytes asked for."""
    touched = sectors(request)
    shown = touched[:MOST]
    asked = {
        byte
        for first in request.offsets
        if first is not None
        for byte in range(first, first + request.size)
    }
    fig, ax = figure(WIDE, 2.9)
    width = min(4.0, LANES / (len(shown) * (1 + GAP) - GAP))
    pitch = width * (1 + GAP)
    left = (LANES - pitch * len(shown) + GAP * width) / 2
    place = {sector: left + pitch * number for number, sector in enumerate(shown)}
    lanes = _lanes(ax, request, 1.0)
    words = SECTOR // WORD
    for sector, x in place.items():
        for word in range(words):
            used = sector * SECTOR + word * WORD in asked
            ax.add_patch(
                Rectangle(
                    (x + word * width / words, -0.34),
                    width / words,
                    0.34,
                    facecolor=BLUE if used else PALE,
                    edgecolor="white",
                    linewidth=0.6 if width > 1.5 else 0.2,
                )
            )
        ax.add_patch(
            Rectangle((x, -0.34), width, 0.34, facecolor="none", edgecolor=GREY, linewidth=0.9)
        )
    lines, colours = [], []
    for lane, first in enumerate(request.offsets):
        if first is not None and first // SECTOR in place:
            at = (first % SECTOR + min(request.size, SECTOR) / 2) / SECTOR * width
            lines.append([(lane + 0.5, 1.0), (place[first // SECTOR] + min(at, width), 0.0)])
            colours.append(lanes[lane])
    ax.add_collection(LineCollection(lines, colors=colours, linewidths=0.9, zorder=0))
    _numbers(ax, touched, place, width)
    moved, used = SECTOR * len(touched), len(asked)
    ax.set(xlim=(-0.2, LANES + 0.2), ylim=(-0.72, 1.42))
    ax.set_axis_off()
    count = f"{len(touched)} sector{'s' * (len(touched) > 1)}"
    ax.set_title(
        fill(f"{_what(request)}: {count}, {moved:,} bytes moved, {used:,} of them asked for", TITLE)
    )
    return Picture(
        fig,
        f"A warp's {_kind(request)} {request.array}, {request.size} bytes a lane: "
        f"its lanes touch {count} of 32 bytes, {moved} bytes, and "
        f"ask for {used} of them.",
        colours=256,
    )


def banks_picture(request: Request) -> Picture:
    """Draw the 32 banks side by side, and on each the words wanted of it, in the colours of the
    lanes.

    A bank gives one word a turn. Lanes that want the same word share it, and stand in one box.
    """
    stacks = towers(request)
    height = max(map(len, stacks.values()))
    colours = TURN(np.linspace(0.05, 0.85, LANES))
    wanting: dict[int, list[int]] = {}
    for lane, first in enumerate(request.offsets):
        for word in (
            range(first // WORD, -(-(first + request.size) // WORD)) if first is not None else ()
        ):
            wanting.setdefault(word, []).append(lane)
    shared = any(len(lanes) > 1 for lanes in wanting.values())  # then a box has two lines
    tall = 0.34 if shared else 0.26 if height <= 8 else 0.16  # inches of a box
    fig, ax = figure(WIDE, 1.0 + tall * (height + 1.2))
    for bank, words in stacks.items():
        if not words:
            ax.add_patch(Rectangle((bank + 0.04, 0.06), 0.92, 0.88, facecolor=PALE))
        for level, word in enumerate(words):
            lanes = wanting[word]
            ax.add_patch(
                Rectangle((bank + 0.04, level + 0.06), 0.92, 0.88, facecolor=colours[lanes[0]])
            )
            ax.text(
                bank + 0.5,
                level + 0.47,
                _names(lanes),
                ha="center",
                va="center",
                fontsize=SMALL,
                color=ink(colours[lanes[0]]),
                linespacing=0.95,
            )
    if height > 1:
        ax.axhline(1, color=ORANGE, linewidth=1.6)
    above = f"above it {height - 1} conflict{'s' * (height > 2)}"
    ax.set(xlim=(0, LANES), ylim=(0, height + 0.1))
    ax.set_xticks([bank + 0.5 for bank in range(BANKS)], range(BANKS), fontsize=SMALL)
    ax.set_xlabel(
        "bank; in each box the lanes that want this word\n"
        + (
            "all in the first turn"
            if height == 1
            else f"below the orange line the first turn, {above}"
        )
    )
    ax.set_yticks([])
    ax.tick_params(axis="x", length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_title(
        fill(
            f"{_what(request)}, {request.size} bytes a lane: "
            + ("no conflict" if height == 1 else f"{height} turns, {height - 1} more than needed"),
            TITLE,
        )
    )
    return Picture(
        fig,
        f"A warp's {_kind(request)} {request.array} over the 32 banks: the fullest "
        f"bank is asked for {height} different word{'s' * (height > 1)}, so "
        f"the bank conflicts number {height - 1}.",
    )


def _names(lanes: list[int]) -> str:
    """Return lanes in a box: `7`, or from the first to the last on two lines."""
    if len(lanes) == 1:
        return str(lanes[0])
    if lanes == list(range(lanes[0], lanes[-1] + 1)):
        return f"{lanes[0]}\n–{lanes[-1]}"
    return f"{lanes[0]}\n{lanes[1]}" if len(lanes) == 2 else f"{lanes[0]}\n…{lanes[-1]}"


def _lanes(ax: Axes, request: Request, y: float) -> np.ndarray:
    """Return a row of boxes, a lane each, above `y`; their colours."""
    colours = TURN(np.linspace(0.05, 0.85, LANES))
    height = 0.26
    for lane, first in enumerate(request.offsets):
        fill = PALE if first is None else colours[lane]
        ax.add_patch(Rectangle((lane + 0.06, y), 0.88, height, facecolor=fill))
        ax.text(
            lane + 0.5,
            y + height / 2,
            str(lane),
            ha="center",
            va="center",
            fontsize=SMALL,
            color=GREY if first is None else ink(fill),
        )
    return colours


def _numbers(ax: Axes, touched: list[int], place: dict[int, float], width: float) -> None:
    """Write the bytes at which some of the sectors begin, from the first one on."""
    room = WIDE * POINTS / LANES * width * (1 + GAP)  # of a sector, in points
    longest = 0.64 * SMALL * (1 + len(f"{max(place) * SECTOR:,}"))
    small = {"va": "top", "fontsize": SMALL, "color": GREY}
    every = next((each for each in (1, 4) if room * each > longest), 8)
    for number, sector in enumerate(place):
        if number % every == 0:
            ax.text(place[sector], -0.42, f"{sector * SECTOR:,}", **small)
    ax.text(
        LANES,
        -0.62,
        "first byte of each sector" if every == 1 else f"first byte of every {every}th sector",
        ha="right",
        **small,
    )
    if len(touched) > MOST:
        ax.text(0, -0.62, f"{len(touched) - MOST} more sectors", **small)


def _kind(request: Request) -> str:
    word = request.kind.removeprefix("shared_")
    return {"loads": "load from", "stores": "store to"}.get(word, "atomic operation on")


def _what(request: Request) -> str:
    return f"{_kind(request).capitalize()} {request.array}"
