"""From a node to one CUDA kernel, its sizes written as numbers: a thread for each value it makes.

Neighbouring threads differ in the channel, which lies innermost in memory, so that what they store
and the weights that they load are coalesced (chapter 08). A fused node is one kernel: its sums go
from the registers through bias, addition, ReLU and pool, and only what is left is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

import numpy as np

from .codegen_cpu import constant, identifier, scale_and_shift
from .graph import Graph, Node, Tensor
from .operators import MAPS, conv_problem, pair, refuse

THREADS = 128  # of a block
TYPES = {"float32": "float", "uint8": "unsigned char", "int64": "long long"}
LEAST = "float best = -1.0f / 0.0f;"  # minus infinity; NVRTC knows no INFINITY
MOST = 2**31 - 1  # values of a tensor: threads are numbered by an int
AXES = "pqrsnhvk"  # places along them, the last innermost


@dataclass(frozen=True)
class CudaKernel:
    """A node's kernel. `body` is C++, in which `i` numbers the thread's own value of `y`.

    `reads` are tensors by the name that the body gives them; `arrays` what the compiler computed,
    likewise.
    """

    name: str
    body: tuple[str, ...]
    reads: dict[str, str]
    arrays: dict[str, np.ndarray] = field(default_factory=dict)


def cuda_lower(graph: Graph, node: Node) -> CudaKernel:
    """Lower one node to its kernel. Raises `GraphError` for maps not in NHWC, for operators that
    have none, and for tensors whose values an int cannot number."""
    if node.op in MAPS and node.get("layout") != "NHWC":
        raise refuse(node, "its maps are [n,c,h,w], and the kernels take [n,h,w,c]; run to_nhwc")
    for name in (*node.inputs, node.output):
        tensor, most = graph[name], f"of {len(AXES)} axes and {MOST:,} values at most"
        fits = len(tensor.shape) <= len(AXES) and prod(tensor.shape) <= MOST
        if not fits or tensor.dtype not in TYPES:
            raise refuse(node, f"{name!r} is {tensor}; the kernels take {', '.join(TYPES)}, {most}")
    if node.op not in _WRITERS:
        raise refuse(node, f"there is no CUDA kernel for it; there are {', '.join(_WRITERS)}")
    lines, reads, arrays = _WRITERS[node.op](graph, node)
    return CudaKernel(f"{node.op.lower()}_{identifier(node.output)}", tuple(lines), reads, arrays)


def _places(shape: tuple[int, ...], names: str, wanted: str = AXES) -> str:
    """The line that takes `i` apart into `wanted` places along the axes, the last innermost."""
    parts, below = [], 1
    for name, side in reversed(list(zip(names, shape, strict=True))):
        over = f" / {below}" if below > 1 else ""
        around = f" % {side}" if name != names[0] else ""
        if name in wanted:
            parts.append(f"{name} = i{over}{around}")
        below *= side
    return f"int {', '.join(parts)};"


def _conv(graph: Graph, node: Node):
    x, w = graph[node.inputs[0]], constant(graph, node, 1)
    p = conv_problem(node, x, Tensor(w.shape))
    group, (pool_h, pool_w) = node.get("group", 1), pair(node, "pool", 1)
    k_c, pooled = p.k_c * group, (pool_h, pool_w) != (1, 1)
    reads = dict(zip(("x", "w", "bias", "added"), node.inputs))
    out = graph[node.output].shape
    lines = [_places(out, "nhvk")]
    indent, h, v = "", "h", "v"
    if pooled:
        lines += [
            LEAST,
            f"for (int r = {pool_h} * h; r < {pool_h} * h + {pool_h}; r++)",
            f"    for (int q = {pool_w} * v; q < {pool_w} * v + {pool_w}; q++) {{",
        ]
        indent, h, v = " " * 8, "r", "q"
    sums = [
        f"float sum = {'bias[k]' if 'bias' in reads else '0'};",
        f"for (int a = 0; a < {p.k_h}; a++)",
        f"    for (int b = 0; b < {p.k_w}; b++) {{",
        f"        int row = {_at(h, p.s_h, _tap('a', p.d_h), p.p_h)}, "
        f"column = {_at(v, p.s_w, _tap('b', p.d_w), p.p_w)};",
    ]
    if p.padding != (0, 0):
        sums.append(
            f"        if (row < 0 || row >= {p.i_h} || column < 0 || column >= {p.i_w}) continue;"
        )
    deep = f" * {x.shape[3]}" * (x.shape[3] > 1)
    sums.append(f"        const float *pixel = x + ((n * {p.i_h} + row) * {p.i_w} + column){deep};")
    if group == 1:
        sums += [
            f"        const float *tap = w + (a * {p.k_w} + b) * {p.i_c * k_c} + k;",
            f"        for (int c = 0; c < {p.i_c}; c++)",
            f"            sum += pixel[c] * tap[c * {k_c}];",
        ]
    elif (p.i_c, p.k_c) == (1, 1):
        sums.append(f"        sum += pixel[k] * w[(a * {p.k_w} + b) * {k_c} + k];")
    else:
        sums += [
            f"        const float *own = pixel + k / {p.k_c} * {p.i_c};  // of its group",
            f"        const float *tap = w + (a * {p.k_w} + b) * {p.i_c * k_c} + k;",
            f"        for (int c = 0; c < {p.i_c}; c++)",
            f"            sum += own[c] * tap[c * {k_c}];",
        ]
    sums.append("    }")
    if "added" in reads:
        at = f"((n * {p.o_h} + {h}) * {p.o_w} + {v}) * {k_c} + k" if pooled else "i"
        sums.append(f"sum += added[{at}];")
    lines += [indent + line for line in sums]
    if pooled:
        lines += [f"{indent}{_larger('sum')}", "    }"]
    result = "best" if pooled else "sum"
    lines.append(f"y[i] = {_relu(result) if node.get('relu') else result};")
    return lines, reads, {}


def _at(place: str, step: int, tap: str, padding: int) -> str:
    """The row of a window's tap: `2 * h + a - 1`."""
    return f"{f'{step} * ' * (step > 1)}{place} + {tap}{f' - {padding}' * (padding > 0)}"


