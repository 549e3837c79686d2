"""The small kernels of chapters 05, 07, 08 and 17 on a GPU: judged, then timed in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from convladder.bench.metadata import gpu_metadata
from convladder.bench.records import digests
from convladder.bench.result import timings_as_dict
from convladder.bench.rounds import judge_then_time
from convladder.bench.steps import gpu_roofline
from convladder.core.progress import Progress, report_progress
from convladder.gpu.launch import KERNELS
from convladder.measure.cuda.gpu_info import gpu_info, require_gpu
from convladder.measure.cuda.timing import timed_on_gpu

from .replayed import replayed_on_gpu
from .small_kernel_cases import CUDNN, GROUPS, Ready, Sizes

FOLDER = "small-kernels"
FILES = ("reductions.cu", "staged.cu", "layouts.cu", "depthwise.cu")


def measure(sizes: Sizes = Sizes(), progress: Progress = report_progress) -> dict[str, object]:
    """Return by group and name "seconds", "low", "high", "runs" and "bytes" moved at least.

    Raises `RuntimeError` without a GPU, or where a result is wrong: it is not timed.
    """
    require_gpu("small kernels are timed on one")
    groups, absent = {}, {}
    for group, make in GROUPS.items():
        progress(group)
        groups[group], missing = _timed(make(sizes, gpu_info()["multiprocessors"]))
        absent |= missing
    return {
        **gpu_metadata(),
        "bytes_per_s": gpu_roofline().bytes_per_s,
        "sizes": {
            "values": sizes.values,
            "few": list(sizes.few),
            "many": list(sizes.many),
            "image": str(sizes.image),
            "depthwise": str(sizes.depthwise),
        },
        "kernels": digests(KERNELS, FILES),
        **groups,
        "absent": absent,
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each kernel: time, and share of the copy's rate."""
    yield f"{record['card']['gpu']}: a copy moves {record['bytes_per_s'] / 1e12:.2f} TB/s"
    for group in GROUPS:
        for name, found in record[group].items():
            rate = found["bytes"] / found["seconds"] / record["bytes_per_s"]
            yield f"{group}: {name:<24}{1e3 * found['seconds']:>9.3f} ms{rate:>8.1%} of a copy"
    for name, why in record["absent"].items():
        yield f"{name}: not here: {why}"


def _timed(group: Mapping[str, Callable[[], Ready]]) -> tuple[dict, dict]:
    ready = {}

    def judge(name: str, make: Callable[[], Ready]) -> bool:
        ready[name] = make()
        ready[name].judge()
        return True

    def time(right: Mapping[str, object]) -> dict:
        calls = {name: ready[name].run for name in right}
        # PyTorch's memory is not CuPy's to capture; what stands beside it is long enough.
        return timed_on_gpu(calls) if CUDNN in calls else replayed_on_gpu(calls)

    found, absent = judge_then_time(group, judge, time, optional={CUDNN})
    return {
        name: {**timing, "bytes": ready[name].bytes}
        for name, timing in timings_as_dict(found).items()
    }, absent
