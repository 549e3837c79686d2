"""Fewer multiplications on a GPU: every tile of Winograd, what `auto` takes, and cuDNN."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from convladder.bench.conv_gpu import BATCHES, as_record, compare_on_gpu
from convladder.bench.records.conv_gpu import seconds_of
from convladder.bench.records.winograd_gpu import DIRECT, auto_entry, auto_mean, auto_ratios
from convladder.core.network_layers import RESNET
from convladder.core.problem import PAPER, ConvProblem
from convladder.core.progress import Progress, report_progress
from convladder.core.registry import Method, get_method
from convladder.core.winograd_transforms import error_model, sizes
from convladder.gpu import winograd
from convladder.measure.cuda.gpu_info import require_gpu

FOLDER = "winograd-gpu"
LAYERS = {**PAPER, **RESNET}


def with_tiles(m: int) -> Method:
    """Return `gpu_winograd` as "F(m)", with tiles of `m` whatever the model says."""
    return replace(
        get_method("gpu_winograd"),
        name=f"F({m})",
        run=lambda x, U, p: winograd.convolve(x, U, p, m),
        prepare=lambda w, p: winograd.prepare(w, p, m),
        error_model=lambda p: error_model(p, m),
    )


def takers(problem: ConvProblem) -> list[Method]:
    """Return the direct method, and Winograd with each tile where it serves the problem."""
    served = winograd.unsupported(problem) is None
    return [get_method(DIRECT), *(with_tiles(m) for m in sizes(problem) if served)]


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return the day's results on every layer in both batches, ready for JSON.

    Needs a GPU with CuPy, and PyTorch; a minute. Raises `RuntimeError` if a result is wrong.
    """
    require_gpu("only one has times to record")
    return as_record(
        {
            batch: {
                name: compare_on_gpu(
                    problem.with_batch(batch),
                    takers(problem),
                    progress=lambda what, name=name, batch=batch: progress(
                        f"{name}×{batch}: {what}"
                    ),
                )
                for name, problem in LAYERS.items()
            }
            for batch in BATCHES
        }
    )


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each layer: what the H200's models take, and cuDNN's time over it."""
    for run in record["runs"]:
        for name, ratio in auto_ratios(run["layers"]).items():
            layer = run["layers"][name]
            chosen = auto_entry(ConvProblem.parse(layer["problem"]))
            yield (
                f"{name:<10} batch {run['batch']:>2}  {chosen:<17} "
                f"{seconds_of(layer, chosen) * 1e6:>7.1f} µs, cuDNN {ratio:.2f} times as long"
            )
        yield f"cv1 to cv12, batch {run['batch']}: {auto_mean(run['layers']):.2f} (geometric mean)"
