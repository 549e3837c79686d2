"""Lab 07, exercise 1: the sectors that a warp's request moves."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception


def sectors(addresses, size):
    return len({byte // 32 for address in addresses if address is not None
                for byte in (address, address + size - 1)})


def _of(key, bytes_of=lambda address, size: (address, address + size - 1)):
    """Count the different `key(byte)` of all bytes looked at."""
    def wrong(addresses, size):
        return len({key(byte) for address in addresses if address is not None
                    for byte in bytes_of(address, size)})
    return wrong


def _running(addresses):
    return [address for address in addresses if address is not None]


def _span(addresses, size):
    asked = _running(addresses)
    return -(-(max(asked) + size - min(asked)) // 32)


CASES = [
    ([4 * lane for lane in range(32)], 4),              # neighbours
    ([128 * lane for lane in range(32)], 4),            # a column of a 32-wide matrix
    ([64] * 32, 4),                                     # one address for all
    ([4 * lane + 4 for lane in range(32)], 4),          # neighbours, moved by one
    ([8 * lane if lane < 20 else None for lane in range(32)], 4),
    ([4 * (lane ^ 1) for lane in range(32)], 4),        # pairs exchanged
    ([16 * lane for lane in range(32)], 16),            # float4
    ([12 * lane for lane in range(32)], 4),             # red of RGB
    ([2 * lane for lane in range(32)], 2),              # half
    ([28 if lane % 2 else 4096 for lane in range(32)], 4),
]

EXERCISE = Exercise(
    name="sectors", lab=7, reference=sectors,
    task="Count the 32-byte sectors that one request of a warp moves.",
    cases=lambda rng: [(list(addresses), size) for addresses, size in CASES],
    misconceptions=[
        Misconception(
            "a sector for each lane", lambda addresses, size: len(_running(addresses)),
            symptom="You count the lanes.",
            concept="Lanes that want bytes of the same sector get them from one fetch. That is "
                    "what coalescing is.",
            line="Collect `address // 32` in a set, and take its length."),
        Misconception(
            "different addresses", _of(lambda byte: byte, lambda address, size: (address,)),
            symptom="You count the different addresses; a sector holds 8 floats.",
            concept="Memory moves in pieces of 32 bytes, that begin at multiples of 32.",
            line="Divide first: `address // 32`."),
        Misconception(
            "lines of 128 bytes", _of(lambda byte: byte // 128),
            symptom="Your numbers are up to four times too small.",
            concept="A cache line has 128 bytes, but each of its four sectors is fetched by "
                    "itself, only where it is needed.",
            line="`// 32` in place of `// 128`."),
        Misconception(
            "the bytes asked for",
            lambda addresses, size: -(-len(_running(addresses)) * size // 32),
            symptom="You are right where lanes are neighbours, and too low elsewhere.",
            concept="What is asked for, over 32, is the *least* that can do. What moves depends "
                    "on where the addresses are.",
            line="Look at the addresses, not at their number."),
        Misconception(
            "from the first to the last", _span,
            symptom="You count all sectors between the lowest address and the highest.",
            concept="Only sectors that somebody asks for are moved: those between are left out.",
            line="A set of `address // 32`, in place of a length."),
        Misconception(
            "idle lanes counted", lambda addresses, size: sectors(
                [-32 if address is None else address for address in addresses], size),
            symptom="Right with 32 running lanes, one too many with idle ones.",
            concept="A lane that is idle asks for nothing: `None` is no address.",
            line="Skip the lanes whose address is `None`."),
        Misconception(
            "moved to the first address", lambda addresses, size: len({
                (address - min(_running(addresses))) // 32 for address in _running(addresses)}),
            symptom="Right where the first address is a multiple of 32; else too low.",
            concept="Sectors lie at multiples of 32 bytes of memory, wherever you begin to read. "
                    "32 neighbours moved by one float touch 5 sectors, not 4.",
            line="Divide the address itself, not its distance from the first."),
        Misconception(
            "counted in floats", _of(lambda byte: byte // 8, lambda address, size: (address,)),
            symptom="Your numbers are up to four times too large.",
            concept="The addresses are in bytes. Eight *floats* are a sector: 32 bytes.",
            line="`address // 32`."),
        Misconception(
            "one byte too far", _of(lambda byte: byte // 32,
                                    lambda address, size: (address, address + size)),
            symptom="Where a lane's bytes end with a sector you count the next one too.",
            concept="`size` bytes from `address` on: the last is `address + size - 1`.",
            line="`(address + size - 1) // 32`."),
        Misconception(
            "address 0 taken for idle", lambda addresses, size: sectors(
                [address or None for address in addresses], size),
            symptom="You are one too low where only one lane wants address 0's sector.",
            concept="`if address` is false for `None`, and for 0, which is an address.",
            line="`if address is not None`."),
    ],
)
