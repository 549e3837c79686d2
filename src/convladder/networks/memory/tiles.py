"""A stack of layers run tile by tile: the maps of one tile at a time, instead of whole maps.

Neighbouring tiles overlap on every map but the last, since windows reach beyond them. What lies
in the overlap is computed again for each tile: memory is paid for with arithmetic. The idea for
networks: Alwani et al., "Fused-layer CNN accelerators" (MICRO 2016), which also keeps overlaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from .halo import Interval, sizes, spans
from .lifetimes import Block
from .planners import Plan, best
from .stack import Layer, slides

LINE = 64  # bytes: every map begins with a cache line


@dataclass(frozen=True)
class TileSpans:
    """The rows and columns of each map that one tile needs, from the image to the output."""

    rows: tuple[Interval, ...]
    cols: tuple[Interval, ...]

    def shape(self, at: int, channels: int) -> tuple[int, int, int, int]:
        """Return the part of map `at`, of so many channels."""
        return 1, self.rows[at].size, self.cols[at].size, channels


class Tiled:
    """Call it with `x[1,i_h,i_w,i_c]`: it gives what the layers make of it, tile by tile.

    `tile` is rows and columns of the output at a time, None for all of them. `plan` places the maps
    of the largest tile in one arena, which lives for one call; `macs` counts what is multiplied,
    `whole_macs` what would be without tiles. Raises `ValueError` for layers that do not fit.
    """

    def __init__(
        self,
        layers: list[Layer],
        shape: tuple[int, int, int],
        tile: tuple[int | None, int | None] = (None, None),
    ):
        i_h, i_w, i_c = shape
        self.layers, self.input_shape = layers, (1, *shape)
        self.channels = [i_c]
        for layer in layers:
            self.channels.append(layer.channels(self.channels[-1]))
        self.heights = sizes(slides(layers, 0), i_h)
        self.widths = sizes(slides(layers, 1), i_w)
        self.tiles = [
            TileSpans(rows, cols)
            for rows in self._cut(0, i_h, self.heights[-1], tile[0])
            for cols in self._cut(1, i_w, self.widths[-1], tile[1])
        ]
        self.plan = self._plan()

    @property
    def output_shape(self) -> tuple[int, int, int, int]:
        return 1, self.heights[-1], self.widths[-1], self.channels[-1]

    @property
    def workspace_bytes(self) -> int:
        """Return the bytes that a call takes besides its result: the arena, room to begin it on a
        line, and what one layer needs while it runs."""
        scratch = [
            layer.scratch_bytes(tile.cols[at].size, self.channels[at])
            for tile in self.tiles
            for at, layer in enumerate(self.layers)
        ]
        return self.plan.bytes + LINE + max(scratch)

    @property
    def macs(self) -> int:
        """Count multiply-accumulates of all tiles, what they do again included."""
        return sum(
            layer.macs(tile.rows[at].size, tile.cols[at].size)
            for tile in self.tiles
            for at, layer in enumerate(self.layers, 1)
        )

    @property
    def whole_macs(self) -> int:
        """Count multiply-accumulates of the whole maps."""
        return sum(
            layer.macs(h, w)
            for layer, h, w in zip(self.layers, self.heights[1:], self.widths[1:], strict=True)
        )

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """`y[1,o_h,o_w,k_c]`. Raises `ValueError` for an input of another shape or dtype."""
        if x.shape != self.input_shape or x.dtype != np.float32 or not x.flags.c_contiguous:
            raise ValueError(
                f"x is {x.dtype} of shape {x.shape}; this stack takes C-contiguous "
                f"float32 of {self.input_shape}"
            )
        return self.run(x, np.empty(self.plan.bytes + LINE, np.uint8))

    def run(self, x: np.ndarray, room: np.ndarray) -> np.ndarray:
        """Run the same with `room` for the maps: uint8, the plan's bytes and a line more."""
        begin = -room.ctypes.data % LINE
        arena = room[begin : begin + self.plan.bytes]
        y = np.empty(self.output_shape, np.float32)
        for tile in self.tiles:
            part = self._input(x, tile, arena)
            for at, layer in enumerate(self.layers, 1):
                out = self._map(at, tile, arena, y)
                layer.run(part, (tile.rows[at - 1].before, tile.cols[at - 1].before), out)
                part = out
            self._output(part, tile, y)
        return y

    def _cut(self, axis: int, i: int, o: int, size: int | None) -> list[tuple[Interval, ...]]:
        if size is not None and size < 1:
            raise ValueError(f"tile={size} along axis {axis}; use 1 or more, or None for all")
        along, size = slides(self.layers, axis), min(size or o, o)
        return [tuple(spans(along, i, begin, min(begin + size, o))) for begin in range(0, o, size)]

    def _plan(self) -> Plan:
        """A block for each map, as large as any tile needs it; those that lie elsewhere have 0."""
        last, blocks = len(self.layers), []
        for at, channels in enumerate(self.channels):
            most = max(4 * prod(tile.shape(at, channels)) for tile in self.tiles)
            elsewhere = at in (0, last) and self._rows_whole(at)
            size = 0 if elsewhere else -(-most // LINE) * LINE
            blocks.append(Block(f"map {at}", size, max(at - 1, 0), min(at, last - 1)))
        return best(blocks)

    def _rows_whole(self, at: int) -> bool:
        """Whether every tile's part of map `at` is rows as a whole: contiguous where they lie."""
        return all(tile.cols[at].size == self.widths[at] for tile in self.tiles)

    def _map(self, at: int, tile: TileSpans, arena: np.ndarray, y: np.ndarray) -> np.ndarray:
        shape = tile.shape(at, self.channels[at])
        if at == len(self.layers) and self._rows_whole(at):
            return y[:, tile.rows[at].begin : tile.rows[at].end]
        begin = self.plan.offsets[f"map {at}"]
        return arena[begin : begin + 4 * prod(shape)].view(np.float32).reshape(shape)

    def _input(self, x: np.ndarray, tile: TileSpans, arena: np.ndarray) -> np.ndarray:
        rows, cols = tile.rows[0], tile.cols[0]
        part = x[:, rows.begin : rows.end, cols.begin : cols.end]
        if self._rows_whole(0):
            return part
        copy = self._map(0, tile, arena, x)
        np.copyto(copy, part)
        return copy

    def _output(self, part: np.ndarray, tile: TileSpans, y: np.ndarray) -> None:
        if not self._rows_whole(len(self.layers)):
            rows, cols = tile.rows[-1], tile.cols[-1]
            y[:, rows.begin : rows.end, cols.begin : cols.end] = part
