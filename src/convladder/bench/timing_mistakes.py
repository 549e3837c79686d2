"""The cost of three common timing mistakes on this GPU, with LeNet-5 as the subject.

Not to wait for the device, to count the first call, to copy from memory that may move.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from .. import cuda
from ..cuda import streams
from ..measure.cuda.gpu_info import require_gpu
from ..measure.cuda.profile import quartiles
from ..networks.lenet.digits import images
from ..networks.lenet.rungs import get_rung
from .launches import call_seconds

SUBJECTS = ("fc_coalesced", "overlap_fused", "graph")
FIRST = "fc_coalesced"
REPEATS = 50
SIZES = tuple(4**power for power in range(6, 15))  # bytes of a copy, 4 KiB to 256 MiB
LATER = 10  # runs after the first


def mistakes() -> dict[str, object]:
    """Time all three, in seconds, ready for JSON; needs a GPU, and takes some ten seconds.

    "waiting": of `SUBJECTS`, from images on the device: quartiles until the calls "returns" and
    until the device is "done", by the host's clock, and the "device"'s own. "first": steps of two
    fresh processes, the second of which finds compiled kernels on disk. "copies": median seconds by
    way and memory for each of `SIZES`. Raises `RuntimeError` without a GPU.
    """
    require_gpu("these are a GPU's mistakes")
    with tempfile.TemporaryDirectory() as cache:
        fresh = [_fresh_process(cache) for _ in range(2)]
    return {
        "waiting": {name: _waiting(name) for name in SUBJECTS},
        "first": {"subject": FIRST, "compiled": fresh[0], "cached": fresh[1]},
        "copies": {"bytes": SIZES, **_copies()},
    }


def _waiting(name: str) -> dict[str, object]:
    session: Any = get_rung(name).session(images())  # a GPU's has `compute`
    session.run()
    device = [streams.device_seconds(session.compute) for _ in range(REPEATS)]
    return {**call_seconds(session.compute, REPEATS), "device": quartiles(device)}


def _copies() -> dict[str, list[float]]:
    """Each way from and to each memory; the copy is waited for."""
    seconds: dict[str, list[float]] = {}
    for size in SIZES:
        device = cuda.empty(size, np.uint8)
        for memory, host in (
            ("pageable", np.ones(size, np.uint8)),
            ("pinned", streams.pinned((size,), np.uint8)),
        ):
            host[...] = 1
            for way, copy in (
                ("upload", lambda: streams.upload(device, host)),
                ("download", lambda: streams.download(host, device)),
            ):
                seconds.setdefault(f"{way}, {memory}", []).append(_seconds(copy))
    return seconds


def _seconds(copy: Callable[[], None]) -> float:
    times = []
    while len(times) < REPEATS and sum(times) < 0.3:
        cuda.synchronize()
        start = perf_counter()
        copy()
        cuda.synchronize()
        times.append(perf_counter() - start)
    return float(np.median(times[1:]))


def _fresh_process(cache: str) -> dict[str, float]:
    """Steps of a new process, whose compiled kernels are kept in the folder `cache`."""
    there = os.environ | {"CUPY_CACHE_DIR": cache}
    answer = subprocess.run(
        [sys.executable, "-m", __name__], env=there, capture_output=True, text=True, check=True
    ).stdout
    return json.loads(answer.strip().splitlines()[-1])


def _steps() -> dict[str, float]:
    """In this process, which must not have touched the GPU before."""
    taken: dict[str, float] = {}

    def step(name: str, action: Callable[[], Any]) -> Any:
        start = perf_counter()
        made = action()
        taken[name] = perf_counter() - start
        return made

    x = images()
    step("the GPU is opened", lambda: cuda.empty(1).fill(0))
    session = step("memory, weights, kernels", lambda: get_rung(FIRST).session(x))
    for number in range(1, LATER + 1):
        step(f"run {number}", session.run)
    return taken


if __name__ == "__main__":
    print(json.dumps(_steps()))
