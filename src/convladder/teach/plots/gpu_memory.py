"""Chapter 08: a warp's requests, shared memory, stages, and recorded kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator, NullLocator

from ... import cuda
from ...bench import steps
from ...bench.records import load_records, newest
from ...core.problem import ConvProblem
from ...core.text import rate_text, seconds_text
from ...cuda import Report, Request
from ...cuda.chips import chip_of
from ...cuda.memory_model import (
    BANKS,
    FULL_CLOCK,
    LANES,
    MULTIPLY_ADDS,
    SECTOR,
    WORD,
    ceiling,
    request_of,
    sectors,
    strided_addresses,
    words_by_bank,
)
from ...cuda.occupancy import Occupancy, occupancy
from ...exercises import load_exercise
from ...gpu.variants import VARIANTS, Variant
from ...grading.check import grade
from ...grading.traffic import last_case, traffic
from ...grading.verdict import Verdict
from ...measure.cuda.gpu_info import cupy_version, gpu_info
from ..running_cell import progress
from ..table import Table, table
from .axes import beside, ink, label_points, lettering, name_rows, ticks_in_words
from .common import absent, gpu_provenance
from .style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure

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
    stacks = words_by_bank(request)
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


def memory_step_times(group: str) -> dict[str, dict[str, float]]:
    """Return label -> name -> seconds, of a group of `bench.steps`; this GPU first. A record that
    is older than the group has none.
    """
    runs = {}
    if cuda.gpu():
        runs[f"{gpu_info()['gpu']}, here"] = _here(group)
    for record in load_records("steps"):
        runs[record_label(record)] = record.get(group, {})
    return {
        name: {step: timing["seconds"] for step, timing in results.items()}
        for name, results in runs.items()
        if results
    }


@cache
def _here(group: str) -> dict[str, dict[str, float]]:
    """Return timed once, so that all of a notebook speaks of the same run."""
    take = {"ladder": steps.time_ladder, "registers": steps.time_registers}.get(group)
    with progress(f"timing kernels of this chapter ({group}) on this GPU"):
        return take() if take else steps.time_probes(group)


def gpu_peaks() -> dict[str, float]:
    """Return label -> multiply-adds at the chip's full clock, FLOP/s; labels as of
    `memory_step_times`. Measured, where a GPU here is faster than an H200's clock allows.
    """
    peaks = {record_label(record): _full(record["card"]) for record in load_records("steps")}
    if cuda.gpu():
        card = gpu_info()
        peaks[f"{card['gpu']}, here"] = max(_full(card), steps.gpu_roofline().flops_per_s)
    return peaks


def _full(card: Mapping) -> float:
    return 2 * MULTIPLY_ADDS * card["multiprocessors"] * FULL_CLOCK


def record_label(record: dict) -> str:
    """Return a record's GPU and day, and whether its kernels are still those of this version."""
    since = "" if record.get("kernels") == steps.kernels() else ", kernels since changed"
    return f"{gpu_provenance(record)}{since}"


def memory_steps_source() -> str:
    """Return where recorded figures come from, in a sentence; what to do where there is none."""
    records = load_records("steps")
    if not records:
        return absent("steps")
    return "; ".join(
        f"{record_label(record)} (driver {record['card']['driver']}, "
        f"CuPy {cupy_version(record['versions'])}, NVRTC {record['versions']['nvrtc']}): "
        f"{record['limits']['flops_per_s'] / 1e12:.1f} TFLOP/s, "
        f"{record['limits']['bytes_per_s'] / 1e12:.2f} TB/s"
        for record in records
    )


COLOURS, NAMES = (BLUE, GREEN), ("blue", "green")  # of GPUs: a page has room for two


