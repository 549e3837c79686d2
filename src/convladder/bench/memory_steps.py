"""What chapter 07 times on a GPU: its limits, the ladder, and every step's habit of memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

from ..gpu.launch import KERNELS
from ..gpu.probes import Probe, blur, by_fours, row_sums, strided
from ..gpu.variants import VARIANTS
from ..measure import Timing
from ..measure.cuda.machine import card, versions
from ..measure.cuda.timing import timed_on_gpu
from ..problem import PAPER, ConvProblem
from ..reference import compare as judge
from ..reference import random_arrays
from ..registry import get_method
from .gpu_roofline import gpu_roofline

RECORDS = Path(__file__).parents[1] / "records" / "steps"  # of this course
LAYER = replace(PAPER["cv8"], i_n=8)
NAMES = ("gpu_naive", "gpu_coalesced", "gpu_shared", "gpu_register_tile", "gpu_vectorised")
FILES = ("limits.cu", "probes.cu", "naive.cu", "coalesced.cu", "shared.cu", "register_tile.cu",
         "vectorised.cu")
FLOATS = 2**24  # that the strided copies read


# By group and name: what makes a probe large enough to time.
PROBES: dict[str, dict[str, Callable[[], Probe]]] = {
    "copy": {
        **{f"stride {n}": partial(strided, FLOATS, n) for n in (1, 2, 4, 8)},
        "offset 1": partial(strided, FLOATS, 1, 1),
        "by fours": partial(by_fours, FLOATS),
    },
    "banks": {f"pitch {n}": partial(row_sums, n, 2**15) for n in (32, 33)},
    "weights": {place: partial(blur, place, 4096, 4096) for place in ("global", "constant")},
}


def kernels() -> dict[str, str]:
    """File -> a digest of its code, without comments, of the kernels that are timed."""
    code = {file: re.sub(r"//.*", "", (KERNELS / file).read_text(encoding="utf-8")).split()
            for file in FILES}
    return {file: sha256(" ".join(words).encode()).hexdigest()[:16]
            for file, words in code.items()}


def measured() -> dict[str, object]:
    """Judge and time everything on this GPU, in a minute or two; ready for JSON.

    Raises `RuntimeError` if a result is wrong: then nothing is recorded.
    """
    limits = gpu_roofline()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "card": card(),
        "versions": {**versions(), "nvrtc": _nvrtc()},
        "limits": {"flops_per_s": limits.flops_per_s, "bytes_per_s": limits.bytes_per_s},
        "layer": str(LAYER),
        "flops": LAYER.flops,
        "kernels": kernels(),
        "ladder": time_ladder(),
        "registers": time_registers(),
        **{group: time_probes(group) for group in PROBES},
    }


def time_ladder(problem: ConvProblem = LAYER) -> dict[str, dict[str, float]]:
    """Seconds of every rung of chapters 06 and 07, each judged before.

    Raises `RuntimeError` naming the rung if one is wrong.
    """
    from .. import cuda

    x, w = random_arrays(problem)
    arrays = cuda.to_device(x), cuda.to_device(w)
    calls = {}
    for name in NAMES:
        run = partial(get_method(name).run, *arrays, problem)
        _must_agree(name, run(), x, w, problem)
        calls[name] = run
    return _as_dicts(timed_on_gpu(calls, budget=0.3))


def time_registers(problem: ConvProblem = LAYER) -> dict[str, dict[str, float]]:
    """Seconds of the last rung with fewer pixels a thread, and with fewer registers."""
    from .. import cuda

    x, w = random_arrays(problem)
    arrays = cuda.to_device(x), cuda.to_device(w), cuda.empty(problem.output_shape)
    calls = {}
    for variant in VARIANTS:
        run = variant.ready(problem)
        run(*arrays)
        _must_agree(variant.name, arrays[-1], x, w, problem)
        calls[variant.name] = partial(run, *arrays)
    return _as_dicts(timed_on_gpu(calls))


def time_probes(group: str) -> dict[str, dict[str, float]]:
    """Seconds of the probes "copy", "banks" or "weights"."""
    return _as_dicts(timed_on_gpu({name: make().ready() for name, make in PROBES[group].items()}))


def _must_agree(name: str, y, x, w, problem: ConvProblem) -> None:
    agreement = judge(y.get(), x, w, problem)
    if not agreement.ok:
        raise RuntimeError(f"{name} is wrong on {problem}: {agreement.reason}; this is a defect of "
                           "the package, so nothing was timed")


def _as_dicts(timings: Mapping[str, Timing]) -> dict[str, dict[str, float]]:
    return {name: {"seconds": t.median, "low": t.low, "high": t.high, "runs": t.runs}
            for name, t in timings.items()}


def _nvrtc() -> str:
    import cupy

    return ".".join(map(str, cupy.cuda.nvrtc.getVersion()))


def recorded(folder: Path = RECORDS) -> list[dict]:
    """All records of a folder, those of the course by default, the newest first."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda record: record["date"], reverse=True)
