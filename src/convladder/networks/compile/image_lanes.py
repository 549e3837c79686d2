"""Numba source for a node `ImagesInLanes`, generated from its layers, and the threads that run it.

It does for any network what `lenet.cpu.jit.block` does for one, and calls the same register tile:
a block of one or two vectors of images goes through all layers, whose maps stay in the nearest
caches. Row follows row through all convolutions, so that what is read was just written.
"""

from __future__ import annotations

import itertools
from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import NamedTuple

import numpy as np

from ...cpu.isa import Isa, host_isa
from ...cpu.microkernel import aligned
from ...cpu.threads import threads_now
from ...cpu.workers import workers
from .graph import Graph, Node
from .passes.lanes import LaneLayer

AT_A_TIME = 8  # blocks that a thread takes: few enough that none waits long for the last
SPARE = 4  # registers that hold no sum: inputs and a weight


class Tiling(NamedTuple):
    """A block is `groups` of `lanes` images; `channels` of one tile, layer by layer."""

    lanes: int
    groups: int
    channels: tuple[int, ...]


def tiling(layers: tuple[LaneLayer, ...], isa: Isa) -> Tiling:
    """Return the largest tiles that the registers hold, of sizes that divide the layers.

    Where registers are few, a weight serves two groups of images in a product.
    """
    groups = 1 if isa.registers >= 32 else 2
    most = [(isa.registers - SPARE) // (4 if layer.pools else groups) for layer in layers]
    return Tiling(isa.lanes, groups, tuple(
        max(c for c in range(1, room + 1) if layer.k_c % c == 0)
        for layer, room in zip(layers, most, strict=True)
    ))  # fmt: skip


def generate(layers: tuple[LaneLayer, ...], sizes: Tiling) -> tuple[str, int]:
    """Return `(source, scratch)`: of `label(blocks, images, weights, scratch, labels)`, and its
    float32 values of scratch. Constants are numbers in the source, but for `lanes`.
    """
    lanes, groups, _ = sizes
    pixels = layers[0].i_h * layers[0].i_w
    convs = [layer for layer in layers if layer.pools]
    flat = len(convs) - 1  # the last convolution keeps its result for each group
    maps, end = [0], pixels * lanes  # where each layer's input begins in the scratch
    for number, layer in enumerate(layers):
        maps.append(end)
        end += layer.values * lanes * (groups if number >= flat else 1)
    places = np.cumsum([0, *(layer.k_c * (1 + layer.steps) for layer in layers)]).tolist()
    body = [
        "def label(blocks, images, weights, scratch, labels):",
        "    arrays = (scratch, weights, weights, scratch)",
        "    for block in range(blocks):",
        f"        for group in range({groups}):",
        f"            source = (block * {groups} + group) * {lanes * pixels}",
        "            ready0 = 0  # pixels that lie in the scratch",
        *(f"            row{n} = 0" for n in range(1, len(convs) + 1)),
    ]
    indent = " " * 12
    for number, layer in enumerate(convs):
        row, n = f"row{number + 1}", number + 1
        body.append(
            f"{indent}# conv {layer.k_h}x{layer.k_w}x{layer.k_c}, ReLU, pool 2x2: "
            f"[{layer.i_h},{layer.i_w},{layer.i_c}] to "
            f"[{layer.rows},{layer.cols},{layer.k_c}]"
        )
        needed = f"2 * {row} + {layer.k_h + 1}"  # rows of its input for one row of its result
        if number == 0:
            body += [
                f"{indent}while {row} < {layer.rows}:",
                f"{indent}    needed = min({pixels}, "
                f"-(-({needed}) * {layer.i_w} // {lanes}) * {lanes})",
                f"{indent}    spread_bytes(lanes, {pixels}, images, source, ready0, needed, "
                "scratch)",
                f"{indent}    ready0 = needed",
            ]
        else:
            body.append(f"{indent}while {row} < {layer.rows} and {needed} <= row{number}:")
        indent += "    "
        body += [
            indent + line
            for line in _conv_row(layer, sizes, number, maps, places, row, number == flat)
        ]
        body.append(f"{indent}row{n} += 1")
    for number, layer in enumerate(layers[len(convs) :], len(convs)):
        channels, weights = sizes.channels[number], places[number]
        body += ["        " + line for line in (
            f"# product of {layer.i_c} by {layer.k_c}{', ReLU' if layer.relu else ''}",
            f"for c in range(0, {layer.k_c}, {channels}):",
            f"    tile((lanes, {channels}, 1, {layer.i_c}, 0, {layer.i_c}, 0, {int(layer.relu)}, "
            f"{layer.k_c}, {groups}), arrays,",
            f"         ({maps[number]}, {weights + layer.k_c} + c * {layer.i_c}, {weights} + c, "
            f"{maps[number + 1]} + c * {lanes}))",
        )]  # fmt: skip
    classes = layers[-1].k_c
    body += ["        " + line for line in (
        f"found = carray(scratch, {end})",
        f"answers = carray(labels, blocks * {groups * lanes})",
        f"for image in range({groups * lanes}):",
        f"    at = {maps[-1]} + image // {lanes} * {classes * lanes} + image % {lanes}",
        "    best = 0",
        f"    for one in range(1, {classes}):",
        f"        if found[at + one * {lanes}] > found[at + best * {lanes}]:",
        "            best = one",
        f"    answers[block * {groups * lanes} + image] = best",
    )]  # fmt: skip
    return "\n".join([*body, ""]), end


def _conv_row(layer, sizes, number, maps, places, row, by_group) -> list[str]:
    """Lines for one row of a convolution's pooled result."""
    lanes, channels = sizes.lanes, sizes.channels[number]
    group = f"group * {layer.values * lanes} + " if by_group else ""
    run, line = layer.k_w * layer.i_c, layer.i_w * layer.i_c
    return [
        f"for c in range(0, {layer.k_c}, {channels}):",
        f"    for v in range({layer.cols}):",
        f"        tile((lanes, {channels}, {layer.k_h}, {run}, {line}, {layer.i_c}, 1, "
        f"{int(layer.relu)}, 0, 4), arrays,",
        f"             ({maps[number]} + ({row} * {2 * line} + v * {2 * layer.i_c}) * {lanes}, "
        f"{places[number] + layer.k_c} + c * {layer.steps}, {places[number]} + c,",
        f"              {maps[number + 1]} + {group}"
        f"(({row} * {layer.cols} + v) * {layer.k_c} + c) * {lanes}))",
    ]


def pack(arrays: list[np.ndarray], sizes: Tiling) -> np.ndarray:
    """Return weights in the order of use, float32, from weights and bias of each layer in turns."""
    parts = []
    for number, channels in enumerate(sizes.channels):
        w, bias = arrays[2 * number : 2 * number + 2]
        matrix = w.reshape(-1, w.shape[-1])
        tiles = matrix.reshape(len(matrix), -1, channels).transpose(1, 0, 2)
        parts += [bias, tiles.ravel()]
    values = np.concatenate(parts)
    packed = aligned(values.size)
    packed[:] = values
    return packed


class InLanes:
    """`kernel(pixels, labels)` for a node: bytes `[n,1,h,w]` in, labels `[n]` out.

    `source` is the generated code. Each thread takes room for the maps of one block besides what
    the program's arena holds. Compiled when it is made, which takes seconds.
    """

    def __init__(self, graph: Graph, node: Node):
        from numba import types

        from ...core.jit import numba
        from ..lenet.cpu.jit.tile import spread_bytes, tile

        layers: tuple[LaneLayer, ...] = node.get("layers")
        self.sizes = tiling(layers, host_isa())
        self.pixels = layers[0].i_h * layers[0].i_w
        self.source, self.scratch = generate(layers, self.sizes)
        self.packed = pack([graph.constants[name] for name in node.inputs[1:]], self.sizes)
        names = {
            "tile": tile,
            "spread_bytes": spread_bytes,
            "carray": numba.carray,
            "lanes": self.sizes.lanes,
        }
        exec(compile(self.source, "<images in lanes>", "exec"), names)
        bytes_, floats = types.CPointer(types.uint8), types.CPointer(types.float32)
        signature = types.void(types.int64, bytes_, floats, floats, bytes_)
        self._code = numba.cfunc(signature)(names["label"])
        # Called through ctypes, which lets go of the interpreter's lock.
        self._label = CFUNCTYPE(None, c_int64, *[c_void_p] * 4)(self._code.address)

    def __call__(self, pixels: np.ndarray, labels: np.ndarray) -> None:
        size, count = self.sizes.lanes * self.sizes.groups, len(pixels)
        whole, rest = divmod(count, size)
        found = np.empty((whole + 1) * size, np.uint8)
        turns = itertools.count(0, AT_A_TIME)  # next() is one step, which no thread can divide

        def work(thread: int) -> None:
            pixels_at, found_at = pixels.ctypes.data, found.ctypes.data
            scratch = aligned(self.scratch)
            for begin in turns:
                if begin >= whole:
                    return
                blocks, at = min(AT_A_TIME, whole - begin), begin * size
                self._run(blocks, pixels_at + at * self.pixels, scratch, found_at + at)

        workers(threads_now()).together(work)
        if rest:
            last = np.zeros((size, self.pixels), np.uint8)
            last[:rest] = pixels[-rest:].reshape(rest, self.pixels)
            scratch = aligned(self.scratch)
            self._run(1, last.ctypes.data, scratch, found[whole * size :].ctypes.data)
        labels[:] = found[:count]

    def _run(self, blocks: int, pixels_at: int, scratch: np.ndarray, labels_at: int) -> None:
        self._label(blocks, pixels_at, self.packed.ctypes.data, scratch.ctypes.data, labels_at)
