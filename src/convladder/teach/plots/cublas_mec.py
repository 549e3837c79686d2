"""Chapter 09: MEC's products as cuBLAS sees them, its calls and its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from ...core.problem import ConvProblem
from ...core.registry import get_method
from ...core.text import bytes_text, count_text, seconds_text
from ...measure.memory import workspace_text
from .axes import behind, label_points, name_rows, ratio_rows, ticks_in_words
from .common import rivals_figure
from .shapes import box, frame
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, YELLOW, Picture, figure, lettering

TOY = ConvProblem(1, 7, 7, 1, 3, 3, 1)  # the paper's: L is 5 strips of 7·3 values
IMAGE = 10 * np.arange(TOY.i_h)[:, None] + np.arange(TOY.i_w)  # row and column of each pixel
L = np.stack([IMAGE[:, v : v + TOY.k_w].ravel() for v in range(TOY.o_w)])
STRIP = L.shape[1]
LETTERS = "#222222"


def gemm_view_picture(gemm: int = 0, lda: int = STRIP, stride: int = TOY.k_w) -> Picture:
    """Draw L of the paper's toy in memory's order, with the values that `gemm` of a batch reads.

    Row r of its matrix is the `inner` = 9 values from `gemm·stride + r·lda` on. Outlined is the
    partition that it should be. What lies past the end of L is drawn as missing.
    """
    p, inner = TOY, TOY.window
    begin = gemm * stride
    places = begin + lda * np.arange(p.o_w)[:, None] + np.arange(inner)
    wanted = p.s_h * gemm * p.k_w + STRIP * np.arange(p.o_w)[:, None] + np.arange(inner)
    refused = lda < inner
    right = not refused and bool((places == wanted).all())
    past = 0 if refused else int((places >= L.size).sum())

    fig, ax = figure(7.8, 5.2)
    heading = {"fontweight": "bold", "va": "bottom"}
    ax.text(0, -0.5, f"L in memory, {L.size} values: each line is a strip of {STRIP}", **heading)
    read = set() if refused else set(places.ravel().tolist())
    for place, value in enumerate(L.ravel()):
        row, column = divmod(place, STRIP)
        _cell(ax, column, row, f"{value:02d}", SKY if place in read else PALE)
    frame(ax, p.s_h * gemm * p.k_w, 0, inner, p.o_w, BLUE if right else ORANGE)

    top = p.o_w + 2.2
    ax.text(0, top - 0.5, f"what GEMM {gemm} reads as A", **heading)
    for (row, column), place in np.ndenumerate(places):
        words, colour, letters = "?", "white", lettering(ORANGE)
        if place < L.size and not refused:
            words, colour, letters = f"{L.flat[place]:02d}", SKY, LETTERS
        _cell(ax, column, top + row, words, colour, letters)
    words = "\n".join(_words(gemm, lda, stride, right, refused, past))
    ax.text(inner + 1.2, top + 0.2, words, va="top", linespacing=1.5)
    ax.set(xlim=(-0.1, STRIP + 0.1), ylim=(top + p.o_w + 0.2, -1.4), aspect="equal")
    ax.set_axis_off()
    verdict = "the partition" if right else "BLAS refuses it" if refused else "not the partition"
    verdict += f", {past} values past the end of L" if past else ""
    return Picture(
        fig,
        f"L of 5 strips of {STRIP} values, and what GEMM {gemm} of a batch with "
        f"lda = {lda} and stride = {stride} reads as its matrix: {verdict}.",
    )


def _words(gemm: int, lda: int, stride: int, right: bool, refused: bool, past: int) -> list[str]:
    begins = f"begins at gemm·stride = {gemm}·{stride} = {gemm * stride}"
    lines = [begins, f"row r begins r·lda = r·{lda} later", ""]
    if refused:
        lines += [f"lda = {lda} is less than inner = {TOY.window}:"]
        return [*lines, "rows would overlap, and BLAS refuses."]
    if right:
        lines += [f"This is partition {gemm}: it gives"]
        return [*lines, f"output row {gemm}, and nothing was copied."]
    lines += [f"This is not partition {gemm} (orange)."]
    if not past:
        return [*lines, "No error: these are numbers,", "and they are multiplied."]
    lines += [f"{past} of {TOY.o_w * TOY.window} values lie past the end of L:"]
    return [*lines, "whatever is there is multiplied."]


def _cell(ax: Axes, x: float, y: float, words: str, colour: str, letters: str = LETTERS) -> None:
    edge = {"edgecolor": "white", "linewidth": 0.8}
    box(ax, x, y, 1, 1, colour, words, letters=letters, text={"fontsize": 7.5}, **edge)


def gemm_shapes_picture(gemms: Sequence[Mapping], machine: str) -> Picture:
    """Draw the report's multiplications by GEMMs of several heights, and by 220 in several layouts.

    gemms: rows of `name`, `batch` and `seconds`, as `bench.mec_gpu.report_gemms` gives them.
    Layouts in which neighbours share a part of their values are orange.
    """
    heights = [row for row in gemms if row["name"].endswith(" rows")]
    layouts = [row for row in gemms if row not in heights[1:]]
    fig, (left, right) = figure(9.0, 3.9, ncols=2, width_ratios=(4, 5))
    rows = [row["batch"]["rows"] for row in heights]
    left.plot(rows, [row["seconds"] * 1e6 for row in heights], "o-", color=BLUE)
    left.set(xscale="log", xlabel="rows of each GEMM (log scale)", ylabel="total time, µs")
    left.set_ylim(0, 1.1e6 * max(row["seconds"] for row in gemms))
    ticks_in_words(left.xaxis, "{:,.0f}".format, [rows[0], rows[2], rows[4], rows[-1]])
    left.grid(True, axis="y")
    left.set_title("Fewer rows per GEMM, nothing shared")
    for place, row in enumerate(layouts):
        time, shared = row["seconds"] * 1e6, 0 < row["batch"]["stride"] < row["batch"]["inner"]
        right.barh(place, time, color=ORANGE if shared else BLUE, height=0.7)
        behind(right, f"{time:.1f}", time, place)
    names = [_layout(row) for row in layouts]
    name_rows(right, names, fontsize=8.5)
    right.set_xlabel(f"time of 220 GEMMs of 220 rows, µs, {machine}")
    right.set_xlim(0, 1.15e6 * max(row["seconds"] for row in layouts))
    right.set_title("Other layouts")
    return Picture(
        fig,
        "Time of the report's 48,400 × 147 × 64 multiplications by cuBLAS in GEMMs "
        f"of {rows[0]} to {rows[-1]} rows, and laid out as {', '.join(names)}.",
    )


def _layout(row: Mapping) -> str:
    name = "copies" if row["name"].endswith(" rows") else row["name"]
    return f"{name}: lda {row['batch']['lda']:,}, stride {row['batch']['stride']:,}"


def solutions_picture(
    rows: Sequence[Mapping], problems: Mapping[str, ConvProblem], threshold: int, machine: str
) -> Picture:
    """Draw the time of Solution B over A against the output's width; one colour a batch.

    rows: of `layer`, `batch`, `A` and `B` in seconds.
    """
    fig, ax = figure(8.2, 4.0)
    batches = sorted({row["batch"] for row in rows})
    for batch, colour, marker in zip(batches, (SKY, BLUE), "so"):
        shown = [
            (problems[row["layer"]].o_w, row["B"] / row["A"], row["layer"])
            for row in rows
            if row["batch"] == batch
        ]
        widths, over, _ = zip(*shown)
        ax.plot(widths, over, marker, color=colour, label=f"batch of {batch}")
    ax.axhline(1, color=GREY, linewidth=1)
    ax.axvline(threshold, color=ORANGE, linestyle="--", linewidth=1.2)
    ax.set(xscale="log", xlim=(3.6, 300), xlabel="output width o_w (log scale)")
    ax.set(yscale="log", ylabel="time of B over A (log scale)")
    ticks_in_words(ax.xaxis, places=[5, 10, 20, 50, 100, 200])
    ticks_in_words(ax.yaxis, places=[0.8, 1, 2, 4, 8])
    style = {"color": lettering(ORANGE), "ha": "right", "va": "top", "fontsize": 8.5}
    ax.text(threshold * 0.97, ax.get_ylim()[1], "the paper's T", **style)
    ax.set_title(f"Above the line A is faster, {machine}")
    ax.legend(loc="lower left")
    label_points(ax, shown, fontsize=8)
    names = ", ".join(dict.fromkeys(row["layer"] for row in rows))
    return Picture(
        fig,
        "Time of Solution B over Solution A against output width, for batches of "
        f"{' and '.join(map(str, batches))}: {names}.",
    )


def limits_picture(rows: Sequence[Mapping], machine: str) -> Picture:
    """Draw a GEMM's time against the workspace that it may have: im2col's on the left, MEC's batch.

    rows: of `layer`, `what`, `limit` and `seconds`, as `bench.workspace_gpu.limits` gives them.
    """
    fig, axes = figure(8.8, 4.2, ncols=2, sharey=True, width_ratios=(5, 4))
    limits = sorted({row["limit"] for row in rows})
    layers = list(dict.fromkeys(row["layer"] for row in rows))
    titles = {"im2col": f"im2col's single GEMM, {machine}", "mec": "MEC's batch of GEMMs"}
    for ax, (what, title) in zip(axes, titles.items()):
        ends = {}
        for layer, colour in zip(layers, (GREY, GREEN, PINK, BLUE)):
            of = [row for row in rows if (row["layer"], row["what"]) == (layer, what)]
            times = [row["seconds"] * 1e6 for row in of]
            ax.plot(range(len(limits)), times, "o-", color=colour)
            ends[layer] = times[-1], colour
        lowest = 0.0
        for layer, (end, colour) in sorted(ends.items(), key=lambda item: item[1][0]):
            lowest = max(end, 1.1 * lowest)  # labels keep a line apart
            words = f"{layer}, {seconds_text(end / 1e6)}"
            behind(ax, words, len(limits) - 0.95, lowest, color=lettering(colour))
        ax.set(xlim=(-0.2, len(limits) + 0.9), xlabel="workspace allowed")
        ax.set_xticks(range(len(limits)), ["none", *map(_short, limits[1:])], fontsize=8)
        ax.grid(True, axis="y")
        ax.set_title(title)
    axes[0].set(yscale="log", ylabel="time, µs (log scale)")
    ticks_in_words(axes[0].yaxis, places=[12, 20, 30, 50, 80])
    return Picture(
        fig,
        "Time of cuBLASLt's first proposal against the limit of its workspace, for "
        f"{', '.join(layers)}: im2col's GEMM falls in steps, MEC's batch is flat.",
    )


def _short(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 2**20 else f"{size >> 10} KiB"


def methods_against_cudnn_picture(
    ratios: Mapping[str, Mapping[str, float]], machine: str
) -> Picture:
    """Draw times over cuDNN's, one line per layer: `ratios[method][layer]`; left of 1 is faster."""
    layers = list(next(iter(ratios.values())))
    fig, ax = figure(8.2, 1.3 + 0.28 * len(layers))
    ratio_rows(ax, layers, ratios, title=f"Left of 1: faster than cuDNN, {machine}")
    ax.set_xlabel("time over cuDNN's in its faster layout (log scale)")
    fig.legend(loc="outside lower center", ncols=4)
    return Picture(fig, f"Times of {', '.join(ratios)} over cuDNN's, for {', '.join(layers)}.")


