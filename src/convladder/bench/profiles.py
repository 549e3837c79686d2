"""Every rung on the GPU, and PyTorch, under the profiler: judged, timed without it, then seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.progress import Progress, report_progress
from ..measure.cuda import cupti
from ..measure.cuda.profile import Profile
from ..measure.timing import compare
from ..networks.lenet.digits import images, labels, weights
from ..networks.lenet.reference import Judgement, judge, logits, shipped_logits
from ..networks.lenet.rungs import LenetRung
from .lenet import ready_way
from .libraries import Library
from .libraries.lenet import peers
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
    rungs: Sequence[LenetRung],
    *,
    count: int | None = None,
    with_peers: bool = False,
    budget: float = 1.0,
    most: int = cupti.MOST,
    wall: float = WALL_RUNS,
    begun: Progress = report_progress,
    progress: Progress = report_progress,
) -> Profiles:
    """Judge `rungs` of the GPU on the first `count` test images (default: all), and time each for
    `wall` seconds; profile them when they are asked for.

    `budget`: seconds under the profiler for each, and `most` runs, though one at least. What is
    wrong is not profiled. `begun` is told what is judged, `progress` what is profiled. Raises
    `ValueError` for a rung of the processor, `RuntimeError` where CUPTI is not.
    """
    if elsewhere := [rung.name for rung in rungs if rung.device != "gpu"]:
        raise ValueError(
            f"{', '.join(elsewhere)} run on the processor; profiles are of the GPU's rungs"
        )
    x, truth = images()[:count], labels()[:count]
    by_name = {rung.name: rung for rung in rungs}
    library = _library(x) if with_peers else {}
    ways: dict[str, LenetRung | Library] = {**by_name, **library}
    walls: dict[str, Quartiles] = {}
    judgements: dict[str, Judgement] = {}
    expected = shipped_logits() if count is None else logits(x, weights())  # once for all

    def decide(name: str, way: LenetRung | Library) -> bool:
        ready = ready_way(way, x, "gpu")
        judgements[name] = judge(ready.run(), ready.precision, x, truth, expected)
        timing = compare({"run": ready.run}, budget=wall).timings["run"]
        walls[name] = timing.low, timing.median, timing.high
        return judgements[name].ok

    def profile(right: Iterable[str]) -> LazyProfiles:
        cupti.cupti_session()
        again = _library(x) if with_peers else {}  # graphs are recorded anew
        calls = {
            name: lambda name=name: ready_way(again.get(name) or by_name[name], x, "gpu").run
            for name in right
        }
        return LazyProfiles(calls, walls, budget, most, progress)

    # All are judged and timed before the profiler is there: it slows what it watches.
    seen, absent = judge_then_time(ways, decide, profile, optional=library, progress=begun)
    return Profiles(len(x), seen, judgements, absent)


def _library(x) -> dict[str, Library]:
    """PyTorch's ways."""
    return {way.name: way for way in peers(x, weights(), "gpu", 1)}
