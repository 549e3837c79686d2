"""The text of a `.cu` file, with what it shares with others put in its place."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import CompileError

_HIDDEN = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.*\b__global__\b[^\n/]*)", re.MULTILINE
)
_INCLUDE = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)


def read_source(path: Path) -> str:
    """Return the text of a `.cu` file, each `#include "name"` replaced by that file beside it.

    So every compiler gets one text: NVRTC, the emulator and CuPy. What `<...>` includes stays.
    Raises `FileNotFoundError` that names a file that is not there, and `CompileError` for one that
    is not UTF-8.
    """

    def text_of(found: re.Match) -> str:
        other = path.with_name(found[1])
        if not other.is_file():
            raise FileNotFoundError(
                f"{path.name} includes {found[1]!r}, and there is no such file "
                f"beside it, in {path.parent}"
            )
        return read_source(other).rstrip("\n")

    try:
        text = path.read_text(encoding="utf-8-sig")  # without the mark that some editors begin with
    except UnicodeDecodeError:
        raise CompileError(f"{path.name} is not UTF-8; let your editor save it so") from None
    return _INCLUDE.sub(text_of, text)


def kernels_shown(text: str) -> str:
    """Return `text` with its macros for `__global__` replaced: the word is what kernels begin with,
    wherever a source is read without a compiler."""
    for name, body in _HIDDEN.findall(text):
        text = re.sub(rf"(?<!define )\b{name}\b", body.strip().replace("\\", r"\\"), text)
    return text
