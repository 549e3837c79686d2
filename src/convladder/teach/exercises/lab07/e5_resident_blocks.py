"""Lab 07, exercise 5: how many blocks a multiprocessor holds at a time."""

from __future__ import annotations

from ....cuda.chips import CHIPS
from ....cuda.occupancy import occupancy
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole
from .residents import (
    BLOCKS,
    PARTS,
    REGISTERS,
    RESERVED,
    SHARED,
    WARPS,
    by_registers,
    least,
    registers_in_one_pool,
    registers_of_threads,
    threads_throughout,
    warps_of,
)


def resident_blocks(threads, registers, shared_bytes):
    return occupancy(CHIPS["sm_90"], threads, registers, shared_bytes).blocks


def _drawn(rng, count):
    """Return blocks of up to 16 warps, with multiples of 8 registers and of 256 bytes."""
    return [
        (whole(rng, 33, 512), 8 * whole(rng, 2, 14), 256 * whole(rng, 0, 60)) for _ in range(count)
    ]


def _not_round(rng):
    """Return bytes of which more blocks fit than of the next multiple of 1,024."""
    sizes = [
        size
        for size in range(12288, 24576, 256)
        if SHARED // (size + RESERVED) > SHARED // (-(-size // 1024) * 1024 + RESERVED)
    ]
    return sizes[whole(rng, 0, len(sizes) - 1)]


