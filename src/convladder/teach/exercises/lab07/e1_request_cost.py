"""Lab 07, exercise 1: what a warp's request costs in global memory, and in shared memory."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole
from .requests import (
    asked,
    at_least_one,
    banks,
    between,
    request_cost,
    sectors,
    sectors_by,
    span,
    turns,
    turns_by,
    turns_of_rows,
    turns_with,
)


def _cases(rng):
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
            [128 * (lane // 8) for lane in range(32)],  # eight lanes a word, all words in bank 0
            [28 if lane % 2 else 4096 for lane in range(32)],
            [None] * 32,  # nobody asks
            [640 + 4 * lane if lane < 9 else None for lane in range(32)],
            [None] * 31 + [0],
            scattered,
        )
    ]


EXERCISE = Exercise(
    name="request_cost",
    lab=7,
    reference=request_cost,
    task="Count a request's sectors in global memory, and its turns in shared memory.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "a sector for each lane",
            sectors_by(lambda addresses: len(asked(addresses))),
            symptom="For the sectors you count the lanes.",
            concept="Lanes that want bytes of the same sector get them from one fetch. That is "
            "what coalescing is.",
            line="Collect `address // 32` in a set, and take its length.",
        ),
        Misconception(
            "different addresses",
            sectors_by(lambda addresses: len(set(asked(addresses)))),
            symptom="For the sectors you count the different addresses; a sector holds 8 floats.",
            concept="Memory moves in pieces of 32 bytes, which begin at multiples of 32.",
            line="Whole sectors in the set: `address // 32`, with `//` and 32.",
        ),
        Misconception(
            "lines of 128 bytes",
            lambda addresses, size=128: (sectors(addresses, size), turns(addresses)),
            choices={"size": (64,)},
            symptom="Your sectors are those of larger pieces than 32 bytes.",
            concept="A cache line has 128 bytes, but each of its four sectors is fetched by "
            "itself, only where it is needed.",
            line="`address // 32`, and no larger number.",
        ),
        Misconception(
            "the bytes asked for",
            sectors_by(lambda addresses: -(-len(asked(addresses)) // 8)),
            symptom="Your sectors are those of neighbours that begin at a sector, wherever the "
            "addresses are.",
            concept="What is asked for, over 32, is the *least* that can do. What moves depends "
            "on where the addresses are.",
            line="A set of `address // 32`, and its length.",
        ),
        Misconception(
            "from the first to the last",
            lambda addresses, way=span: (way(addresses), turns(addresses)),
            choices={"way": (between,)},
            symptom="You count the sectors that it takes to get from the lowest address to the "
            "highest.",
            concept="Only sectors that somebody asks for are moved: those between are left out.",
            line="A set of `address // 32`, in place of a length.",
        ),
        Misconception(
            "idle lanes counted",
            lambda addresses: request_cost(
                [-4096 if address is None else address for address in addresses]
            ),
            symptom="Right with 32 running lanes, too many with idle ones.",
            concept="A lane that is idle asks for nothing: `None` is no address.",
            line="Skip the lanes whose address is `None`; where all are, `max(..., default=0)`.",
        ),
        Misconception(
            "moved to the first address",
            sectors_by(
                lambda addresses: len(
                    {(address - min(asked(addresses))) // 32 for address in asked(addresses)}
                )
            ),
            symptom="Your sectors are right where the lowest address is a multiple of 32; "
            "elsewhere they can be wrong.",
            concept="Sectors lie at multiples of 32 bytes of memory, wherever you begin to read. "
            "32 neighbours moved by one float touch 5 sectors, not 4.",
            line="Divide the address itself, not its distance from the first.",
        ),
        Misconception(
            "counted in floats",
            sectors_by(lambda addresses: sectors(addresses, 8)),
            symptom="Your sectors are up to four times too many.",
            concept="The addresses are in bytes. Eight *floats* are a sector: 32 bytes.",
            line="`address // 32`, not `// 8`.",
        ),
        Misconception(
            "address 0 taken for idle",
            lambda addresses: request_cost([address or None for address in addresses]),
            symptom="You can be too low where a lane wants address 0.",
            concept="`if address` is false for `None`, and for 0, which is an address.",
            line="`if address is not None`.",
        ),
        Misconception(
            "at least one",
            at_least_one,
            choices={"which": ((0,), (1,))},
            symptom="Right as long as one lane runs. With 32 idle lanes you still charge for one.",
            concept="Lanes that have all ended, or wait in another branch, make no request: no "
            "sector and no turn.",
            line="Let the count be 0 where there is nothing to count: no `max(1, ...)`, but "
            "`max(..., default=0)`.",
        ),
        Misconception(
            "lanes of a bank, not words",
            turns_by(lambda addresses: max(banks(addresses, words=False), default=0)),
            symptom="Your turns are right where all words are different; where lanes want the "
            "same one they can be too many.",
            concept="A bank gives a word to *all* lanes that want it, in one turn. Only different "
            "words of one bank wait for each other.",
            line="For each bank the length of a set of `address // 4`.",
        ),
        Misconception(
            "conflicts, not turns",
            turns_by(lambda addresses: max(0, turns(addresses) - 1)),
            symptom="Your turns are one too few, wherever somebody asks.",
            concept="A conflict is a turn *beyond* the first. Here all turns are asked for.",
            line="`max` of the words of a bank, and nothing subtracted.",
        ),
        Misconception(
            "banks of bytes",
            turns_with(lambda address: address % 32),
            symptom="Floats that lie eight apart seem to meet in a bank.",
            concept="A bank is 4 bytes wide: float number i, which begins at byte 4·i, is in bank "
            "i % 32.",
            line="`address // 4 % 32`.",
        ),
        Misconception(
            "banks of sectors",
            turns_with(lambda address: address // 32 % 32),
            symptom="Eight neighbours seem to share a bank.",
            concept="Banks have nothing to do with sectors: one is 4 bytes wide, and the next "
            "float is in the next bank.",
            line="`address // 4 % 32`, not `address // 32 % 32`.",
        ),
        Misconception(
            "banks of 128 bytes",
            turns_of_rows,
            choices={"count": (None,)},
            symptom="For the 32 floats from address 0 on you count 32 turns, not one.",
            concept="Neighbouring floats are in neighbouring banks. 128 bytes go once over all "
            "32 banks, and with the next 128 bytes bank 0 comes again.",
            line="The bank is `address // 4 % 32`. For each bank a set of its `address // 4`, and "
            "`max(..., default=0)` of their lengths.",
        ),
        Misconception(
            "banks in use",
            turns_by(lambda addresses: len(banks(addresses))),
            symptom="You count the banks that are asked. More banks are better, not worse.",
            concept="Different banks answer at the same time. The turns are those of the bank "
            "with most to give.",
            line="`max(..., default=0)` over the banks, not their number.",
        ),
        Misconception(
            "all words together",
            turns_by(lambda addresses: sum(banks(addresses))),
            symptom="For the turns you count all words that are wanted, in whichever banks.",
            concept="The banks work side by side: what counts is the longest queue, not all of "
            "them together.",
            line="A set of words for each bank, and `max(..., default=0)` of their lengths.",
        ),
        Misconception(
            "words over 32",
            turns_by(lambda addresses: -(-sum(banks(addresses)) // 32)),
            symptom="With you every request takes one turn, if somebody asks at all.",
            concept="A word has its one bank, one of 32. 32 words in one bank are 32 turns, and 31 "
            "banks look on.",
            line="A set of words for each bank, `address // 4 % 32`; the longest one's length "
            "counts.",
        ),
        Misconception(
            "the two exchanged",
            lambda addresses: request_cost(addresses)[::-1],
            symptom="Both numbers are right, in the other order.",
            concept="First what global memory moves, then what shared memory takes.",
            line="`return sectors, turns`.",
        ),
        Misconception(
            "another number of banks",
            lambda addresses, count=16: (
                sectors(addresses),
                max(banks(addresses, bank=lambda address: address // 4 % count), default=0),
            ),
            symptom="Your turns are those of another number of banks than 32.",
            concept="There are 32 banks. (Sixteen were those of the first chips with CUDA, and 33 "
            "is the row of a padded tile.)",
            line="The remainder by 32: `address // 4 % 32`.",
            choices={"count": (33, 64)},
        ),
        Misconception(
            "half warps",
            lambda addresses, which=(1,): tuple(
                sum(cost) if i in which else whole
                for i, (whole, *cost) in enumerate(
                    zip(
                        request_cost(addresses),
                        request_cost(addresses[:16]),
                        request_cost(addresses[16:]),
                        strict=True,
                    )
                )
            ),
            symptom="You serve 16 lanes and then the other 16, and add the two up.",
            concept="All 32 lanes make one request: what two of them want is served once, and "
            "banks that the first 16 leave free serve the others.",
            line="One set of sectors, and one set of words for each bank, for all lanes.",
            choices={"which": ((0,), (0, 1))},
        ),
        Misconception(
            "a word for all or for one",
            turns_by(
                lambda addresses: min(
                    max(banks(addresses, words=False), default=0),
                    1 if len(set(asked(addresses))) == 1 else 32,
                )
            ),
            symptom="Right where all lanes want one word, or all different ones; elsewhere your "
            "turns can be too many.",
            concept="A bank gives a word to *all* lanes that want it, be they two or 32.",
            line="For each bank a set of `address // 4`, and its length.",
        ),
        Misconception(
            "bytes moved",
            sectors_by(lambda addresses: 32 * sectors(addresses)),
            symptom="Your sectors are 32 times too many: those are bytes.",
            concept="The question is how many sectors; each is 32 bytes.",
            line="Do not multiply.",
        ),
        Misconception(
            "word 0 left out",
            turns_by(lambda addresses: turns([address or None for address in addresses])),
            symptom="Your turns can be too few where somebody wants address 0.",
            concept="0 is an address, and float number 0 is in bank 0.",
            line="`if address is not None`, for the banks too.",
        ),
        Misconception(
            "idle lanes at address 0",
            lambda addresses: request_cost([address or 0 for address in addresses]),
            symptom="You let a lane that asks for nothing ask for address 0.",
            concept="An idle lane makes no request, and touches no sector and no bank.",
            line="`[address for address in addresses if address is not None]` first, and "
            "`max(..., default=0)`, for it can be empty. `address or 0` is 0 for None.",
        ),
        Misconception(
            "lanes of a word",
            turns_by(
                lambda addresses: max(map(asked(addresses).count, asked(addresses)), default=0)
            ),
            symptom="You count how many lanes want the same word, where that is free.",
            concept="Lanes that want one word are served together. Lanes that want *different* "
            "words of one bank are not.",
            line="For each bank the number of different `address // 4`, and the largest of these.",
        ),
        Misconception(
            "the mean of the banks",
            turns_by(
                lambda addresses: (
                    -(-sum(banks(addresses)) // len(banks(addresses))) if banks(addresses) else 0
                )
            ),
            symptom="Your turns are right where all banks in use have as much to do.",
            concept="The banks work side by side, and the request is done when the busiest one is.",
            line="`max` of the banks' words, not their mean.",
        ),
        Misconception(
            "the least busy bank",
            turns_by(lambda addresses: min(banks(addresses), default=0)),
            symptom="Your turns are those of a bank that can have less to do than others.",
            concept="A request is done when its last bank is: the one with most to do.",
            line="`max` over all banks; no `min`, and no bank chosen by its place.",
        ),
        Misconception(
            "conflicts of all banks",
            turns_by(
                lambda addresses: sum(n - 1 for n in banks(addresses)) + bool(asked(addresses))
            ),
            symptom="Your turns are right as long as no two banks have a conflict, and too many "
            "elsewhere.",
            concept="Banks work side by side: while one gives its second word, the others give "
            "theirs. Their conflicts do not add up.",
            line="Words for each bank, and the largest of these numbers, or 0: `max(..., "
            "default=0)`.",
        ),
        Misconception(
            "rows of 128 bytes for turns",
            turns_by(lambda addresses: len({address // 128 for address in asked(addresses)})),
            symptom="For the turns you count the pieces of 128 bytes that are touched.",
            concept="Each bank answers by itself: in one turn one may give a word of one such row, "
            "and its neighbour a word of another.",
            line="For each bank, `address // 4 % 32`, a set of its words; then the length of the "
            "largest, or 0 if nobody asks.",
        ),
    ],
)
