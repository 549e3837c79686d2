"""The rungs that the chapters climb on one layer, in their order, and a record of them all.

Where a learner has not measured a rung, the record of another machine stands in for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from ..core.network_layers import RESNET
from ..core.problem import REPORT, ConvProblem
from ..core.processor import available_cores
from ..core.reference import random_arrays
from ..core.registry import get_method
from ..core.text import seconds_text
from ..measure.limits import roofline
from ..measure.pinning import threads as pinned
from ..measure.timing import timed
from .benchmark import Options, register
from .conv_gpu import compare_on_gpu
from .libraries.conv import peers
from .metadata import cpu_metadata
from .records import newest
from .rounds import error_of

LIBRARY_NAMES = {"torch": "PyTorch", "onnxruntime": "ONNX Runtime"}
CUDNN = "cuDNN, float32"
CORNER = ConvProblem(1, 10, 10, 3, 7, 7, 64)  # 4 × 4 output pixels, for loops in plain Python


@dataclass(frozen=True)
class Rung:
    """One way to compute a layer. where: "core", "cores" (all of them) or "gpu"."""

    name: str
    chapter: str
    where: str
    method: str


PYTHON = Rung("six loops, plain Python", "00", "core", "loops")
RUNGS: dict[ConvProblem, tuple[Rung, ...]] = {
    REPORT: (
        PYTHON,
        Rung("six loops, compiled", "00", "core", "loops_numba"),
        Rung("im2col and one product", "01", "core", "im2col"),
        Rung("MEC", "03", "core", "mec_rows"),
        Rung("MEC on every core", "04", "cores", "mec_threads"),
        Rung("microkernel", "05", "cores", "microkernel"),
        Rung("a GPU thread per output", "07", "gpu", "gpu_naive"),
        Rung("register tiles, vector loads", "08", "gpu", "gpu_vectorised"),
        Rung("MEC on cuBLAS", "09", "gpu", "gpu_mec"),
        Rung("implicit GEMM", "10", "gpu", "gpu_implicit_gemm"),
        Rung("tensor cores, float16", "11", "gpu", "gpu_tensor_core"),
    ),
    RESNET["56×56×64"]: (
        Rung("im2col and one product", "01", "cores", "im2col_threads"),
        Rung("microkernel", "05", "cores", "microkernel"),
        Rung("Winograd", "06", "cores", "winograd"),
    ),
}


def time_rung(rung: Rung, problem: ConvProblem) -> dict[str, float]:
    """Judge and time a rung on one random image; return its seconds and workspace bytes.

    Plain Python computes a corner, and its time is scaled. A rung of the GPU needs CuPy and a GPU.
    """
    if rung.where == "gpu":
        return _time_on_gpu(rung, problem)
    threads = 1 if rung.where == "core" else available_cores()
    part = CORNER if rung == PYTHON else problem
    x, w = random_arrays(part, seed=1)
    method = get_method(rung.method)
    weights = method.prepare(w, part) if method.prepare else w
    with pinned(threads):
        y, workspace = method.run(x, weights, part), method.workspace_bytes(part)
    error_of(f"method {rung.method!r}", y, x, w, part, method.error_model(part))
    seconds = timed(lambda: method.run(x, weights, part), threads=threads).median
    return {"seconds": seconds * problem.macs / part.macs, "workspace": workspace}


def _time_on_gpu(rung: Rung, problem: ConvProblem) -> dict[str, float]:
    (found,) = compare_on_gpu(problem, [get_method(rung.method)], with_cudnn=False).values()
    return {"seconds": found.timing.median, "workspace": _besides_output(problem, found.peak)}


def _besides_output(problem: ConvProblem, peak: int) -> int:
    """Return bytes of a GPU's peak, which counts the output; one of float16 takes half."""
    return max(0, peak - 4 * problem.pixels * problem.k_c)


def time_libraries(problem: ConvProblem) -> dict[str, dict[str, float]]:
    """Time the installed libraries on all cores: the fastest way of each."""
    x, w = random_arrays(problem, seed=1)
    found: dict[str, dict[str, float]] = {}
    for each in peers(x, w, problem, available_cores()):
        seconds = timed(each.run).median
        known = found.setdefault(LIBRARY_NAMES[each.package], {"seconds": seconds})
        known["seconds"] = min(known["seconds"], seconds)
    return found


def measure(options: Options) -> dict[str, object]:
    """Time all rungs of this machine's processor, and the libraries; return the record."""
    peak = roofline(None).flops_per_s  # before the libraries, whose idle threads may spin
    layers = {}
    for problem, rungs in RUNGS.items():
        layers[str(problem)] = found = {}
        for rung in (each for each in rungs if each.where != "gpu"):
            options.progress(rung.name)
            found[rung.name] = time_rung(rung, problem)
        layers[str(problem)] |= time_libraries(problem)
    return {**cpu_metadata(), "flops_per_s": peak, "layers": layers}


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line per rung."""
    for layer, rungs in record["layers"].items():
        yield layer
        for name, each in rungs.items():
            yield f"  {name:<26}{seconds_text(each['seconds'])}"


def recorded(problem: ConvProblem) -> dict[str, dict[str, Any]]:
    """Return seconds, workspace bytes and machine of every recorded rung and library of a layer.

    A GPU's rungs, and cuDNN in float32, are those of the newest record of convolutions there.
    """
    record = newest("rungs")
    where = f"{record['machine']['cpu']}, {record['machine']['cores']} cores"
    found = {
        name: {"machine": where, **each}
        for name, each in record["layers"].get(str(problem), {}).items()
    }
    on_gpu = newest("conv-gpu")
    entries = on_gpu["runs"][0]["layers"]["report"]["entries"] if problem == REPORT else {}
    ways = {rung.name: [rung.method] for rung in RUNGS[problem] if rung.where == "gpu"}
    if entries:
        ways[CUDNN] = ["cudnn float32 NCHW", "cudnn float32 NHWC"]
    for name, kept in ways.items():
        fastest = min((entries[each] for each in kept), key=lambda each: median(each["graph"]))
        found[name] = {
            "machine": on_gpu["card"]["gpu"],
            "seconds": median(fastest["graph"]),
            "workspace": _besides_output(problem, fastest["peak"]),
        }
    return found


register("rungs", "the rungs that the chapters climb on one layer, timed", measure, lines)