EXERCISE = Exercise(
    name="resident_blocks",
    lab=7,
    reference=resident_blocks,
    task="Count the blocks that a multiprocessor of compute capability 9.0 holds at a time.",
    cases=lambda rng: [
        (256, 32, 0),
        (256, 64, 16384),
        (1024, 40, 0),
        *_drawn(rng, 3),
        (32, 16, 0),
        (512, 128, 98304),
        (64, 16, 11520),
        (33, 128, 0),
        (32, 80, 1280),
        (100, 16, 0),
        (256, 32, 49152),
        (256, 32, 57344),
        (96, 16, 0),
        (whole(rng, 65, 128), 32, 18432),
        (128, 32, _not_round(rng)),
        (1024, 128, 0),
        (128, 32, 37904),
    ],
    misconceptions=[
        Misconception(
            "only the threads",
            lambda threads, registers, shared_bytes: min(BLOCKS, WARPS // warps_of(threads)),
            symptom="You promise blocks for which there are no registers or no shared memory.",
            concept="A block is admitted only if there is room for it in *each* of four stores: "
            "places for warps, places for blocks, registers, shared memory.",
            line="Take the least of four quotients.",
        ),
        Misconception(
            "registers of one thread",
            lambda threads, registers, shared_bytes: min(
                BLOCKS,
                WARPS // warps_of(threads),
                PARTS * REGISTERS // registers,
                SHARED // (shared_bytes + RESERVED),
            ),
            symptom="Registers never limit you.",
            concept="`registers` is what *each* thread has: a block needs as many times its "
            "threads.",
            line="`4 * (16384 // (32 * registers))` warps have registers; divide by the warps of a "
            "block.",
        ),
        Misconception(
            "registers in one pool",
            registers_in_one_pool,
            symptom="You are right, or too high: you count on registers that are left over in "
            "each of the four parts.",
            concept="A warp's registers are all in one of the four parts. With 80 registers a "
            "thread a part holds 6 warps and has 1,024 registers over: 24 warps in all, "
            "not 25.",
            line="Round down within a part, `16384 // (32 * registers)`, before you multiply by 4.",
        ),
        Misconception(
            "registers by threads",
            registers_of_threads,
            symptom="You are right, or too high: above all where a block's last warp is hardly "
            "full, as with 33 threads.",
            concept="Registers are given to warps. A warp with 4 threads has as many as a full "
            "one, all of them in one of the four parts.",
            line="Whole warps, `-(-threads // 32)`, and how many of them the registers of one "
            "part hold, times 4.",
        ),
        Misconception(
            "warps rounded down",
            lambda threads, registers, shared_bytes: min(
                least(max(1, threads // 32), registers, shared_bytes)
            ),
            symptom="Right for whole warps; 100 threads are 4 warps, and you count 3.",
            concept="A block of 100 threads takes 4 warps, the last with 28 idle lanes.",
            line="Round up: `-(-threads // 32)`.",
        ),
        Misconception(
            "no limit of blocks",
            lambda threads, registers, shared_bytes: min(
                least(warps_of(threads), registers, shared_bytes, most_blocks=99)
            ),
            symptom="With small blocks you promise more than 32.",
            concept="A multiprocessor keeps at most 32 blocks, however small they are: blocks of "
            "32 threads leave half of its places for warps empty.",
            line="Let 32 be one of the numbers that you take the least of.",
        ),
        Misconception(
            "no kibibyte reserved",
            lambda threads, registers, shared_bytes: min(
                least(warps_of(threads), registers, shared_bytes, reserved=0)
            ),
            symptom="Where shared memory limits you, you are sometimes too high.",
            concept="With *each* block the system keeps 1024 bytes of shared memory for itself, on "
            "top of what the block asks for.",
            line="`233472 // (shared_bytes + 1024)`.",
        ),
        Misconception(
            "shared memory forgotten",
            lambda threads, registers, shared_bytes: min(
                BLOCKS, WARPS // warps_of(threads), by_registers(warps_of(threads), registers)
            ),
            symptom="With little shared memory a block you are right; with much you promise blocks "
            "that find none.",
            concept="A multiprocessor has 228 KiB of shared memory for all of its blocks.",
            line="Let `233472 // (shared_bytes + 1024)` be one of the numbers.",
        ),
        Misconception(
            "threads in place of warps",
            lambda threads, registers, shared_bytes: min(
                BLOCKS,
                32 * WARPS // threads,
                *least(warps_of(threads), registers, shared_bytes, most_warps=999),
            ),
            symptom="Right for whole warps; of blocks of 100 threads you count too many.",
            concept="There are 64 places for warps, not 2,048 for threads: the last warp of 100 "
            "threads takes a place for 4 of them.",
            line="`64 // warps`, with `warps` rounded up.",
        ),
        Misconception(
            "threads throughout",
            threads_throughout,
            choices={"whole_warps": (True,)},
            symptom="Right or too high. Of blocks of 100 threads with 16 registers each, and no "
            "shared memory, you count 20, where 16 fit.",
            concept="Threads count in whole warps, and registers are handed out by warp. The "
            "fourth warp of 100 threads has 4 of them, but takes a whole place, and from "
            "one of the four parts the registers of 32 threads.",
            line="`warps = -(-threads // 32)`; then `64 // warps` in place of `2048 // threads`, "
            "and `4 * (16384 // (32 * registers)) // warps`.",
        ),
        Misconception(
            "half of the warps",
            lambda threads, registers, shared_bytes: min(
                least(warps_of(threads), registers, shared_bytes, most_warps=32)
            ),
            symptom="Your limit is 1,024 threads.",
            concept="1,024 threads are the most for a *block*. A multiprocessor holds 2,048: 64 "
            "warps.",
            line="`64 // warps`.",
        ),
        Misconception(
            "rounded up",
            lambda threads, registers, shared_bytes: min(
                BLOCKS,
                -(-WARPS // warps_of(threads)),
                -(-PARTS * REGISTERS // (32 * registers * warps_of(threads))),
                -(-SHARED // (shared_bytes + RESERVED)),
            ),
            symptom="You also count a block that fits in part only.",
            concept="A block runs as a whole, or waits.",
            line="Round down: `//`.",
        ),
        Misconception(
            "warps, not blocks",
            lambda threads, registers, shared_bytes: (
                warps_of(threads) * resident_blocks(threads, registers, shared_bytes)
            ),
            symptom="You return how many warps are there.",
            concept="Occupancy is that number over 64; this exercise asks for blocks.",
            line="Do not multiply by the warps of a block.",
        ),
        Misconception(
            "a block in one part",
            lambda threads, registers, shared_bytes: min(
                BLOCKS,
                WARPS // warps_of(threads),
                SHARED // (shared_bytes + RESERVED),
                PARTS * (REGISTERS // (32 * registers) // warps_of(threads)),
            ),
            symptom="Where registers decide you can count too few, with large blocks none at all.",
            concept="A warp is in one part; the warps of a block are spread over all four.",
            line="`4 * (16384 // (32 * registers)) // warps`: first times 4, then by the warps.",
        ),
        Misconception(
            "one part of four",
            lambda threads, registers, shared_bytes: min(
                BLOCKS,
                WARPS // warps_of(threads),
                SHARED // (shared_bytes + RESERVED),
                REGISTERS // (32 * registers) // warps_of(threads),
            ),
            symptom="You have registers for a quarter of the warps only.",
            concept="16,384 registers are one part, and there are four.",
            line="`4 * (16384 // (32 * registers)) // warps`.",
        ),
        Misconception(
            "one warp too many",
            lambda threads, registers, shared_bytes: min(
                least(threads // 32 + 1, registers, shared_bytes)
            ),
            symptom="Right for 33 or 100 threads; 256 threads are 8 warps, and you count 9.",
            concept="`threads // 32 + 1` adds a warp also where none is begun.",
            line="`warps = -(-threads // 32)`.",
        ),
        Misconception(
            "warps without a limit",
            lambda threads, registers, shared_bytes: min(
                least(warps_of(threads), registers, shared_bytes, most_warps=9999)
            ),
            symptom="You can count more warps than there are places for.",
            concept="A multiprocessor has 64 places for warps, whatever else is left.",
            line="Let `64 // warps` be one of the numbers.",
        ),
        Misconception(
            "another chip's warps",
            lambda threads, registers, shared_bytes: min(
                least(warps_of(threads), registers, shared_bytes, most_warps=48)
            ),
            symptom="You count 48 places for warps.",
            concept="48 are those of compute capability 8.6, 8.9 and 12.0. This chip has 64.",
            line="`64 // warps` in place of 48.",
        ),
        Misconception(
            "another chip's blocks",
            lambda threads, registers, shared_bytes: min(
                least(warps_of(threads), registers, shared_bytes, most_blocks=16)
            ),
            symptom="With small blocks you stop at 16.",
            concept="16 blocks are those of compute capability 7.5 and 8.6. This chip keeps 32.",
            line="Let 32 be one of the numbers.",
        ),
        Misconception(
            "a block's shared memory for all",
            lambda threads, registers, shared_bytes: min(
                BLOCKS,
                WARPS // warps_of(threads),
                by_registers(warps_of(threads), registers),
                48 * 1024 // (shared_bytes + RESERVED),
            ),
            symptom="Where blocks have shared memory you can count too few, or none.",
            concept="48 KiB are what *one* block gets without being asked. The multiprocessor has "
            "228.",
            line="All of it, `233472`, over `shared_bytes + 1024`.",
        ),
        Misconception(
            "threads alone",
            lambda threads, registers, shared_bytes: 2048 // threads,
            symptom="You look at the threads alone.",
            concept="A multiprocessor has four things to give: places for warps, places for "
            "blocks, registers, shared memory. A block needs all four.",
            line="The least of four quotients, each rounded down.",
        ),
        Misconception(
            "the largest limit",
            lambda threads, registers, shared_bytes: max(
                least(warps_of(threads), registers, shared_bytes)
            ),
            symptom="You return the largest of the four limits.",
            concept="Blocks come until the *first* of the four is used up.",
            line="`min`, not `max`.",
        ),
        Misconception(
            "shared memory in pieces of 1,024",
            lambda threads, registers, shared_bytes: min(
                least(warps_of(threads), registers, -(-shared_bytes // 1024) * 1024)
            ),
            symptom="Right for multiples of 1,024 bytes; else you are sometimes too low where "
            "shared memory limits you.",
            concept="1,024 bytes is what the system takes with each block, whatever that asks for. "
            "It is no unit to round up to.",
            line="`233472 // (shared_bytes + 1024)`, with `shared_bytes` as it is.",
        ),
        Misconception(
            "what one block may have",
            lambda threads, registers, shared_bytes: min(
                *least(warps_of(threads), registers, shared_bytes),
                (SHARED - 1024) // (shared_bytes + RESERVED),
            ),
            symptom="Where shared memory limits you, you are sometimes one too low.",
            concept="227 KiB is the most that one block may ask for. The multiprocessor has 228, "
            "and each block's own 1,024 bytes come out of these.",
            line="233,472 bytes are shared out, not 232,448.",
        ),
        Misconception(
            "each block over all four parts",
            lambda threads, registers, shared_bytes: min(
                BLOCKS,
                WARPS // warps_of(threads),
                SHARED // (shared_bytes + RESERVED),
                REGISTERS // (32 * registers * -(-warps_of(threads) // PARTS)),
            ),
            symptom="Right where a block's warps are a multiple of 4; else you can count too few "
            "where registers decide.",
            concept="A block of 2 warps takes places in two of the four parts only, and the next "
            "block takes those in the others. Nothing in a part is kept for a block.",
            line="Warps of a part, times 4, and only then by a block's warps: "
            "`4 * (16384 // (32 * registers)) // warps`, with `warps` not rounded to fours.",
        ),
        Misconception(
            "at least one block",
            lambda threads, registers, shared_bytes: max(
                1, resident_blocks(threads, registers, shared_bytes)
            ),
            symptom="Where not even one block fits you say 1.",
            concept="1,024 threads of 128 registers want 131,072; there are 65,536.",
            line="The least of the four, also where it is 0: no `max(1, ...)`.",
        ),
    ],
)
