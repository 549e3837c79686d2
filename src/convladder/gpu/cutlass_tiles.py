"""The choices in CUTLASS's convolution: how it multiplies, and tiles at every level."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.problem import ConvProblem
from .launch import source_with

TILES_EACH = 0.5  # that a multiprocessor should get before a larger tile is taken


@dataclass(frozen=True)
class Precision:
    """How CUTLASS multiplies: its names, the values of a 16-byte load, tiles from large to small.

    A tile is its block's (pixels, channels, depth), its warp's (pixels, channels), its stages.
    """

    dtype: str
    defines: dict[str, object]
    align: int
    tiles: tuple[tuple, ...]

    def __hash__(self) -> int:
        return hash((self.dtype, self.align, self.tiles))


_FLOAT = {"IN": "float", "OUT": "float", "OP": "OpClassTensorOp", "INSTRUCTION": "16, 8, 8"}
SIMT = Precision(
    "float32",
    {**_FLOAT, "OP": "OpClassSimt", "MATH": "OpMultiplyAdd", "INSTRUCTION": "1, 1, 1", "WIDTH": 1},
    1,
    (((256, 128, 8), (64, 64), 4), ((128, 128, 8), (32, 64), 5), ((64, 64, 8), (32, 64), 5)),
)
TF32 = Precision(
    "float32",
    {**_FLOAT, "MATH": "OpMultiplyAdd", "WIDTH": 4},
    4,
    (((128, 128, 32), (64, 64), 3), ((128, 64, 32), (64, 32), 3), ((64, 64, 32), (32, 32), 4)),
)
TF32X3 = Precision(
    "float32",
    {**_FLOAT, "MATH": "OpMultiplyAddFastF32", "WIDTH": 4},
    4,
    (((128, 64, 16), (64, 32), 3), ((64, 64, 16), (32, 32), 3)),
)
HALF = Precision(
    "float16",
    {
        "IN": "cutlass::half_t",
        "OUT": "cutlass::half_t",
        "OP": "OpClassTensorOp",
        "MATH": "OpMultiplyAdd",
        "INSTRUCTION": "16, 8, 16",
        "WIDTH": 8,
    },
    8,
    (
        ((128, 128, 32), (64, 64), 4),
        ((256, 64, 32), (64, 64), 4),
        ((128, 64, 64), (64, 32), 3),
        ((64, 64, 64), (32, 32), 4),
    ),
)


def choose(problem: ConvProblem, precision: Precision, multiprocessors: int) -> tuple:
    """Return the largest tile that keeps half of the chip busy, no wider than the channels need."""
    wide = [t for t in precision.tiles if t[0][1] <= 64 or problem.k_c > 64]

    def blocks(tile: tuple) -> int:
        (pixels, channels, _), *_ = tile
        return -(-problem.pixels // pixels) * -(-problem.k_c // channels)

    return next((t for t in wide if blocks(t) >= TILES_EACH * multiprocessors), wide[-1])


def source(precision: Precision, tile: tuple) -> str:
    """Return the kernel's text for a precision and a tile."""
    block, warp, stages = tile
    defines = precision.defines | {
        "ALIGN": precision.align,
        "TILE": ", ".join(map(str, block)),
        "WARP": ", ".join(map(str, (*warp, block[2]))),
        "STAGES": stages,
    }
    return source_with("cutlass_conv.cuh", defines)
