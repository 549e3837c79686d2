"""What device memory goes when a library is first used: each measured in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping


def cublas_steps(config: str | None = None) -> list[tuple[str, int]]:
    """Bytes by which free device memory fell at each step of MEC's first call, in order.

    `config` is cuBLAS's environment variable CUBLAS_WORKSPACE_CONFIG; ":0:0" asks for none.
    """
    config = {} if config is None else {"CUBLAS_WORKSPACE_CONFIG": config}
    return [tuple(step) for step in _answer("cublas", config)]


def cudnn_steps() -> list[dict]:
    """PyTorch and cuDNN on the MEC report's layer: rows of `step` and bytes, in order.

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

    from ..gpu.cublas import _handle
    from ..gpu.gemm import Batch

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
    step("cublasCreate", _handle)
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
        rows.append({
            "step": name, "growth": before - torch.cuda.mem_get_info()[0],
            "allocated": torch.cuda.memory_allocated(),
            "peak": torch.cuda.max_memory_allocated(),
        })  # fmt: skip

    def call() -> None:
        with torch.inference_mode():
            kept["y"] = kept["layer"](kept["x"])  # the former result lives until this one is there

    step("the image", lambda: kept.update(x=torch.randn(1, 3, 224, 224, device="cuda")))
    step("the layer", lambda: kept.update(
        layer=torch.nn.Conv2d(3, 64, 7, padding=1, bias=False).cuda()))
    step("the first call, algorithms tried", call)
    step("the second call", call)
    step("the third call", call)
    return rows


if __name__ == "__main__":
    print(json.dumps({"cublas": _cublas, "cudnn": _cudnn}[sys.argv[1]]()))
