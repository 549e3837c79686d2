"""The steps of a GPU's ladder and its probes, timed, and the two limits of the GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from ..core.problem import PAPER, ConvProblem
from ..core.reference import Oracle, random_arrays
from ..core.registry import get_method
from ..gpu.launch import KERNELS, Launch
from ..gpu.probes import Probe, blur, by_fours, four_scalars, row_sums, strided
from ..gpu.variants import VARIANTS
from ..measure import Roofline
from ..measure.cuda.gpu_info import gpu_info, nvrtc_version, require_gpu
from ..measure.cuda.timing import timed_on_gpu
from .benchmark import Options, register
from .metadata import gpu_metadata
from .records import digests
from .result import timings_as_dict
from .rounds import error_by, judge_then_time

CHAINS = 8  # of a thread, as `#define`d in limits.cu
TURNS = 4096
BLOCKS_AN_SM, THREADS = 16, 256
COPIED = 2**26  # floats: too many for any L2 cache


def gpu_roofline() -> Roofline:
    """Measure FLOP/s of multiply-adds in registers, bytes/s read and written of a large copy.

    Needs a GPU. Raises `RuntimeError` if either kernel's result is wrong.
    """
    from .. import cuda

    blocks = BLOCKS_AN_SM * gpu_info()["multiprocessors"]
    launch = Launch("limits.cu", "multiply_adds", (blocks,), (THREADS,), 0, (0.5, 1.0, TURNS))
    out = cuda.empty((blocks * THREADS,))
    launch(out)
    if not (out.get() == 2.0 * CHAINS).all():  # where sum = sum / 2 + 1 comes to rest
        raise RuntimeError("multiply_adds is wrong; this is a defect of the package")
    calls = {"flops": lambda: launch(out), "bytes": by_fours(COPIED).ready()}
    seconds = {name: timing.low for name, timing in timed_on_gpu(calls).items()}
    flops = 2 * CHAINS * TURNS * blocks * THREADS
    return Roofline(flops / seconds["flops"], 2 * 4 * COPIED / seconds["bytes"], threads=1)


LAYER = replace(PAPER["cv8"], i_n=8)
NAMES = ("gpu_naive", "gpu_coalesced", "gpu_shared", "gpu_register_tile", "gpu_vectorised")
FILES = (
    "limits.cu",
    "probes.cu",
    "naive.cu",
    "coalesced.cu",
    "shared.cu",
    "register_tile.cu",
    "vectorised.cu",
)
FLOATS = 2**24  # that the strided copies read


# By group and name: what makes a probe large enough to time.
PROBES: dict[str, dict[str, Callable[[], Probe]]] = {
    "copy": {
        **{f"stride {n}": partial(strided, FLOATS, n) for n in (1, 2, 4, 8)},
        "offset 1": partial(strided, FLOATS, 1, 1),
        "four scalars": partial(four_scalars, FLOATS),
        "by fours": partial(by_fours, FLOATS),
    },
    "blocks": {f"{n} threads": partial(strided, FLOATS, threads=n) for n in (128, 256, 512, 1024)},
    "banks": {f"pitch {n}": partial(row_sums, n, 2**15) for n in (32, 33)},
    "weights": {place: partial(blur, place, 4096, 4096) for place in ("global", "constant")},
}


def kernels() -> dict[str, str]:
    """Return a digest of each file of the kernels that are timed."""
    return digests(KERNELS, FILES)


def measure(options: Options = Options()) -> dict[str, object]:
    """Judge and time everything on this GPU, in a minute or two; ready for JSON.

    Raises `RuntimeError` if a result is wrong: then nothing is recorded.
    """
    require_gpu("only one has times to record")
    limits = gpu_roofline()
    return {
        **gpu_metadata(nvrtc=nvrtc_version()),
        "limits": {"flops_per_s": limits.flops_per_s, "bytes_per_s": limits.bytes_per_s},
        "layer": str(LAYER),
        "flops": LAYER.flops,
        "kernels": kernels(),
        "ladder": time_ladder(),
        "registers": time_registers(),
        **{group: time_probes(group) for group in PROBES},
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield the limits, then a line for each rung of the ladder."""
    limits = record["limits"]
    yield (
        f"{record['card']['gpu']}: {limits['flops_per_s'] / 1e12:.1f} TFLOP/s, "
        f"{limits['bytes_per_s'] / 1e12:.2f} TB/s; {record['layer']}"
    )
    for name, result in record["ladder"].items():
        rate = record["flops"] / result["seconds"]
        yield (
            f"{name:<20}{result['seconds'] * 1e3:>8.3f} ms"
            f"{rate / limits['flops_per_s']:>8.1%} of the peak"
        )


def time_ladder(problem: ConvProblem = LAYER) -> dict[str, dict[str, float]]:
    """Time every rung of chapters 07 and 08, each judged before.

    Raises `RuntimeError` naming the rung if one is wrong.
    """
    from .. import cuda

    x, w = random_arrays(problem)
    arrays = cuda.to_device(x), cuda.to_device(w)
    runs = {name: partial(get_method(name).run, *arrays, problem) for name in NAMES}
    return _timed(runs, lambda run: run(), x, w, problem, budget=0.3)


def time_registers(problem: ConvProblem = LAYER) -> dict[str, dict[str, float]]:
    """Time the last rung with fewer pixels a thread, and with fewer registers; in seconds."""
    from .. import cuda

    x, w = random_arrays(problem)
    arrays = cuda.to_device(x), cuda.to_device(w), cuda.empty(problem.output_shape)
    runs = {variant.name: partial(variant.ready(problem), *arrays) for variant in VARIANTS}
    return _timed(runs, lambda run: run() or arrays[-1], x, w, problem)


def time_probes(group: str) -> dict[str, dict[str, float]]:
    """Time the probes of a group of `PROBES`; in seconds."""
    return timings_as_dict(
        timed_on_gpu({name: make().ready() for name, make in PROBES[group].items()})
    )


def _timed(
    runs: Mapping, result_of: Callable, x, w, problem: ConvProblem, budget: float = 0.2
) -> dict[str, dict[str, float]]:
    oracle = Oracle(x, w, problem)

    def judge(name: str, run: Callable) -> bool:
        error_by(oracle, name, result_of(run).get(), problem)
        return True

    return timings_as_dict(judge_then_time(runs, judge, partial(timed_on_gpu, budget=budget))[0])


register(
    "steps",
    "the limits of this GPU, the ladder of chapters 07 and 08 and every step of chapter 08, timed",
    measure,
    lines,
)