def _tap(tap: str, dilation: int) -> str:
    return f"{dilation} * {tap}" if dilation > 1 else tap


def _larger(value: str) -> str:
    """Keep the larger in `best`, and a NaN, which `fmaxf` would drop and the oracle keeps."""
    return f"best = {value} > best || isnan({value}) ? {value} : best;"


def _relu(value: str) -> str:
    return f"{value} < 0.0f ? 0.0f : {value}"


def _gemm(graph: Graph, node: Node):
    inputs, outputs = graph[node.inputs[1]].shape
    lines = [
        _places(graph[node.output].shape, "nk"),
        f"float sum = {'bias[k]' if node.inputs[2:] else '0'};",
        f"for (int j = 0; j < {inputs}; j++)",
        f"    sum += x[n * {inputs} + j] * w[j * {outputs} + k];",
        f"y[i] = {_relu('sum') if node.get('relu') else 'sum'};",
    ]
    return lines, dict(zip(("x", "w", "bias"), node.inputs)), {}


def _of_x(node: Node, *lines: str, **arrays: np.ndarray):
    """The kernel of these lines, which reads the node's first input alone, as `x`."""
    return lines, {"x": node.inputs[0]}, arrays


def _max_pool(graph: Graph, node: Node):
    _, i_h, i_w, channels = graph[node.inputs[0]].shape
    (k_h, k_w), (s_h, s_w) = pair(node, "kernel", 1), pair(node, "stride", 1)
    return _of_x(
        node,
        _places(graph[node.output].shape, "nhvk"),
        LEAST,
        f"for (int a = 0; a < {k_h}; a++)",
        f"    for (int b = 0; b < {k_w}; b++) {{",
        f"        float value = x[((n * {i_h} + {_at('h', s_h, 'a', 0)}) * {i_w} + "
        f"{_at('v', s_w, 'b', 0)}) * {channels} + k];",
        f"        {_larger('value')}",
        "    }",
        "y[i] = best;",
    )


def _average(graph: Graph, node: Node):
    _, i_h, i_w, channels = graph[node.inputs[0]].shape
    return _of_x(
        node,
        f"int k = i % {channels}, n = i / {channels};",
        "float sum = 0;",
        f"for (int h = 0; h < {i_h}; h++) {{",
        "    float row = 0;  // a million values in one float would be 1 % off",
        f"    for (int w = 0; w < {i_w}; w++)",
        f"        row += x[((n * {i_h} + h) * {i_w} + w) * {channels} + k];",
        "    sum += row;",
        "}",
        f"y[i] = sum / {i_h * i_w};",
    )


def _batch_norm(graph: Graph, node: Node):
    scale, shift = scale_and_shift(graph, node)
    lines = [f"int k = i % {len(scale)};", "y[i] = x[i] * scale[k] + shift[k];"]
    return _of_x(node, *lines, scale=scale, shift=shift)


