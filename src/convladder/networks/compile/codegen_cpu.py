"""From nodes to lines of a program: which kernel each becomes, with what weights and room."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from keyword import iskeyword
from math import prod

import numpy as np

from ...core.problem import ConvProblem
from ...cpu.depthwise import prepare as prepare_depthwise
from ...cpu.microkernel import prepare
from .graph import Graph, GraphError, Node
from .operators import ELEMENTWISE, MAPS, conv_problem, pair, refuse
from .runtime import PackedWeights

NEAR = 2**20  # bytes: a second-level cache, or a part of the third
CALLED = (  # of kernels
    "convolve", "multiply", "depthwise", "scale_shift", "max_pool", "mean",
    "channels_last", "cast", "pad", "softmax",
)  # fmt: skip
RESERVED = (*CALLED, "np", "n", "run", "range", "float")


@dataclass
class Lines:
    """One node's program: source lines, the names in them besides tensors, bytes of room."""

    source: list[str]
    names: dict[str, object] = field(default_factory=dict)
    room: tuple[int, ...] = ()  # the shape of a float32 array that only these lines need


def identifier(tensor: str) -> str:
    """Return a tensor's name as the program spells it; `check_names` lets no two be alike."""
    letters = "".join(c if c.isascii() else f"u{ord(c):x}" for c in tensor)  # for C++ too
    spelt = "".join(c if c.isalnum() else "_" for c in letters)
    return f"t_{spelt}" if spelt[:1].isdigit() or spelt in RESERVED or iskeyword(spelt) else spelt


def check_names(graph: Graph) -> None:
    """Raise `GraphError` if two tensors would be spelt alike in a program."""
    spelt: dict[str, str] = {}
    made = [node.output for node in graph.nodes]
    for name in (*graph.inputs, *graph.constants, *made):
        other = spelt.setdefault(identifier(name), name)
        if other != name:
            raise GraphError(
                f"{graph.name}: the tensors {other!r} and {name!r} are both spelt "
                f"{identifier(name)!r} in a program; rename one"
            )


def lower(graph: Graph, node: Node) -> Lines:
    """Return the lines of one node. Raises `GraphError` for maps not in NHWC."""
    if node.op in MAPS and node.get("layout") != "NHWC":
        raise refuse(node, "its maps are [n,c,h,w], and the kernels take [n,h,w,c]; run to_nhwc")
    x, *others = (identifier(name) for name in node.inputs)
    y = identifier(node.output)
    match node.op:
        case "Conv":
            return _conv(graph, node)
        case "Gemm":
            return _gemm(graph, node)
        case "BatchNormalization":
            names = dict(zip((f"{y}_scale", f"{y}_shift"), scale_and_shift(graph, node)))
            return Lines([f"scale_shift({x}, {y}_scale, {y}_shift, out={y})"], names)
        case "MaxPool":
            kernel, stride = pair(node, "kernel", 1), pair(node, "stride", 1)
            return Lines([f"max_pool({x}, {kernel}, {stride}, {y})"])
        case "GlobalAveragePool":
            return Lines([f"mean({x}, {y})"])
        case "Relu":
            return Lines([f"np.maximum({x}, np.float32(0), out={y})"])
        case op if op in ELEMENTWISE:
            return Lines([f"np.{ELEMENTWISE[op]}({x}, {others[0]}, out={y})"])
        case "Cast":
            return Lines([f"cast({x}, {y})"])
        case "Pad":
            return Lines([f"pad({x}, {node.get('pads')[:2]}, float('{node.get('value')}'), {y})"])
        case "Concat":
            parts = ", ".join((x, *others))
            return Lines([f"np.concatenate([{parts}], {node.get('axis')}, out={y})"])
        case "Softmax":
            return Lines([f"softmax({x}, {y})"])
        case "Transpose":
            if node.get("order") == (0, 2, 3, 1):
                return Lines([f"channels_last({x}, {y})"])
            return Lines([f"np.copyto({y}, {x}.transpose{node.get('order')})"])
        case "ArgMax" if node.get("last"):
            columns = graph[node.inputs[0]].shape[1]
            lines = [f"np.argmax({x}[:, ::-1], axis=1, out={y})"]
            return Lines([*lines, f"np.subtract({columns - 1}, {y}, out={y})"])
        case "ArgMax":
            return Lines([f"np.argmax({x}, axis=1, out={y})"])
        case "ImagesInLanes":
            from .image_lanes import InLanes  # Numba, and compilation

            return Lines([f"{y}_kernel({x}, {y})"], {f"{y}_kernel": InLanes(graph, node)})
    raise refuse(node, "there is no kernel for it")


