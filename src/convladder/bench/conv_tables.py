"""Tables of the convolution records: rows and sentences for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.text import bytes_text, mark_disturbed, seconds_text
from .libraries import RIVALS
from .records.conv_cpu import Run, library_comparison, median_share
from .records.conv_gpu import cudnn_ratios, cudnn_seconds, seconds_of
from .rounds import geometric_mean

SUBJECT = "microkernel"


def rivals(run: Run, subject: str) -> list[str]:
    """Return libraries and other methods that `subject` can be compared with on every layer."""
    names = []
    for result in run.values():
        for name in result.comparison.timings:
            rival = result.libraries.get(name, name)
            if rival != subject and rival not in names:
                names.append(rival)
    return [
        name
        for name in names
        if all(result.best_of(name) or name in result.comparison.timings for result in run.values())
    ]


def cpu_cells(run: Run, subject: str) -> tuple[list[list[str]], list[str]]:
    """Return rows and column names: a layer a row, with its speed over each rival's."""
    against = rivals(run, subject)
    rows = []
    for layer, result in run.items():
        packing = result.prepare_seconds.get(subject)
        disturbed = result.comparison.disturbed or result.measured[subject].disturbed
        rows.append(
            [
                layer,
                seconds_text(result.seconds(subject)),
                f"{result.problem.flops / result.seconds(subject) / 1e9:,.1f}",
                mark_disturbed(f"{result.share(subject):.0%}", disturbed),
                *(f"{result.ratio(rival, subject):.2f}×" for rival in against),
                "none" if packing is None else seconds_text(packing),
            ]
        )
    return rows, [
        "layer",
        subject,
        "GFLOP/s",
        "of the peak",
        *(f"vs {rival}" for rival in against),
        "packing",
    ]


def cpu_means(run: Run, subject: str) -> list[str]:
    """Return means over the layers, the worst of them, packing both ways: a line each."""
    lines = []
    for other in rivals(run, subject):
        each = library_comparison(run, other, subject)
        lines.append(
            f"{each.mean:.2f}× as fast as {other} (geometric mean; "
            f"least {each.least:.2f}× on {each.layer}; "
            f"{each.unprepared:.2f}× were weights packed in every call)"
        )
    lines.append(
        f"{subject} does {median_share(run, subject):.1%} of the measured "
        "multiply-add peak (median layer)"
    )
    return lines


def gpu_cells(layer: Mapping) -> tuple[list[list[str]], list[str]]:
    """Return rows and column names of one layer's entries; the times are medians."""
    with_rivals = any(name.startswith("cudnn") for name in layer["entries"])
    rows = []
    for name, entry in layer["entries"].items():
        own = seconds_of(layer, name)
        row = [
            name,
            seconds_text(own),
            seconds_text(seconds_of(layer, name, "plain")),
            f"{layer['flops'] / own / 1e12:.1f}",
            bytes_text(entry["peak"]),
            f"{entry['error']:.0e}",
        ]
        if with_rivals:
            rival = cudnn_seconds(layer, RIVALS.get(name, "float32"))
            row.append("" if name.startswith("cudnn") else f"{rival / own:.2f}×")
        rows.append(row)
    columns = ["method", "in a graph", "called", "TFLOP/s", "allocated", "relative error"]
    return rows, columns + ["vs cuDNN"] * with_rivals


def gpu_means(run: Mapping) -> list[str]:
    """Return one line per method: its speed over cuDNN's, on the layers that it computes."""
    names = dict.fromkeys(
        name
        for layer in run["layers"].values()
        for name in layer["entries"]
        if not name.startswith("cudnn")
    )
    lines = []
    for name in names:
        precision = RIVALS.get(name, "float32")
        by_layer = cudnn_ratios(run, name, precision)
        worst = min(by_layer, key=by_layer.get)
        lines.append(
            f"{name}: {geometric_mean(by_layer.values()):.2f}× as fast as cuDNN ({precision}) over "
            f"{len(by_layer)} layers (geometric mean; least {by_layer[worst]:.2f}× on {worst})"
        )
    return lines
