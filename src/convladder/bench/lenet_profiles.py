"""Every rung on the GPU, and PyTorch, under the profiler: judged, timed without it, then seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..lenet.digits import images, labels, weights
from ..lenet.reference import Judgement, judge
from ..lenet.rungs import Rung
from ..measure.cuda.cupti import profiled, the_recorder
from ..measure.cuda.profile import Profile
from ..measure.timer import compare
from .lenet import LOOSE
from .libraries.lenet import peers

WALL_RUNS = 0.3  # seconds of runs without the profiler


@dataclass(frozen=True)
class Profiles:
    """By name, rungs first: what was seen, what was right; `absent` says why a library's way is
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
    progress: Callable[[str], None] = lambda what: None,
) -> Profiles:
    """Profile `rungs` of the GPU on the first `count` test images (default: all).

    `budget`: seconds under the profiler for each, though one run at least. What is wrong is not
    profiled. Raises `ValueError` for a rung of the processor, `RuntimeError` where CUPTI is not.
    """
    if elsewhere := [rung.name for rung in rungs if rung.device != "gpu"]:
        raise ValueError(f"{', '.join(elsewhere)} run on the processor; profiles are of the GPU's "
                         "rungs")
    x, truth = images()[:count], labels()[:count]
    ways = _library(x) if with_peers else {}
    walls: dict[str, tuple[float, float, float]] = {}
    judgements, absent = {}, {}
    for rung in rungs:  # all of them before the profiler is there: it slows what it watches
        progress(rung.name)
        session = rung.session(x)
        judgements[rung.name] = judge(session.run(), rung.precision, x, truth)
        walls[rung.name] = _wall(session.run)
    for name, run in ways.items():
        progress(name)
        try:
            judgements[name] = judge(run(), LOOSE, x, truth)
            walls[name] = _wall(run)
        except Exception as error:  # a compiler that is not there: not this ladder's
            absent[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    the_recorder()
    seen = {}
    for rung in rungs:
        progress(f"{rung.name}, profiled")
        if judgements[rung.name].ok:
            seen[rung.name] = profiled(rung.session(x).run, walls[rung.name], budget)
    for name, run in (_library(x) if with_peers else {}).items():  # graphs are recorded anew
        progress(f"{name}, profiled")
        if name in walls and judgements[name].ok:
            seen[name] = profiled(run, walls[name], budget)
    return Profiles(len(x), seen, judgements, absent)


def _library(x) -> dict[str, Callable]:
    """PyTorch's ways."""
    return {peer.name: peer.run for peer in peers(x, weights(), "gpu", 1)}


def _wall(run: Callable[[], object]) -> tuple[float, float, float]:
    timing = compare({"run": run}, budget=WALL_RUNS).timings["run"]
    return timing.low, timing.median, timing.high
