"""Which arrays are needed when: each from the step that makes it to the last that reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """An array of `bytes` that must keep its place from step `first` to step `last`, both included.

    `over` names the blocks that it may be written over: its step reads each of their values before
    it writes in that place, and nobody reads them later.
    """

    name: str
    bytes: int
    first: int
    last: int
    over: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.bytes < 0 or not 0 <= self.first <= self.last:
            raise ValueError(
                f"block {self.name!r} has {self.bytes} bytes and lives from step "
                f"{self.first} to {self.last}; bytes are 0 or more, and its last step "
                "is not before its first"
            )

    def meets(self, other: Block) -> bool:
        """Return whether there is a step that needs both."""
        return self.first <= other.last and other.first <= self.last


def lifetimes(
    steps: Sequence[tuple[str, Iterable[str]]], bytes_of: dict[str, int], kept: Iterable[str] = ()
) -> list[Block]:
    """Return a block for each array that `steps` make, in their order; a step is `(made, read)`.

    Arrays in `kept`, the results, live to the end. Raises `ValueError` for an array that is read
    after nobody made it, unless `bytes_of` does not name it: it then lies elsewhere.
    """
    made = {name: at for at, (name, _) in enumerate(steps)}
    last = dict(made)
    for at, (step, read) in enumerate(steps):
        for name in read:
            if name not in made:
                if name in bytes_of:
                    raise ValueError(f"{step!r} reads {name!r}, which no step makes")
                continue
            if made[name] >= at:
                raise ValueError(
                    f"{step!r} reads {name!r} before it is made; put the steps in order"
                )
            last[name] = at
    last |= {name: len(steps) - 1 for name in kept if name in made}
    return [Block(name, bytes_of[name], made[name], last[name]) for name, _ in steps]


def live_bytes(blocks: Sequence[Block]) -> list[int]:
    """Return the bytes needed at each step: no plan can do with less than the most of them."""
    steps = max((block.last for block in blocks), default=-1) + 1
    return [sum(b.bytes for b in blocks if b.first <= at <= b.last) for at in range(steps)]


def lower_bound(blocks: Sequence[Block]) -> int:
    """Return the most bytes that are needed at once, nothing being written over its own input."""
    return max(live_bytes(blocks), default=0)
