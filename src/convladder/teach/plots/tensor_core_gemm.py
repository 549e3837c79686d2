"""Chapter 12: the rungs of a matrix product beside cuBLAS, and the pipelines that feed it."""

from __future__ import annotations

from collections.abc import Mapping

from ...bench.gemm import LIBRARY, seconds
from ...bench.records import newest
from ..table import Table, table
from .common import gpu_provenance
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

CUBE = "4096×4096×4096"
STAGES = 2  # of the pipeline that is drawn


def gemm_record() -> Mapping:
    """Return the newest record of the ladders (`convladder record --gemm`)."""
    return newest("gemm")


def rates(kind: str = "float16", shape: str = CUBE) -> dict[str, float]:
    """Return the TFLOP/s of each rung and of cuBLAS, in the record's order.

    kind: "float16" or "float32"; shape: `m×n×k`. Raises KeyError for a shape that has no record.
    """
    m, n, k = map(int, shape.split("×"))
    found = seconds(gemm_record()[kind][shape])
    return {name: 2 * m * n * k / each / 1e12 for name, each in found.items()}


def gemm_ladder_picture(kind: str = "float16", shape: str = CUBE, until: str = "") -> Picture:
    """Draw a bar for each rung, up to and without `until`, and cuBLAS's rate as a line."""
    found = rates(kind, shape)
    library = found.pop(LIBRARY)
    names = list(found)
    names = names[: names.index(until)] if until else names
    fig, ax = figure(8.0, 1.1 + 0.34 * len(names))
    for row, name in enumerate(names):
        ax.barh(row, found[name], color=BLUE, height=0.62)
        ax.annotate(
            f"{found[name]:.0f}  ({found[name] / library:.0%})",
            (found[name], row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
    ax.axvline(library, color=ORANGE, linewidth=2)
    ax.annotate(
        f"cuBLAS {library:.0f}",
        (library, -0.75),
        xytext=(-4, 0),
        textcoords="offset points",
        ha="right",
        color=ORANGE,
        fontsize=9,
    )
    ax.set(
        xlim=(0, 1.22 * max(library, *(found[name] for name in names))),
        ylim=(len(names) - 0.4, -1.2),
        xlabel="TFLOP/s",
        title=f"{shape}, {kind}: {gpu_provenance(gemm_record())}",
    )
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0)
    return Picture(fig, f"{shape} in {kind}: the rates of {', '.join(names)} beside cuBLAS's.")


def gemm_shapes_table() -> Table:
    """Return a row for each shape of the record: the best rung and its speed over cuBLAS's."""
    rows = []
    for shape in gemm_record()["float16"]:
        found = rates("float16", shape)
        library = found.pop(LIBRARY)
        best = max(found, key=found.get)
        rows.append((shape, best, f"{found[best]:.0f}", f"{library:.0f}",
                     f"{found[best] / library:.2f}×"))  # fmt: skip
    columns = ("m × n × k", "best rung", "TFLOP/s", "cuBLAS", "as fast as cuBLAS")
    return table(rows, columns, gpu_provenance(gemm_record()))


def pipeline_picture(slices: int = 5) -> Picture:
    """Draw who waits for whom in time: one stage of shared memory, two, and two kinds of warps."""
    fig, axes = figure(8.4, 4.2, nrows=3, sharex=True)
    fetch, multiply = 1.3, 1.0
    rows = (
        ("one stage: the same warps fetch, then multiply", _one_stage),
        (f"{STAGES} stages: the next slice is on its way", _two_stages),
        ("specialised: who fetches never multiplies", _specialised),
    )
    ends = []
    for ax, (title, plan) in zip(axes, rows, strict=True):
        bars = plan(slices, fetch, multiply)
        for row, begin, length, number, kind in bars:
            colour = ORANGE if kind == "fetch" else BLUE
            ax.barh(row, length, left=begin, color=colour, height=0.72, edgecolor="white")
            ax.annotate(str(number), (begin + length / 2, row), ha="center", va="center",
                        color="white", fontsize=9)  # fmt: skip
        ends.append(max(begin + length for _, begin, length, _, _ in bars))
        names = ["copies", "tensor cores"]
        ax.set_yticks(range(2), names)
        ax.set(ylim=(1.6, -0.6), title=title, xticks=[])
        ax.tick_params(axis="y", length=0)
        ax.axvline(ends[-1], color=GREY, linewidth=1, linestyle=":")
        ax.set_facecolor(PALE)
    axes[-1].set(xlabel="time →", xlim=(0, max(ends) + 0.2))
    return Picture(
        fig,
        f"{slices} slices in time: with one stage copies and products take turns; with {STAGES} "
        "they overlap, but a slice that is asked for late is waited for; with specialised warps "
        "copies follow each other without a gap.",
    )


def _one_stage(slices: int, fetch: float, multiply: float) -> list[tuple]:
    bars = []
    for s in range(slices):
        begin = s * (fetch + multiply)
        bars += [(0, begin, fetch, s, "fetch"), (1, begin + fetch, multiply, s, "multiply")]
    return bars


def _two_stages(slices: int, fetch: float, multiply: float) -> list[tuple]:
    """A slice is asked for when the one before has come: the warps that ask are the same."""
    bars, begin = [(0, 0.0, fetch, 0, "fetch")], fetch
    for s in range(slices):
        if s + 1 < slices:
            bars.append((0, begin, fetch, s + 1, "fetch"))
        bars.append((1, begin, multiply, s, "multiply"))
        begin += max(fetch, multiply)
    return bars


def _specialised(slices: int, fetch: float, multiply: float) -> list[tuple]:
    """Copies of several slices are under way at once, so that each takes a part of the time."""
    share, bars, free = fetch / 2, [], 0.0
    for s in range(slices):
        come = share * (s + 1) + fetch / 2
        bars.append((0, s * share, share, s, "fetch"))
        begin = max(free, come)
        bars.append((1, begin, multiply, s, "multiply"))
        free = begin + multiply
    return bars
