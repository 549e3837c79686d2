"""Convolutions by a library's GEMMs: what they move against the memory that they need."""

from __future__ import annotations

from collections.abc import Sequence

from ...measure.memory import workspace_text
from ...problem import ConvProblem
from ...registry import get_method
from .labels import label_points
from .style import BLUE, ORANGE, Picture, figure

Entry = tuple[str, int, int, int]  # name, calls, bytes moved by the GEMMs, bytes of workspace


def package_entries(problem: ConvProblem) -> list[Entry]:
    """Return `gpu_im2col` and `gpu_mec`, by the numbers that they give to cuBLAS."""
    from ...gpu.gemm import Batch
    from ...gpu.mec import batches, solution

    p = problem
    whole = [Batch(p.pixels, p.window, p.k_c, lda=p.window, stride=0, count=1)]
    entries = []
    for name, calls in (("gpu_im2col", whole), ("gpu_mec", batches(p, p.i_c, solution(p)))):
        moved = sum(
            b.count * (b.rows * b.inner + b.inner * b.columns + b.rows * b.columns) for b in calls
        )
        entries.append((name, len(calls), 4 * moved, get_method(name).workspace_bytes(p)))
    return entries


def calls_picture(entries: Sequence[Entry], yours: str) -> Picture:
    """Draw a point for each of `entries`; `yours` is drawn apart."""
    fig, ax = figure(7.6, 4.0)
    points = []
    for name, calls, moved, size in entries:
        mine = name == yours
        ax.plot(
            moved / 2**20,
            size / 2**20,
            "D" if mine else "o",
            color=ORANGE if mine else BLUE,
            markersize=9 if mine else 7,
            clip_on=False,
        )
        points.append(
            (
                moved / 2**20,
                size / 2**20,
                f"{name}: {calls} call{'s' * (calls > 1)}, {workspace_text(size)}",
            )
        )
    ax.set(
        xlim=(0, 1.25 * max(moved for _, _, moved, _ in entries) / 2**20),
        ylim=(0, 1.12 * max(size for *_, size in entries) / 2**20),
        xlabel="moved by the GEMMs: A, B and C of each, MiB",
        ylabel="workspace, MiB",
        title="Down is less memory, left is less traffic",
    )
    ax.grid(True)
    label_points(ax, points, fontsize=8.5)
    names = ", ".join(name for name, *_ in entries)
    return Picture(fig, f"What GEMMs move across and workspace up, a point for each of {names}.")