def gpu_times_picture(
    predicted: Mapping[str, float], runs: Mapping[str, Mapping[str, float]], what: str
) -> Picture:
    """Draw times over that of the first of `predicted`: as predicted from counts, and on GPUs.

    predicted: step -> times as long as the first. runs: label -> step -> seconds.
    """
    runs = dict(list(runs.items())[: len(COLOURS)])
    base = next(iter(predicted))
    bars = 1 + len(runs)
    fig, ax = figure(8.2, 1.1 + 0.24 * (bars + 0.5) * len(predicted))
    longest = 0.0
    for row, (step, guess) in enumerate(predicted.items()):
        entries = [(guess, PALE, f"{guess:.2f} predicted" if row else "predicted: 1")]
        for results, colour in zip(runs.values(), COLOURS):
            ratio = results[step] / results[base]
            entries.append((ratio, colour, f"{ratio:.2f}, {seconds_text(results[step])}"))
        for place, (value, colour, text) in enumerate(entries):
            y = row + (place - (bars - 1) / 2) * 0.8 / bars
            ax.barh(
                y,
                value,
                height=0.74 / bars,
                color=colour,
                edgecolor=GREY if colour == PALE else "none",
                linewidth=0.7,
            )
            beside(ax, text, (value, y), (5, 0), va="center", fontsize=8.5)
            longest = max(longest, value)
    name_rows(ax, list(predicted))
    whose = "; ".join(f"{name}: {label}" for name, label in zip(NAMES, runs))
    ax.set(
        xlim=(0, 1.3 * longest),
        xlabel=f"time over that of {base!r}\n{whose or 'no GPU has been timed'}",
    )
    ax.set_title(what)
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
    runs = dict(list(runs.items())[: len(COLOURS)])
    fig, (speed, traffic) = figure(
        9.0, 1.2 + 0.62 * len(reports), ncols=2, sharey=True, width_ratios=(3, 2)
    )
    bars = max(1, len(runs))
    highest = 0.0
    for row, (name, report) in enumerate(reports.items()):
        most = 100 * ceiling(report, macs).share
        for place, ((label, results), colour) in enumerate(zip(runs.items(), COLOURS)):
            rate = flops / results[name]
            share = 100 * rate / peaks[label]
            y = row + (place - (bars - 1) / 2) * 0.7 / bars
            speed.barh(y, share, height=0.62 / bars, color=colour)
            near = f"{share:.1f} %  ·  {rate_text(rate)}  ·  {seconds_text(results[name])}"
            beside(
                speed,
                near,
                (max(share, most), y),
                (6, 0),
                va="center",
                fontsize=8.5,
            )
            highest = max(highest, share)
        speed.plot([most, most], [row - 0.4, row + 0.4], color=ORANGE, linewidth=2)
        if not runs:
            beside(
                speed,
                f"at most {most:.0f} %",
                (most, row),
                (6, 0),
                va="center",
                fontsize=8.5,
            )
        sectors = 1000 * report.sectors / macs
        traffic.barh(row, sectors - 0.3, left=0.3, height=0.62, color=GREY)
        beside(
            traffic,
            f"{sectors:,.3g}" if sectors < 100 else f"{sectors:,.0f}",
            (sectors, row),
            (5, 0),
            va="center",
            fontsize=8.5,
        )
    speed.set(
        xlim=(0, 178), xlabel="share of the multiply-add peak; orange: the ceiling of the counts"
    )
    speed.set_xticks([0, 25, 50, 75, 100], ["0", "25 %", "50 %", "75 %", "100 %"])
    speed.spines.bottom.set_bounds(0, 100)
    name_rows(speed, list(reports))
    speed.set_title(f"{layer}: {', '.join(runs)}" if runs else f"{layer}: not timed yet")
    traffic.set(xscale="log", xlim=(0.3, 9000), xlabel="sectors for 1,000 MACs (log scale)")
    traffic.set_xticks([1, 10, 100, 1000])
    ticks_in_words(traffic.xaxis, lambda value, _: f"{value:,.0f}")
    traffic.tick_params(axis="y", length=0)
    where = f" on {', '.join(runs)}" if runs else ""
    return Picture(
        fig,
        f"The GPU ladder, {', '.join(reports)}: share of the multiply-add peak"
        f"{where} with each rung's ceiling, and sectors of global memory for "
        f"1,000 multiply-adds.{'' if runs else ' ' + absent('steps')}",
    )


def readers(tile: int, kernel: int) -> np.ndarray:
    """Return `[tile + kernel - 1] * 2`: how many of `tile`² windows, a pixel apart,
    cover each pixel.
    """
    line = np.convolve(np.ones(tile, int), np.ones(kernel, int))
    return np.outer(line, line)


