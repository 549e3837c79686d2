"""Every rung on the GPU, and PyTorch, under the profiler: judged, timed without it, then seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ..core.progress import Progress, report_progress
from ..measure.cuda import cupti
from ..measure.cuda.profile import Profile, as_dict
from ..measure.timing import compare
from ..networks.lenet.digits import images, labels, weights
from ..networks.lenet.reference import Judgement, judge, logits, shipped_logits
from ..networks.lenet.rungs import Rung, rungs
from . import timing_mistakes
from .benchmark import Options, register
from .lenet import LIBRARY_PRECISION
from .libraries.lenet import peers
from .metadata import gpu_metadata
from .records import load_records
from .rounds import judge_then_time

WALL_RUNS = 0.3  # seconds of runs without the profiler
Quartiles = tuple[float, float, float]


@dataclass(frozen=True)
class Profiles:
    """What was seen and what was right, by name, rungs first; `absent` says why a library's way is
    not there. `images` of each run."""

    images: int
    seen: Mapping[str, Profile]
    judgements: dict[str, Judgement]
    absent: dict[str, str]


def profile_records() -> list[dict]:
    """Return the records that have Nsight Compute's counters too, the newest first."""
    return [record for record in load_records("profiles") if "counters" in record]


class LazyProfiles(Mapping[str, Profile]):
    """Profiles by name, each made when it is first asked for: `budget` seconds, `most` runs."""

    def __init__(
        self,
        ways: Mapping[str, Callable[[], Callable]],
        walls: Mapping[str, Quartiles],
        budget: float,
        most: int,
        progress: Progress,
    ):
        cupti.cupti_session()
        self._ways, self._walls = ways, walls
        self._budget, self._most, self._progress = budget, most, progress
        self._seen: dict[str, Profile] = {}

    def __getitem__(self, name: str) -> Profile:
        if name not in self._seen:
            run = self._ways[name]()
            self._progress(f"{name}, profiled")
            self._seen[name] = cupti.profiled(run, self._walls[name], self._budget, self._most)
        return self._seen[name]

    def __contains__(self, name: object) -> bool:
        return name in self._ways

    def __iter__(self) -> Iterator[str]:
        return iter(self._ways)

    def __len__(self) -> int:
        return len(self._ways)


def profiles(
    rungs: Sequence[Rung],
    *,
    count: int | None = None,
    with_peers: bool = False,
    budget: float = 1.0,
    progress: Progress = report_progress,
) -> Profiles:
    """Profile `rungs` of the GPU on the first `count` test images (default: all).

    `budget`: seconds under the profiler for each, though one run at least. What is wrong is not
    profiled. Raises `ValueError` for a rung of the processor, `RuntimeError` where CUPTI is not.
    """
    return _judged(
        rungs, count, with_peers, budget, cupti.MOST, WALL_RUNS, progress, progress, dict
    )


def profile_rungs(
    rungs: Sequence[Rung],
    budget: float,
    most: int,
    wall: float,
    begun: Progress = report_progress,
    progress: Progress = report_progress,
) -> LazyProfiles:
    """Judge and time `rungs`, `wall` seconds each, and return their profiles, on demand.

    `begun` is told what is judged now, `progress` what is profiled later. Raises as `profiles`.
    """
    return _judged(rungs, None, False, budget, most, wall, begun, progress, lambda seen: seen).seen


def _judged(
    rungs: Sequence[Rung],
    count: int | None,
    with_peers: bool,
    budget: float,
    most: int,
    wall: float,
    begun: Progress,
    progress: Progress,
    finish: Callable,
) -> Profiles:
    if elsewhere := [rung.name for rung in rungs if rung.device != "gpu"]:
        raise ValueError(
            f"{', '.join(elsewhere)} run on the processor; profiles are of the GPU's rungs"
        )
    x, truth = images()[:count], labels()[:count]
    by_name = {rung.name: rung for rung in rungs}
    library = _library(x) if with_peers else {}
    walls: dict[str, Quartiles] = {}
    judgements: dict[str, Judgement] = {}
    expected = shipped_logits() if count is None else logits(x, weights())  # once for all

    def decide(name: str, way: Rung | Callable) -> bool:
        run, precision = (
            (way, LIBRARY_PRECISION) if name in library else (way.session(x).run, way.precision)
        )
        judgements[name] = judge(run(), precision, x, truth, expected)
        walls[name] = _wall(run, wall)
        return judgements[name].ok

    def profile(right: Sequence[str]) -> Mapping[str, Profile]:
        cupti.cupti_session()
        again = _library(x) if with_peers else {}  # graphs are recorded anew
        ways = {
            name: partial(again.__getitem__, name)
            if name in again
            else partial(_fresh, by_name[name], x)
            for name in right
        }
        return finish(LazyProfiles(ways, walls, budget, most, progress))

    # All are judged and timed before the profiler is there: it slows what it watches.
    seen, absent = judge_then_time(
        by_name | library, decide, profile, optional=library, progress=begun
    )
    return Profiles(len(x), seen, judgements, absent)


def _fresh(rung: Rung, x) -> Callable[[], object]:
    return rung.session(x).run


def _library(x) -> dict[str, Callable]:
    """PyTorch's ways."""
    return {way.name: way.run for way in peers(x, weights(), "gpu", 1)}


def _wall(run: Callable[[], object], budget: float) -> Quartiles:
    timing = compare({"run": run}, budget=budget).timings["run"]
    return timing.low, timing.median, timing.high


def measure(options: Options = Options()) -> dict[str, object]:
    """Profile every rung and PyTorch, and make the mistakes of timing. Ready for JSON.

    Raises `RuntimeError` without CUPTI.
    """
    if reason := cupti.missing():
        raise RuntimeError(reason)
    options.progress("three mistakes of timing")
    mistakes = timing_mistakes.mistakes()
    result = profiles(rungs("gpu"), with_peers=True, progress=options.progress)
    return {
        **gpu_metadata(**{"cupti-python": cupti.version()}),
        "images": result.images,
        "profiles": {name: as_dict(profile) for name, profile in result.seen.items()},
        "judged": {name: str(judgement) for name, judgement in result.judgements.items()},
        "absent": result.absent,
        "mistakes": mistakes,
    }


def lines(record: Mapping) -> Iterator[str]:
    """Say how much was profiled."""
    yield f"{record['card']['gpu']}: {len(record['profiles'])} profiles"


register(
    "profiles",
    "every rung of LeNet-5 and PyTorch under CUPTI, and three mistakes of timing",
    measure,
    lines,
)
