"""Lab 08, exercise 1: what a warp's request costs in global and in shared memory."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit


def request_cost(addresses):
    asked = [address for address in addresses if address is not None]
    banks = {}
    for address in asked:
        banks.setdefault(address // 4 % 32, set()).add(address // 4)
    sectors = len({address // 32 for address in asked})
    return sectors, max(map(len, banks.values()), default=0)


def cases(rng):
    words = whole(rng, 5, 30)
    scattered = [4 * word for word in rng.integers(0, 400, 32).tolist()]
    some = [address if lane < 20 else None for lane, address in enumerate(scattered[::-1])]
    return [
        (addresses,)
        for addresses in (
            [4 * lane for lane in range(32)],  # neighbours
            [128 * lane for lane in range(32)],  # a column of a 32-wide matrix
            [64] * 32,  # one address for all
            [4 * lane + 4 for lane in range(32)],  # neighbours, moved by one
            some,
            [4 * (lane ^ 1) for lane in range(32)],  # pairs exchanged
            [132 * lane for lane in range(32)],  # a column, rows padded by one
            [4 * words * lane for lane in range(32)],  # one of so many channels
            [128 * (lane // 8) for lane in range(32)],  # eight lanes a float, all in bank 0
            [28 if lane % 2 else 4096 for lane in range(32)],
            [None] * 32,  # no lane asks
            [640 + 4 * lane if lane < 9 else None for lane in range(32)],
            [None] * 31 + [0],
            scattered,
        )
    ]


SECTORS = "len({address // 32 for address in asked})"
WAYS = "max(map(len, banks.values()), default=0)"

EXERCISE = Exercise(
    name="request_cost",
    lab=8,
    task="Count a request's sectors in global memory, and its turns in shared memory.",
    solution=request_cost,
    cases=cases,
    valid=lambda addresses: all(
        each is None or (each >= 0 and each % 4 == 0) for each in addresses
    ),
    mend="Sectors: different `address // 32`. Turns: per bank, `address // 4 % 32`, the different "
    "floats `address // 4`; then the largest number",
    misconceptions=[
        Misconception(
            "lanes or addresses in place of sectors",
            [edit(SECTORS, "len(asked)"), edit(SECTORS, "len(set(asked))")],
            "Your number of sectors is that of the lanes, or of their different addresses.",
            "A sector holds 32 bytes, eight floats. Lanes that want the same sector share it.",
        ),
        Misconception(
            "sectors of another size",
            edit("address // 32", "address // 128"),
            "Your sectors have another size than 32 bytes.",
            "Global memory moves 32-byte sectors. Four of them make a cache line of 128 bytes.",
        ),
        Misconception(
            "idle lanes counted",
            [
                edit(
                    "[address for address in addresses if address is not None]",
                    "[address or 0 for address in addresses]",
                ),
                edit("if address is not None", "if address"),
            ],
            "Your counts are wrong where lanes are idle, or where one asks for address 0.",
            "`None` is a lane that asks for nothing, and 0 is an address.",
            mend="`asked = [address for address in addresses if address is not None]`",
        ),
        Misconception(
            "lanes in place of floats",
            edit("{}\n", "{}\n", "set()).add(", "[]).append("),
            "Your turns are right where all floats differ, and too many where lanes share one.",
            "Lanes that want the same float get it together: a broadcast costs one turn.",
        ),
        Misconception(
            "the wrong banks",
            [edit("address // 4 % 32", each) for each in ("address % 32", "address // 128 % 32")],
            "Your turns are those of other banks.",
            "Float `address // 4` is in bank `address // 4 % 32`.",
        ),
        Misconception(
            "a sum over all banks",
            edit(WAYS, "sum(map(len, banks.values()))"),
            "Your turns are the floats of all banks together.",
            "All banks work at the same time, one float each: the busiest one decides.",
        ),
    ],
)
