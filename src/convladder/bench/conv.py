"""The methods beside the libraries on every layer: what `convladder record` does by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ..core.problem import PAPER, REPORT, RESNET, ConvProblem
from ..core.registry import Method, get_method, methods
from ..core.text import install_text
from ..measure import available_cores, roofline
from . import conv_cpu, conv_gpu
from .conv_analysis import runs_as_dict
from .conv_cpu import ConvComparison, compare_methods
from .conv_tables import SUBJECT, cpu_table, gpu_means
from .libraries import LIBRARIES, missing
from .result import over_layers
from .rounds import Progress, silent

NAME = "conv"
HELP = (
    "the microkernel, and what auto takes, beside the libraries on every layer; with --device "
    "gpu all methods of the GPU"
)
EVERY_LAYER = "paper"  # as a shape: cv1 to cv12 and the MEC report's layer


def measure(
    device: str = "cpu",
    threads: Sequence[int] = (),
    shape: str = EVERY_LAYER,
    progress: Progress = silent,
) -> dict[str, object]:
    """Return the record of a processor, on each number of `threads`, or of a GPU.

    `threads` default to 1 and all cores. Raises `ValueError` for a shape or threads that cannot
    be, `RuntimeError` naming whoever gave a wrong result, or without the GPU.
    """
    if device == "gpu":
        require_gpu(with_cudnn=True)
        if threads:
            raise ValueError(
                "--threads is for the processor's record; leave it out with --device gpu"
            )
        return conv_gpu.record(layers(shape), progress=progress)
    for number in threads:
        roofline(number)
    numbers = dict.fromkeys(threads or [1, available_cores()])
    runs, more = (
        [_compared(problems, number, progress) for number in numbers]
        for problems in (layers(shape), RESNET if shape == EVERY_LAYER else {})
    )
    return runs_as_dict(runs, more)


def _compared(
    problems: Mapping[str, ConvProblem], threads: int, progress: Progress
) -> dict[str, ConvComparison]:
    """Return each layer's comparison: direct, im2col, Winograd with every tile, the libraries."""
    chosen = {name: conv_cpu.auto(problem, threads) for name, problem in problems.items()}
    methods = [get_method(SUBJECT), get_method("im2col"), *conv_cpu.all_tiles()]
    others = set(chosen.values()) - {method.name for method in methods}
    methods += [get_method(name) for name in sorted(others)]
    found = over_layers(problems, methods, partial(compare_methods, threads=threads), progress)
    return {name: replace(each, chosen=chosen[name]) for name, each in found.items()}


def lines(record: Mapping) -> Iterator[str]:
    """Yield the tables of a processor's record, or the means of a GPU's."""
    if "card" in record:
        for run in record["runs"]:
            yield from (f"batch {run['batch']}", *gpu_means(run))
        return
    yield cpu_table(record)
    present = {
        library
        for run in record["runs"]
        for layer in run["layers"].values()
        for library in layer["libraries"].values()
    }
    if absent := absent_text([name for name in LIBRARIES if name not in present]):
        yield from ("", absent)


def folder(record: Mapping) -> str:
    """Return the folder of a record: processors and GPUs have one each."""
    return conv_gpu.FOLDER if "card" in record else conv_cpu.FOLDER


def layers(shape: str) -> dict[str, ConvProblem]:
    """Return problems by name: every layer, or the one that `shape` describes.

    Raises `ValueError` for a shape that describes none.
    """
    if shape == EVERY_LAYER:
        return {**PAPER, "report": REPORT}
    return {shape: ConvProblem.parse(shape)}


def absent_text(absent: Sequence[str] | None = None) -> str | None:
    """Say what is not installed (or `absent`) and what command adds it; None if all is there."""
    absent = missing() if absent is None else absent
    if not absent:
        return None
    return f"Not there to compare with: {', '.join(absent)}. Add with: {install_text('peers')}"


def require_gpu(with_cudnn: bool) -> None:
    """Raise `RuntimeError` without a GPU, or without what cuDNN is called through."""
    from .. import cuda

    if not cuda.gpu():
        raise RuntimeError(
            "--device gpu measures an NVIDIA GPU, and CuPy sees none here; the records of other "
            "machines come with the course (convladder.bench.conv_gpu.recorded())"
        )
    if with_cudnn and "torch" in missing():
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
