"""The same network in PyTorch and ONNX Runtime, each set up as fast as it can be.

All take float32 images in host memory, scaled beforehand, and give labels there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from ...lenet.network import Weights

LIBRARIES = {"torch": ("torch",), "onnxruntime": ("onnxruntime", "onnx")}  # and what each needs
BATCHES = (50, 500)  # images at a time on a processor: small ones stay in its caches


@dataclass(frozen=True)
class Peer:
    """One way to let a library label the images: `run()` gives labels `[count]`.

    `device_seconds()` is what a GPU needs for its own work, from images that lie there, by its own
    clock; None on a processor.
    """

    name: str
    library: str
    run: Callable[[], np.ndarray]
    device_seconds: Callable[[], float] | None = None


def missing() -> list[str]:
    """Names of the libraries that are not installed."""
    return [
        library
        for library, packages in LIBRARIES.items()
        if any(find_spec(package) is None for package in packages)
    ]


def peers(images: np.ndarray, weights: Weights, device: str, threads: int) -> list[Peer]:
    """What the installed libraries make of bytes `images` on "cpu" (`threads` threads) or "gpu"."""
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


def _torch(x: np.ndarray, weights: Weights, batch: int) -> Peer:
    """PyTorch's threads are OpenMP's, which `measure.threads` holds."""
    import torch

    from ...lenet.train import into_torch

    network, batches = into_torch(weights), torch.from_numpy(x).split(batch)

    @torch.inference_mode()
    def run() -> np.ndarray:
        return torch.cat([network(part).argmax(1) for part in batches]).numpy()

    return Peer(f"torch, {batch} at a time", "torch", run)


def _torch_gpu(x: np.ndarray, weights: Weights) -> list[Peer]:
    """Eager, with cuDNN's own search for the fastest convolution, compiled, and as one graph."""
    import torch

    from ...lenet.train import into_torch

    if not torch.cuda.is_available():
        return []
    host = torch.from_numpy(x).pin_memory()
    room = torch.empty_like(host, device="cuda")
    plain = into_torch(weights).cuda()
    room.copy_(host)

    def ways(network: Callable, search: bool) -> tuple[Callable, Callable]:
        @torch.inference_mode()
        def compute() -> torch.Tensor:
            torch.backends.cudnn.benchmark = search
            return network(room).argmax(1)

        def run() -> np.ndarray:
            room.copy_(host, non_blocking=True)
            return compute().cpu().numpy()

        return run, compute

    compiled = torch.compile(plain, mode="max-autotune-no-cudagraphs")
    eager = ways(plain, True)
    return [
        Peer(name, "torch", run, _clock(compute))
        for name, (run, compute) in {
            "torch, eager": ways(plain, False),
            "torch, cudnn.benchmark": eager,
            "torch, compiled": ways(compiled, True),
            "torch, one graph": _torch_graph(eager[1], room, host),
        }.items()
    ]


def _clock(compute: Callable[[], object]) -> Callable[[], float]:
    """Reads the device's clock around `compute()`, done twice as in `streams.device_seconds`."""
    import torch

    def seconds() -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        compute()
        begin.record()
        compute()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3

    return seconds


def _torch_graph(compute: Callable, room, host) -> tuple[Callable, Callable]:
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
                room.copy_(host, non_blocking=True)
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


def _onnxruntime(x: np.ndarray, weights: Weights, batch: int, threads: int) -> Peer:
    """With its weights packed once, at loading."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        _onnx(weights), options, providers=["CPUExecutionProvider"]
    )
    batches = [x[at : at + batch] for at in range(0, len(x), batch)]

    def run() -> np.ndarray:
        return np.concatenate([session.run(None, {"x": part})[0] for part in batches])

    return Peer(f"onnxruntime, {batch} at a time", "onnxruntime", run)


def _onnx(weights: Weights) -> bytes:
    """The network as an ONNX model, `x[count,1,28,28]` to the labels `[count]`."""
    import onnx
    from onnx import helper, numpy_helper

    w = list(weights)
    arrays = {
        "conv1": w[0].transpose(3, 2, 0, 1), "conv1_bias": w[1],
        "conv2": w[2].transpose(3, 2, 0, 1), "conv2_bias": w[3],
        # ONNX flattens channels, rows, columns; here the channel is innermost.
        "fc1": w[4].reshape(120, 4, 4, 16).transpose(0, 3, 1, 2).reshape(120, 256),
        "fc1_bias": w[5], "fc2": w[6], "fc2_bias": w[7], "fc3": w[8], "fc3_bias": w[9],
    }  # fmt: skip
    steps = [
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
        nodes.append(helper.make_node(operator, taken, [at], **attributes))
    graph = helper.make_graph(
        nodes, "lenet",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["count", 1, 28, 28])],
        [helper.make_tensor_value_info("labels", onnx.TensorProto.INT64, ["count"])],
        [numpy_helper.from_array(np.ascontiguousarray(a), name) for name, a in arrays.items()],
    )  # fmt: skip
    # Versions that any onnxruntime of these years reads, whichever onnx wrote them.
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


_POOL = {"kernel_shape": [2, 2], "strides": [2, 2]}
