"""Tables of the convolution records: rows and sentences for the terminal, and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..core.text import bytes_text, mark_disturbed, seconds_text
from .conv_analysis import (
    Run,
    auto_table,
    library_comparison,
    median_share,
    runs_by_auto,
    runs_of,
)
from .conv_gpu import HALF, ratios, rival, rival_seconds, seconds
from .libraries import LIBRARIES, RIVALS
from .rounds import geometric_mean

SUBJECT = "microkernel"
IMPLICIT, MEC, WINOGRAD = "gpu_implicit_gemm", "gpu_mec_pointers", "gpu_winograd"
# A method, and cuDNN's precision.
OF = ((IMPLICIT, "float32"), (WINOGRAD, "float32"), (MEC, "float32"), (HALF, "float16"))
SUMMARY_COLUMNS = ["with", "layers", "mean speed", "worst layer"]
TITLES = {"torch": "PyTorch", "onnxruntime": "ONNX Runtime", "cuDNN": "cuDNN"}
GPU_COLUMNS = [
    "layer",
    f"{IMPLICIT}, float32",
    "TFLOP/s",
    "vs cuDNN",
    "cuDNN's workspace",
    WINOGRAD,
    "vs cuDNN",
    MEC,
    "its matrix",
    f"{HALF}, float16",
    "TFLOP/s",
    "vs cuDNN",
]
HALF_COLUMNS = ["layer", f"{HALF}, float16", "TFLOP/s", "vs cuDNN"]


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
        own = seconds(layer, name)
        row = [
            name,
            seconds_text(own),
            seconds_text(seconds(layer, name, "plain")),
            f"{layer['flops'] / own / 1e12:.1f}",
            bytes_text(entry["peak"]),
            f"{entry['error']:.0e}",
        ]
        if with_rivals:
            rival = rival_seconds(layer, RIVALS.get(name, "float32"))
            row.append("" if name.startswith("cudnn") else f"{rival / own:.2f}×")
        rows.append(row)
    columns = ["method", "in a graph", "called", "TFLOP/s", "allocated", "relative error"]
    return rows, columns + ["vs cuDNN"] * with_rivals


def gpu_means(run: Mapping) -> list[str]:
    """Return a line a method: its speed over cuDNN's, on the layers that it computes."""
    names = dict.fromkeys(
        name
        for layer in run["layers"].values()
        for name in layer["entries"]
        if not name.startswith("cudnn")
    )
    lines = []
    for name in names:
        precision = RIVALS.get(name, "float32")
        by_layer = ratios(run, name, precision)
        worst = min(by_layer, key=by_layer.get)
        lines.append(
            f"{name}: {geometric_mean(by_layer.values()):.2f}× as fast as cuDNN ({precision}) over "
            f"{len(by_layer)} layers (geometric mean; least {by_layer[worst]:.2f}× on {worst})"
        )
    return lines


def cpu_table(record: Mapping) -> str:
    """Return a processor's record: a run a table, its summary, the machine, the day."""
    parts = []
    for run, by_auto in zip(runs_of(record), runs_by_auto(record), strict=True):
        threads = next(iter(run.values())).threads
        parts += [
            f"**{count_text(threads, 'thread')}**",
            "",
            *markdown(*cpu_cells(run, SUBJECT)),
            "",
            *(f"- {line}" for line in cpu_means(run, SUBJECT)),
            "",
        ]
        if by_auto:
            libraries = [name for name in LIBRARIES if name in rivals(by_auto, SUBJECT)]
            parts += [*markdown(*auto_table(by_auto, libraries)), ""]
    card = record["machine"]
    software = [
        f"Python {card['python']}",
        f"NumPy {card['numpy']} ({card['blas']})",
        f"Numba {card['numba']}",
        *_named(record["versions"]),
    ]
    parts.append(
        f"*{card['cpu']}, {card['isa']}, {card['cores']} cores, {record['date']}; "
        f"{', '.join(software)}. Batch 1, float32; medians of paired rounds.*"
    )
    return "\n".join(parts)


def cpu_summary(record: Mapping) -> str:
    """Return a processor's record as a table: how many times faster our method is, by rival."""
    rows = []
    for run in runs_of(record):
        threads = count_text(next(iter(run.values())).threads, "thread")
        for other in rivals(run, SUBJECT):
            each = library_comparison(run, other, SUBJECT)
            rows.append(
                [
                    f"`{SUBJECT}` vs {_title(other, record['versions'])}",
                    threads,
                    str(len(run)),
                    f"{each.mean:.2f}×",
                    f"{each.least:.2f}× on {each.layer}",
                ]
            )
    head = f"{record['machine']['cpu']}, {record['date']}"
    return "\n".join(markdown(rows, [head, *SUMMARY_COLUMNS]))