def _pad(graph: Graph, node: Node):
    _, i_h, i_w, channels = graph[node.inputs[0]].shape
    (top, left, *_), value = node.get("pads"), node.get("value")
    around = f"{value}f" if np.isfinite(value) else "-1.0f / 0.0f"
    return _of_x(
        node,
        _places(graph[node.output].shape, "nhvk"),
        f"int row = h - {top}, column = v - {left};",
        f"bool inside = row >= 0 && row < {i_h} && column >= 0 && column < {i_w};",
        f"y[i] = inside ? x[((n * {i_h} + row) * {i_w} + column) * {channels} + k] : {around};",
    )


def _elementwise(form: str) -> Callable:
    def write(graph: Graph, node: Node):
        out = graph[node.output].shape
        names, at = AXES[len(AXES) - len(out) :], []
        for shape in (graph[name].shape for name in node.inputs):
            shape = (1,) * (len(out) - len(shape)) + shape
            used = "".join(name for name, side in zip(names, shape, strict=True) if side > 1)
            at.append("i" if shape == out else _offset(shape, names, used) or "0")
        used = "".join(name for name in names if any(name in each for each in at))
        lines = [_places(out, names, used)] if used else []
        y = form.format(*(f"{name}[{place}]" for name, place in zip("ab", at, strict=True)))
        return [*lines, f"y[i] = {y};"], dict(zip("ab", node.inputs)), {}

    return write


def _transpose(graph: Graph, node: Node):
    x, order = graph[node.inputs[0]].shape, node.get("order")
    names = AXES[: len(x)]
    at = _offset(x, "".join(names[order.index(axis)] for axis in range(len(x))), names)
    return _of_x(node, _places(graph[node.output].shape, names), f"y[i] = x[{at}];")


def _concat(graph: Graph, node: Node):
    out, axis = graph[node.output].shape, node.get("axis")
    names = AXES[len(AXES) - len(out) :]
    lines = [_places(out, names)]
    for number, name in enumerate(node.inputs):
        shape, place = graph[name].shape, names[axis]
        lines += [
            f"if ({place} >= 0 && {place} < {shape[axis]}) y[i] = "
            f"x{number}[{_offset(shape, names, names)}];",
            f"{place} -= {shape[axis]};",
        ]
    return lines, {f"x{number}": name for number, name in enumerate(node.inputs)}, {}


def _softmax(graph: Graph, node: Node):
    columns = graph[node.inputs[0]].shape[1]
    return _of_x(
        node,
        f"const float *row = x + i / {columns} * {columns};",
        "float most = row[0], sum = 0;",
        f"for (int k = 1; k < {columns}; k++) most = fmaxf(most, row[k]);",
        f"for (int k = 0; k < {columns}; k++) sum += expf(row[k] - most);",
        "y[i] = expf(x[i] - most) / sum;",
    )


def _offset(shape: tuple[int, ...], names: str, used: str) -> str:
    """Where a value lies whose place along each axis is in the variable of that name."""
    terms = []
    for axis, name in enumerate(names):
        below = prod(shape[axis + 1 :])
        if name in used:
            terms.append(name + f" * {below}" * (below > 1))
    return " + ".join(terms)


def _arg_max(graph: Graph, node: Node):
    columns, beats = graph[node.inputs[0]].shape[1], ">=" if node.get("last") else ">"
    same = "isnan(row[k])" if node.get("last") else "isnan(row[k]) && !isnan(row[best])"
    return _of_x(
        node,
        f"const float *row = x + i * {columns};",
        "int best = 0;",
        f"for (int k = 1; k < {columns}; k++)",
        f"    if (row[k] {beats} row[best] || {same}) best = k;",
        "y[i] = best;",
    )


def _each(line: str) -> Callable:
    return lambda graph, node: _of_x(node, line)


_WRITERS: dict[str, Callable] = {
    "Conv": _conv,
    "Gemm": _gemm,
    "MaxPool": _max_pool,
    "GlobalAveragePool": _average,
    "BatchNormalization": _batch_norm,
    "Relu": _each(f"y[i] = {_relu('x[i]')};"),
    "Cast": _each("y[i] = x[i];"),
    "Add": _elementwise("{} + {}"),
    "Mul": _elementwise("{} * {}"),
    "Div": _elementwise("{} / {}"),
    "Pow": _elementwise("powf({}, {})"),
    "Transpose": _transpose,
    "Concat": _concat,
    "Pad": _pad,
    "Softmax": _softmax,
    "ArgMax": _arg_max,
}
