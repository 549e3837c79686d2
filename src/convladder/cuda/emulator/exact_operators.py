"""Shifts and casts that a GPU does otherwise than this processor, put into words of cl_whole.h.

C++ leaves open what `1u << 32`, `(unsigned)-5.0f` and `(int)1e10f` are; a GPU gives 0, 0 and the
greatest number. What is converted without a cast is left as it is. And a GPU stores the
structure of `y[i] = float4{}` at once, where GCC would store its members.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Edit = tuple[int, int, str]
_WHOLE = (
    r"(?:(?:un)?signed(?:\s+(?:char|short|int|long(?:\s+long)?)(?:\s+int)?)?|char"
    r"|(?:short|long(?:\s+long)?)(?:\s+int)?|int|u?int(?:8|16|32|64)_t|size_t)"
)
_CAST = re.compile(rf"\([ \t]*({_WHOLE})[ \t]*\)(?=[ \t]*(?!const\b)[\w(.~!*&+-])")
_NO_CAST = re.compile(r"(?:[\]>]|(?<!\w)(?!(?:return|case|else)\b)\w+)\s*\Z")  # it stands behind
_CALLED = re.compile(
    rf"\bstatic_cast\s*<\s*({_WHOLE})\s*>|(?<=[=(,?:+*/%&|^!~-])\s*\b({_WHOLE})(?=\s*\()"
)
_VECTOR = re.compile(r"(?<=[\])])\s*=\s*(?=[A-Za-z_]\w*\s*\{|[a-z_]\w*[24]\s*\(\s*\))")
_SHIFT = re.compile(r"(?<![<>])(<<|>>)(=?)(?![<>=])(?!\s*\d\w*\s*(?![\s\w*/%+-]))")


def edits(code: str) -> Iterator[Edit]:
    """Yield the replacements in a masked source: begin, end, new text."""
    if re.search(r"\b(?:float|double)", code):
        yield from _casts(code)
    for found in _VECTOR.finditer(code):
        yield found.end(), found.end(), "cl_vector << "
    for found in _SHIFT.finditer(code):
        before = code[: found.start()].rstrip()
        line = code[code.rfind("\n", 0, found.start()) + 1 : found.start()]
        if before.endswith("operator") or re.match(r"\s*#\s*(?:if|elif)\b", line):
            continue
        if found[1] == ">>" and _closes_template(code, found.start()):
            continue
        new = f"{found[1]} cl_set =" if found[2] else f"{found[1]} cl_shifted {found[1]}"
        yield (*found.span(), new)


def _casts(code: str) -> Iterator[Edit]:
    for found in _CALLED.finditer(code):
        kind = 1 if found[1] else 2
        begin = found.start() if found[1] else found.start(2)
        yield begin, found.end(), f"cl_to<{found[kind]}>"
    for found in _CAST.finditer(code):
        if not _NO_CAST.search(code, max(0, found.start() - 100), found.start()):
            yield found.end(), found.end(), f"(cl_exact<{found[1]}>)"


def _closes_template(code: str, at: int) -> bool:
    """Whether two `<` of the statement are open: of types, most likely, and not comparisons."""
    begin = max(code.rfind(sign, 0, at) for sign in ";{}")
    statement = re.sub(r"<<|<=|->|>=|>>", "  ", code[begin + 1 : at])
    return statement.count("<") - statement.count(">") >= 2
