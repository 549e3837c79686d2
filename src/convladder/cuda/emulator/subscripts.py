"""Which array an index has left: the place that a compiler tells, read in the source.

GCC tells the place of the closing bracket, Clang where the whole expression begins; of what a
macro stands for, both tell where the macro is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .preprocess import masked, others_inline, prepare, shared_names

_NAME = re.compile(r"[A-Za-z_]\w*")
_STORED = re.compile(r"\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)")
_MEMBER = re.compile(r"\s*(?:\.|->|::)\s*\w+")
_SUBSCRIPTED = re.compile(r"\b([A-Za-z_]\w*)(?:(?:\.|->)\w+)*\s*\[")
_SIDES = re.compile(r"(?:\[\d+\])+")
_WORDS_BEFORE = ("return", "else", "case", "do")
_CLOSES = {"]": "[", ")": "("}
LONGEST = 40  # signs of an array's own text; only the first name of a longer one is told


@dataclass(frozen=True)
class Subscripted:
    """`array`: its text, such as `own` or `two[i]`, None if unknown. `store`: it is assigned to.

    `shared`: it is in shared memory by its name.
    """

    array: str | None
    store: bool
    shared: bool


def sides(kind: str) -> tuple[int, ...]:
    """Return the sides of an array whose type is told as 'float [3][5]'; () if they are unknown."""
    while (plain := re.sub(r"<[^<>]*>", "", kind)) != kind:
        kind = plain
    found = _SIDES.search(kind)
    return tuple(map(int, re.findall(r"\d+", found[0]))) if found else ()


def subscripted(source: str, kernel: str, line: int, column: int, axes: int) -> Subscripted:
    """Return the array subscripted at a place of `source`, as `kernel` of it is compiled.

    `line`, `column` count from 1, columns in bytes; `axes` of the array.
    """
    text = others_inline(prepare(source, kernel).text, kernel)
    lines = text.splitlines(keepends=True)
    if not 0 < line <= len(lines):
        return Subscripted(None, False, False)
    before = lines[line - 1].encode()[: column - 1].decode(errors="ignore")
    code, at = masked(text), sum(map(len, lines[: line - 1])) + len(before)
    shared = {name for name, first, last in shared_names(source) if first <= line <= last}
    if code[at : at + 1] == "]":
        opened, closed = _opening(code, at), at
        begin = _begin(code, opened)
    else:
        begin = at
        place = next(_runs(code, begin, axes), None)
        if place is None:  # a macro
            taken, body, end = _macro(code, begin)
            names = set(_SUBSCRIPTED.findall(f"{taken} ; {body}"))
            store = _stored(code, begin, end) or re.search(rf"\]{_STORED.pattern}", body)
            return Subscripted(
                min(names) if len(names) == 1 else None,
                bool(store),
                bool(names) and names <= shared,
            )
        opened, closed = place
    array = " ".join(code[begin:opened].split())
    root = _NAME.search(array)
    if root and len(array) > LONGEST:
        array = root[0]
    return Subscripted(
        array or None, _stored(code, begin, closed + 1), root is not None and root[0] in shared
    )


def subscripts(source: str, line: int | None) -> set[tuple[str, bool]]:
    """Return the names that a line of `source` subscripts, and whether it assigns to each.

    With `+=` and its kind it is read too.
    """
    lines = masked(source).splitlines()
    code = lines[line - 1] if line and line <= len(lines) else ""
    found = set()
    for match in re.finditer(r"\b([A-Za-z_]\w*)\s*\[", code):
        stored = _stored(code, match.start(), match.end(1))
        found.add((match[1], stored))
        if stored and not re.match(r"\s*=", code[_closing(code, match.end() - 1) + 1 :]):
            found.add((match[1], False))
    return found


def _opening(code: str, at: int) -> int:
    """Where the bracket opens that closes at `at`."""
    opens, closes, depth = _CLOSES[code[at]], code[at], 0
    while at > 0:
        depth += (code[at] == closes) - (code[at] == opens)
        if depth == 0:
            break
        at -= 1
    return at


def _closing(code: str, at: int) -> int:
    """Where the bracket closes that opens at `at`."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] in "[(") - (code[place] in "])")
        if depth == 0:
            return place
    return len(code)


def _begin(code: str, at: int) -> int:
    """Where the expression begins that ends before `at`: names, members, subscripts, calls."""
    while True:
        at = len(code[:at].rstrip())
        if at and code[at - 1] in _CLOSES:
            at = _opening(code, at - 1)
            before = code[:at].rstrip()
            word = re.search(r"\w+$", before)
            if not before or before[-1] not in "])" and (not word or word[0] in _WORDS_BEFORE):
                return at
            continue
        word = re.search(r"\w*$", code[:at])
        at = word.start()
        link = re.search(r"(?:\.|->|::)\s*$", code[:at])
        if not link:
            return at
        at = link.start()


def _runs(code: str, at: int, axes: int) -> Iterator[tuple[int, int]]:
    """Yield the brackets of what may be meant in the expression that begins at `at`: of each run
    of subscripts that is long enough, the one that `axes` are left at."""
    if code[at : at + 1] == "(":
        at = _closing(code, at) + 1
    elif name := _NAME.match(code, at):
        at = name.end()
    run = []
    while True:
        member, ahead = _MEMBER.match(code, at), code[at:].lstrip()[:1]
        begin = code.find(ahead, at) if ahead else at
        if ahead == "[":
            end = _closing(code, begin)
            run.append((begin, end))
            at = end + 1
            continue
        if len(run) >= max(axes, 1):
            yield run[len(run) - max(axes, 1)]
        run = []
        if member:
            at = member.end()
        elif ahead == "(" and not _NAME.fullmatch(code[at - 1 : at] or " "):
            at = _closing(code, begin) + 1
        else:
            return


def _macro(code: str, at: int) -> tuple[str, str, int]:
    """Return the arguments of the macro at `at`, its replacement, and where its use ends."""
    name = _NAME.match(code, at)
    if not name:
        return "", "", at
    behind = re.match(r"\s*\(", code[name.end() :])
    begin = name.end() + behind.end() - 1 if behind else name.end()
    end = _closing(code, begin) + 1 if behind else begin
    body = re.search(rf"^[ \t]*#[ \t]*define[ \t]+{name[0]}\b((?:[^\n]*\\\n)*[^\n]*)", code, re.M)
    return code[begin:end], body[1] if body else "", end


def _stored(code: str, begin: int, at: int) -> bool:
    """Whether the expression that begins at `begin`, and goes on at `at`, is assigned to."""
    while True:
        if member := _MEMBER.match(code, at):
            at = member.end()
        elif code[at:].lstrip()[:1] == "[":
            at = _closing(code, code.index("[", at)) + 1
        else:
            break
    return bool(_STORED.match(code, at)) or code[:begin].rstrip()[-2:] in ("++", "--")
