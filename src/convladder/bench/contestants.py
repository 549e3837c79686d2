"""Methods and cuDNN made alike: something to call, something to judge, something to replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ..problem import ConvProblem
from ..registry import Method

# Methods whose rival is cuDNN in another precision than float32.
RIVALS = {"gpu_tensor_core": "float16", "gpu_wgmma": "float16", "gpu_cutlass_half": "float16",
          "gpu_cutlass_hopper": "float16", "gpu_cutlass_tf32": "tf32"}
# Timed on float16 images, as cuDNN's float16 is.
HALF_INPUTS = tuple(name for name, precision in RIVALS.items() if precision == "float16")
# What inputs are rounded to: TF32 keeps 10 bits of fraction and may cut the rest off.
ROUNDED = {
    **dict.fromkeys((*HALF_INPUTS, "cudnn float16"), 2.0**-11),
    "gpu_cutlass_tf32": 2.0**-10, "cudnn tf32": 2.0**-10, "gpu_cutlass_3xtf32": 2.0**-20,
}  # fmt: skip


@dataclass(frozen=True)
class Contestant:
    """`call()` computes on the current stream; `result()` is that as a float32 array on the host.

    `capture(calls)` gives a function that replays so many calls as one graph. `peak()` are the
    bytes that one call has allocated at its peak, the result's included.
    """

    name: str
    call: Callable[[], object]
    result: Callable[[], object]
    capture: Callable[[int], Callable[[], None]]
    peak: Callable[[], int]
    scope: Callable

    @property
    def roundoff(self) -> float:
        """Of the inputs; 0 for float32."""
        return next((u for name, u in ROUNDED.items() if self.name.startswith(name)), 0.0)


def method_contestant(method: Method, x, w, problem: ConvProblem) -> Contestant:
    """Of a GPU method, with its weights prepared."""
    import cupy

    stream = cupy.cuda.get_current_stream()
    weights = method.prepare(w, problem) if method.prepare else w
    image = x.astype(np.float16) if method.name in HALF_INPUTS else x

    def call():
        return method.run(image, weights, problem)

    def capture(calls: int) -> Callable[[], None]:
        call()
        stream.synchronize()
        stream.begin_capture()
        for _ in range(calls):
            call()
        graph = stream.end_capture()
        return lambda: graph.launch(stream)

    return Contestant(method.name, call, call, capture, lambda: _cupy_peak(call), _nothing)


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


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def cudnn_contestants(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> list[Contestant]:
    """cuDNN through PyTorch with `cudnn.benchmark`: float32 in both layouts, TF32, float16."""
    import torch

    nchw, nhwc = torch.contiguous_format, torch.channels_last
    torch.backends.cudnn.benchmark = True
    return [
        _cudnn("cudnn float32 NCHW", x, w, problem, torch.float32, nchw, False),
        _cudnn("cudnn float32 NHWC", x, w, problem, torch.float32, nhwc, False),
        _cudnn("cudnn tf32 NHWC", x, w, problem, torch.float32, nhwc, True),
        _cudnn("cudnn float16 NHWC", x, w, problem, torch.float16, nhwc, False),
    ]


def _cudnn(name, x, w, problem, dtype, layout, tf32) -> Contestant:
    import torch

    image = torch.from_numpy(x.transpose(0, 3, 1, 2)).to("cuda", dtype, memory_format=layout)
    weights = torch.from_numpy(w.transpose(3, 2, 0, 1)).to("cuda", dtype, memory_format=layout)

    @contextmanager
    def scope() -> Iterator[None]:
        import cupy

        torch.backends.cudnn.allow_tf32 = tf32
        stream = torch.cuda.ExternalStream(cupy.cuda.get_current_stream().ptr)
        with torch.inference_mode(), torch.cuda.stream(stream):
            yield

    def call():
        return torch.nn.functional.conv2d(
            image, weights, stride=problem.stride, padding=problem.padding
        )

    def result():
        import cupy

        return cupy.from_dlpack(call().permute(0, 2, 3, 1).contiguous())

    def capture(calls: int) -> Callable[[], None]:
        with scope():
            call()
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
                for _ in range(calls):
                    call()
        return graph.replay

    def peak() -> int:
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        call()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before

    return Contestant(name, call, result, capture, peak, scope)
