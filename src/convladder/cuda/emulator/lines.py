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
        told = subprocess.run(["atos", "-o", str(library), "-offset", hex(address)],
                              capture_output=True, text=True, check=False).stdout
        found = re.search(rf"{re.escape(source)}:(\d+)", told)
        return int(found[1]) if found else None
    addresses, lines = _table(library, source)
    at = bisect_right(addresses, address) - 1
    return (lines[at] or None) if at >= 0 else None
