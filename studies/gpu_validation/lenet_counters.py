"""Every rung of LeNet-5 under CUPTI and under Nsight Compute: profiles and counters.

`python -m studies.gpu_validation.lenet_counters` is what runs under ncu.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from convladder.bench.metadata import gpu_metadata
from convladder.bench.profiles import profiles
from convladder.bench.timing_mistakes import mistakes
from convladder.core.progress import Progress, report_progress
from convladder.measure.cuda import cupti
from convladder.measure.cuda.profile import as_dict
from convladder.networks.lenet.rungs import rungs

from . import ncu

FOLDER = "profiles"
# By our names; what this chip has not is left out.
METRICS = {
    "seconds": "gpu__time_duration.sum",
    "dram_read": "dram__bytes_read.sum",
    "dram_write": "dram__bytes_write.sum",
    "l2_bytes": "lts__t_bytes.sum",
    "fma": "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "add": "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "multiply": "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue": "sm__inst_issued.avg.pct_of_peak_sustained_active",
    "fma_pipe": "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "tensor_pipe": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "dram_share": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "registers": "launch__registers_per_thread",
    "waits_for_memory": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "waits_at_barriers": "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "waits_for_shared": "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
    "waits_for_pipe": "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
}
UNITS = {"seconds": 1e-9}  # ncu prints base units: nanoseconds
ONE_IMAGE = ("baseline",)
SAME_KERNELS = ("no_sync", "pinned", "graph")  # as the rung before


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Profile every rung and PyTorch, make the mistakes of timing, and count every launch.

    Raises `RuntimeError` without CUPTI or ncu.
    """
    if shutil.which("ncu") is None:
        raise RuntimeError("ncu not found; NVIDIA's CUDA toolkit has it")
    if reason := cupti.missing():
        raise RuntimeError(reason)
    progress("three mistakes of timing")
    wrong = mistakes()
    found = profiles(rungs("gpu"), with_peers=True, begun=progress, progress=progress)
    record = {
        **gpu_metadata(**{"cupti-python": cupti.version()}),
        "images": found.images,
        "profiles": {name: as_dict(profile) for name, profile in found.seen.items()},
        "judged": {name: str(judgement) for name, judgement in found.judgements.items()},
        "absent": found.absent,
        "mistakes": wrong,
    }
    progress("Nsight Compute over every rung, a minute or two")
    return record | {"counters": counted()}


def lines(record: Mapping) -> Iterator[str]:
    """Say how much was profiled and counted."""
    yield f"{record['card']['gpu']}: {len(record['profiles'])} profiles"
    yield f"{sum(map(len, record['counters']['launches'].values()))} launches counted"


def counted() -> dict[str, object]:
    """Return `{"metrics": ..., "launches": {rung: [{"kernel", "images", metric: ...}]}}`.

    Every kernel of every rung once, with the L2 cache emptied before each, as ncu does by default.
    Raises `RuntimeError` if ncu cannot count here.
    """
    metrics = available()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.csv"
        done = subprocess.run(
            [
                "ncu",
                "--clock-control",
                "none",
                "--csv",
                "--page",
                "raw",
                "--print-units",
                "base",
                "--log-file",
                str(log),
                "--profile-from-start",
                "off",
                "--metrics",
                ",".join(metrics.values()),
                sys.executable,
                "-m",
                __name__,
            ],
            capture_output=True,
            text=True,
            timeout=2 * ncu.SECONDS,
        )
        text = log.read_text() if log.exists() else ""
    if done.returncode:
        raise RuntimeError(
            f"ncu ended with {done.returncode}: {(text + done.stdout + done.stderr)[-2000:]}"
        )
    made = json.loads(done.stdout.strip().splitlines()[-1])
    return {"metrics": metrics, "launches": by_rung(made, ncu.rows(text.splitlines()), metrics)}


def available() -> dict[str, str]:
    """Return the entries of `METRICS` that ncu knows for this chip; it always knows a launch's."""
    done = subprocess.run(
        ["ncu", "--query-metrics"], capture_output=True, text=True, timeout=ncu.SECONDS
    )
    known = {line.split()[0] for line in done.stdout.splitlines() if line.split()}
    return {
        name: metric
        for name, metric in METRICS.items()
        if metric.split(".")[0] in known or metric.startswith("launch__")
    }


def by_rung(made: list, found: list[dict[str, str]], metrics: dict[str, str]) -> dict[str, list]:
    """Return by rung the counts of `made`, `[rung, kernel, images]` in order of launch.

    Kernels that the array library launched between ours are left out. Raises `RuntimeError` if the
    launches are not those of `made`.
    """
    ours = {ncu.base(kernel) for _, kernel, _ in made}
    rows = [row for row in found if ncu.base(row["Kernel Name"]) in ours]
    if [ncu.base(row["Kernel Name"]) for row in rows] != [ncu.base(k) for _, k, _ in made]:
        raise RuntimeError(
            f"ncu saw {[row['Kernel Name'] for row in rows]}, and {made} were launched"
        )
    launches: dict[str, list] = {}
    for (rung, kernel, images), row in zip(made, rows, strict=True):
        values = {
            name: value(row[metric]) * UNITS.get(name, 1)
            for name, metric in metrics.items()
            if row.get(metric)
        }
        launches.setdefault(rung, []).append(
            {
                "kernel": kernel,
                "images": images,
                "grid": row.get("Grid Size", ""),
                "block": row.get("Block Size", ""),
                **{
                    name: float(f"{number:.5g}")
                    for name, number in values.items()
                    if number == number
                },
            }
        )
    return launches


def value(text: str) -> float:
    """Return a number as ncu prints it; nan where it prints none."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return float("nan")


def _launch_all() -> list:
    """One run of each rung's kernels, of its first chunk if it has several, watched by ncu."""
    import cupy

    from convladder.networks.lenet import images

    made = []
    for rung in rungs("gpu"):
        if rung.name in SAME_KERNELS:
            continue
        x = images()[:1] if rung.name in ONE_IMAGE else images()
        session: Any = rung.session(x)
        session.run()  # compiles, and puts images into every layer's maps
        cupy.cuda.Device().synchronize()
        count = session.parts[0].stop

        def launch(
            kernel,
            grid,
            block,
            *arguments,
            shared_bytes=0,
            session=session,
            name=rung.name,
            count=count,
        ):
            made.append([name, kernel, count])
            session.compiled[kernel][grid, block, shared_bytes](*arguments)

        session.launch = launch
        cupy.cuda.profiler.start()
        session.label(count, session.buffers[0])
        cupy.cuda.Device().synchronize()
        cupy.cuda.profiler.stop()
    return made


if __name__ == "__main__":
    print(json.dumps(_launch_all()))
