"""A caching allocator, as frameworks have one for a GPU: freed blocks are kept and split."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SegmentBlock:
    """Bytes of a segment from `begin` on; `owner` is None where it is free."""

    begin: int
    size: int
    owner: str | None = None


class CachingAllocator:
    """Asks the system for a segment only where no free piece is large enough.

    A request takes the smallest free piece that fits and leaves the rest. Freed neighbours in one
    segment grow together; segments never do, and none goes back to the system.
    """

    def __init__(self) -> None:
        self.segments: list[list[SegmentBlock]] = []

    def allocate(self, owner: str, size: int) -> None:
        """Give `size` bytes to `owner`."""
        fits = [
            (piece.size, number, at)
            for number, segment in enumerate(self.segments)
            for at, piece in enumerate(segment)
            if piece.owner is None and piece.size >= size
        ]
        if not fits:
            self.segments.append([SegmentBlock(0, size, owner)])
            return
        _, number, at = min(fits)
        piece = self.segments[number][at]
        rest = SegmentBlock(piece.begin + size, piece.size - size)
        self.segments[number][at : at + 1] = [SegmentBlock(piece.begin, size, owner)] + [rest] * (
            rest.size > 0
        )

    def free(self, owner: str) -> None:
        """Take back what `owner` has. Raises `KeyError` if that is nothing."""
        for segment in self.segments:
            for at, piece in enumerate(segment):
                if piece.owner == owner:
                    piece.owner = None
                    self._join(segment, at)
                    return
        raise KeyError(f"{owner!r} has no bytes here")

    @staticmethod
    def _join(segment: list[SegmentBlock], at: int) -> None:
        for left in (at, at - 1):  # with the next one first, so that `at` stays
            if left >= 0 and left + 1 < len(segment):
                a, b = segment[left], segment[left + 1]
                if a.owner is b.owner is None:
                    segment[left : left + 2] = [SegmentBlock(a.begin, a.size + b.size)]

    @property
    def reserved(self) -> int:
        """Return the bytes asked of the system."""
        return sum(piece.size for segment in self.segments for piece in segment)

    @property
    def allocated(self) -> int:
        """Return the bytes that somebody has."""
        return sum(
            piece.size for segment in self.segments for piece in segment if piece.owner is not None
        )
