"""Lab 07, exercise 1: what a warp's request costs in global memory, and in shared memory."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ..draws import whole


def _asked(addresses):
    return [address for address in addresses if address is not None]


def _sectors(addresses, size=32):
    return len({address // size for address in _asked(addresses)})


def _banks(addresses, bank=lambda address: address // 4 % 32, words=True):
    """Return how many different words, or lanes, each bank is asked for."""
    asked: dict[int, list[int]] = {}
    for address in _asked(addresses):
        asked.setdefault(bank(address), []).append(address // 4)
    return [len(set(each) if words else each) for each in asked.values()]


def _turns(addresses):
    return max(_banks(addresses), default=0)


def request_cost(addresses):
    return _sectors(addresses), _turns(addresses)


def _sectors_by(count):
    return lambda addresses: (count(addresses), _turns(addresses))


def _turns_by(count):
    return lambda addresses: (_sectors(addresses), count(addresses))


def _span(addresses):
    asked = _asked(addresses)
    return -(-(max(asked) + 4 - min(asked)) // 32) if asked else 0


def _between(addresses):
    asked = [address // 32 for address in _asked(addresses)]
    return max(asked) - min(asked) + 1 if asked else 0


def _cases(rng):
    words = whole(rng, 5, 30)
    scattered = [4 * word for word in rng.integers(0, 400, 32).tolist()]
    some = [address if lane < 20 else None for lane, address in enumerate(scattered[::-1])]
    return [(addresses,) for addresses in (
        [4 * lane for lane in range(32)],               # neighbours
        [128 * lane for lane in range(32)],             # a column of a 32-wide matrix
        [64] * 32,                                      # one address for all
        [4 * lane + 4 for lane in range(32)],           # neighbours, moved by one
        some,
        [4 * (lane ^ 1) for lane in range(32)],         # pairs exchanged
        [132 * lane for lane in range(32)],             # a column, rows padded by one
        [4 * words * lane for lane in range(32)],       # one of so many channels
        [128 * (lane // 8) for lane in range(32)],      # eight lanes a word, all words in bank 0
        [28 if lane % 2 else 4096 for lane in range(32)],
        [None] * 32,                                    # nobody asks
        [640 + 4 * lane if lane < 9 else None for lane in range(32)],
        [None] * 31 + [0],
        scattered,
    )]


EXERCISE = Exercise(
    name="request_cost", lab=7, reference=request_cost,
    task="Count a request's sectors in global memory, and its turns in shared memory.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "a sector for each lane", _sectors_by(lambda addresses: len(_asked(addresses))),
            symptom="For the sectors you count the lanes.",
            concept="Lanes that want bytes of the same sector get them from one fetch. That is "
                    "what coalescing is.",
            line="Collect `address // 32` in a set, and take its length."),
        Misconception(
            "different addresses", _sectors_by(lambda addresses: len(set(_asked(addresses)))),
            symptom="For the sectors you count the different addresses; a sector holds 8 floats.",
            concept="Memory moves in pieces of 32 bytes, which begin at multiples of 32.",
            line="Divide first: `address // 32`."),
        Misconception(
            "lines of 128 bytes", _sectors_by(lambda addresses: _sectors(addresses, 128)),
            symptom="Your sectors are up to four times too few.",
            concept="A cache line has 128 bytes, but each of its four sectors is fetched by "
                    "itself, only where it is needed.",
            line="`// 32` in place of `// 128`."),
        Misconception(
            "the bytes asked for", _sectors_by(lambda addresses: -(-len(_asked(addresses)) // 8)),
            symptom="Your sectors are those of neighbours that begin at a sector, wherever the "
                "addresses are.",
            concept="What is asked for, over 32, is the *least* that can do. What moves depends "
                    "on where the addresses are.",
            line="Look at the addresses, not at their number."),
        Misconception(
            "from the first to the last", lambda addresses, span=_span: (
                span(addresses), _turns(addresses)), choices={"span": (_between,)},
            symptom="You count the sectors that it takes to get from the lowest address to the "
                "highest.",
            concept="Only sectors that somebody asks for are moved: those between are left out.",
            line="A set of `address // 32`, in place of a length."),
        Misconception(
            "idle lanes counted", lambda addresses: request_cost(
                [-4096 if address is None else address for address in addresses]),
            symptom="Right with 32 running lanes, too many with idle ones.",
            concept="A lane that is idle asks for nothing: `None` is no address.",
            line="Skip the lanes whose address is `None`."),
        Misconception(
            "moved to the first address", _sectors_by(lambda addresses: len({
                (address - min(_asked(addresses))) // 32 for address in _asked(addresses)})),
            symptom="Your sectors are right where the lowest address is a multiple of 32; "
                "elsewhere they can be wrong.",
            concept="Sectors lie at multiples of 32 bytes of memory, wherever you begin to read. "
                    "32 neighbours moved by one float touch 5 sectors, not 4.",
            line="Divide the address itself, not its distance from the first."),
        Misconception(
            "counted in floats", _sectors_by(lambda addresses: _sectors(addresses, 8)),
            symptom="Your sectors are up to four times too many.",
            concept="The addresses are in bytes. Eight *floats* are a sector: 32 bytes.",
            line="`address // 32`, not `// 8`."),
        Misconception(
            "address 0 taken for idle", lambda addresses: request_cost(
                [address or None for address in addresses]),
            symptom="You can be too low where a lane wants address 0.",
            concept="`if address` is false for `None`, and for 0, which is an address.",
            line="`if address is not None`."),
        Misconception(
            "at least one", lambda addresses: tuple(max(1, n) for n in request_cost(addresses)),
            symptom="Right as long as one lane runs. With 32 idle lanes you still charge for one.",
            concept="Lanes that have all ended, or wait in another branch, make no request: no "
                    "sector and no turn.",
            line="Let the count be 0 where there is nothing to count: no `max(1, ...)`, but "
                 "`max(..., default=0)`."),
        Misconception(
            "lanes of a bank, not words", _turns_by(
                lambda addresses: max(_banks(addresses, words=False), default=0)),
            symptom="Your turns are right where all words are different, and too many where lanes "
                    "want the same one.",
            concept="A bank gives a word to *all* lanes that want it, in one turn. Only different "
                    "words of one bank wait for each other.",
            line="For each bank a set of `address // 4`, and its length."),
        Misconception(
            "conflicts, not turns", _turns_by(lambda addresses: max(0, _turns(addresses) - 1)),
            symptom="Your turns are one too few, wherever somebody asks.",
            concept="A conflict is a turn *beyond* the first. Here all turns are asked for.",
            line="Do not subtract the 1."),
        Misconception(
            "banks of bytes", _turns_by(lambda addresses: max(_banks(
                addresses, bank=lambda address: address % 32), default=0)),
            symptom="Floats that lie eight apart seem to meet in a bank.",
            concept="A bank is 4 bytes wide: float number i, which begins at byte 4·i, is in bank "
                    "i % 32.",
            line="`address // 4 % 32`."),
        Misconception(
            "banks of sectors", _turns_by(lambda addresses: max(_banks(
                addresses, bank=lambda address: address // 32 % 32), default=0)),
            symptom="Eight neighbours seem to share a bank.",
            concept="Banks have nothing to do with sectors: one is 4 bytes wide, and the next "
                    "float is in the next bank.",
            line="`address // 4 % 32`, not `address // 32 % 32`."),
        Misconception(
            "banks in use", _turns_by(lambda addresses: len(_banks(addresses))),
            symptom="You count the banks that are asked. More banks are better, not worse.",
            concept="Different banks answer at the same time. The turns are those of the bank "
                    "with most to give.",
            line="`max` over the banks, not their number."),
        Misconception(
            "all words together", _turns_by(lambda addresses: sum(_banks(addresses))),
            symptom="You add up the words of all banks.",
            concept="The banks work side by side: what counts is the longest queue, not the sum.",
            line="`max` in place of `sum`."),
        Misconception(
            "words over 32", _turns_by(lambda addresses: -(-sum(_banks(addresses)) // 32)),
            symptom="With you every request takes one turn, if somebody asks at all.",
            concept="A word has its one bank, one of 32. 32 words in one bank are 32 turns, and 31 "
                    "banks look on.",
            line="Count by bank: `address // 4 % 32`."),
        Misconception(
            "the two exchanged", lambda addresses: request_cost(addresses)[::-1],
            symptom="Both numbers are right, in the other order.",
            concept="First what global memory moves, then what shared memory takes.",
            line="`return sectors, turns`."),
        Misconception(
            "16 banks",
            _turns_by(lambda addresses: max(_banks(
                addresses, bank=lambda address: address // 4 % 16), default=0)),
            symptom="Your turns can be too many where floats lie 16 apart.",
            concept="There are 32 banks. (Sixteen were those of the first chips with CUDA.)",
            line="`% 32`."),
        Misconception(
            "bytes moved", _sectors_by(lambda addresses: 32 * _sectors(addresses)),
            symptom="Your sectors are 32 times too many: those are bytes.",
            concept="The question is how many sectors; each is 32 bytes.",
            line="Do not multiply."),
        Misconception(
            "word 0 left out",
            _turns_by(lambda addresses: max(_banks(
                [address or None for address in addresses]), default=0)),
            symptom="Your turns can be too few where somebody wants address 0.",
            concept="0 is an address, and float number 0 is in bank 0.",
            line="`if address is not None`, for the banks too."),
        Misconception(
            "idle lanes at address 0", lambda addresses: request_cost(
                [address or 0 for address in addresses]),
            symptom="You let a lane that asks for nothing ask for address 0.",
            concept="An idle lane makes no request, and touches no sector and no bank.",
            line="`[address for address in addresses if address is not None]` first. "
                 "`address or 0` is 0 for None."),
        Misconception(
            "lanes of a word", _turns_by(lambda addresses: max(
                map(_asked(addresses).count, _asked(addresses)), default=0)),
            symptom="You count how many lanes want the same word, where that is free.",
            concept="Lanes that want one word are served together. Lanes that want *different* "
                    "words of one bank are not.",
            line="For each bank the number of different `address // 4`, and the largest of these."),
        Misconception(
            "the mean of the banks", _turns_by(lambda addresses: (
                -(-sum(_banks(addresses)) // len(_banks(addresses))) if _banks(addresses) else 0)),
            symptom="Your turns are right where all banks in use have as much to do.",
            concept="The banks work side by side, and the request is done when the busiest one is.",
            line="`max` of the banks' words, not their mean."),
        Misconception(
            "the least busy bank", _turns_by(lambda addresses: min(_banks(addresses), default=0)),
            symptom="Your turns are those of the bank with the least to do.",
            concept="A request is done when its last bank is.",
            line="`max` in place of `min`."),
        Misconception(
            "conflicts of all banks", _turns_by(
                lambda addresses: sum(n - 1 for n in _banks(addresses)) + bool(_asked(addresses))),
            symptom="Your turns are right as long as no two banks have a conflict, and too many "
                    "elsewhere.",
            concept="Banks work side by side: while one gives its second word, the others give "
                    "theirs. Their conflicts do not add up.",
            line="Words for each bank, and the largest of these numbers."),
    ],
)
