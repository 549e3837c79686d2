"""Chapter 12: the rungs of a matrix product beside cuBLAS, and the pipelines that feed it."""

from __future__ import annotations

from ...bench.records.gemm import CUBE, LIBRARY, gemm_record, rates
from ..table import Table, table
from .axes import WHITE, behind, beside, name_rows
from .provenance import gpu_provenance
from .style import BLUE, ORANGE, Picture, figure, lettering


def gemm_ladder_picture(kind: str = "float16", shape: str = CUBE, until: str = "") -> Picture:
    """Draw a bar for each rung, up to and without `until`, and cuBLAS's rate as a line.

    The rungs of float16 have the chapter's numbers; names alike up to a comma share one.
    """
    found = rates(kind, shape)
    library = found.pop(LIBRARY)
    names = list(found)
    names = names[: names.index(until)] if until else names
    steps = list(dict.fromkeys(name.partition(",")[0] for name in names))
    numbers = [f"{steps.index(name.partition(',')[0]) + 1} · " for name in names]
    fig, ax = figure(8.0, 1.1 + 0.34 * len(names))
    for row, name in enumerate(names):
        ax.barh(row, found[name], color=BLUE, height=0.62)
        words = f"{found[name]:.0f}  ({found[name] / library:.0%})"
        if found[name] < 0.8 * library:
            behind(ax, words, found[name], row, fontsize=9, bbox=WHITE)
        else:  # within the bar: beside it is cuBLAS's line
            style = {"ha": "right", "va": "center", "color": "white", "fontsize": 9}
            beside(ax, words, (found[name], row), (-5, 0), **style)
    ax.axvline(library, color=ORANGE, linewidth=2)
    style = {"ha": "right", "color": lettering(ORANGE), "fontsize": 9}
    beside(ax, f"cuBLAS {library:.0f}", (library, -0.75), (-4, 0), **style)
    labels = [number + name for number, name in zip(numbers, names, strict=True)]
    name_rows(ax, labels if kind == "float16" else names, inverted=False)
    ax.set_xlim(0, 1.22 * max(library, *(found[name] for name in names)))
    ax.set(ylim=(len(names) - 0.4, -1.2), xlabel="TFLOP/s")
    ax.set_title(f"{shape}, {kind}: {gpu_provenance(gemm_record())}")
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
