"""How many blocks of a kernel one SM can hold at a time, and what stands in the way of more."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from .chips import Chip
from .launch_checks import shape


@dataclass(frozen=True)
class Occupancy:
    """Blocks that are resident on one SM.

    threads: in a block. limits: the blocks that each resource allows, were there no other.
    """

    chip: Chip
    threads: int
    limits: dict[str, int]

    @property
    def blocks(self) -> int:
        """Return the blocks on one SM; 0 where the kernel cannot be launched at all."""
        return min(self.limits.values())

    @property
    def warps(self) -> int:
        return self.blocks * -(-self.threads // self.chip.warp_size)

    @property
    def share(self) -> float:
        """Return resident warps over the most that the SM can hold."""
        return self.warps / self.chip.warps_per_sm

    @property
    def limited_by(self) -> tuple[str, ...]:
        """Return the resources that allow no more blocks than this."""
        return tuple(name for name, blocks in self.limits.items() if blocks == self.blocks)

    def __str__(self) -> str:
        limits = ", ".join(f"{name} {blocks}" for name, blocks in self.limits.items())
        if self.blocks == 0:
            return (
                f"{self.threads} threads per block do not fit on {self.chip.arch}: too much of "
                f"{' and '.join(self.limited_by)}"
            )
        return (
            f"{self.threads} threads per block on {self.chip.arch}: {self.blocks} "
            f"block{'s' * (self.blocks != 1)}, {self.warps} of {self.chip.warps_per_sm} warps "
            f"({self.share:.0%}), limited by {' and '.join(self.limited_by)}\n"
            f"blocks allowed by each: {limits}"
        )


def occupancy(
    chip: Chip, block: int | tuple[int, ...], registers: int, shared_bytes: int = 0
) -> Occupancy:
    """Return the occupancy of a kernel on a chip.

    block: threads, or up to three dimensions (x, y, z). registers: of one thread.
    shared_bytes: of one block, static and dynamic; of the memory that an SM divides between
    cache and shared memory, as much counts as can be shared, as the driver does by itself.
    Raises LaunchError for a block that no chip takes. By the rules of NVIDIA's
    `cuda_occupancy.h`; its limit on barriers is left out (one barrier a block is never over it).
    """
    threads = prod(shape((1, block)).block)
    warps = -(-threads // chip.warp_size)
    shared = _whole_units(shared_bytes + chip.shared_reserved, chip.shared_unit)
    return Occupancy(
        chip,
        threads,
        {
            "warps": chip.warps_per_sm // warps,
            "registers": _blocks_by_registers(chip, warps, registers),
            "shared memory": 0
            if shared_bytes > chip.shared_per_block
            else chip.shared_per_sm // shared
            if shared
            else chip.blocks_per_sm,
            "blocks": chip.blocks_per_sm,
        },
    )


def _blocks_by_registers(chip: Chip, warps: int, registers: int) -> int:
    """A warp's registers lie in one partition of the SM, in whole units."""
    if registers > chip.registers_per_thread:
        return 0
    of_a_warp = _whole_units(max(registers, 1) * chip.warp_size, chip.register_unit)
    in_a_partition = chip.registers_per_sm // chip.partitions // of_a_warp
    return in_a_partition * chip.partitions // warps


def _whole_units(amount: int, unit: int) -> int:
    return -(-amount // unit) * unit
