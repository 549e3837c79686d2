"""The same network in PyTorch and ONNX Runtime, each set up as fast as it can be.

All take float32 images in host memory, scaled beforehand, and give labels there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...measure.cuda.timing import event_seconds
from ...networks.lenet.network import Weights
from . import Library, missing, onnx_runtime, pytorch

BATCHES = (50, 500)  # images at a time on a processor: small ones stay in its caches


def peers(images: np.ndarray, weights: Weights, device: str, threads: int) -> list[Library]:
    """Return the installed libraries, ready to label bytes `images` on "cpu" or "gpu".

    On a processor they have `threads` threads.
    """
    absent = missing()
    x = images[:, np.newaxis].astype(np.float32) / np.float32(255)
    if device == "gpu":
        return _torch_gpu(x, weights) if "torch" not in absent else []
    found = []
    if "torch" not in absent:
        found += [_torch(x, weights, batch) for batch in BATCHES]
    if "onnxruntime" not in absent:
        found += [_onnxruntime(x, weights, batch, threads) for batch in BATCHES]
    return found


def _torch(x: np.ndarray, weights: Weights, batch: int) -> Library:
    """PyTorch's threads are OpenMP's, which `measure.threads` holds."""
    import torch

    network = into_torch(weights)
    run = pytorch.in_parts(lambda part: network(part).argmax(1), x, batch, torch.inference_mode())
    return Library(f"torch, {batch} at a time", "torch", run)


def _torch_gpu(x: np.ndarray, weights: Weights) -> list[Library]:
    """Eager, with cuDNN's own search for the fastest convolution, compiled, and as one graph."""
    import torch

    if not torch.cuda.is_available():
        return []
    host = torch.from_numpy(x).pin_memory()
    held = torch.empty_like(host, device="cuda")
    plain = into_torch(weights).cuda()
    held.copy_(host)

    def ways(network: Callable, search: bool) -> tuple[Callable, Callable]:
        @torch.inference_mode()
        def compute() -> torch.Tensor:
            torch.backends.cudnn.benchmark = search
            return network(held).argmax(1)

        def run() -> np.ndarray:
            held.copy_(host, non_blocking=True)
            return compute().cpu().numpy()

        return run, compute

    compiled = pytorch.compiled(plain, mode="max-autotune-no-cudagraphs")
    eager = ways(plain, True)
    return [
        Library(name, "torch", run, device_seconds=partial(event_seconds, compute, ahead=1))
        for name, (run, compute) in {
            "torch, eager": ways(plain, False),
            "torch, cudnn.benchmark": eager,
            "torch, compiled": ways(compiled, True),
            "torch, one graph": _torch_graph(eager[1], held, host),
        }.items()
    ]


def _torch_graph(compute: Callable, held, host) -> tuple[Callable, Callable]:
    """All that a run puts on the device, recorded: the copy there, the network, the labels back."""
    import torch

    labels = torch.empty(len(host), dtype=torch.int64).pin_memory()
    queue = torch.cuda.Stream()
    queue.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(queue):
        compute()  # cuDNN searches, and takes its memory, before it is recorded
    queue.synchronize()

    def recorded(copies: bool) -> torch.cuda.CUDAGraph:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            if copies:
                held.copy_(host, non_blocking=True)
            answer = compute()
            if copies:
                labels.copy_(answer, non_blocking=True)
        return graph

    whole, device = recorded(True), recorded(False)

    def run() -> np.ndarray:
        whole.replay()
        torch.cuda.synchronize()
        return labels.numpy().copy()

    return run, device.replay


def _onnxruntime(x: np.ndarray, weights: Weights, batch: int, threads: int) -> Library:
    """With its weights packed once, at loading."""
    session = onnx_runtime.session(_onnx(weights), threads)
    run = onnx_runtime.in_parts(session, "x", x, batch)
    return Library(f"onnxruntime, {batch} at a time", "onnxruntime", run)


def _onnx(weights: Weights) -> bytes:
    """Return the network as an ONNX model, `x[count,1,28,28]` to the labels `[count]`."""
    w = list(weights)
    arrays = {
        "conv1": w[0].transpose(3, 2, 0, 1), "conv1_bias": w[1],
        "conv2": w[2].transpose(3, 2, 0, 1), "conv2_bias": w[3],
        # ONNX flattens channels, rows, columns; here the channel is innermost.
        "fc1": w[4].reshape(120, 4, 4, 16).transpose(0, 3, 1, 2).reshape(120, 256),
        "fc1_bias": w[5], "fc2": w[6], "fc2_bias": w[7], "fc3": w[8], "fc3_bias": w[9],
    }  # fmt: skip
    steps: list[tuple[str, str | None, dict]] = [
        ("Conv", "conv1", {}), ("Relu", None, {}), ("MaxPool", None, _POOL),
        ("Conv", "conv2", {}), ("Relu", None, {}), ("MaxPool", None, _POOL), ("Flatten", None, {}),
        ("Gemm", "fc1", {"transB": 1}), ("Relu", None, {}),
        ("Gemm", "fc2", {"transB": 1}), ("Relu", None, {}),
        ("Gemm", "fc3", {"transB": 1}), ("ArgMax", None, {"axis": 1, "keepdims": 0}),
    ]  # fmt: skip
    nodes, at = [], "x"
    for number, (operator, layer, attributes) in enumerate(steps):
        taken = [at] if layer is None else [at, layer, f"{layer}_bias"]
        at = "labels" if number == len(steps) - 1 else f"map{number}"
        nodes.append(onnx_runtime.node(operator, taken, at, **attributes))
    return onnx_runtime.model(
        nodes,
        arrays,
        ("x", onnx_runtime.FLOAT, ["count", 1, 28, 28]),
        ("labels", onnx_runtime.INT64, ["count"]),
    )


_POOL = {"kernel_shape": [2, 2], "strides": [2, 2]}


def model():
    """Return the network as a `torch.nn.Sequential`, with fresh weights."""
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(256, 120), nn.ReLU(),
        nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip


def into_torch(weights: Weights):
    """Return a `model()` that holds `weights`."""
    import torch

    network, arrays = model(), list(weights)
    for conv in (0, 2):
        arrays[conv] = arrays[conv].transpose(3, 2, 0, 1)
    arrays[4] = arrays[4].reshape(120, 4, 4, 16).transpose(0, 3, 1, 2).reshape(120, 256)
    with torch.no_grad():
        for parameter, array in zip(network.parameters(), arrays, strict=True):
            parameter.copy_(torch.from_numpy(array.copy()))
    return network.eval()
