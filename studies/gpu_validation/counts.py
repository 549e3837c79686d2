"""Nsight Compute's counts of every access pattern, and compute-sanitizer's verdicts."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache

from convladder.bench.records import newest, today
from convladder.core.progress import Progress, report_progress
from convladder.measure.cuda.gpu_info import nvrtc_version, require_gpu
from convladder.measure.hardware import versions

from . import faults, listing, ncu, races, sanitizer

FOLDER = "counts"
PROGRAMS = ("ncu", "compute-sanitizer")
RUNS = 50


@cache
def recorded() -> dict:
    """Return the newest record: `cases` by name with their counts, verdicts, `wrong_runs`."""
    return newest(FOLDER)


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Count every case and judge every kernel of `faults` on this GPU; takes minutes.

    Raises `RuntimeError` if a result is wrong, or a GPU or a tool is not there or does not work.
    """
    require_gpu("only one has counts to record")
    if absent := [program for program in PROGRAMS if shutil.which(program) is None]:
        raise RuntimeError(f"{' and '.join(absent)} not found; NVIDIA's CUDA toolkit has both")
    cases = listing.cases()
    progress("Nsight Compute")
    metrics, counts = ncu.count(cases)
    progress("compute-sanitizer")
    verdicts = sanitizer.verdicts(faults.broken())
    return {
        "date": today(),
        "device": device(),
        "versions": {**compiler_versions(), **_tools()},
        "metrics": metrics,
        "cases": {
            case.name: {
                "kernel": case.kernel,
                "grid": case.grid,
                "block": case.block,
                **counts[case.name],
            }
            for case in cases
        },
        **verdicts,
        "wrong_runs": wrong_runs(),
    }


def wrong_runs() -> dict[str, int]:
    """Count those of RUNS launches of each kernel of `races` on this GPU whose result differs from
    that of the same work without a race.
    """
    wrong = {}
    for case in [*(each.case for each in races.broken()), *races.sound()]:
        kernel = case.kernel_on()
        wrong[case.name] = 0
        for _ in range(RUNS):
            arguments = case.on_device()
            kernel[case.grid, case.block, case.shared](*arguments)
            wrong[case.name] += case.wrong(arguments) is not None
    return wrong


def lines(record: Mapping) -> Iterator[str]:
    """Say how much was counted and caught."""
    caught = sum(bool(verdict["errors"]) for verdict in record["broken"].values())
    yield (
        f"{record['device']['name']}: {len(record['cases'])} launches counted; "
        f"compute-sanitizer finds {caught} of {len(record['broken'])} faults"
    )


def device() -> dict[str, object]:
    """Return the GPU's name, compute capability and driver."""
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(0)
    name = properties["name"]
    return {
        "name": name.decode() if isinstance(name, bytes) else str(name),
        "compute_capability": f"{properties['major']}.{properties['minor']}",
        "driver": _output(
            "nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"
        ),
    }


def compiler_versions() -> dict[str, str]:
    """Return the versions of what compiles and launches here."""
    import cupy

    return {"cupy": cupy.__version__, **versions(["numpy"]), "nvrtc": nvrtc_version()}


def _tools() -> dict[str, str]:
    numbers = {}
    for program in PROGRAMS:
        number = re.search(r"[Vv]ersion (\d[\d.]*)", _output(program, "--version"))
        numbers[program] = number[1] if number else "unknown"
    return numbers


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
