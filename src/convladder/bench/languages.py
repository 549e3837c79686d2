"""One kernel in four languages on a GPU: judged, then timed in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial

from ..core.problem import PAPER
from ..core.reference import Oracle, random_arrays
from ..core.registry import get_method
from ..gpu.languages import CUDA, LANGUAGES, TRITON_TILE, bound
from ..measure.cuda.gpu_info import require_gpu
from ..measure.cuda.timing import timed_on_gpu
from ..measure.hardware import versions
from .benchmark import Options, register
from .launches import issue_seconds
from .metadata import gpu_metadata
from .result import timings_as_dict
from .rounds import error_by, judge_then_time

LAYER = replace(PAPER["cv8"], i_h=448, i_w=448)  # so large that a launch from Python is short
BEST = "gpu_implicit_gemm"  # beside them: chapter 10, not made to be read
PYTHON = 1e-4  # seconds of a launch from Python, where a record did not note them
PACKAGES = ("numba", "numba-cuda", "nvidia-cutlass-dsl", "triton", "torch")


def measure(options: Options = Options()) -> dict[str, object]:
    """Return "seconds" by language, each judged before; "absent": why one was not there.

    "issue": seconds until the host has given one launch away. Where that is no less than what the
    launch takes, the time is Python's.

    Raises `RuntimeError` without a GPU, or where a result is wrong.
    """
    require_gpu("four languages are timed on one")
    import cupy

    from .. import cuda

    problem = LAYER
    x, w = random_arrays(problem)
    arrays = cuda.to_device(x), cuda.to_device(w), cuda.empty(problem.output_shape)
    best, oracle, errors = get_method(BEST), Oracle(x, w, problem), {}
    calls: dict[str, Callable[[], object]] = {}

    def judge(language: str, at: object) -> bool:
        if language == BEST:
            calls[language] = run = partial(best.run, *arrays[:2], problem)
            found = run().get()
        else:
            calls[language] = bound(language, problem, *arrays)
            arrays[-1].fill(cupy.nan)
            calls[language]()
            found = arrays[-1].get()
        errors[language] = error_by(oracle, language, found, problem)
        return True

    timings, absent = judge_then_time(
        dict.fromkeys((*LANGUAGES, BEST)),
        judge,
        lambda right: timed_on_gpu({name: calls[name] for name in right}, budget=0.3),
        optional=set(LANGUAGES) - {CUDA},
        progress=options.progress,
    )
    return {
        **gpu_metadata(**versions(PACKAGES)),
        "layer": str(problem),
        "flops": problem.flops,
        "tile": list(TRITON_TILE),
        "seconds": timings_as_dict(timings),
        "issue": {name: issue_seconds(calls[name], 10) for name in timings},
        "errors": errors,
        "absent": absent,
    }


def launched_slowly(record: Mapping, name: str) -> bool:
    """Return whether a language's time may be that of its launch, by Python, and not the GPU's."""
    issue = record.get("issue", {}).get(name, PYTHON)
    return issue > 0.5 * record["seconds"][name]["seconds"]


@cache
def here() -> dict[str, object]:
    """Return this machine's, measured once."""
    return measure()


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each language: time, rate, and times as long as CUDA C++."""
    first = record["seconds"][CUDA]["seconds"]
    yield f"{record['card']['gpu']}: {record['layer']}, Triton's tiles {record['tile']}"
    for name, found in record["seconds"].items():
        seconds = found["seconds"]
        yield (
            f"{name:<20}{1e3 * seconds:>9.3f} ms{record['flops'] / seconds / 1e12:>8.2f} TFLOP/s"
            f"{seconds / first:>7.2f} times CUDA C++'s"
            + (", at most: launched as slowly" if launched_slowly(record, name) else "")
        )
    for name, why in record["absent"].items():
        yield f"{name}: not here: {why}"


register(
    "languages",
    "chapter 11's small kernel in CUDA C++, numba.cuda, CuTe DSL and Triton, timed",
    measure,
    lines,
)