Entry = tuple[str, int, int, int]  # name, calls, bytes moved by the GEMMs, bytes of workspace


def package_entries(problem: ConvProblem) -> list[Entry]:
    """Return `gpu_im2col` and `gpu_mec`, by the numbers that they give to cuBLAS."""
    from ...gpu.gemm import Batch
    from ...gpu.mec import batches, solution

    p = problem
    whole = [Batch(p.pixels, p.window, p.k_c, lda=p.window, stride=0, count=1)]
    entries = []
    for name, calls in (("gpu_im2col", whole), ("gpu_mec", batches(p, p.i_c, solution(p)))):
        moved = sum(batch.bytes for batch in calls)
        entries.append((name, len(calls), moved, get_method(name).workspace_bytes(p)))
    return entries


def calls_picture(entries: Sequence[Entry], yours: str) -> Picture:
    """Draw a point for each of `entries`; `yours` is drawn apart."""
    points = {}
    for name, calls, moved, size in entries:
        words = f"{count_text(calls, 'call')}, {workspace_text(size)}"
        points[name] = (moved / MIB, size / MIB, words)
    labels = ("moved by the GEMMs: A, B and C of each, MiB", "workspace, MiB")
    fig = rivals_figure(points, yours, *labels, "Down is less memory, left is less traffic")
    names = ", ".join(points)
    return Picture(fig, f"What GEMMs move across and workspace up, a point for each of {names}.")


