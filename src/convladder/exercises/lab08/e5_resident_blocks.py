"""Lab 08, exercise 5: how many blocks a multiprocessor holds at a time."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit

SHARED, RESERVED = 233472, 1024  # bytes, of compute capability 9.0


def resident_blocks(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    with_registers = 4 * (16384 // (32 * registers))  # warps
    return min(32, 64 // warps, with_registers // warps, 233472 // (shared_bytes + 1024))


def drawn(rng):
    """Draw blocks of up to 16 warps, with multiples of 8 registers and of 256 bytes."""
    return whole(rng, 33, 512), 8 * whole(rng, 2, 14), 256 * whole(rng, 0, 60)


def not_round(rng):
    """Draw bytes of which more blocks fit than of the next multiple of 1,024."""
    sizes = [
        size
        for size in range(12288, 24576, 256)
        if SHARED // (size + RESERVED) > SHARED // (-(-size // 1024) * 1024 + RESERVED)
    ]
    return sizes[whole(rng, 0, len(sizes) - 1)]


LIMITS = "32, 64 // warps, with_registers // warps, 233472 // (shared_bytes + 1024)"
WARPS = "-(-threads // 32)"
REGISTERS = "4 * (16384 // (32 * registers))"

EXERCISE = Exercise(
    name="resident_blocks",
    lab=8,
    task="Count the blocks that a multiprocessor of compute capability 9.0 holds at a time.",
    solution=resident_blocks,
    cases=lambda rng: [
        (256, 32, 0),
        (256, 64, 16384),
        (1024, 40, 0),
        *(drawn(rng) for _ in range(3)),
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
        (128, 32, not_round(rng)),
        (1024, 128, 0),
        (128, 32, 37888),
        (160, 16, 0),
        (64, 16, 8320),
    ],
    valid=lambda threads, registers, shared_bytes: (
        0 < threads <= 1024
        and 16 <= registers <= 128
        and registers % 8 == shared_bytes % 128 == 0 <= shared_bytes
    ),
    mend="`min(32, 64 // warps, with_registers // warps, 233472 // (shared_bytes + 1024))` with "
    "`warps = -(-threads // 32)`",
    misconceptions=[
        Misconception(
            "a limit left out",
            [
                edit(LIMITS, each)
                for each in (
                    LIMITS.replace("32, 64", "64"),
                    LIMITS.replace("64 // warps, ", ""),
                    LIMITS.replace("with_registers // warps, ", ""),
                    LIMITS.replace(", 233472 // (shared_bytes + 1024)", ""),
                )
            ],
            "Where one of the limits decides, you promise too many blocks.",
            "Places for blocks, warps, registers and shared memory: the least of four limits "
            "counts.",
        ),
        Misconception(
            "threads in place of warps",
            [
                edit("64 // warps", "2048 // threads"),
                edit(WARPS, "threads // 32 or 1"),
                edit(
                    *("64 // warps", "2048 // threads"),
                    *("with_registers // warps", "65536 // (threads * registers)"),
                ),
            ],
            "Blocks of whole warps are right. Others, of 100 threads for example, are wrong.",
            "A block of 100 threads takes four whole warps, with registers for all of them.",
        ),
        Misconception(
            "registers in one pool",
            edit(REGISTERS, "65536 // (32 * registers)"),
            "Some of your results are too high.",
            "Each of the four parts has its own 16,384 registers, and a warp stays in one part.",
            mend="`with_registers = 4 * (16384 // (32 * registers))`, in warps",
        ),
        Misconception(
            "nothing reserved of shared memory",
            edit("(shared_bytes + 1024)", "max(shared_bytes, 1)"),
            "Where shared memory decides, some of your results are too high.",
            "The system takes 1,024 bytes more for every block.",
        ),
        Misconception(
            "rounding up",
            edit(
                LIMITS,
                "32, -(-64 // warps), -(-with_registers // warps), "
                "-(-233472 // (shared_bytes + 1024))",
            ),
            "You count a block that fits only in part.",
            "A block is resident as a whole or not at all.",
        ),
    ],
)
