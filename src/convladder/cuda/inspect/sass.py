"""SASS, the chip's own instructions, each with the line of the source that it comes from."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_PLACE = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+)')
_INSTRUCTION = re.compile(r"^\s+/\*(?P<address>[0-9a-f]+)\*/\s+(?P<text>.*?)\s*;\s*$")
_LABEL = re.compile(r"^(?P<label>\.L\w+|\$[$\w]+):$")  # jump targets, and functions called
_TARGET = re.compile(r"\bL_x_\w+")
_OPCODE = re.compile(r"^(?:@!?U?P\w+\s+)?(?P<opcode>[A-Z][\w.]*)\s*(?P<operands>.*)$")
_MEMORY = {"LD", "ST", "LDG", "STG", "LDS", "STS", "LDL", "STL"}
_WIDTH = re.compile(r"\.(?:[US])?(8|16|64|128)\b")


@dataclass(frozen=True)
class Instruction:
    """One instruction. line: of the source, None for what the compiler added (the slow path of
    a division). address: in bytes from the kernel's start. label: the jump target it is, or "".
    """

    line: int | None
    address: int
    text: str
    label: str = ""

    @property
    def kind(self) -> str:
        """Return its name in `counts`: the opcode, and for memory the bits that a thread moves."""
        opcode, operands = _OPCODE.match(self.text).group("opcode", "operands")
        base, *_ = opcode.split(".")
        if base in _MEMORY:
            width = _WIDTH.search(opcode)
            return f"{base}.{width[1] if width else 32}"
        # Moves that the compiler gives to arithmetic units: 0·0 + x.
        if opcode.startswith("IMAD.MOV") or base == "HFMA2" and re.search(r"-RZ, RZ,", operands):
            return "MOV"
        return base


def disassemble(cubin: bytes, symbol: str, file: str) -> list[Instruction]:
    """Return the instructions of one kernel, in their order, without the padding at its end.

    file: the name that the source was compiled under; lines of other files (CUDA's headers) are
    told as the line of `file` that brought them in.
    """
    from cuda.pathfinder import find_nvidia_binary_utility

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(cubin)
        done = subprocess.run(
            [
                find_nvidia_binary_utility("nvdisasm"),
                "--print-code",
                "--print-line-info-inline",
                path,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"nvdisasm failed: {done.stderr.strip()}")
    lines = _section(done.stdout, symbol)
    return _numbered(_without_padding(_instructions(lines, Path(file).name)))


def counts(instructions: Iterable[Instruction]) -> dict[str, int]:
    """Count how many of each kind stand in the code, the most frequent first."""
    return dict(Counter(instruction.kind for instruction in instructions).most_common())


def _section(listing: str, symbol: str) -> Iterator[str]:
    inside = False
    for line in listing.splitlines():
        words = line.split()
        if words[:1] == [".section"]:
            inside = words[1].split(",")[0].strip('"') == f".text.{symbol}"
        elif inside:
            yield line


def _instructions(lines: Iterable[str], file: str) -> Iterator[Instruction]:
    """Line numbers come before the code that they hold for: the innermost call first, then,
    after "inlined at" and in comments that follow, the calls around it.
    """
    line: int | None = None
    labels: list[str] = []
    commented = False
    for text in lines:
        if "//##" in text:
            if not commented:
                line = None
            if line is None:
                line = next(
                    (
                        int(place["line"])
                        for place in _PLACE.finditer(text)
                        if Path(place["file"]).name == file
                    ),
                    None,
                )
            commented = True
            continue
        if found := _LABEL.match(text):
            labels.append(found["label"].removeprefix("."))
            if labels[-1].startswith("$__internal"):
                line = None
        elif found := _INSTRUCTION.match(text):
            words = re.sub(r"`\(\.?([^)]+)\)", r"\1", " ".join(found["text"].split()))
            yield Instruction(line, int(found["address"], 16), words, " ".join(labels))
            labels = []
        commented = False


def _without_padding(instructions: Iterable[Instruction]) -> list[Instruction]:
    """Behind the last instruction stands a jump to itself, and NOPs up to a whole unit."""
    code = list(instructions)
    while code and code[-1].text == "NOP":
        code.pop()
    if code and code[-1].text in [f"BRA {label}" for label in code[-1].label.split()]:
        code.pop()
    return code


def _numbered(code: list[Instruction]) -> list[Instruction]:
    """Jump targets as L1, L2, ... from the top: their own names depend on the disassembler."""
    used = {target for each in code for target in _TARGET.findall(each.text)}
    names: dict[str, str] = {}
    at: dict[int, str] = {}
    for each in code:
        if targets := used.intersection(each.label.split()):
            at[each.address] = f"L{len(at) + 1}"
            names |= dict.fromkeys(targets, at[each.address])
    return [
        replace(
            each,
            label=at.get(each.address, each.label if each.label[:1] == "$" else ""),
            text=_TARGET.sub(lambda found: names.get(found[0], found[0]), each.text),
        )
        for each in code
    ]
