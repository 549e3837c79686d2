"""Three mistakes of timing in tables: measured live where there is a GPU, and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ... import cuda
from ...measure import machine
from ...measure.cuda.profile import profile_records
from ...text import seconds_text
from ..running_cell import progress
from ..table import Table, table


def mistake_runs() -> dict[str, dict]:
    """Return label -> what `bench.timing_mistakes` measured, on this GPU first if there is one."""
    runs = {f"{machine().gpu}, here": _here()} if cuda.gpu() else {}
    for record in profile_records():
        runs.setdefault(f"{record['card']['gpu']}, recorded {record['date']}", record["mistakes"])
    return runs


@cache
def _here() -> dict:
    from ...bench.timing_mistakes import mistakes

    with progress("making three mistakes of timing on this GPU, for some ten seconds"):
        return mistakes()


def waiting_table(runs: Mapping[str, Mapping]) -> Table:
    """Return what the clock says of 10,000 images on the device, without a wait, with one,
    and between events.
    """
    rows = [
        [label, name, *(seconds_text(times[what][1]) for what in ("returns", "done", "device")),
         f"{times['done'][1] / times['returns'][1]:.3g}"]
        for label, run in runs.items() for name, times in run["waiting"].items()
    ]  # fmt: skip
    return table(
        rows,
        ["GPU", "rung, from images there", "no wait", "wait", "GPU's own clock", "times too short"],
    )


def first_run_table(runs: Mapping[str, Mapping]) -> Table:
    """Return the steps of a fresh process, before anything was ever compiled, and after."""
    rows = []
    for label, run in runs.items():
        for when, what in (("compiled", "never compiled before"), ("cached", "compiled once")):
            steps = run["first"][when]
            later = [seconds for name, seconds in steps.items() if name.startswith("run ")]
            rows.append(
                [
                    label,
                    what,
                    *(
                        seconds_text(seconds)
                        for seconds in (
                            steps["the GPU is opened"],
                            steps["memory, weights, kernels"],
                            later[0],
                            later[1],
                            later[-1],
                        )
                    ),
                ]
            )
    return table(
        rows,
        [
            "GPU",
            "a fresh process",
            "GPU opened",
            "memory, weights, kernels",
            "run 1",
            "run 2",
            "run 10",
        ],
    )


def first_over_usual(run: Mapping) -> float:
    """Return how many times as long a fresh process takes
    for its first labels as a run takes later.
    """
    steps = run["first"]["compiled"]
    first = steps["the GPU is opened"] + steps["memory, weights, kernels"] + steps["run 1"]
    return first / steps["run 10"]


def copy_rate(run: Mapping, way: str, size: int) -> float:
    """Return bytes a second of "upload, pinned" and the like,
    for the recorded size next to `size`.
    """
    sizes = run["copies"]["bytes"]
    place = min(range(len(sizes)), key=lambda n: abs(sizes[n] - size))
    return sizes[place] / run["copies"][way][place]
