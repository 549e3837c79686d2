"""Fewer multiplications on a GPU: every tile of Winograd, what `auto` takes, and cuDNN."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from ..gpu import winograd, winograd_choice
from ..gpu.implicit_gemm import expected_cycles
from ..gpu.tile_choice import H200, TileChip
from ..measure.cuda.machine import require_gpu
from ..problem import PAPER, RESNET, ConvProblem
from ..records.store import records
from ..reference import ErrorModel
from ..registry import Method, get_method
from ..winograd import growth, sizes
from .compare_gpu import compare_on_gpu
from .conv_gpu import BATCHES, as_record, rival_seconds, seconds
from .rounds import Progress, geometric_mean, silent

NAME = "winograd-gpu"
HELP = "Winograd with every tile, the direct method and cuDNN on this GPU, with 1 image and 32"
LAYERS = {**PAPER, **RESNET}
DIRECT = "gpu_implicit_gemm"
recorded = partial(records, NAME)


def with_tiles(m: int) -> Method:
    """Return `gpu_winograd` as "F(m)", with tiles of `m` whatever the model says."""
    return replace(
        get_method("gpu_winograd"), name=f"F({m})",
        run=lambda x, U, p: winograd.convolve(x, U, p, m),
        prepare=lambda w, p: winograd.prepare(w, p, m),
        error_model=lambda p: ErrorModel((m, m), growth(m, p.k_h)),
    )  # fmt: skip


def takers(problem: ConvProblem) -> list[Method]:
    """Return the direct method, and Winograd with each tile where it serves the problem."""
    served = winograd.unsupported(problem) is None
    return [get_method(DIRECT), *(with_tiles(m) for m in sizes(problem.k_h) if served)]


def measure(progress: Progress = silent) -> dict[str, object]:
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
        for name, ratio in ratios(run).items():
            layer = run["layers"][name]
            chosen = auto(ConvProblem.parse(layer["problem"]))
            yield (
                f"{name:<10} batch {run['batch']:>2}  {chosen:<17} "
                f"{seconds(layer, chosen) * 1e6:>7.1f} µs, cuDNN {ratio:.2f} times as long"
            )
        yield f"cv1 to cv12, batch {run['batch']}: {mean_ratio(run):.2f} (geometric mean)"


def auto(problem: ConvProblem, chip: TileChip = H200) -> str:
    """Return the entry of a record that `auto` takes on a chip: "F(m)" or `DIRECT`."""
    if winograd.unsupported(problem):
        return DIRECT
    m = winograd_choice.choose(problem, chip.multiprocessors)
    tiled = winograd_choice.predicted_cycles(problem, m, chip.multiprocessors)
    return f"F({m})" if tiled < expected_cycles(problem, chip) else DIRECT


def ratios(run: Mapping) -> dict[str, float]:
    """Return how many times longer cuDNN takes than what `auto` takes, by layer."""
    return {
        name: rival_seconds(layer) / seconds(layer, auto(ConvProblem.parse(layer["problem"])))
        for name, layer in run["layers"].items()
    }


def mean_ratio(run: Mapping, names: Mapping[str, object] = PAPER) -> float:
    """Return the geometric mean of `ratios` over layers of those names."""
    return geometric_mean(ratio for name, ratio in ratios(run).items() if name in names)