def gpu_table(record: Mapping) -> str:
    """Return a GPU's record: a batch a table, the means over its layers, the machine, the day."""
    parts = []
    for run in record["runs"]:
        rows = [_gpu_row(name, layer) for name, layer in run["layers"].items()]
        parts += [
            f"**{count_text(run['batch'], 'image')}**",
            "",
            *markdown(rows, GPU_COLUMNS),
            "",
            *(_mean(name, of, by_layer) for name, of in OF if (by_layer := ratios(run, name, of))),
            "",
        ]
    for run in record.get("half", ()):
        rows = [[name, *_half_cells(layer)] for name, layer in run["layers"].items()]
        parts += [
            f"**{count_text(run['batch'], 'image')}, float16 on ResNet-50's layers**",
            "",
            *markdown(rows, HALF_COLUMNS),
            "",
            _mean(HALF, "float16", ratios(run, HALF, "float16")),
            "",
        ]
    card = record["card"]
    parts.append(
        f"*{card['gpu']}, driver {card['driver']}, {record['date']}; "
        f"{', '.join(_named(record['versions']))}. TF32 off for float32; each library in "
        "the faster of its layouts; medians of interleaved graph replays.*"
    )
    return "\n".join(parts)


def gpu_summary(record: Mapping) -> str:
    """Return a GPU's record as a table: how many times faster our methods are than cuDNN."""
    rows = []
    for run in record["runs"]:
        for name, precision in OF:
            if by_layer := ratios(run, name, precision):
                worst = min(by_layer, key=by_layer.get)
                rows.append(
                    [
                        f"`{name}` vs cuDNN, {precision}",
                        count_text(run["batch"], "image"),
                        str(len(by_layer)),
                        f"{geometric_mean(by_layer.values()):.2f}×",
                        f"{by_layer[worst]:.2f}× on {worst}",
                    ]
                )
    cudnn = _title("cuDNN", {"cuDNN": record["versions"].get("nvidia-cudnn-cu13")})
    head = f"{record['card']['gpu']}, {cudnn}, {record['date']}"
    return "\n".join(markdown(rows, [head, *SUMMARY_COLUMNS]))


def _title(name: str, versions: Mapping[str, str | None]) -> str:
    """Return a library's own spelling with its version; a method's name as code."""
    number = (versions.get(name) or "").partition("+")[0]
    return f"{TITLES.get(name, f'`{name}`')} {number}".rstrip()


def _gpu_row(name: str, layer: Mapping) -> list[str]:
    own, tiled = seconds(layer, IMPLICIT), seconds(layer, WINOGRAD)
    entries, peak = layer["entries"], layer["entries"][IMPLICIT]["peak"]  # its result alone
    return [
        name,
        seconds_text(own),
        f"{layer['flops'] / own / 1e12:.1f}",
        f"{rival_seconds(layer) / own:.2f}×",
        bytes_text(entries[rival(layer)]["peak"] - peak),
        *(
            ("", "")
            if tiled is None
            else (seconds_text(tiled), f"{rival_seconds(layer) / tiled:.2f}×")
        ),
        seconds_text(seconds(layer, MEC)),
        bytes_text(entries["gpu_mec"]["peak"] - peak),
        *_half_cells(layer),
    ]


def _half_cells(layer: Mapping) -> list[str]:
    half = seconds(layer, HALF)
    return [
        seconds_text(half),
        f"{layer['flops'] / half / 1e12:.0f}",
        f"{rival_seconds(layer, 'float16') / half:.2f}×",
    ]


def _mean(name: str, precision: str, by_layer: Mapping[str, float]) -> str:
    worst = min(by_layer, key=by_layer.get)
    return (
        f"- {name}: {geometric_mean(by_layer.values()):.2f}× as fast as cuDNN ({precision}) "
        f"(geometric mean; least {by_layer[worst]:.2f}× on {worst})"
    )


def markdown(rows: list[list[str]], columns: list[str]) -> Iterator[str]:
    """Yield the lines of a Markdown table, numbers to the right."""
    for line in (columns, ["---", *["---:"] * (len(columns) - 1)], *rows):
        yield f"| {' | '.join(line)} |"


def count_text(count: int, what: str) -> str:
    """Return "1 thread", "2 threads"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _named(versions: Mapping[str, str | None]) -> list[str]:
    return [f"{name} {number}" for name, number in versions.items() if number]
