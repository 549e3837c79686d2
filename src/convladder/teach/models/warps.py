"""A warp's 32 addresses, and what they cost: sectors of global memory, turns of shared memory."""

from __future__ import annotations

from ...cuda import Report, Request

LANES = 32
SECTOR = 32  # bytes
BANKS = 32
WORD = 4  # bytes of a bank


def spread(
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


def towers(request: Request) -> dict[int, list[int]]:
    """Return bank -> the different words that a request wants of it, in the order of the lanes."""
    by_bank: dict[int, list[int]] = {bank: [] for bank in range(BANKS)}
    for first in _asked(request):
        for word in range(first // WORD, (first + request.size - 1) // WORD + 1):
            if word not in by_bank[word % BANKS]:
                by_bank[word % BANKS].append(word)
    return by_bank


def turns(request: Request) -> int:
    """Return how often shared memory must answer a request of 4 bytes a lane: its highest tower.

    Raises `ValueError` for wider items, which a warp asks for in parts.
    """
    if request.size > WORD:
        raise ValueError(f"items of {request.size} bytes: a warp asks for them in parts")
    return max(map(len, towers(request).values()))


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
