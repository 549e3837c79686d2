"""Records of convolutions as Markdown: every layer, and a summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from convladder.bench.conv_gpu import HALF
from convladder.bench.conv_tables import SUBJECT, cpu_cells, cpu_means, rivals
from convladder.bench.libraries import LIBRARIES
from convladder.bench.records.conv_cpu import Run, library_comparison, runs_by_auto, runs_of
from convladder.bench.records.conv_gpu import cudnn_ratios, cudnn_seconds, fastest_cudnn, seconds_of
from convladder.bench.rounds import geometric_mean
from convladder.core.text import bytes_text, count_text, seconds_text

from .goals import fastest, loss, markdown, ratios_on_paper

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


def auto_table(run: Run, libraries: Iterable[str]) -> tuple[list[list[str]], list[str]]:
    """Return rows and column names: the method `auto` takes on a layer, its speed over others'."""
    rows = [[
        name, each.chosen, seconds_text(each.seconds(each.chosen)),
        *(f"{each.ratio(other, each.chosen):.2f}×" for other in ("microkernel", *libraries)),
        f"{fastest(each)}, {loss(each):.2f}",
    ] for name, each in run.items()]  # fmt: skip
    return rows, [
        "layer",
        "auto takes",
        "time",
        "vs microkernel",
        *(f"vs {library}" for library in libraries),
        "fastest, auto's time over its",
    ]


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
    for run, by_auto in zip(runs_of(record), runs_by_auto(record), strict=True):
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
        for other, by_layer in ratios_on_paper(by_auto).items():
            name = f"`auto` vs {_title(other, record['versions'])}"
            rows.append([name, threads, *_mean_and_worst(by_layer)])
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
            *(
                _mean(name, of, by_layer)
                for name, of in OF
                if (by_layer := cudnn_ratios(run, name, of))
            ),
            "",
        ]
    for run in record.get("half", ()):
        rows = [[name, *_half_cells(layer)] for name, layer in run["layers"].items()]
        parts += [
            f"**{count_text(run['batch'], 'image')}, float16 on ResNet-50's layers**",
            "",
            *markdown(rows, HALF_COLUMNS),
            "",
            _mean(HALF, "float16", cudnn_ratios(run, HALF, "float16")),
            "",
        ]
    card = record["card"]
    parts.append(
        f"*{card['gpu']}, driver {card['driver']}, {record['date']}; "
        f"{', '.join(_named(record['versions']))}. TF32 off for float32; cuDNN in the "
        "faster of its layouts in float32, channels last in float16; medians of "
        "interleaved graph replays.*"
    )
    return "\n".join(parts)


def gpu_summary(record: Mapping) -> str:
    """Return a GPU's record as a table: how many times faster our methods are than cuDNN."""
    rows = []
    for run in record["runs"]:
        for name, precision in OF:
            if by_layer := cudnn_ratios(run, name, precision):
                batch = count_text(run["batch"], "image")
                rows.append([f"`{name}` vs cuDNN, {precision}", batch, *_mean_and_worst(by_layer)])
    cudnn = _title("cuDNN", {"cuDNN": record["versions"].get("nvidia-cudnn-cu13")})
    head = f"{record['card']['gpu']}, {cudnn}, {record['date']}"
    return "\n".join(markdown(rows, [head, *SUMMARY_COLUMNS]))


def _mean_and_worst(by_layer: Mapping[str, float]) -> list[str]:
    """Return how many layers there are, the mean of their speeds, and the least with its layer."""
    worst = min(by_layer, key=by_layer.get)
    mean = geometric_mean(by_layer.values())
    return [str(len(by_layer)), f"{mean:.2f}×", f"{by_layer[worst]:.2f}× on {worst}"]


def _title(name: str, versions: Mapping[str, str | None]) -> str:
    """Return a library's own spelling with its version; a method's name as code."""
    number = (versions.get(name) or "").partition("+")[0]
    return f"{TITLES.get(name, f'`{name}`')} {number}".rstrip()


def _gpu_row(name: str, layer: Mapping) -> list[str]:
    own, tiled = seconds_of(layer, IMPLICIT), seconds_of(layer, WINOGRAD)
    entries, peak = layer["entries"], layer["entries"][IMPLICIT]["peak"]  # its result alone
    return [
        name,
        seconds_text(own),
        f"{layer['flops'] / own / 1e12:.1f}",
        f"{cudnn_seconds(layer) / own:.2f}×",
        bytes_text(entries[fastest_cudnn(layer)]["peak"] - peak),
        *(
            ("", "")
            if tiled is None
            else (seconds_text(tiled), f"{cudnn_seconds(layer) / tiled:.2f}×")
        ),
        seconds_text(seconds_of(layer, MEC)),
        bytes_text(entries["gpu_mec"]["peak"] - peak),
        *_half_cells(layer),
    ]


def _half_cells(layer: Mapping) -> list[str]:
    half = seconds_of(layer, HALF)
    return [
        seconds_text(half),
        f"{layer['flops'] / half / 1e12:.0f}",
        f"{cudnn_seconds(layer, 'float16') / half:.2f}×",
    ]


def _mean(name: str, precision: str, by_layer: Mapping[str, float]) -> str:
    worst = min(by_layer, key=by_layer.get)
    return (
        f"- {name}: {geometric_mean(by_layer.values()):.2f}× as fast as cuDNN ({precision}) "
        f"(geometric mean; least {by_layer[worst]:.2f}× on {worst})"
    )


def _named(versions: Mapping[str, str | None]) -> list[str]:
    return [f"{name} {number}" for name, number in versions.items() if number]
