"""Times of chapter 07's steps: recorded on other GPUs, and live where this machine has one."""

from __future__ import annotations

from functools import cache

from ... import cuda
from ...bench import steps as steps
from ...measure.cuda.gpu_info import cupy_version, gpu_info
from ..display.progress import progress

ABSENT = "No GPU here, and no record of one yet: `convladder record --steps` makes one on a GPU."


def memory_step_times(group: str) -> dict[str, dict[str, float]]:
    """Return label -> name -> seconds, of a group of `bench.steps`; this GPU first."""
    runs = {}
    if cuda.gpu():
        runs[f"{gpu_info()['gpu']}, here"] = _here(group)
    for record in steps.recorded():
        runs[record_label(record)] = record[group]
    return {
        name: {step: timing["seconds"] for step, timing in results.items()}
        for name, results in runs.items()
    }


@cache
def _here(group: str) -> dict[str, dict[str, float]]:
    """Return timed once, so that all of a notebook speaks of the same run."""
    take = {"ladder": steps.time_ladder, "registers": steps.time_registers}.get(group)
    with progress(f"timing kernels of this chapter ({group}) on this GPU"):
        return take() if take else steps.time_probes(group)


def gpu_peaks() -> dict[str, float]:
    """Return label -> the measured multiply-add peak, FLOP/s; labels as of `memory_step_times`."""
    peaks = {record_label(record): record["limits"]["flops_per_s"] for record in steps.recorded()}
    if cuda.gpu():
        from ...bench.steps import gpu_roofline

        peaks[f"{gpu_info()['gpu']}, here"] = gpu_roofline().flops_per_s
    return peaks


def record_label(record: dict) -> str:
    """Return a record's GPU and day, and whether its kernels are still those of this version."""
    since = "" if record.get("kernels") == steps.kernels() else ", kernels since changed"
    return f"{record['card']['gpu']}, recorded {record['date']}{since}"


def memory_steps_source() -> str:
    """Return where recorded figures come from, in a sentence; what to do where there is none."""
    records = steps.recorded()
    if not records:
        return ABSENT
    return "; ".join(
        f"{record_label(record)} (driver {record['card']['driver']}, "
        f"CuPy {cupy_version(record['versions'])}, NVRTC {record['versions']['nvrtc']}): "
        f"{record['limits']['flops_per_s'] / 1e12:.1f} TFLOP/s, "
        f"{record['limits']['bytes_per_s'] / 1e12:.2f} TB/s"
        for record in records
    )
