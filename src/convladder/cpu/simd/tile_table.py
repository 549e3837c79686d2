"""Tiles compiled one size at a time, when a plan first asks for it, and called by their addresses.

All sizes up to the largest would take seconds to compile, and a layer has two or four of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .emit import TABLE_SIDE as SIDE


class TileTable:
    """The addresses of one kind of tile, by vectors and pixels; 0 where none is compiled yet.

    `compiled(pixels, vectors)` is a C function of Numba's that returns the address of that tile.
    """

    def __init__(self, compiled: Callable[[int, int], Any]):
        self._compiled, self._kept = compiled, []
        self._addresses = np.zeros((SIDE, SIDE), np.int64)

    def address(self, sizes: Iterable[tuple[int, int]]) -> int:
        """Return where the table lies, in which tiles of these `(pixels, vectors)` now stand.

        Raises `ValueError` for one that no registers hold.
        """
        for pixels, vectors in sorted(sizes):
            if not (0 < pixels < SIDE and 0 < vectors < SIDE):
                raise ValueError(
                    f"a tile of {pixels} pixels by {vectors} vectors: each must be "
                    f"from 1 to {SIDE - 1}; give a smaller Tile"
                )
            if not self._addresses[vectors, pixels]:
                function = self._compiled(pixels, vectors)
                self._kept.append(function)  # the code lives as long
                self._addresses[vectors, pixels] = function.ctypes()
        return self._addresses.ctypes.data
