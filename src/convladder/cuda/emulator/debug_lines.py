"""Which line of the source a place in the compiled code belongs to."""

from __future__ import annotations

import re
import subprocess
import sys
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=64)
def _table(library: Path, source: str) -> tuple[list[int], list[int]]:
    """Addresses in order, and the line from each one on (0: not of `source`)."""
    from elftools.elf.elffile import ELFFile

    rows = {}
    with library.open("rb") as file:
        dwarf = ELFFile(file).get_dwarf_info()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            if program is None:
                continue
            first = 0 if program["version"] >= 5 else 1  # files were counted from 1 before
            names = [_text(entry.name) for entry in program["file_entry"]]
            for entry in program.get_entries():
                if (state := entry.state) is not None:
                    known = Path(names[state.file - first]).name == source
                    rows[state.address] = 0 if state.end_sequence or not known else state.line
    return sorted(rows), [rows[address] for address in sorted(rows)]


def _text(name: bytes | str) -> str:
    return name.decode() if isinstance(name, bytes) else name


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
    from elftools.dwarf.ranges import BaseAddressEntry
    from elftools.elf.elffile import ELFFile

    rows = []
    with library.open("rb") as file:
        dwarf = ELFFile(file).get_dwarf_info()
        ranges = dwarf.range_lists()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            if program is None:
                continue
            first = 0 if program["version"] >= 5 else 1
            names = [_text(entry.name) for entry in program["file_entry"]]
            top = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
            for die in unit.iter_DIEs():
                at = die.attributes
                if (
                    die.tag != "DW_TAG_inlined_subroutine"
                    or Path(names[at["DW_AT_call_file"].value - first]).name != source
                ):
                    continue
                line, base = at["DW_AT_call_line"].value, top.value if top else 0
                if "DW_AT_low_pc" in at:
                    low, high = at["DW_AT_low_pc"].value, at["DW_AT_high_pc"].value
                    relative = at["DW_AT_high_pc"].form != "DW_FORM_addr"
                    rows.append((low, low + high if relative else high, line))
                elif "DW_AT_ranges" in at:
                    for entry in ranges.get_range_list_at_offset(at["DW_AT_ranges"].value, cu=unit):
                        if isinstance(entry, BaseAddressEntry):
                            base = entry.base_address
                        else:
                            absolute = getattr(entry, "is_absolute", False)
                            offset = 0 if absolute else base
                            rows.append(
                                (entry.begin_offset + offset, entry.end_offset + offset, line)
                            )
    return rows
