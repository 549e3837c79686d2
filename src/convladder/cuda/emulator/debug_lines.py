"""Which line of the source a place in the compiled code belongs to."""

from __future__ import annotations

import re
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any


def _units(library: Path) -> Iterator[tuple[Any, Any, Any, dict[int, str]]]:
    """Yield all debug information, and of each unit: itself, its lines, its files by number."""
    from elftools.elf.elffile import ELFFile

    with library.open("rb") as file:
        dwarf = ELFFile(file).get_dwarf_info()
        for unit in dwarf.iter_CUs():
            if program := dwarf.line_program_for_CU(unit):
                first = 0 if program["version"] >= 5 else 1  # files were counted from 1 before
                files = enumerate(program["file_entry"], first)
                names = {number: Path(_text(entry.name)).name for number, entry in files}
                yield dwarf, unit, program, names


def _text(name: bytes | str) -> str:
    return name.decode() if isinstance(name, bytes) else name


@lru_cache(maxsize=64)
def _table(library: Path, source: str) -> tuple[list[int], list[int]]:
    """Addresses in order, and the line from each one on (0: not of `source`)."""
    rows = {}
    for _, _, program, names in _units(library):
        for entry in program.get_entries():
            if (state := entry.state) is not None:
                known = names.get(state.file) == source and not state.end_sequence
                rows[state.address] = state.line if known else 0
    return sorted(rows), [rows[address] for address in sorted(rows)]


def line_of(library: Path, source: str, address: int | None) -> int | None:
    """Return the line of the file named `source` at `address` in `library`, or None.

    A negative address is a line by itself, with a minus.
    """
    if address is None or address < 0:
        return address and -address
    if sys.platform == "darwin":  # no ELF: the system's own tool reads its format
        answer = subprocess.run(
            ["atos", "-o", f"{library}.dwarf", "-offset", hex(address)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        found = re.search(rf"{re.escape(source)}:(\d+)", answer)
        return int(found[1]) if found else None
    addresses, lines = _table(library, source)
    at = bisect_right(addresses, address) - 1
    return (at >= 0 and lines[at]) or _caller(library, source, address)


def caller_of(library: Path, source: str, address: int | None) -> int | None:
    """Return the line that calls the function at `address`, if that's inlined; not on macOS."""
    known = address is not None and address >= 0 and sys.platform != "darwin"
    return _caller(library, source, address) if known else None


def _caller(library: Path, source: str, address: int) -> int | None:
    """The line of `source` that calls what was inlined at an address, innermost first."""
    found = None
    for begin, end, line in _inlined(library, source):
        if begin <= address < end:
            found = line
    return found


@lru_cache(maxsize=64)
def _inlined(library: Path, source: str) -> list[tuple[int, int, int]]:
    """Where code was inlined into `source`: first and last address, line; outer calls first."""
    rows = []
    for dwarf, unit, _, names in _units(library):
        for die in unit.iter_DIEs():
            if die.tag == "DW_TAG_inlined_subroutine":
                at = die.attributes
                if names.get(at["DW_AT_call_file"].value) == source:
                    line = at["DW_AT_call_line"].value
                    rows += [(begin, end, line) for begin, end in _ranges(die, dwarf, unit)]
    return rows


def _ranges(die: Any, dwarf: Any, unit: Any) -> Iterator[tuple[int, int]]:
    """Yield the first and the last address of each piece of inlined code."""
    from elftools.dwarf.ranges import BaseAddressEntry

    at, top = die.attributes, unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    if "DW_AT_low_pc" in at:
        low, high = at["DW_AT_low_pc"].value, at["DW_AT_high_pc"].value
        yield low, high if at["DW_AT_high_pc"].form == "DW_FORM_addr" else low + high
    elif "DW_AT_ranges" in at:
        base, ranges = top.value if top else 0, dwarf.range_lists()
        for entry in ranges.get_range_list_at_offset(at["DW_AT_ranges"].value, cu=unit):
            if isinstance(entry, BaseAddressEntry):
                base = entry.base_address
            else:
                offset = 0 if getattr(entry, "is_absolute", False) else base
                yield entry.begin_offset + offset, entry.end_offset + offset
