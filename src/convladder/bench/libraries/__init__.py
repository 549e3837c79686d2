"""The libraries to stand beside: a library's way on a processor, or anybody's way on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from ...core.problem import ConvProblem
from ...core.registry import Method
from ...measure.cuda.timing import captured

LIBRARIES = {"torch": ("torch",), "onnxruntime": ("onnxruntime", "onnx")}  # and what each needs


@dataclass(frozen=True)
class Library:
    """One way to let a library do it: `run()` computes, `answer()` is the result to judge.

    What it takes is laid out beforehand, in the library's own order, and not timed. `package`:
    the library's name; a library may have several ways. `result()` gives the answer in our own
    layout where `run()` does not. `device_seconds()`: what a GPU needs for its own work, by its
    own clock; None on a processor.
    """

    name: str
    package: str
    run: Callable[[], object]
    result: Callable[[], np.ndarray] | None = None
    device_seconds: Callable[[], float] | None = None

    def answer(self) -> np.ndarray:
        """Compute once, and return what is judged."""
        return self.run() if self.result is None else self.result()


def missing() -> list[str]:
    """Return the names of the libraries that are not installed."""
    return [
        library
        for library, packages in LIBRARIES.items()
        if any(find_spec(package) is None for package in packages)
    ]


# Methods whose rival is cuDNN in another precision than float32.
RIVALS = {
    "gpu_tensor_core": "float16",
    "gpu_wgmma": "float16",
    "gpu_cutlass_half": "float16",
    "gpu_cutlass_hopper": "float16",
    "gpu_cutlass_tf32": "tf32",
}
# Timed on float16 images, as cuDNN's float16 is.
HALF_INPUTS = tuple(name for name, precision in RIVALS.items() if precision == "float16")
# What inputs are rounded to: TF32 keeps 10 bits of fraction and may cut the rest off.
ROUNDED = {
    **dict.fromkeys((*HALF_INPUTS, "cudnn float16"), 2.0**-11),
    "gpu_cutlass_tf32": 2.0**-10, "cudnn tf32": 2.0**-10, "gpu_cutlass_3xtf32": 2.0**-20,
}  # fmt: skip


@dataclass(frozen=True)
class Replayable:
    """`call()` computes on the current stream; `result()` is that as an array on the device.

    `library`: whose it is, None for a method of ours. `capture(calls)` gives a function that
    replays so many calls as one graph. `peak()` are the bytes that one call has allocated at its
    peak, the result's included. All but `capture` are called within `scope()`.
    """

    name: str
    library: str | None
    call: Callable[[], object]
    result: Callable[[], Any]
    capture: Callable[[int], Callable[[], None]]
    peak: Callable[[], int]
    scope: Callable = nullcontext

    @property
    def roundoff(self) -> float:
        """Return the roundoff of the inputs; 0 for float32."""
        return next((u for name, u in ROUNDED.items() if self.name.startswith(name)), 0.0)


def of_method(method: Method, x, w, problem: ConvProblem) -> Replayable:
    """Return a GPU method on arrays of the device, with its weights prepared."""
    weights = method.prepare(w, problem) if method.prepare else w
    image = x.astype(np.float16) if method.name in HALF_INPUTS else x

    def call():
        return method.run(image, weights, problem)

    return Replayable(
        method.name, None, call, call, lambda calls: captured(call, calls), lambda: _cupy_peak(call)
    )


def _cupy_peak(call: Callable) -> int:
    import cupy

    class Hook(cupy.cuda.MemoryHook):
        name = "peak"
        now = peak = 0

        def malloc_postprocess(self, *, mem_size: int, **_) -> None:
            self.now += mem_size
            self.peak = max(self.peak, self.now)

        def free_postprocess(self, *, mem_size: int, **_) -> None:
            self.now -= mem_size

    with Hook() as hook:
        call()
    return hook.peak
