"""What memory GPU libraries take: a GEMM's time by its workspace, and what first calls cost.

First calls are measured each in a fresh process: `python -m studies.gpu.workspace`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial

from convladder.core.problem import ConvProblem

from .replayed import replayed_seconds

LIMITS = (0, 2**16, 2**18, 2**20, 2**22, 2**25)  # bytes
LAYERS = ("report", "cv6", "cv11", "cv12")  # one whose GEMM fills the chip, three that do not


def limits(problems: Mapping[str, ConvProblem]) -> list[dict]:
    """Time cuBLASLt's GEMM of im2col and MEC under each limit: its first proposal, and the best.

    Rows of `layer`, `what` ("im2col" or "mec"), `limit`, `seconds` and `used` (bytes) of the first
    proposal, `best_seconds` and `best_used` of the fastest. Times are graph replays.
    """
    from convladder.gpu.gemm import Batch
    from convladder.gpu.mec import batches

    rows = []
    for layer, p in problems.items():
        whole = Batch(p.pixels, p.window, p.k_c, lda=p.window, stride=0, count=1)
        for what, batch, size in (
            ("im2col", whole, p.im2col_bytes()),
            ("mec", batches(p, p.i_c, "B")[0], p.mec_bytes()),
        ):
            rows += [
                {"layer": layer, "what": what, "limit": limit, **_under(batch, size // 4, p, limit)}
                for limit in LIMITS
            ]
    return rows


def _under(batch, values: int, problem: ConvProblem, limit: int) -> dict[str, float]:
    import cupy

    from convladder.gpu.cublaslt import Multiplication

    rng = cupy.random.default_rng(0)
    a = rng.standard_normal(values, dtype="float32")
    b = rng.standard_normal(problem.params, dtype="float32")
    c, spare = cupy.empty(problem.output_shape, "float32"), cupy.empty(max(limit, 16), "uint8")
    multiply = Multiplication(batch, limit)
    times = [
        replayed_seconds(partial(multiply, a, b, c, spare, number))
        for number in range(len(multiply.algorithms))
    ]
    best = times.index(min(times))
    return {
        "seconds": times[0],
        "used": multiply.algorithms[0].workspace,
        "best_seconds": times[best],
        "best_used": multiply.algorithms[best].workspace,
    }


def cublas_steps(config: str | None = None) -> list[tuple[str, int]]:
    """Return the bytes by which free device memory fell at each step of MEC's first call, in order.

    `config` is cuBLAS's environment variable CUBLAS_WORKSPACE_CONFIG; ":0:0" asks for none.
    """
    environment = {} if config is None else {"CUBLAS_WORKSPACE_CONFIG": config}
    return [tuple(step) for step in _answer("cublas", environment)]


def cudnn_steps() -> list[dict]:
    """Measure PyTorch and cuDNN on the MEC report's layer: rows of `step` and bytes, in order.

    `growth`: free device memory fell by so much (`cudaMemGetInfo`); `allocated` by tensors after
    the step, and at their `peak` during it (PyTorch's own counts).
    """
    return _answer("cudnn", {})


def _answer(library: str, environment: Mapping[str, str]) -> list:
    command = [sys.executable, "-m", __name__, library]
    answer = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return json.loads(answer.stdout)


def _cublas() -> list[tuple[str, int]]:
    """In this process, which must have used no GPU library before."""
    import cupy

    from convladder.gpu.cublas import get_handle
    from convladder.gpu.gemm import Batch

    def free() -> int:
        cupy.cuda.Device().synchronize()
        return cupy.cuda.runtime.memGetInfo()[0]

    rows = []

    def step(name: str, action) -> None:
        before = free()
        kept.append(action())
        rows.append((name, before - free()))

    kept: list = []
    step("an array of 64 MiB", lambda: cupy.zeros(2**24, "float32"))
    step("cublasCreate", get_handle)
    a = kept[0]
    batch = Batch(rows=220, inner=147, columns=64, lda=4746, stride=21, count=220)
    step("the result, 12 MiB", lambda: cupy.empty(220 * 220 * 64, "float32"))
    step("the first strided batch", lambda: batch(a, a, kept[-1]))
    step("the second", lambda: batch(a, a, kept[2]))
    return rows


def _cudnn() -> list[dict]:
    import torch

    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = False
    torch.zeros(1, device="cuda")
    rows, kept = [], {}

    def step(name: str, action) -> None:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.mem_get_info()[0]
        action()
        torch.cuda.synchronize()
        rows.append(
            {
                "step": name,
                "growth": before - torch.cuda.mem_get_info()[0],
                "allocated": torch.cuda.memory_allocated(),
                "peak": torch.cuda.max_memory_allocated(),
            }
        )

    def call() -> None:
        with torch.inference_mode():
            kept["y"] = kept["layer"](kept["x"])  # the former result lives until this one is there

    step("the image", lambda: kept.update(x=torch.randn(1, 3, 224, 224, device="cuda")))
    step(
        "the layer",
        lambda: kept.update(layer=torch.nn.Conv2d(3, 64, 7, padding=1, bias=False).cuda()),
    )
    step("the first call, algorithms tried", call)
    step("the second call", call)
    step("the third call", call)
    return rows


if __name__ == "__main__":
    print(json.dumps({"cublas": _cublas, "cudnn": _cudnn}[sys.argv[1]]()))
