"""The record of a GPU's own counts and verdicts, and how it is made."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path

RECORD = Path(__file__).parents[1] / "records" / "counts" / "nvidia-h200.json"
PROGRAMS = ("ncu", "compute-sanitizer")
RUNS = 50


@cache
def recorded(path: Path = RECORD) -> dict:
    """What `measured` wrote: `cases` by name with their counts, verdicts, and `wrong_runs`."""
    return json.loads(path.read_text())


def missing() -> str | None:
    """Why nothing can be counted on this machine, or None."""
    from .. import cuda

    try:
        backend = cuda.backend()
    except cuda.NoBackend:
        backend = "none"
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    if backend != "gpu":
        return "there is no NVIDIA GPU that CuPy sees, and only one has counts to record"
    if absent:
        return f"{' and '.join(absent)} not found; NVIDIA's CUDA toolkit has both"
    return None


def measured() -> dict:
    """Count every case and judge every kernel of `faults` on this GPU; takes minutes.

    Raises `RuntimeError` if a result is wrong or a tool does not work here.
    """
    from ..counts import faults, listing, ncu, sanitizer

    cases = listing.cases()
    metrics, counts = ncu.count(cases)
    verdicts = sanitizer.verdicts(faults.broken())
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "device": _device(),
        "versions": _versions(),
        "metrics": metrics,
        "cases": {
            case.name: {"kernel": case.kernel, "grid": case.grid, "block": case.block,
                        **counts[case.name]}
            for case in cases
        },
        **verdicts,
        "wrong_runs": wrong_runs(),
    }


def wrong_runs() -> dict[str, int]:
    """Of RUNS launches of each kernel of `races` on this GPU: how many gave another result than
    the same work without a race has."""
    from ..counts import races

    wrong = {}
    for case in [*(each.case for each in races.broken()), *races.sound()]:
        kernel = case.kernel_on()
        wrong[case.name] = 0
        for _ in range(RUNS):
            arguments = case.on_device()
            kernel[case.grid, case.block, case.shared](*arguments)
            wrong[case.name] += case.wrong(arguments) is not None
    return wrong


def _device() -> dict[str, object]:
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(0)
    name = properties["name"]
    return {
        "name": name.decode() if isinstance(name, bytes) else str(name),
        "compute_capability": f"{properties['major']}.{properties['minor']}",
        "driver": _output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader",
                          "--id=0"),
    }


def _versions() -> dict[str, str]:
    import cupy

    found = {"cupy": cupy.__version__, "numpy": metadata.version("numpy"),
             "nvrtc": ".".join(map(str, cupy.cuda.nvrtc.getVersion()))}
    for program in PROGRAMS:
        number = re.search(r"[Vv]ersion (\d[\d.]*)", _output(program, "--version"))
        found[program] = number[1] if number else "unknown"
    return found


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
