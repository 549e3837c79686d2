"""What a kernel did that it must not: told by its lines, and compared with another kernel's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .compare import same

if TYPE_CHECKING:
    from ...cuda import Fault
    from ...cuda.emulator.launcher import Emulated

FILE = "your source"  # what messages call the source
UNLIKE = 2  # distance of two kernels that share kinds of faults, and not the result or no place
SHOWN = 4  # faults that a verdict lists
# The cause before what follows from it: a race makes a thread read what is not yet written.
_ORDER = (
    "endless",
    "too long",
    "barrier",
    "misaligned",
    "out of bounds",
    "crash",
    "stack",
    "division",
    "printf",
    "race",
    "unwritten",
)


# Words of a fault's message by which those of its kind are told apart.
_TOLD = {
    "out of bounds": r"\b(?:reads|writes|adds)\b",
    "copy": r"still on its way|nothing waits|copies",
}


class FaultyKernel(Exception):
    """A kernel that did what it must not. `result`: what it wrote all the same, or None."""

    def __init__(
        self, error: str, faults: list, kernel: Emulated, result: np.ndarray | None
    ) -> None:
        self.faults = sorted(
            faults,
            key=lambda fault: _ORDER.index(fault.kind) if fault.kind in _ORDER else len(_ORDER),
        )
        self.source, self.result = kernel.source, result
        # What lies behind an array decides whether a store there crashes: another thing each time.
        self.stray = any(
            fault.kind == "out of bounds" and " writes " in fault.message for fault in faults
        )
        told = [fault for fault in faults if not (self.stray and fault.kind == "crash")]
        # What is alike in any source: not the numbers of lines, nor a shared array's name.
        arrays = {parameter.name: i for i, parameter in enumerate(kernel.parameters)}
        self.outcome = {(fault.kind, arrays.get(fault.array), _access(fault)) for fault in told}
        self.places = {
            (
                fault.kind,
                fault.block,
                fault.thread,
                arrays.get(fault.array),
                fault.index if fault.array in arrays else None,
                _sides(fault),
                _access(fault),
            )
            for fault in told
        }
        self.often = sum(fault.count for fault in told)
        # What comes of a race, or is read where nothing lies or was written, is chance.
        self.by_chance = all(
            fault.kind in ("race", "unwritten")
            or fault.kind == "out of bounds"
            and " reads " in fault.message
            for fault in faults
        )
        super().__init__(str(self.faults[0]) if faults else error)

    def like(self, other: FaultyKernel) -> bool:
        """Return whether two sources make the same kinds of faults, alike.

        Alike: either one of them by the same thread in the same place, or with the same result.
        """
        return self.outcome == other.outcome and (
            bool(self.places & other.places) or self._wrote_the_same(other)
        )

    def distance(self, other: FaultyKernel) -> float:
        """Return how little two that are alike have in common beyond that: 0, from 1, or `UNLIKE`.

        Of kernels that fault in the same places and write something else, or that write the same
        and fault elsewhere, most make another mistake. By chance, results say nothing. Of several
        that are alike, the nearest shares most places, and faults about as often.
        """
        shared, either = self.places & other.places, self.places | other.places
        wrote = self._wrote_the_same(other)
        if not shared or not (2 * len(shared) >= len(either) if self.by_chance else wrote):
            return UNLIKE
        if shared == either and wrote:
            return 0
        often = sorted((self.often, other.often))
        return 1 + (2 - len(shared) / len(either) - often[0] / often[1]) / 3

    def _wrote_the_same(self, other: FaultyKernel) -> bool:
        """Return whether both came to their end with one result, or neither did.

        After a stray store one may have, and the other not, by chance.
        """
        if self.result is None or other.result is None:
            return self.result is other.result or self.stray and other.stray
        return same(self.result, other.result)

    def lines(self) -> Iterator[str]:
        """Yield the lines that the faults name, then further faults: one for a line and array."""
        first = {(fault.kind, fault.line, fault.array): fault for fault in reversed(self.faults)}
        shown = list(reversed(first.values()))[:SHOWN]
        named = {number for fault in shown for number in (fault.line, fault.other_line)}
        for number, line in enumerate(self.source.splitlines(), 1):
            if number in named:
                yield f"line {number}: {line.strip()}"
        yield from (f"also {fault}".replace(f"{FILE}, ", "") for fault in shown[1:])


def _access(fault: Fault) -> str | None:
    """Return what tells faults of one kind apart.

    To read where no element is, is another mistake than to write there; and a copy that nothing
    waits for is another one than a copy of a size that there is not.
    """
    if fault.kind not in _TOLD:
        return None
    done = re.search(_TOLD[fault.kind], fault.message)
    return done and done[0]


def _sides(fault: Fault) -> tuple | None:
    """Return whether both sides of a race are one line, and one block, and what each does there.

    None of other faults.
    """
    if fault.kind != "race":
        return None
    done = tuple(
        re.findall(r"\b(?:reads|writes|adds|has written|has read|touches)\b", fault.message)
    )
    return fault.line == fault.other_line, fault.block == fault.other_block, done
