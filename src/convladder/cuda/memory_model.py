"""The cost of a warp's 32 addresses in sectors and banks, and a multiprocessor's work per cycle."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.problem import ConvProblem
from .report import Report, Request

LANES = 32
SECTOR = 32  # bytes
BANKS = 32
WORD = 4  # bytes of a bank


def strided_addresses(
    stride: int = 1, offset: int = 0, size: int = WORD, kind: str = "loads", array: str = "a"
) -> Request:
    """Return the request of a warp whose lane i asks for item `offset + i·stride`,
    of `size` bytes.
    """
    offsets = tuple((offset + lane * stride) * size for lane in range(LANES))
    return Request(0, kind, array, size, offsets)


def sectors(request: Request) -> list[int]:
    """Return the numbers of the 32-byte sectors that a request touches, in order."""
    return sorted(
        {
            byte // SECTOR
            for first in _asked(request)
            for byte in range(first, first + request.size, min(request.size, SECTOR))
        }
        | {(first + request.size - 1) // SECTOR for first in _asked(request)}
    )


def words_by_bank(request: Request) -> dict[int, list[int]]:
    """Return bank -> the different words that a request wants of it, in the order of the lanes."""
    by_bank: dict[int, list[int]] = {bank: [] for bank in range(BANKS)}
    for first in _asked(request):
        for word in range(first // WORD, (first + request.size - 1) // WORD + 1):
            if word not in by_bank[word % BANKS]:
                by_bank[word % BANKS].append(word)
    return by_bank


def bank_ways(request: Request) -> int:
    """Return how many different words a request wants of the bank from which it wants the most."""
    return max(map(len, words_by_bank(request).values()))


def request_of(report: Report, line: int | str, number: int = 0) -> Request:
    """Return the watched warp's request from a line: its number, or a part of its text.

    `number` counts the requests of that line, the first is 0. Raises `ValueError` if there is no
    such line or request, and says which lines there are.
    """
    lines = {entry.number: entry.text.strip() for entry in report.lines}
    wanted = [
        n for n, text in lines.items() if (n == line if isinstance(line, int) else line in text)
    ]
    requests = [each for each in report.requests if each.line in wanted]
    if number >= len(requests):
        there = sorted({each.line for each in report.requests})
        raise ValueError(
            f"line {line!r} has {len(requests)} requests of the watched warp, so there is no "
            f"number {number}; it asked for memory in lines {', '.join(map(str, there))}"
        )
    return requests[number]


def _asked(request: Request) -> list[int]:
    return [offset for offset in request.offsets if offset is not None]


# One SM of a Hopper chip, a clock. Lanes: NVIDIA's H100 whitepaper, the SM's 128 FP32 cores and 32
# load/store units; bytes: CUDA C++ Programming Guide, 32 banks of 4 bytes, which L1 shares. Full
# clock: the H200's data sheet, 67 TFLOP/s in float32.
MULTIPLY_ADDS = 128
BYTES = 128
SECTORS = 4
FULL_CLOCK = 1.98e9  # Hz


@dataclass(frozen=True)
class Ceiling:
    """Clocks of one SM for 1,000 multiply-adds, at the least, by each of its parts."""

    arithmetic: float
    wavefronts: float
    sectors: float

    @property
    def share(self) -> float:
        """Return the share of the multiply-add peak, at most (about, with wide loads)."""
        return self.arithmetic / max(self.arithmetic, self.wavefronts, self.sectors)

    @property
    def limit(self) -> str:
        """Return the part that needs the most clocks."""
        return max(vars(self), key=vars(self).get)


def ceiling(report: Report, macs: int) -> Ceiling:
    """Return the ceilings of a launch that did `macs` multiply-adds.

    Raises ValueError for no multiply-adds.
    """
    if macs <= 0:
        raise ValueError(f"macs={macs}: give the multiply-adds of the launch")
    per = 1000 / macs
    return Ceiling(1000 / MULTIPLY_ADDS, per * wavefronts(report), per * report.sectors / SECTORS)


def wavefronts(report: Report) -> float:
    """Return passes through L1's and shared memory's banks, of which an SM makes one per cycle.

    A request to shared memory makes one, or one for each 128 bytes that its lanes ask for, and one
    more for each bank conflict. Lanes that want the same 16 bytes may share them, so a wide one may
    take fewer: in `vectorised.cu` an H200's profiler counts three, not four. A request to L1 makes
    as many as it wants words of one bank, on the average of the watched warp's requests from the
    same line: see `convladder.bench.l1`. An asynchronous copy of 16 bytes a lane counts as none:
    an H200's profiler sees next to none of it among loads and stores, all that we asked for.
    """
    ways: dict[int, list[int]] = {}
    for request in report.requests:
        if not request.kind.startswith("shared"):
            ways.setdefault(request.line, []).append(bank_ways(request))
    total = float(report.shared_conflicts)
    for number, t in [(line.number, line.traffic) for line in report.lines] or [(0, report)]:
        total += _wide(t.shared_load_requests, t.shared_load_bytes)
        if t.asynchronous_bytes > LANES * 8 * t.shared_store_requests:
            continue
        total += _wide(t.shared_store_requests, t.shared_store_bytes)
        if seen := ways.get(number):
            total += (t.global_load_requests + t.global_store_requests) * sum(seen) / len(seen)
        else:
            total += _wide(t.global_load_requests, t.global_load_bytes)
            total += _wide(t.global_store_requests, t.global_store_bytes)
    return total


def _wide(requests: int, size: int) -> float:
    return max(requests, size / BYTES)


def blocked_place(channel: int, row: int, column: int, rows: int, columns: int, block: int) -> int:
    """Return where a value of `[blocks,rows,columns,block]` lies, counted in values."""
    return ((channel // block * rows + row) * columns + column) * block + channel % block


def layout_sectors(problem: ConvProblem, block: int, by_pixel: bool) -> tuple[int, int]:
    """Return 32-byte sectors of the first warp's first load of the image, and of its store.

    The threads are numbered along the pixels of a row, or along the channels: see
    `convladder.gpu.layouts`, whose kernel the emulator counts. Raises `ValueError` for a problem of
    fewer than 32 pixels a row, or channels out, in which a warp would have two of each.
    """
    p = problem
    if min(p.o_w, p.k_c) < LANES:
        raise ValueError(
            f"{p}: this counts a warp along a row or along the channels, so both need "
            f"{LANES} or more"
        )
    at = [(0, lane) if by_pixel else (lane, 0) for lane in range(LANES)]  # (channel, column)
    loads = [blocked_place(0, 0, v, p.i_h, p.i_w, block) for _, v in at]
    stores = [blocked_place(k, 0, v, p.o_h, p.o_w, block) for k, v in at]
    count_loads, count_stores = (
        len(sectors(Request(0, kind, "x", WORD, tuple(WORD * each for each in places))))
        for kind, places in (("loads", loads), ("stores", stores))
    )
    return count_loads, count_stores
