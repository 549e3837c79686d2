"""What this GPU does, measured once for a whole notebook, and what records of others say.

Each mapping is by a label for the page: this GPU first, if there is one, then the newest record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from ... import cuda
from ...bench import l1, languages, steps
from ...bench.lenet import LenetComparison, lenet_records
from ...bench.records import load_records
from ...bench.records.profiles import profile_records
from ...core.text import count_text
from ...cuda.memory_model import FULL_CLOCK, MULTIPLY_ADDS
from ...measure import machine
from ...measure.cuda.cupti import missing
from ...measure.cuda.gpu_info import gpu_info
from ...measure.cuda.profile import Profile, profile_from_dict
from ...networks.lenet.rungs import get_rung, rungs
from ..running_cell import progress
from .provenance import gpu_provenance, kernels_provenance
from .style import BLUE, GREEN

SLOW = ("baseline",)  # a rung of 70,000 launches: seconds a run, and long under a profiler
LIVE = 0.25  # seconds for each rung, so that a cell answers while one watches
FEW, WALL = 5, 0.1  # of each under the profiler: most runs; seconds without it
COLOURS = {"blue": BLUE, "green": GREEN}  # of GPUs in a picture: a row has room for two


def memory_step_times(group: str) -> dict[str, dict[str, float]]:
    """Return label -> name -> seconds, of a group of `bench.steps`; this GPU first. A record that
    is older than the group has none.
    """
    runs = {}
    if cuda.gpu():
        runs[f"{gpu_info()['gpu']}, here"] = _steps_here(group)
    for record in load_records("steps"):
        runs[kernels_provenance(record)] = record.get(group, {})
    return {
        name: {step: timing["seconds"] for step, timing in results.items()}
        for name, results in runs.items()
        if results
    }


@cache
def _steps_here(group: str) -> dict[str, dict[str, float]]:
    take = {"ladder": steps.time_ladder, "registers": steps.time_registers}.get(group)
    with progress(f"timing kernels of this chapter ({group}) on this GPU"):
        return take() if take else steps.time_probes(group)


def gpu_peaks() -> dict[str, float]:
    """Return label -> multiply-adds at the chip's full clock, FLOP/s; labels as of
    `memory_step_times`. Measured, where a GPU here is faster than an H200's clock allows.
    """
    peaks = {kernels_provenance(record): _peak(record["card"]) for record in load_records("steps")}
    if cuda.gpu():
        card = gpu_info()
        peaks[f"{card['gpu']}, here"] = max(_peak(card), steps.gpu_roofline().flops_per_s)
    return peaks


def _peak(card: Mapping) -> float:
    return 2 * MULTIPLY_ADDS * card["multiprocessors"] * FULL_CLOCK


def lenet_runs(device: str = "gpu", slow: bool = True) -> dict[str, LenetComparison]:
    """Return label -> times, of this GPU first if there is one, then of records, the newest first.

    Libraries are in the records only: PyTorch's compiler searches for minutes. `slow=False` leaves
    the slow rungs of this GPU for later. A GPU that cannot run every rung is left out: the last
    ones want compute capability 8.0, and 100 KB of shared memory for a block.
    """
    here = _lenet_here(slow) if device == "gpu" and cuda.gpu() else None
    return {times.label: times for times in [here, *lenet_records(device)] if times is not None}


def _lenet_here(slow: bool) -> LenetComparison | None:
    """Return this GPU's times; those of slow rungs come to the others' when first asked for."""
    quick = _rungs_here(tuple(rung.name for rung in rungs("gpu") if rung.name not in SLOW), True)
    if quick is None or not slow:
        return quick
    late = _rungs_here(SLOW, False)
    return replace(
        quick,
        **{
            what: getattr(late, what) | getattr(quick, what)
            for what in ("seconds", "device_seconds", "issue_seconds", "judged")
        },
    )


@cache
def _rungs_here(names: tuple[str, ...], with_copies: bool) -> LenetComparison | None:
    from ...bench.lenet import compare_rungs

    try:
        with progress(f"timing {count_text(len(names), 'rung')} on this GPU") as step:
            # A slow rung's parts would take as long again as the whole.
            return compare_rungs(
                [get_rung(name) for name in names],
                with_copies=with_copies,
                by_parts=names != SLOW,
                budget=LIVE,
                progress=step,
            )
    except cuda.CudaError:
        return None


def profile_runs(live: bool = True) -> dict[str, Mapping[str, Profile]]:
    """Return label -> programs by name: of this GPU first if it can be profiled, then of records.

    Live it leaves out those of `SLOW`, and all with `live=False`. A program of this GPU is
    profiled when it is first asked for.
    """
    runs = {}
    if live and missing() is None:
        runs[f"{machine().gpu}, here"] = _profiles_here()
    for record in profile_records():
        runs.setdefault(
            gpu_provenance(record),
            {name: profile_from_dict(data) for name, data in record["profiles"].items()},
        )
    return runs


@cache
def _profiles_here() -> Mapping[str, Profile]:
    from ...bench.profiles import profiles

    chosen = [rung for rung in rungs("gpu") if rung.name not in SLOW]
    with progress(f"timing {len(chosen)} rungs on this GPU, before a profiler slows them") as step:
        return profiles(chosen, budget=LIVE, most=FEW, wall=WALL, begun=step).seen


def mistake_runs() -> dict[str, dict]:
    """Return label -> what `bench.timing_mistakes` measured, on this GPU first if there is one."""
    runs = {f"{machine().gpu}, here": _mistakes_here()} if cuda.gpu() else {}
    for record in profile_records():
        runs.setdefault(gpu_provenance(record), record["mistakes"])
    return runs


@cache
def _mistakes_here() -> dict:
    from ...bench.timing_mistakes import mistakes

    with progress("making three timing mistakes on this GPU, for about ten seconds"):
        return mistakes()


def languages_run() -> dict | None:
    """Return this GPU's times, taken once, else the newest record; None where there is none."""
    if cuda.gpu():
        with progress("compiling one kernel in four languages, and timing it on this GPU"):
            return languages.here()
    return next(iter(load_records("languages")), None)


def l1_run() -> dict:
    """Return the clocks of requests to L1, of this GPU or of the newest record."""
    return _l1_here() if cuda.gpu() else load_records("l1")[0]


@cache
def _l1_here() -> dict:
    return l1.measure()


def drawn(runs: Mapping) -> tuple[dict, str]:
    """Return the runs that a picture has room for, and words that say whose colour is which."""
    few = dict(list(runs.items())[: len(COLOURS)])
    return few, "; ".join(f"{name}: {label}" for name, label in zip(COLOURS, few))
