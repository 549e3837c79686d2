"""Every rung on the GPU, and PyTorch, under the profiler: judged, timed without it, then seen."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..lenet.digits import images, labels, weights
from ..lenet.reference import Judgement, judge, logits, shipped_logits
from ..lenet.rungs import Rung, rungs
from ..measure.cuda import cupti
from ..measure.cuda.profile import Profile, as_dict
from ..measure.timer import compare
from . import lenet_counters as counters
from . import timing_mistakes
from .lenet import LOOSE
from .libraries.lenet import peers
from .rounds import Progress, judge_then_time, silent
from .stamp import gpu_stamp

NAME = "profiles"
HELP = "every rung of LeNet-5 and PyTorch under CUPTI, their kernels' counters, mistakes of timing"
WALL_RUNS = 0.3  # seconds of runs without the profiler


@dataclass(frozen=True)
class Profiles:
    """What was seen and what was right, by name, rungs first; `absent` says why a library's way is
    not there. `images` of each run."""

    images: int
    seen: dict[str, Profile]
    judgements: dict[str, Judgement]
    absent: dict[str, str]


def profiles(
    rungs: Sequence[Rung],
    *,
    count: int | None = None,
    with_peers: bool = False,
    budget: float = 1.0,
    progress: Progress = silent,
) -> Profiles:
    """Profile `rungs` of the GPU on the first `count` test images (default: all).

    `budget`: seconds under the profiler for each, though one run at least. What is wrong is not
    profiled. Raises `ValueError` for a rung of the processor, `RuntimeError` where CUPTI is not.
    """
    if elsewhere := [rung.name for rung in rungs if rung.device != "gpu"]:
        raise ValueError(f"{', '.join(elsewhere)} run on the processor; profiles are of the GPU's "
                         "rungs")
    x, truth = images()[:count], labels()[:count]
    by_name = {rung.name: rung for rung in rungs}
    library = _library(x) if with_peers else {}
    walls: dict[str, tuple[float, float, float]] = {}
    judgements: dict[str, Judgement] = {}
    expected = shipped_logits() if count is None else logits(x, weights())  # once for all

    def decide(name: str, way: Rung | Callable) -> bool:
        run, precision = ((way, LOOSE) if name in library else
                          (way.session(x).run, way.precision))
        judgements[name] = judge(run(), precision, x, truth, expected)
        walls[name] = _wall(run)
        return judgements[name].ok

    def profile(right: Sequence[str]) -> dict[str, Profile]:
        cupti.the_recorder()
        again = _library(x) if with_peers else {}  # graphs are recorded anew
        seen = {}
        for name in right:
            progress(f"{name}, profiled")
            run = again[name] if name in again else by_name[name].session(x).run
            seen[name] = cupti.profiled(run, walls[name], budget)
        return seen

    # All are judged and timed before the profiler is there: it slows what it watches.
    seen, absent = judge_then_time(by_name | library, decide, profile, optional=library,
                                   progress=progress)
    return Profiles(len(x), seen, judgements, absent)


def _library(x) -> dict[str, Callable]:
    """PyTorch's ways."""
    return {way.name: way.run for way in peers(x, weights(), "gpu", 1)}


def _wall(run: Callable[[], object]) -> tuple[float, float, float]:
    timing = compare({"run": run}, budget=WALL_RUNS).timings["run"]
    return timing.low, timing.median, timing.high


def measure(progress: Progress = silent) -> dict[str, object]:
    """Measure everything that chapters 11 and 12 show of profiles, ready for JSON.

    Raises `RuntimeError` where CUPTI or ncu is not.
    """
    if reason := cupti.missing():
        raise RuntimeError(reason)
    if shutil.which("ncu") is None:
        raise RuntimeError("ncu not found; NVIDIA's CUDA toolkit has it")
    progress("three mistakes of timing")
    mistakes = timing_mistakes.mistakes()
    progress("Nsight Compute over every rung, a minute or two")
    counts = counters.counted()
    result = profiles(rungs("gpu"), with_peers=True, progress=progress)
    return {
        **gpu_stamp(**{"cupti-python": cupti.version()}),
        "images": result.images,
        "profiles": {name: as_dict(profile) for name, profile in result.seen.items()},
        "judged": {name: str(judgement) for name, judgement in result.judgements.items()},
        "absent": result.absent,
        "mistakes": mistakes,
        "counters": counts,
    }


def lines(record: Mapping) -> Iterator[str]:
    """Say how much was profiled and counted."""
    yield (f"{record['card']['gpu']}: {len(record['profiles'])} profiles, "
           f"{sum(map(len, record['counters']['launches'].values()))} launches counted")
