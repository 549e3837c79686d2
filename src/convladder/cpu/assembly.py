"""Machine code as numbers: what the innermost loops multiply, load, and spill.

It is read as x86 writes it (AT&T), Arm (`fmla v0.4s, …`, SVE's `fmla z0.s, …`), and Apple
(`fmla.4s v0, …`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..core.processor import sve_bits

_LABEL = re.compile(r"^(\.?L\w+):")
_JUMP = re.compile(r"^(?:j\w+|b(?:\.\w+)?|cbn?z|tbn?z)\s.*?(\.?L\w+)$")
_FUSED = re.compile(r"^(?:vfn?m(?:add|sub)\d+ps|fn?m(?:la|ls|ad|sb)(?:\.4s)?)\s")
_MULTIPLY = re.compile(r"^(?:v?mulps|fmul(?:\.4s)?)\s")
_ADD = re.compile(r"^(?:v?(?:add|sub)ps|fadd(?:\.4s)?)\s")
_ARITHMETIC = re.compile(r"^(?:v?(?:add|sub|mul)[sp][sd]|vfn?m|f(?:add|sub|n?m(?!ax|in|ov)))")
_SHUFFLE = re.compile(
    r"^(?:v?(?:unpck|shuf|perm|insertps|movlh|movhl|blend|gather)|vpgather"
    r"|zip|uzp|trn|ext|tbl|ld[234]"
    r"|ld1\S*\s+\{.*(?:\}\[|\[\w+, z)|(?:mov|ins)\S*\s+v\d+(?:\.s)?\[)"  # one by one
)
_MEMORY = re.compile(r"\(.*\)|\[.*\]")
_STACK = re.compile(r"\(%[er]sp|\[sp")
_VECTOR = re.compile(r"%[xyz]mm\d|\b[vqz]\d")
_NO_ACCESS = re.compile(r"^(?:lea\w*|prefetch\w*|prfm)\s")


@dataclass(frozen=True)
class Loop:
    """One innermost loop, as its instructions in the assembler's own words."""

    lines: tuple[str, ...]

    @cached_property
    def multiply_adds(self) -> tuple[str, ...]:
        """Count vector multiply-adds: fused, or the additions of pairs where nothing is fused."""
        fused = tuple(line for line in self.lines if _FUSED.match(line) and _packed(line))
        if fused or not self._matching(_MULTIPLY):
            return fused
        return self._matching(_ADD)

    @property
    def fused(self) -> bool:
        return any(_FUSED.match(line) for line in self.multiply_adds)

    @property
    def accumulators(self) -> int:
        """Count registers that multiply-adds add to: as many chains do not wait for each other."""
        return len({_target(line) for line in self.multiply_adds})

    @property
    def loads(self) -> int:
        """Count instructions that read memory, reloads of spilled registers among them."""
        return sum(_reads_memory(line) * (1 + line.startswith("ldp")) for line in self.lines)

    @property
    def spills(self) -> int:
        """Count vectors that go to the stack or come from it, because registers ran out."""
        return sum(bool(_STACK.search(line) and _VECTOR.search(line)) for line in self.lines)

    @property
    def shuffles(self) -> int:
        """Count instructions that move values between lanes, or collect them one by one."""
        return sum(bool(_SHUFFLE.match(line)) for line in self.lines)

    @property
    def bits(self) -> int:
        """Return the multiplied vectors' width, and 0 where there are none.

        SVE's code fits every width, so that of this machine counts.
        """
        text = "\n".join(self.multiply_adds)
        widths = {"zmm": 512, "ymm": 256, "xmm": 128, r"\bz\d": sve_bits(), "v": 128}
        return next((bits for name, bits in widths.items() if re.search(name, text)), 0)

    @property
    def floats(self) -> int:
        """Count instructions that multiply or add floats, single values or vectors."""
        return sum(bool(_ARITHMETIC.match(line)) for line in self.lines)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _matching(self, pattern: re.Pattern) -> tuple[str, ...]:
        return tuple(line for line in self.lines if pattern.match(line) and _packed(line))


def loops(assembly: str) -> list[Loop]:
    """Return the innermost loops of assembly, in their order."""
    lines = [re.split(r"\s(?:##?|;|//)\s", line)[0].strip() for line in assembly.splitlines()]
    labels = {match[1]: at for at, line in enumerate(lines) if (match := _LABEL.match(line))}
    spans = []
    for at, line in enumerate(lines):
        match = _JUMP.match(line)
        first = labels.get(match[1], at) if match else at
        if first < at and not any(text.startswith("ret") for text in lines[first:at]):
            spans.append((first, at))
    inner = [a for a in spans if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in spans)]
    return [
        Loop(
            tuple(
                " ".join(line.split())
                for line in lines[first + 1 : last + 1]
                if line and line[0] not in ".#" and not _LABEL.match(line)
            )
        )
        for first, last in inner
    ]


def main_loop(assembly: str) -> Loop:
    """Return the innermost loop with the most vector multiply-adds, then with the most arithmetic.

    An empty one if there is no loop.
    """
    return max(
        loops(assembly), key=lambda loop: (len(loop.multiply_adds), loop.floats), default=Loop(())
    )


def compiled_loop(function: Any) -> Loop:
    """Return `main_loop` of a Numba function that has been called,
    over all types it was called with.
    """
    return main_loop("\n".join(function.inspect_asm().values()))


def _packed(line: str) -> bool:
    """Return whether a line works on whole vectors:
    on Arm the mnemonic is the same for one value.
    """
    return not line.startswith("f") or bool(re.search(r"\bv\d+\.4s|^\w+\.4s|\bz\d+\.s", line))


def _target(line: str) -> str:
    """Return the register that a multiply-add adds to: AT&T names it last, Arm first."""
    operands = line.split(None, 1)[1].split(",")
    return (operands[0] if line.startswith("f") else operands[-1]).strip()


def _reads_memory(line: str) -> bool:
    if not _MEMORY.search(line) or _NO_ACCESS.match(line):
        return False
    if "[" in line:
        return line.startswith("ld")
    stores = re.match(r"v?mov", line) and line.rstrip().endswith(")")
    return not stores