def halo_picture(tile: int = 4, kernel: int = 3) -> Picture:
    """Draw a tile of `tile`² outputs and the pixels that it needs;
    the frame is what lies under it.
    """
    counts = readers(tile, kernel)
    side, outputs = len(counts), f"{tile * tile} output{'s' * (tile > 1)}"
    fig, ax = figure(6.6, 3.7)
    colours = colormaps["viridis_r"](0.08 + 0.8 * counts / kernel**2)
    for row, column in np.ndindex(*counts.shape):
        ax.add_patch(
            Rectangle((column + 0.04, row + 0.04), 0.92, 0.92, facecolor=colours[row, column])
        )
        if side <= 12:
            ax.text(
                column + 0.5,
                row + 0.52,
                str(counts[row, column]),
                ha="center",
                va="center",
                fontsize=9 if side <= 8 else 7,
                color=ink(colours[row, column]),
            )
    edge = (kernel - 1) / 2
    ax.add_patch(
        Rectangle((edge, edge), tile, tile, facecolor="none", edgecolor=ORANGE, linewidth=2)
    )
    x = side * 1.06
    for place, (text, colour) in enumerate(
        (
            (outputs, ORANGE),
            (f"{side}×{side} = {side * side} pixels fetched", "black"),
            (f"{side * side / tile**2:.2f} for each output", "black"),
            (f"without a tile: {kernel**2}", GREY),
        )
    ):
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


RADIUS = 5  # of the largest mark, in points
MANY = 200  # from the least to the most, beyond which ticks at 1, 2 and 5 would meet


STAGE = "my_stage"  # of LeNet-5
STAGE_RIVALS = {"batched": (2, 3), "conv_tuned": (2, 3), "overlap_fused": (1,)}  # its kernels


def contest(name: str, answer: Any, rivals: Mapping[str, Callable]) -> Picture | Verdict:
    """Draw the traffic of `answer`, if it passes, among that of `rivals`, on the last case.

    rivals: for each name, what gives the launch of a package's kernel for a problem
    (`convladder.gpu.untiled.naive_launch`). Returns a verdict where no kernel can run.
    """
    x, w, problem = last_case(name)

    def profile(launch: Callable) -> Report:
        arrays = cuda.to_device(x[None]), cuda.to_device(w), cuda.empty(problem.output_shape)
        return launch(problem).profile(*arrays)

    return _contest(name, answer, {each: partial(profile, rivals[each]) for each in rivals})


def stage_contest(answer: Callable) -> Picture | Verdict:
    """Draw the traffic of LeNet-5's second stage, if `answer` passes, among that of rungs.

    All on as many images. Returns a verdict where no kernel can run.
    """
    images = last_case(STAGE)[-1]
    return _contest(
        STAGE, answer, {each: partial(stage_traffic, each, images) for each in STAGE_RIVALS}
    )


def stage_traffic(rung: str, images: int) -> Report:
    """Return the traffic of the kernels in which a rung goes from the first pool to the second."""
    from ...networks.lenet.forecast import opened
    from ...networks.lenet.rungs import get_rung

    reports = opened(get_rung(rung), images).traffic()
    total = Report(kernel=rung)
    for place in STAGE_RIVALS[rung]:
        total.add(reports[place])
    return total


def _contest(name: str, answer: Any, rivals: Mapping[str, Callable]) -> Picture | Verdict:
    verdict = grade(load_exercise(name), answer)
    if not verdict.judged:
        return verdict
    reports = {rival: profile() for rival, profile in rivals.items()}
    if verdict.passed:
        reports[name] = traffic(name, answer)
    return contest_picture(reports, yours=name)


def contest_picture(reports: Mapping[str, Report], yours: str) -> Picture:
    """Draw a point for each kernel: sectors across, requests up. `yours` is drawn apart.

    A request counts wherever it goes, to global or to shared memory, and each bank conflict like
    one more.
    """
    points = {
        name: (
            report.sectors,
            report.global_load_requests
            + report.global_store_requests
            + report.shared_requests
            + report.shared_conflicts,
        )
        for name, report in reports.items()
    }
    fig, ax = figure(7.6, 4.2)
    for name, point in points.items():
        mine = name == yours
        ax.loglog(
            *point,
            "D" if mine else "o",
            color=ORANGE if mine else BLUE,
            markersize=9 if mine else 7,
            clip_on=False,
        )
    x, y = zip(*points.values(), strict=True)
    ax.set(xlim=(min(x) / 1.6, 8 * max(x)), ylim=(min(y) / 2, 2 * max(y)))
    for axis in (ax.xaxis, ax.yaxis):
        low, high = axis.get_view_interval()
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < MANY * low else (1,)))
        axis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axis.set_minor_locator(NullLocator())
    ax.set(
        xlabel="sectors of 32 bytes, loaded and stored",
        ylabel="requests to memory, with conflicts",
        title="Left is fewer bytes moved, down is fewer requests",
    )
    ax.grid(True)
    label_points(
        ax,
        [
            (sectors, requests, f"{name}: {sectors:,} sectors, {requests:,} requests")
            for name, (sectors, requests) in points.items()
        ],
        radius=RADIUS,
        fontsize=8,
    )
    listed = "; ".join(
        f"{name} {sectors:,} and {requests:,}" for name, (sectors, requests) in points.items()
    )
    return Picture(fig, f"A point for each kernel, sectors across and requests up: {listed}.")


