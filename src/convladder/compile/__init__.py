"""A small compiler: networks as graphs, passes over them, programs of the ladder's own kernels."""

from .cost import Cost, cost
from .device import DeviceProgram, compile_for_device
from .graph import Graph, GraphError, Node, Tensor
from .networks import NETWORKS
from .onnx_file import read_onnx, write_onnx
from .operators import infer_shapes
from .oracle import evaluate
from .passes import PASSES, Step, optimise, stages
from .program import Program, compile_graph

__all__ = [
    "NETWORKS",
    "PASSES",
    "Cost",
    "DeviceProgram",
    "Graph",
    "GraphError",
    "Node",
    "Program",
    "Step",
    "Tensor",
    "compile_for_device",
    "compile_graph",
    "cost",
    "evaluate",
    "infer_shapes",
    "optimise",
    "read_onnx",
    "stages",
    "write_onnx",
]
