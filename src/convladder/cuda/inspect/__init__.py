"""A kernel's compiled form: registers, memory, spills, SASS, occupancy. No GPU needed.

found = inspect(source, "conv<3, 16>", arch="sm_90")
print(found)                          # the figures
print(found.side_by_side())           # each line of the source with its instructions
print(found.occupancy((16, 16)))      # blocks on one SM, and what stands in the way of more
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..chips import Chip, chip_of
from ..occupancy import Occupancy, occupancy
from .nvrtc import compile_cubin, require
from .sass import Instruction, counts, disassemble
from .sass_listing import as_html, as_text

__all__ = ["Inspection", "Instruction", "inspect", "require"]


@dataclass(frozen=True, repr=False)
class Inspection:
    """A kernel as compiled for one chip. Bytes throughout; registers of 32 bits.

    registers: of a thread. shared_bytes: of a block, declared in the source (dynamic shared
    memory comes with the launch). constant_bytes: all `__constant__` arrays of the source.
    stack_bytes: of a thread, in local memory: arrays that are indexed at run time, and spills.
    spill_stores, spill_loads: of a thread, counted once for each place in the code.
    warnings: (line, message) of the compiler. cubin: the machine code, an ELF file, in which
    the kernel is called `symbol`. file: what the source is called in it.
    """

    name: str
    chip: Chip
    source: str
    registers: int
    shared_bytes: int
    constant_bytes: int
    stack_bytes: int
    spill_stores: int
    spill_loads: int
    warnings: tuple[tuple[int | None, str], ...]
    cubin: bytes
    symbol: str
    file: str

    @property
    def spill_bytes(self) -> int:
        """Return the bytes that spills store and load."""
        return self.spill_stores + self.spill_loads

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """Return all instructions, in the chip's order; disassembled when first asked for."""
        return tuple(disassemble(self.cubin, self.symbol, self.file))

    @property
    def sass(self) -> list[tuple[int | None, str]]:
        """Return (source line, instruction), in the chip's order; None: the compiler's own."""
        return [(each.line, each.text) for each in self.instructions]

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return the instruction mix, as written and not as executed: "FFMA", "LDG.128" (bits) ...

        Of the source's own lines; `added` counts what the compiler adds.
        """
        return counts(each for each in self.instructions if each.line is not None)

    @property
    def added(self) -> int:
        """Return instructions of no line: slow paths of divisions and roots, seldom run."""
        return sum(each.line is None for each in self.instructions)

    def at(self, line: int) -> list[str]:
        """Return the instructions that come from one line of the source."""
        return [each.text for each in self.instructions if each.line == line]

    def occupancy(self, block: int | tuple[int, ...], shared_bytes: int = 0) -> Occupancy:
        """Return the occupancy of a block (threads, or dimensions) with its dynamic shared bytes.

        Raises LaunchError for a block that no chip takes.
        """
        return occupancy(self.chip, block, self.registers, self.shared_bytes + shared_bytes)

    def side_by_side(self) -> str:
        """Show the source on the left, the instructions of each line on the right."""
        return as_text(self.source, self.instructions)

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.rows())
        return "\n".join(
            [
                f"{self.name} on {self.chip.arch} ({self.chip.family})",
                *(f"  {what:<{width}}  {value}" for what, value in self.rows()),
            ]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(
            f"{self.name} on {self.chip.arch}", self.rows(), self.source, self.instructions
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return the figures, as one reads them."""
        mix = ", ".join(f"{kind} {number}" for kind, number in self.counts.items())
        rows = [
            ("registers", f"{self.registers} per thread"),
            ("shared memory", f"{self.shared_bytes:,} bytes per block"),
            ("constant memory", f"{self.constant_bytes:,} bytes"),
            ("stack", f"{self.stack_bytes:,} bytes per thread"),
            (
                "spills",
                f"{self.spill_stores:,} bytes stored, {self.spill_loads:,} loaded"
                if self.spill_bytes
                else "none",
            ),
            ("instructions", f"{sum(self.counts.values())}: {mix}"),
        ]
        return rows + [("added by the compiler", f"{self.added}")] * (self.added > 0)


def inspect(
    source: str,
    name: str,
    arch: str = "sm_90",
    options: Sequence[str] = (),
    file: str = "kernel.cu",
) -> Inspection:
    """Compile a kernel for `arch` and read what came of it.

    source: the text of a `.cu` file, as it stands. name: the kernel, or an instance of a
    template ("conv<3, 16>"). options: -DNAME=VALUE, -use_fast_math, -fmad=false,
    -maxrregcount=N, -std=c++20. file: what an error calls the source.

    Raises CompileError (with the source's own line numbers), MissingPackages where the extra
    `inspect` is not installed, ValueError for an architecture or option not known here.
    """
    chip = chip_of(arch)
    compiled = compile_cubin(source, (name,), arch, options, file)
    symbol = compiled.symbols[name]
    return Inspection(
        name=name,
        chip=chip,
        source=source,
        constant_bytes=_constant_bytes(compiled.cubin),
        warnings=compiled.warnings,
        cubin=compiled.cubin,
        symbol=symbol,
        file=file,
        **_assembler_figures(compiled.log, symbol),
    )


def _assembler_figures(log: str, symbol: str) -> dict[str, int]:
    """Return ptxas's figures for a kernel; functions that it calls have their own paragraphs."""
    own = re.search(
        rf"Compiling entry function '{re.escape(symbol)}'.*?"
        r"(?=Compiling entry function|\Z)",
        log,
        re.DOTALL,
    )[0]
    stack, stores, loads = re.search(
        rf"Function properties for {re.escape(symbol)}\n\D*(\d+) bytes stack frame, "
        r"(\d+) bytes spill stores, (\d+) bytes spill loads",
        own,
    ).groups()
    shared = re.search(r"(\d+) bytes smem", own)
    return {
        "registers": int(re.search(r"Used (\d+) registers", own)[1]),
        "shared_bytes": int(shared[1]) if shared else 0,
        "stack_bytes": int(stack),
        "spill_stores": int(stores),
        "spill_loads": int(loads),
    }


def _constant_bytes(cubin: bytes) -> int:
    """The size of the section .nv.constant3, where `__constant__` arrays lie."""
    from elftools.elf.elffile import ELFFile

    section = ELFFile(io.BytesIO(cubin)).get_section_by_name(".nv.constant3")
    return section.data_size if section else 0
