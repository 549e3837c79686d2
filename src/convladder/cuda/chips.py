"""The limits of NVIDIA's chips for a kernel, by architecture.

Source: CUDA C++ Programming Guide 13.0, Compute Capabilities, "Features and Technical
Specifications"; the units in which registers and shared memory are handed out, from NVIDIA's
own calculator, `cuda_occupancy.h` of the CUDA Toolkit 13.0. Counts of SMs: the data sheets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

KB = 1024


@dataclass(frozen=True)
class Chip:
    """Limits of one architecture. Memory in bytes, registers of 32 bits.

    shared_per_block: what a launch may ask for (dynamic, more than `shared_static` only where
    the launch opts in); shared_reserved: what CUDA takes besides, for each block.
    register_unit, shared_unit: registers are handed to a warp, shared memory to a block, in
    whole units. partitions: the parts of an SM, each with its share of warps and registers.
    sms: SMs of the example, for a chip of the same architecture may have fewer or more.
    """

    arch: str
    family: str
    example: str
    sms: int
    warps_per_sm: int
    blocks_per_sm: int
    shared_per_sm: int
    shared_per_block: int
    shared_reserved: int
    shared_unit: int
    shared_static: int = 48 * KB
    registers_per_sm: int = 65536
    registers_per_thread: int = 255
    register_unit: int = 256
    partitions: int = 4
    warp_size: int = 32
    threads_per_block: int = 1024
    block_dims: tuple[int, int, int] = (1024, 1024, 64)
    grid_dims: tuple[int, int, int] = (2**31 - 1, 65535, 65535)
    constant_bytes: int = 64 * KB

    @property
    def threads_per_sm(self) -> int:
        return self.warps_per_sm * self.warp_size


CHIPS = {
    arch: Chip(arch, family, example, sms, warps, blocks, a * KB, b * KB, c * KB, unit)
    for arch, family, example, sms, warps, blocks, a, b, c, unit in (
        # SMs, warps, blocks; KiB of shared memory of an SM, of a block, kept back; bytes of a unit
        ("sm_75", "Turing", "T4", 40, 32, 16, 64, 64, 0, 256),
        ("sm_80", "Ampere", "A100", 108, 64, 32, 164, 163, 1, 128),
        ("sm_86", "Ampere", "RTX 3090", 82, 48, 16, 100, 99, 1, 128),
        ("sm_89", "Ada", "RTX 4090", 128, 48, 24, 100, 99, 1, 128),
        ("sm_90", "Hopper", "H100 SXM, H200", 132, 64, 32, 228, 227, 1, 128),
        ("sm_100", "Blackwell", "B200", 148, 64, 32, 228, 227, 1, 128),
        ("sm_120", "Blackwell", "RTX 5090", 170, 48, 24, 100, 99, 1, 128),
    )
}  # fmt: skip


def chip_of(arch: str) -> Chip:
    """Return the chip of an architecture's name; "sm_90a" is "sm_90" with more instructions.

    Raises ValueError for one that is not in `CHIPS`.
    """
    found = CHIPS.get(re.sub(r"(?<=\d)[af]$", "", arch))
    if found is None:
        raise ValueError(f"arch {arch!r} is not known here: give one of {', '.join(CHIPS)}")
    return found
