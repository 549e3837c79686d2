"""A batch of GEMMs with a kernel of our own: the tile that suits their sizes and the chip.

The model is that of `tile_choice`, with a floor of bytes moved. Its numbers were fitted to timings
on one NVIDIA H200: nine layers' products in Winograd's F(2), F(4) and F(6), one image and 32. It
errs by 5 %, also on two layers that the fit had not seen, and the tile chosen takes 0.3 % longer
than the best on average, 6 % at worst. cuBLAS took 3 to 41 % longer where the
inner side was 128 or less, was even at 256, and up to 2.4 times as fast at 512 with few rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .chip import chip
from .launch import KERNELS, instance
from .tile_choice import EMULATOR, LANES

STEP_PER_MAC = 2.12  # cycles of a slice for each multiply-add of one thread, however few threads
BLOCK = 2680.0  # cycles to start and to store what runs together
LAUNCH = 1210.0  # cycles
BYTES = 14.4  # a cycle and multiprocessor, from memory and back


@dataclass(frozen=True)
class GemmTile:
    """`rows` × `columns` values of a block in slices of `depth`, of which a thread holds some.

    `blocks` fit on a multiprocessor at a time; `efficiency`: share of the peak at its best.
    """

    rows: int
    columns: int
    depth: int
    thread_rows: int
    thread_columns: int
    blocks: int
    efficiency: float

    @property
    def threads(self) -> int:
        return self.rows // self.thread_rows * (self.columns // self.thread_columns)

    def count(self, rows: int, columns: int) -> int:
        """Return how many tiles cover a matrix."""
        return -(-rows // self.rows) * -(-columns // self.columns)


TILES = (
    GemmTile(128, 128, 16, 8, 8, 2, 0.654),
    GemmTile(64, 128, 8, 8, 8, 4, 0.623),
    GemmTile(128, 64, 16, 8, 8, 3, 0.607),
    GemmTile(64, 64, 16, 8, 4, 4, 0.571),
    GemmTile(32, 64, 32, 4, 4, 4, 0.464),
)


@dataclass(frozen=True)
class ProductSizes:
    """`count` products of `[rows, inner]` by `[inner, columns]`."""

    count: int
    rows: int
    inner: int
    columns: int

    @property
    def bytes(self) -> int:
        """Return the bytes of all three factors, float32."""
        each = self.rows * (self.inner + self.columns) + self.inner * self.columns
        return 4 * self.count * each


def predicted_cycles(sizes: ProductSizes, tile: GemmTile, multiprocessors: int) -> float:
    """Clock cycles of one call, launch included: waves of blocks, or bytes if those take longer."""
    blocks = -(-sizes.count * tile.count(sizes.rows, sizes.columns) // multiprocessors)
    macs = tile.rows * tile.columns * tile.depth / LANES / tile.efficiency
    latency = STEP_PER_MAC * tile.depth * tile.thread_rows * tile.thread_columns
    slices = -(-sizes.inner // tile.depth)

    def together(number: int) -> float:
        return slices * max(number * macs, latency) + BLOCK if number else 0.0

    waves, rest = divmod(blocks, tile.blocks)
    moving = sizes.bytes / (BYTES * multiprocessors)
    return LAUNCH + max(waves * together(tile.blocks) + together(rest), moving)


@cache
def choose(sizes: ProductSizes, multiprocessors: int) -> GemmTile:
    """Return the tile with the fewest predicted cycles."""
    return min(TILES, key=lambda tile: predicted_cycles(sizes, tile, multiprocessors))


@cache
def _compiled(tile: GemmTile, vector: int):
    from .. import cuda

    block, thread = (tile.rows, tile.columns), (tile.thread_rows, tile.thread_columns)
    name = instance("batched_gemm", *block, tile.depth, *thread, vector, tile.blocks)
    return cuda.Kernel(KERNELS / "batched_gemm.cu", name)


def multiply(A, B, C, tile: GemmTile | None = None) -> None:
    """Compute `C[count,rows,columns] = A[count,rows,inner]·B[count,inner,columns]` on the device.

    `tile` defaults to the model's choice for this chip.
    """
    kernel, grid, block, sizes = _launch(A, B, tile, chip().multiprocessors)
    kernel[grid, block](A, B, C, *sizes)


def profile(A, B, C):
    """Return the emulator's report of `multiply`, with the tile for a chip that gains nothing from
    many blocks.
    """
    kernel, grid, block, sizes = _launch(A, B, None, EMULATOR.multiprocessors)
    return kernel.profile(grid, block, 0, A, B, C, *sizes)


def _launch(A, B, tile: GemmTile | None, multiprocessors: int):
    (count, rows, inner), columns = A.shape, B.shape[2]
    tile = tile or choose(ProductSizes(count, rows, inner, columns), multiprocessors)
    vector = 4 if inner % 4 == 0 and columns % 4 == 0 else 1
    grid = tile.count(rows, columns), count
    return _compiled(tile, vector), grid, tile.threads, (rows, columns, inner)