# `bench.device_memory`'s, in the order of the bars; what is no array of the method is hatched.
SEGMENTS = {
    "input": GREY,
    "weights": "#222222",
    "output": GREEN,
    "lowered matrix": BLUE,
    "result to reorder": SKY,
    "workspace": ORANGE,
    "pool growth": YELLOW,
    "library, once": PINK,
}
HATCHED = ("pool growth", "library, once")
MIB = 2**20


def memory_picture(bars: Mapping[str, Mapping[str, Mapping[str, int]]], title: str) -> Picture:
    """Draw a group of bars per method: `bars[method][bar][segment]` in bytes.

    Bars are written with their names, such as "predicted" and "measured". Segments are those of
    `SEGMENTS`. Raises ValueError for another.
    """
    used = {segment for group in bars.values() for bar in group.values() for segment in bar}
    if unknown := used - set(SEGMENTS):
        raise ValueError(f"{sorted(unknown)}: no such segment; choose from {list(SEGMENTS)}")
    lines = sum(len(group) for group in bars.values())
    fig, ax = figure(8.6, 1.5 + 0.27 * lines + 0.14 * len(bars))
    longest = max(sum(bar.values()) for group in bars.values() for bar in group.values()) / MIB
    y, ticks = 0.0, []
    for group in bars.values():
        for name, bar in group.items():
            left = 0.0
            for segment in SEGMENTS:
                size = bar.get(segment, 0) / MIB
                ax.barh(y, size, left=left, height=0.8, linewidth=0.6, **_style(segment))
                left += size
            behind(ax, f"{bytes_text(sum(bar.values()))}, {name}", left, y)
            y += 1
        ticks.append(y - (len(group) + 1) / 2)
        y += 0.55
    ax.set_yticks(ticks, list(bars), color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1.3 * longest), ylim=(y - 0.9, -0.7), xlabel="device memory, MiB")
    ax.set_title(title)
    handles = [ax.barh(0, 0, label=each, **_style(each)) for each in SEGMENTS if each in used]
    fig.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8.5)
    return Picture(
        fig,
        f"Stacked bars of device memory for {', '.join(bars)}: "
        f"{', '.join(s for s in SEGMENTS if s in used)}.",
    )


def _style(segment: str) -> dict:
    hatch = "////" if segment in HATCHED else None
    return {"color": SEGMENTS[segment], "edgecolor": "white", "hatch": hatch}
