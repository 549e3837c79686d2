"""The methods beside the libraries on every layer, on a processor or a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ..core.install import install_text
from ..core.network_layers import RESNET
from ..core.problem import PAPER, REPORT, ConvProblem
from ..core.progress import Progress
from ..core.registry import Method, get_method, methods
from ..core.text import count_text
from ..measure import available_cores, roofline
from ..measure.cuda.gpu_info import require_gpu
from . import conv_gpu, winograd_tiles
from .benchmark import EVERY_LAYER, Options, register
from .conv_cpu import ConvComparison, compare_methods
from .conv_tables import SUBJECT, cpu_means, gpu_means
from .libraries import LIBRARIES, missing
from .records.conv_cpu import runs_as_dict, runs_of
from .result import over_layers


def measure_cpu(options: Options = Options()) -> dict[str, object]:
    """Return the record of this processor, on 1 thread and all cores if none are asked for.

    Raises `ValueError` for a shape or threads that cannot be, `RuntimeError` naming whoever gave a
    wrong result.
    """
    for number in options.threads:
        roofline(number)
    numbers = dict.fromkeys(options.threads or [1, available_cores()])
    runs, more = (
        [_compared(problems, number, options.progress) for number in numbers]
        for problems in (layers(options.shape), RESNET if options.shape == EVERY_LAYER else {})
    )
    return runs_as_dict(runs, more)


def measure_gpu(options: Options = Options()) -> dict[str, object]:
    """Return the record of this GPU. Raises as `measure_cpu`, and `RuntimeError` without one."""
    require_gpu("all its methods are timed on one")
    require_cudnn()
    if options.threads:
        raise ValueError("--threads is for the processor's methods")
    return conv_gpu.record(layers(options.shape), progress=options.progress)


def _compared(
    problems: Mapping[str, ConvProblem], threads: int, progress: Progress
) -> dict[str, ConvComparison]:
    """Return each layer's comparison: direct, im2col, Winograd with every tile, the libraries."""
    chosen = {name: winograd_tiles.auto(problem, threads) for name, problem in problems.items()}
    methods = [get_method(SUBJECT), get_method("im2col"), *winograd_tiles.all_tiles()]
    others = set(chosen.values()) - {method.name for method in methods}
    methods += [get_method(name) for name in sorted(others)]
    found = over_layers(problems, methods, partial(compare_methods, threads=threads), progress)
    return {name: replace(each, chosen=chosen[name]) for name, each in found.items()}


def cpu_lines(record: Mapping) -> Iterator[str]:
    """Yield the means of a processor's record over its layers."""
    for run in runs_of(record):
        threads = next(iter(run.values())).threads
        yield from (count_text(threads, "thread"), *cpu_means(run, SUBJECT))
    present = {
        library
        for run in record["runs"]
        for layer in run["layers"].values()
        for library in layer["libraries"].values()
    }
    if absent := absent_text([name for name in LIBRARIES if name not in present]):
        yield from ("", absent)


def gpu_lines(record: Mapping) -> Iterator[str]:
    """Yield the means of a GPU's record over its layers."""
    for run in record["runs"]:
        yield from (f"batch {run['batch']}", *gpu_means(run))


def layers(shape: str) -> dict[str, ConvProblem]:
    """Return problems by name: every layer, or the one that `shape` describes.

    Raises `ValueError` for a shape that describes none.
    """
    if shape == EVERY_LAYER:
        return {**PAPER, "report": REPORT}
    return {shape: ConvProblem.parse(shape)}


def absent_text(absent: Sequence[str] | None = None) -> str | None:
    """Return the missing packages (or `absent`) and the command that adds them, or None."""
    absent = missing() if absent is None else absent
    if not absent:
        return None
    return f"Not there to compare with: {', '.join(absent)}. Add with: {install_text('peers')}"


def require_cudnn() -> None:
    """Raise `RuntimeError` without what cuDNN is called through."""
    if "torch" in missing():
        raise RuntimeError(
            "cuDNN is called through PyTorch, which is not installed; add it with: "
            + install_text("peers")
        )


def gpu_methods(names: Sequence[str] | None) -> list[Method]:
    """Return the GPU's methods, all or by name. Raises `ValueError` for a processor's."""
    chosen = [get_method(name) for name in names] if names else methods("gpu")
    if elsewhere := [method.name for method in chosen if method.device != "gpu"]:
        raise ValueError(f"{', '.join(elsewhere)}: not on the GPU; leave out --device gpu")
    return chosen


register(
    "conv-cpu",
    "the microkernel, and what auto takes, beside the libraries on every layer",
    measure_cpu,
    cpu_lines,
)
register("conv-gpu", "all methods of this GPU beside cuDNN, batch 1 and 32", measure_gpu, gpu_lines)
