"""The same graphs in ONNX Runtime, in PyTorch, eager and compiled, and in TVM."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from convladder.bench.libraries import Library, missing, onnx_runtime, pytorch
from convladder.networks.compile.graph import Graph, Node
from convladder.networks.compile.networks import MODELS
from convladder.networks.compile.operators import pair


def peers(graph: Graph, x: np.ndarray, batch: int, threads: int) -> list[Library]:
    """Return the installed libraries, ready to run images `x`, `batch` at a time, on a processor.

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


def _onnxruntime(graph: Graph, x: np.ndarray, batch: int, threads: int) -> Library:
    session = onnx_runtime.session(MODELS / f"{graph.name}.onnx", threads)
    (name,) = graph.inputs
    return Library("onnxruntime", "onnxruntime", onnx_runtime.in_parts(session, name, x, batch))


def optimised_by_onnxruntime(name: str) -> list[str]:
    """Return the operators that ONNX Runtime makes of a shipped network, in their order.

    Raises `ImportError` without onnxruntime and onnx.
    """
    import onnx

    with TemporaryDirectory() as folder:
        optimised = str(Path(folder) / "optimised.onnx")
        onnx_runtime.session(  # it warns that such a file is for this machine alone
            MODELS / f"{name}.onnx", optimized_model_filepath=optimised, log_severity_level=3
        )
        model = onnx.load(optimised)
    return [node.op_type for node in model.graph.node]


def _torch(graph: Graph, x: np.ndarray, batch: int) -> list[Library]:
    """PyTorch's threads are OpenMP's, which `measure.threads` holds."""
    import torch

    network = module(graph)

    def way(name: str, network: Callable) -> Library:
        # Inference mode would keep the compiler from folding weights.
        return Library(name, "torch", pytorch.in_parts(network, x, batch, torch.no_grad()))

    # `freezing` makes weights constants: batch norm is folded and weights are packed.
    compiled = torch.compile(network, options={"freezing": True})
    return [way("torch, eager", network), way("torch.compile", compiled)]


def _tvm(graph: Graph, x: np.ndarray, batch: int) -> Library:
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

    return Library("TVM, not tuned", "apache-tvm", run)


def module(graph: Graph):
    """Return the graph as a PyTorch module, each node one function of PyTorch's.

    Its maps are `[n,c,h,w]`: for graphs that no pass has changed. Raises `KeyError` for an
    operator that no pass leaves behind.
    """
    import torch

    class TorchNetwork(torch.nn.Module):
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
                given = [
                    values[i] if i in values else self.fixed[self.places[i]] for i in node.inputs
                ]
                values[node.output] = _functions(torch)[node.op](node, *given)
            return values[graph.outputs[0]]

    return TorchNetwork().eval()


def _functions(torch) -> dict[str, Callable]:
    F = torch.nn.functional

    def conv(node: Node, x, w, bias=None):
        return F.conv2d(
            x,
            w,
            bias,
            pair(node, "stride", 1),
            pair(node, "padding", 0),
            pair(node, "dilation", 1),
            node.get("group", 1),
        )

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
