"""The same graphs in ONNX Runtime, in PyTorch, eager and compiled, and in TVM."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ...compile.graph import Graph, Node
from ...compile.networks import MODELS
from ...compile.operators import pair
from .lenet import Peer, missing


def peers(graph: Graph, x: np.ndarray, batch: int, threads: int) -> list[Peer]:
    """What the installed libraries make of the images `x`, `batch` at a time, on a processor.

    `graph` is one of `NETWORKS`, as it was built; `batch` divides the number of images, since TVM
    compiles for one. `run()` gives the output for all of them. Nothing but TVM's program is
    compiled before the first run.
    """
    absent, found = missing(), []
    if "onnxruntime" not in absent:
        found.append(_onnxruntime(graph, x, batch, threads))
    if "torch" not in absent:
        found += _torch(graph, x, batch)
    if find_spec("tvm") and find_spec("onnx"):
        found.append(_tvm(graph, x, batch))
    return found


def _onnxruntime(graph: Graph, x: np.ndarray, batch: int, threads: int) -> Peer:
    """All of its graph optimisations, and its weights packed at loading, are on by default."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        MODELS / f"{graph.name}.onnx", options, providers=["CPUExecutionProvider"]
    )
    (name,) = graph.inputs
    parts = [x[at : at + batch] for at in range(0, len(x), batch)]

    def run() -> np.ndarray:
        return np.concatenate([session.run(None, {name: part})[0] for part in parts])

    return Peer("onnxruntime", "onnxruntime", run)


def optimised_by_onnxruntime(name: str) -> list[str]:
    """The operators that ONNX Runtime makes of a shipped network on a processor, in their order.

    Raises `ImportError` without onnxruntime and onnx.
    """
    import onnx
    import onnxruntime

    with TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.optimized_model_filepath = str(Path(folder) / "optimised.onnx")
        options.log_severity_level = 3  # it warns that such a file is for this machine alone
        onnxruntime.InferenceSession(
            MODELS / f"{name}.onnx", options, providers=["CPUExecutionProvider"]
        )
        model = onnx.load(options.optimized_model_filepath)
    return [node.op_type for node in model.graph.node]


def _torch(graph: Graph, x: np.ndarray, batch: int) -> list[Peer]:
    """PyTorch's threads are OpenMP's, which `measure.threads` holds."""
    import torch

    network = module(graph)
    parts = torch.from_numpy(x.copy()).split(batch)  # torch warns of memory that it may not write

    def peer(name: str, network: Callable) -> Peer:
        @torch.no_grad()  # inference mode would keep the compiler from folding weights
        def run() -> np.ndarray:
            return torch.cat([network(part) for part in parts]).numpy()

        return Peer(name, "torch", run)

    # `freezing` makes weights constants: batch norm is folded and weights are packed.
    compiled = torch.compile(network, options={"freezing": True})
    return [peer("torch, eager", network), peer("torch.compile", compiled)]


def _tvm(graph: Graph, x: np.ndarray, batch: int) -> Peer:
    """Its default passes over the graph, for this processor, and no search for schedules."""
    import llvmlite.binding as llvm
    import onnx
    import tvm
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx

    (name,) = graph.inputs
    model = from_onnx(onnx.load(MODELS / f"{graph.name}.onnx"), keep_params_in_input=False,
                      shape_dict={name: [batch, *graph[name].shape[1:]]})  # fmt: skip
    with tvm.target.Target({"kind": "llvm", "mcpu": llvm.get_host_cpu_name()}) as target:
        model = relax.get_pipeline("zero")(model)
        machine = relax.VirtualMachine(tvm.compile(model, target=target), tvm.cpu())
    parts = [tvm.runtime.tensor(x[at : at + batch]) for at in range(0, len(x), batch)]

    def run() -> np.ndarray:
        return np.concatenate([machine["main"](part).numpy() for part in parts])

    return Peer("TVM, not tuned", "apache-tvm", run)


def module(graph: Graph):
    """The graph as a PyTorch module, each node one function of PyTorch's.

    Its maps are `[n,c,h,w]`: for graphs that no pass has changed. Raises `KeyError` for an
    operator that no pass leaves behind.
    """
    import torch

    class Network(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.places = {name: number for number, name in enumerate(graph.constants)}
            self.fixed = torch.nn.ParameterList(
                torch.nn.Parameter(torch.from_numpy(array.copy()), requires_grad=False)
                for array in graph.constants.values()
            )

        def forward(self, x):
            (name,) = graph.inputs
            values = {name: x}
            for node in graph.nodes:
                given = [values[i] if i in values else self.fixed[self.places[i]]
                         for i in node.inputs]
                values[node.output] = _functions(torch)[node.op](node, *given)
            return values[graph.outputs[0]]

    return Network().eval()


def _functions(torch) -> dict[str, Callable]:
    F = torch.nn.functional

    def conv(node: Node, x, w, bias=None):
        return F.conv2d(x, w, bias, pair(node, "stride", 1), pair(node, "padding", 0),
                        groups=node.get("group", 1))

    def norm(node: Node, x, gamma, beta, mean, variance):
        return F.batch_norm(x, mean, variance, gamma, beta, eps=node.get("epsilon", 1e-5))

    return {
        "Conv": conv, "BatchNormalization": norm,
        "Gemm": lambda node, x, w, bias: torch.addmm(bias, x, w),
        "Relu": lambda node, x: torch.relu(x),
        "MaxPool": lambda node, x: F.max_pool2d(x, node.get("kernel"), node.get("stride")),
        "GlobalAveragePool": lambda node, x: x.mean((2, 3), keepdim=True),
        "Add": lambda node, a, b: a + b,
        "Div": lambda node, a, b: a / b,
        "Flatten": lambda node, x: x.flatten(1),
        "Cast": lambda node, x: x.float(),
        "ArgMax": lambda node, x: x.argmax(1),
    }  # fmt: skip