GROUPS = ("sums", "histograms", "divergence", "stages", "layouts", "depthwise")


def small_kernels_run() -> dict | None:
    """Return the newest record; None where there is none."""
    return next(iter(load_records("small-kernels")), None)


def small_kernels_table(group: str) -> Table:
    """Return a row for each kernel of a group: time, and its rate as a share of a copy's; or,
    where all are below one per cent of that, times the fastest kernel's time.

    Raises ValueError for a group that is none of `GROUPS`.
    """
    if group not in GROUPS:
        raise ValueError(f"{group!r} is no group; there are {', '.join(GROUPS)}")
    run = small_kernels_run()
    columns = [group, "time", "bytes it must move, a second", "of a copy's rate"]
    if run is None:
        return table([], columns, caption=absent())
    source = gpu_provenance(run)
    limit, kernels = run["bytes_per_s"], run[group]
    if all(_rate(found) < limit / 100 for found in kernels.values()):
        least = min(found["seconds"] for found in kernels.values())
        rows = [
            [name, seconds_text(found["seconds"]), f"{found['seconds'] / least:.2f}"]
            for name, found in kernels.items()
        ]
        return table(rows, [group, "time", "over the fastest"], caption=source)
    rows = [
        [
            name,
            seconds_text(found["seconds"]),
            f"{_rate(found) / 1e9:,.0f} GB/s",
            f"{_rate(found) / limit:.0%}",
        ]
        for name, found in kernels.items()
    ]
    return table(rows, columns, caption=f"{source}; a copy moves {limit / 1e12:.2f} TB/s")


def _rate(found: Mapping) -> float:
    return found["bytes"] / found["seconds"]


@cache
def nsight_counts() -> dict[str, Mapping]:
    """Return the counts of each launch by its name, from the newest record."""
    return newest("counts")["cases"]


ARCH = "sm_90"
# What NVRTC 13.0.88 gives a thread for ARCH: registers, and bytes of spills stored and loaded.
RECORDED_REGISTERS = {
    "1 pixel": (40, 0),
    "2 pixels": (51, 0),
    "4 pixels": (71, 0),
    "8 pixels": (167, 0),
    "8 pixels, 4 blocks an SM": (128, 0),
    "8 pixels, 6 blocks an SM": (80, 1180),
    "8 pixels, 8 blocks an SM": (64, 1916),
    "8 pixels, 12 blocks an SM": (40, 2872),
}


def compiled_registers(variant: Variant) -> tuple[int, int] | None:
    """Return registers and bytes of spills by this machine's NVRTC;
    None without the extra `inspect`.
    """
    from ...cuda.errors import MissingPackages
    from ...cuda.inspect import inspect

    try:
        inspection = inspect(variant.source, variant.kernel, ARCH)
    except MissingPackages:
        return None
    return inspection.registers, inspection.spill_bytes


def occupancy_of(variant: Variant, problem: ConvProblem) -> Occupancy:
    """Return how many of its blocks fit on an SM of ARCH at a time."""
    launch = variant.launch(problem)
    registers, _ = RECORDED_REGISTERS[variant.name]
    return occupancy(chip_of(ARCH), launch.block, registers, launch.shared)


def registers_table(problem: ConvProblem, runs: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a row a variant: registers, spills, warps on an SM,
    and its seconds in each of `runs`.
    """
    rows = []
    for variant in VARIANTS:
        registers, spilled = RECORDED_REGISTERS[variant.name]
        fits = occupancy_of(variant, problem)
        rows.append(
            [
                variant.name,
                registers,
                f"{spilled:,}" if spilled else "none",
                fits.warps,
                *(seconds_text(results[variant.name]) for results in runs.values()),
            ]
        )
    return table(rows, ["a thread has", "registers", "spilled bytes", "warps of 64", *runs])
