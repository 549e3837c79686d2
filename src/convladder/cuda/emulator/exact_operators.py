"""Shifts and casts that a GPU does otherwise than this processor, put into words of cl_whole.h.

C++ leaves open what `1u << 32`, `(unsigned)-5.0f` and `(int)1e10f` are; a GPU gives 0, 0 and the
greatest number. What is converted without a cast is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Edit = tuple[int, int, str]
_WHOLE = (
    r"(?:(?:un)?signed(?:\s+(?:char|short|int|long(?:\s+long)?)(?:\s+int)?)?|char"
    r"|(?:short|long(?:\s+long)?)(?:\s+int)?|int|u?int(?:8|16|32|64)_t|size_t)"
)
_CAST = re.compile(rf"\([ \t]*({_WHOLE})[ \t]*\)[ \t]*(?!const\b)(?=[\w(.~!*&+-])")
_NO_CAST = re.compile(r"(?:[\]>]|(?<!\w)(?!(?:return|case|else)\b)\w+)\s*\Z")  # it stands behind
_CALLED = re.compile(
    rf"\bstatic_cast\s*<\s*({_WHOLE})\s*>|(?<=[=(,?:+*/%&|^!~-])\s*\b({_WHOLE})(?=\s*\()"
)
_SHIFT = re.compile(r"(?<![<>])(<<|>>)(=?)(?![<>=])(?!\s*\d\w*\s*(?![\s\w*/%+-]))")
_TYPE = re.compile(r"\s*(?:const\s+)?[A-Za-z_][\w:]*(?:\s+\w+)*[\s*&]*")
_PRIMARY = re.compile(r"\.?\d(?:[\w.]|(?<=[eE])[-+])*|[A-Za-z_:][\w:]*(?:<[\w\s,:*]*>(?=\s*\())?")
_POSTFIX = re.compile(r"\s*(?:(\[|\()|(?:\.|->)\s*\w+|\+\+|--)")


def edits(text: str, code: str) -> Iterator[Edit]:
    """Yield what is to be replaced in `text`, whose `code` is masked: begin, end, new text."""
    if re.search(r"\b(?:float|double)", code):
        yield from _casts(text, code)
    for found in _SHIFT.finditer(code):
        before = code[: found.start()].rstrip()
        line = code[code.rfind("\n", 0, found.start()) + 1 : found.start()]
        if before.endswith("operator") or re.match(r"\s*#\s*(?:if|elif)\b", line):
            continue
        if found[1] == ">>" and _closes_template(code, found.start()):
            continue
        new = f"{found[1]} cl_set =" if found[2] else f"{found[1]} cl_shifted {found[1]}"
        yield (*found.span(), new)


def _casts(text: str, code: str) -> Iterator[Edit]:
    for found in _CALLED.finditer(code):
        kind = 1 if found[1] else 2
        begin = found.start() if found[1] else found.start(2)
        yield begin, found.end(), f"cl_to<{found[kind]}>"
    for found in _CAST.finditer(code):
        begin, at = found.span()
        if _NO_CAST.search(code, max(0, begin - 100), begin):
            continue
        end = _operand_end(code, at)
        if end and text[begin : at + 1] == code[begin : at + 1]:  # no literal, no comment
            yield begin, at, f"cl_to<{found[1]}>("
            yield end, end, ")"


def _closes_template(code: str, at: int) -> bool:
    """Whether two `<` of the statement are open: of types, most likely, and not comparisons."""
    begin = max(code.rfind(sign, 0, at) for sign in ";{}")
    statement = re.sub(r"<<|<=|->|>=|>>", "  ", code[begin + 1 : at])
    return statement.count("<") - statement.count(">") >= 2


def _operand_end(code: str, at: int) -> int | None:
    """Where the operand of a cast ends that begins at `at`; None if it is not understood."""
    while True:
        at = re.compile(r"[\s~!*&+-]*").match(code, at).end()
        if code[at : at + 1] == "(":
            end = _closed(code, at)
            if not end:
                return None
            cast = _TYPE.fullmatch(code[at + 1 : end - 1]) and re.match(r"[ \t]*[\w(]", code[end:])
            at = end
            if cast:
                continue
            break
        primary = _PRIMARY.match(code, at)
        if not primary or primary[0] in ("sizeof", "new"):
            return None
        at = primary.end()
        break
    while found := _POSTFIX.match(code, at):
        at = _closed(code, found.end() - 1) if found[1] else found.end()
        if not at:
            return None
    return at


def _closed(code: str, at: int) -> int | None:
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] in "[(") - (code[place] in "])")
        if depth == 0:
            return place + 1
    return None
