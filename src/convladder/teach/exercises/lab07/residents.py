"""What limits the blocks of a multiprocessor, rightly and wrongly: lab 07, exercise 5."""

from __future__ import annotations

WARPS, BLOCKS, SHARED = 64, 32, 228 * 1024  # of a multiprocessor, sm_90
PARTS, REGISTERS = 4, 16384  # its registers: so many parts, so many in each
RESERVED = 1024  # bytes of shared memory that the system takes for each block


def least(warps, registers, shared_bytes, most_warps=WARPS, most_blocks=BLOCKS, reserved=RESERVED):
    limits = [most_blocks, most_warps // warps, by_registers(warps, registers)]
    if shared_bytes + reserved:
        limits.append(SHARED // (shared_bytes + reserved))
    return limits


def by_registers(warps, registers):
    return PARTS * (REGISTERS // (32 * registers)) // warps


def warps_of(threads):
    return -(-threads // 32)


def registers_of_threads(threads, registers, shared_bytes):
    return min(
        BLOCKS,
        WARPS // warps_of(threads),
        PARTS * REGISTERS // (registers * threads),
        SHARED // (shared_bytes + RESERVED),
    )


def registers_in_one_pool(threads, registers, shared_bytes):
    return min(
        BLOCKS,
        WARPS // warps_of(threads),
        SHARED // (shared_bytes + RESERVED),
        PARTS * REGISTERS // (32 * registers * warps_of(threads)),
    )


def threads_throughout(threads, registers, shared_bytes, whole_warps=False):
    """Give places to threads, and registers too, or registers to whole warps in one pool."""
    lanes = 32 * warps_of(threads) if whole_warps else threads
    return min(
        BLOCKS,
        32 * WARPS // threads,
        PARTS * REGISTERS // (registers * lanes),
        SHARED // (shared_bytes + RESERVED),
    )
