"""Chapter 11: formats, fragments, swizzles, and which method leads on which layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from ...bench import languages
from ...bench.libraries import HALF_INPUTS
from ...bench.records.conv_gpu import (
    CUDNN,
    LIBRARY,
    LOWERED,
    OWN,
    PRECISIONS,
    cudnn_ratios,
    family,
    layer_of,
    method_map,
)
from ...core.number_formats import FORMATS
from ...core.problem import ConvProblem
from ...core.text import count_text, seconds_text
from ...exercises.lab11.e3_my_product import my_product
from ...exercises.mocks.tensor_cores import TensorCores
from ...gpu.languages import CUDA
from ..table import Table, table
from .axes import beside, label_points, power_text, ratio_rows, rivals, ticks_in_words
from .provenance import absent, gpu_provenance
from .shapes import bare, box, frame, write
from .style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    OUTSIDE,
    PALE,
    PINK,
    SKY,
    YELLOW,
    Picture,
    figure,
    lettering,
)

SHORT = {
    "gpu_implicit_gemm": "implicit GEMM",
    "gpu_tensor_core": "mma",
    "gpu_wgmma": "wgmma",
    "gpu_cutlass": "SIMT",
    "gpu_cutlass_tf32": "TF32",
    "gpu_cutlass_3xtf32": "3xTF32",
    "gpu_cutlass_half": "float16",
    "gpu_cutlass_hopper": "float16, TMA",
    "gpu_im2col": "im2col",
    "gpu_mec": "MEC",
    "gpu_mec_lt": "MEC, cuBLASLt",
    "gpu_mec_pointers": "MEC, with addresses",
    "gpu_mec_aligned": "MEC, aligned",
    "gpu_mec_disjoint": "MEC, disjoint",
    "cudnn float32 NCHW": "NCHW",
    "cudnn float32 NHWC": "NHWC",
    "cudnn tf32 NHWC": "TF32",
    "cudnn float16 NHWC": "float16",
}


def method_label(name: str) -> str:
    """Return "cuDNN NCHW", "CUTLASS TF32", "implicit GEMM"."""
    short = SHORT.get(name, name.removeprefix("gpu_"))
    return f"{family(name)} {short}" if family(name) in (CUDNN, LIBRARY) else short


# What a method multiplies with; others multiply float32.
WAYS = {
    "gpu_cutlass_tf32": "TF32",
    "cudnn tf32 NHWC": "TF32",
    "gpu_cutlass_3xtf32": "3xTF32",
    **dict.fromkeys((*HALF_INPUTS, "cudnn float16 NHWC"), "float16 stored"),
}
LABEL_SPACING = 11  # points between slanting labels
COLOURS = {
    "float32": GREY,
    "3xTF32": GREEN,
    "TF32": BLUE,
    "float16 stored": ORANGE,
    "float16": YELLOW,
    "bfloat16": PINK,
}


def bits_picture() -> Picture:
    """Draw a row of squares for each format: sign, exponent, fraction, and bits that lie unused."""
    fig, ax = figure(8.8, 0.55 + 0.42 * len(FORMATS))
    for row, f in enumerate(FORMATS):
        used = [PINK] + [GREEN] * f.exponent + [BLUE] * f.fraction
        for at, colour in enumerate(used + [PALE] * (f.stored - len(used))):
            box(ax, at, row + 0.15, 0.94, 0.7, colour)
        ax.text(-0.4, row + 0.5, f.name, ha="right", va="center")
        words = f"error {f.roundoff:.0e}, largest {f.largest:.1e}"
        ax.text(32.6, row + 0.5, words, va="center", fontsize=9)
    for colour, name, x in ((PINK, "sign", 0), (GREEN, "exponent", 3), (BLUE, "fraction", 14)):
        ax.text(x, -0.1, name, color=lettering(colour), fontsize=9, va="bottom", weight="bold")
    ax.set(xlim=(-4.6, 45), ylim=(len(FORMATS), -0.75))
    ax.set_axis_off()
    said = [
        f"{f.name}: 1 sign, {f.exponent} exponent and {f.fraction} fraction bits, {f.stored} stored"
        for f in FORMATS
    ]
    return Picture(fig, "; ".join(said) + ".")


def error_speed_picture(
    speeds: Mapping[str, float],
    errors: Mapping[str, float],
    computed: Mapping[str, float],
    what: str,
) -> Picture:
    """Draw a point for each method: FLOP/s across, recorded error up. Lines: errors computed here,
    one for those that cannot be told apart.

    speeds, errors: by the record's names. computed: by `formats.errors`' names.
    """
    fig, ax = figure(8.8, 5.0)
    alike = _together(computed)
    for ways, error in alike:
        ax.axhline(error, color=COLOURS[ways[0]], linewidth=1, linestyle="--", zorder=0)
    for name, speed in speeds.items():
        colour = COLOURS[WAYS.get(name, "float32")]
        mark, fill = ("s", "white") if name.startswith("cudnn") else ("o", colour)
        style = {"color": colour, "markerfacecolor": fill, "markersize": 7}
        ax.loglog(speed / 1e12, errors[name], mark, **style)
    right, every = 3.5e-12 * max(speeds.values()), (*errors.values(), *computed.values())
    ax.set(xlim=(min(speeds.values()) / 1.5e12, right), ylim=(min(every) / 3, 4 * max(every)))
    ax.set(xlabel="TFLOP/s (log scale)", ylabel="worst error over the sum of |x·w|")
    ticks_in_words(ax.xaxis, places=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000))
    ax.yaxis.set_major_formatter(power_text)
    ax.set_title(what, fontsize=10)
    for ways, error in alike:
        style = {"ha": "right", "fontsize": 8, "color": lettering(COLOURS[ways[0]])}
        beside(ax, " and ".join(ways), (right, error), (-3, 4), **style)
    for low in (True, False):
        shown = [name for name in speeds if (WAYS.get(name) == "TF32") == low]
        _slanted(ax, [(speeds[n] / 1e12, errors[n], method_label(n)) for n in shown], below=low)
    return Picture(
        fig,
        f"Error against speed for {len(speeds)} methods, {what}; dashed: the "
        f"errors of {', '.join(computed)} as computed by rounding in NumPy.",
        colours=64,
    )


def _slanted(ax: Axes, points: list[tuple[float, float, str]], below: bool) -> None:
    """Write labels of neighbouring points, each slanting away from its own: up, or `below`.

    One that has no room beside the label to its left goes below.
    """
    last = -LABEL_SPACING
    for x, y, text in sorted(points):
        at = ax.transData.transform((x, y))[0] * 72 / ax.figure.dpi
        down = below or at - last < LABEL_SPACING
        last, up = (last, -1) if down else (at, 1)
        style = {"fontsize": 8, "rotation": 45 * up, "rotation_mode": "anchor", "va": "center"}
        halo = [withStroke(linewidth=2, foreground="white")]
        beside(ax, text, (x, y), (4, 5 * up), path_effects=halo, **style)


def _together(computed: Mapping[str, float]) -> list[tuple[list[str], float]]:
    """Return names whose errors cannot be told apart in a picture, and the error of the first."""
    groups: list[tuple[list[str], float]] = []
    for name, error in sorted(computed.items(), key=lambda item: item[1]):
        if groups and error < 1.2 * groups[-1][1]:
            groups[-1][0].append(name)
        else:
            groups.append(([name], error))
    return groups


TINTS = {OWN: "#CFE4F3", LIBRARY: "#CDEBDD", LOWERED: "#F8E6B8", CUDNN: "#E2E2E2"}
CLEAR = 1.05  # a lead below this is none
SMALL = 2**19  # bytes of workspace that are not worth telling
LETTERS, LINE = 17, 0.27  # of a cell: letters in a line, the line's share of the height


def method_map_picture(record: Mapping) -> Picture:
    """Draw a table in colours: who is fastest, the best of others and its time, the workspace."""
    methods = method_map(record)
    layers = list(dict.fromkeys(layer for layer, _, _ in methods))
    batches = list(dict.fromkeys(batch for _, batch, _ in methods))
    columns = [(precision, batch) for precision in PRECISIONS for batch in batches]
    fig, ax = figure(7.9, 1.0 + 0.5 * len(layers))
    for x, (precision, batch) in enumerate(columns):
        for y, layer in enumerate(layers):
            each = methods[layer, batch, precision]
            weight = "normal" if each.lead < CLEAR else "bold"
            box(ax, x, y, 1, 1, TINTS[each.family], edgecolor="white", linewidth=1.5)
            size = each.workspace / 2**20
            more = f"\n+{size:.{0 if size > 9.5 else 1}f} MiB" if each.workspace > SMALL else ""
            name = fill(method_label(each.name), LETTERS)
            lead = fill(f"{_brief(each.rival)} {each.lead:.2f}×", LETTERS) + more
            lines = name.count("\n") + lead.count("\n") + 2
            top, style = y + 0.5 - LINE * lines / 2, {"va": "top", "linespacing": 1.1}
            write(ax, name, x + 0.5, top, weight=weight, **style)
            top += LINE * (name.count("\n") + 1)
            write(ax, lead, x + 0.5, top, color=GREY, **style)
        ax.text(x + 0.5, -0.12, f"batch {batch}", ha="center", va="bottom", fontsize=9.5)
    for n, precision in enumerate(PRECISIONS):
        ax.text((n + 0.5) * len(batches), -0.5, precision, ha="center", va="bottom", weight="bold")
        ax.vlines(n * len(batches), -0.95, len(layers), color=GREY, linewidth=1)
    bare(ax)
    problems = (ConvProblem.parse(layer_of(record, name, batches[0])["problem"]) for name in layers)
    rows = [f"{name}\n{p.i_c} channels" for name, p in zip(layers, problems, strict=True)]
    ax.set_yticks([y + 0.5 for y in range(len(layers))], rows, color="black", fontsize=8.5)
    ax.tick_params(length=0)
    ax.set(xlim=(0, len(columns)), ylim=(len(layers) + 0.75, -0.95))
    leaders = {each.family for each in methods.values()}
    for n, name in enumerate(name for name in TINTS if name in leaders):
        left = (0.1, 1.4, 2.6, 4.6)[n]  # LOWERED is long
        box(ax, left, len(layers) + 0.2, 0.16, 0.4, TINTS[name])
        ax.text(left + 0.24, len(layers) + 0.4, name, va="center", fontsize=9.5)
    ax.set_title(f"The fastest, {gpu_provenance(record)}", pad=14)
    return Picture(
        fig,
        f"The fastest method for each of {len(layers)} layers, batches of "
        f"{' and '.join(map(str, batches))}, in {', '.join(PRECISIONS)}: "
        f"{gpu_provenance(record)}.",
        colours=64,
    )


def _brief(name: str) -> str:
    """Return "cuDNN", "CUTLASS", "MEC": a method in one word or two."""
    of = family(name)
    return of if of in (CUDNN, LIBRARY) else method_label(name).partition(",")[0]


def against_cudnn(record: Mapping, names: Sequence[str], precision: str = "float32") -> Picture:
    """Draw cuDNN's time over each method's, by layer, a panel a batch: right of 1,
    cuDNN is slower.
    """
    runs = record["runs"]
    fig, axes = figure(9.0, 4.4, ncols=len(runs), sharey=True)
    xlabel = f"cuDNN's time ({precision}) over the method's"
    for ax, run in zip(axes, runs):
        series = {method_label(name): cudnn_ratios(run, name, precision) for name in names}
        ratio_rows(ax, run["layers"], series, title=f"batch {run['batch']}", xlabel=xlabel)
    handles = axes[0].get_legend_handles_labels()
    fig.legend(*handles, loc="outside upper right", ncols=len(names), fontsize=8.5)
    fig.suptitle(gpu_provenance(record), fontsize=10, x=0.02, ha="left")
    return Picture(
        fig,
        f"cuDNN's time in {precision} over that of "
        f"{', '.join(method_label(name) for name in names)}, for "
        f"{len(runs[0]['layers'])} layers and batches of "
        f"{' and '.join(str(run['batch']) for run in runs)}: "
        f"{gpu_provenance(record)}.",
        colours=64,
    )


Product = Callable[[np.ndarray, np.ndarray, TensorCores], np.ndarray]


PRODUCT_WAYS: Mapping[str, Product] = {
    "bfloat16": lambda a, b, multiply: multiply(a, b, "bfloat16"),
    "float16": lambda a, b, multiply: multiply(a, b, "float16"),
    "TF32": lambda a, b, multiply: multiply(a, b, "TF32"),
    "3xTF32": my_product,
}


def product_board(yours: Product, seed: int = 0) -> Picture:
    """Draw units across and worst error up, of each way and of `yours`, on random matrices.

    The error is over the sum of |a·b|, for a[64,512] and b[512,48].
    """
    rng = np.random.default_rng(seed)
    a, b = (rng.standard_normal(shape, dtype=np.float32) for shape in ((64, 512), (512, 48)))
    right, room = a.astype(np.float64) @ b, abs(a).astype(np.float64) @ abs(b)

    def error(product: np.ndarray) -> float:
        return float((abs(product - right) / room).max())

    points = {}
    for name, way in {**PRODUCT_WAYS, "yours": yours}.items():
        multiply = TensorCores()
        worst, units = error(way(a, b, multiply)), multiply.units
        points[name] = (units, worst, count_text(units, "unit"))
    fig, ax = figure(7.6, 3.8)
    labels = rivals(ax, points, "yours")
    processor = error(a @ b)
    ax.axhline(processor, color=GREY, linestyle="--", linewidth=1)
    ax.set(yscale="log", xlim=(0, 10), ylim=(processor / 4, 1e-2))
    ax.set_xlabel("units: a float16 product of this size is 1, a TF32 product 2")
    ax.set_ylabel("worst error, over the sum of |a·b|")
    ticks_in_words(ax.yaxis, power_text)
    ax.grid(True)
    style = {"ha": "right", "va": "bottom", "fontsize": 8, "color": GREY}
    ax.text(9.9, processor, "float32, on this processor", **style)
    label_points(ax, labels, fontsize=8.5)
    listed = ", ".join(f"{name} {units}" for name, (units, *_) in points.items())
    return Picture(fig, f"Products of rounded matrices by cost and error; units: {listed}.")


LAYER = ConvProblem(1, 5, 7, 64, 3, 3, 64, padding=1)
BOX = 12  # pixels of a box; real ones have 64 or 128


def tma_box_picture(first: int = 4, kernel_row: int = 0, kernel_column: int = 0) -> Picture:
    """Draw a box of 12 output pixels from `first` on, at one place of a 3 x 3 window.

    Left: where its pixels lie in the image, whose rim of zeros lies nowhere. Right: the rows that
    the engine writes into shared memory, 64 channels each.
    """
    p = LAYER
    fig, (left, right) = figure(9.0, 3.6, ncols=2, width_ratios=(p.i_w + 2, 5))
    there = {}
    for row, column in np.ndindex(p.i_h, p.i_w):
        box(left, column, row, 1, 1, PALE, edgecolor="white")
    for number in range(BOX):
        h, v = divmod(first + number, p.o_w)
        row, column = h + kernel_row - p.p_h, v + kernel_column - p.p_w
        there[number] = 0 <= row < p.i_h and 0 <= column < p.i_w
        tints, words = (OUTSIDE, OUTSIDE), "zeros: outside of the image"
        if there[number]:
            tints, words = (ORANGE, SKY), f"x[0, {row}, {column}, 0:64]"
        box(left, column, row, 1, 1, tints[0], number, edgecolor="white")
        box(right, 0, number, 1, 1, tints[1], number, edgecolor="white")
        right.text(1.15, number + 0.5, words, va="center", fontsize=8, color="#333333")
    frame(left, 0, 0, p.i_w, p.i_h, linewidth=1.6)
    left.set(xlim=(-1.1, p.i_w + 1.1), ylim=(p.i_h + 1.1, -1.1), aspect="equal")
    left.set_title("the image, outlined, and its rim")
    right.set(xlim=(-0.05, 5), ylim=(BOX + 0.1, -0.1))
    right.set_title("in shared memory: one row per pixel")
    for ax in (left, right):
        bare(ax)
    zeros = BOX - sum(there.values())
    h, v = divmod(first, p.o_w)
    words = (
        f"one thread says: from pixel ({h}, {v}) on, kernel row {kernel_row}, "
        f"column {kernel_column}, channels 0 to 63"
    )
    fig.supxlabel(words, fontsize=9.5)
    return Picture(
        fig,
        f"A box of {BOX} pixels from output pixel {first} on, at kernel row "
        f"{kernel_row}, column {kernel_column}: {BOX - zeros} rows from the image, "
        f"{zeros} of zeros.",
        colours=128,
    )


CUDA_SOURCE = {languages.BEST: "chapter 10's implicit GEMM"}


def languages_table(run: Mapping | None) -> Table:
    """Return a row for each language: its time, its rate, and times as long as CUDA C++."""
    columns = ["language", "time", "TFLOP/s", "time over CUDA C++'s"]
    if run is None:
        return table([], columns, caption=absent("languages"))
    seconds = {name: found["seconds"] for name, found in run["seconds"].items()}
    rows = [
        [
            CUDA_SOURCE.get(name, name) + ", at most" * languages.launched_slowly(run, name),
            seconds_text(taken),
            f"{run['flops'] / taken / 1e12:.2f}",
            f"{taken / seconds[CUDA]:.2f}",
        ]
        for name, taken in seconds.items()
    ]
    rows += [[name, "not installed here", "", ""] for name in run["absent"]]
    return table(rows, columns, caption=f"{run['layer']}: {run['card']['gpu']}, {run['date']}")