def constant(graph: Graph, node: Node, which: int) -> np.ndarray:
    """Return a constant that a node reads. Raises `GraphError` where it is computed."""
    name = node.inputs[which]
    if name not in graph.constants:
        raise refuse(node, f"its weights {name!r} are computed; the kernels pack constants")
    return graph.constants[name]


def scale_and_shift(graph: Graph, node: Node) -> tuple[np.ndarray, np.ndarray]:
    """Return float32 vectors of a `BatchNormalization`. Raises `GraphError` if computed."""
    gamma, beta, mean, variance = (
        constant(graph, node, which).astype(np.float64) for which in range(1, 5)
    )
    scale = gamma / np.sqrt(variance + node.get("epsilon", 1e-5))
    return scale.astype(np.float32), (beta - mean * scale).astype(np.float32)


def _conv(graph: Graph, node: Node) -> Lines:
    x, y = identifier(node.inputs[0]), identifier(node.output)
    problem = conv_problem(node, graph[node.inputs[0]], graph[node.inputs[1]])
    w, group = constant(graph, node, 1), node.get("group", 1)
    k_c = problem.k_c * group
    call = "depthwise" if group > 1 and (problem.i_c, problem.k_c) == (1, 1) else "convolve"
    if call == "convolve":
        problem = replace(problem, i_c=problem.i_c * group, k_c=k_c, groups=group)
    bias = identifier(node.inputs[2]) if node.inputs[2:] else None
    added = identifier(node.inputs[3]) if node.inputs[3:] else None
    relu, pool = bool(node.get("relu")), node.get("pool")
    batch = graph[node.output].shape[0]
    images = _at_a_time(batch, problem.o_h * problem.o_w * k_c) if pool else batch
    problem = problem.with_batch(images)
    names: dict[str, object] = {f"{y}_weights": (
        PackedWeights(prepare(w, problem), problem) if call == "convolve"
        else PackedWeights(prepare_depthwise(w[:, :, 0]), problem, group))}  # fmt: skip
    if not pool:
        return Lines([_call(call, x, y, bias, added, relu)], names)
    # A few images at a time: the whole map never goes to memory, only what is left of it.
    part, room = f"[n : n + {images}]", f"{y}_room"
    line = _call(call, x + part, y, bias, added and added + part, relu, room)
    source = [
        f"for n in range(0, {batch}, {images}):",
        f"    {line}",
        f"    max_pool({room}, {pool}, {pool}, {y}{part})",
    ]
    return Lines(source, names, (images, problem.o_h, problem.o_w, k_c))


def _call(
    call: str, x: str, y: str, bias: str | None, added: str | None, relu: bool,
    out: str | None = None,
) -> str:  # fmt: skip
    """The line of a convolution or product by `y`'s weights; `out` is `y` unless it is given."""
    follows = [f"bias={bias}"] * bool(bias) + [f"added={added}"] * bool(added)
    follows += ["relu=True"] * relu
    return f"{call}({', '.join([x, f'{y}_weights', *follows, f'out={out or y}'])})"


def _at_a_time(batch: int, values: int) -> int:
    """Images whose maps of so many values stay in a near cache; a number that divides the batch."""
    most = max(1, NEAR // (4 * values))
    return max(images for images in range(1, batch + 1) if batch % images == 0 and images <= most)


def _gemm(graph: Graph, node: Node) -> Lines:
    x, y = identifier(node.inputs[0]), identifier(node.output)
    if node.inputs[1] not in graph.constants:  # nothing that could be packed before
        lines = [f"np.matmul({x}, {identifier(node.inputs[1])}, out={y})"]
        lines += [f"np.add({y}, {identifier(bias)}, out={y})" for bias in node.inputs[2:]]
        lines += [f"np.maximum({y}, np.float32(0), out={y})"] * bool(node.get("relu"))
        return Lines(lines)
    w = constant(graph, node, 1)
    problem = ConvProblem(graph[node.inputs[0]].shape[0], 1, 1, w.shape[0], 1, 1, w.shape[1])
    bias = identifier(node.inputs[2]) if node.inputs[2:] else None
    line = _call("multiply", x, y, bias, None, bool(node.get("relu")))
    return Lines([line], {f"{y}_weights": PackedWeights(prepare(w, problem), problem)})


def room_bytes(room: tuple[int, ...]) -> int:
    """Return the bytes of a node's room."""
    return 4 * prod(room) if room else 0
