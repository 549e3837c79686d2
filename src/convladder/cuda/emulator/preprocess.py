"""A `.cu` text made ready for an ordinary C++ compiler, each line in its place."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from . import exact_operators
from .features import left_out

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
_WAITS = re.compile(
    r"\b__(?:syncthreads\w*|syncwarp|shfl\w*_sync|ballot_sync|any_sync|all_sync"
    r"|reduce_\w+_sync|match_\w+_sync|activemask|pipeline_\w+)\b"
    r"|<cooperative_groups|<cuda/(?!std/)|<mma\.h>|<convladder/tensor_core\.cuh>"
)
_QUALIFIERS = r"(?:__align__\s*\([^)]*\)|alignas\s*\([^)]*\)|volatile|static)"
_DYNAMIC = re.compile(
    rf"\bextern\s+(?:{_QUALIFIERS}\s+)*__shared__\s+(?:{_QUALIFIERS}\s+)*"
    r"([\w:]+(?:\s+[\w:]+)*?(?:\s*<[^;]*?>)?)\s+"
    rf"(?:{_QUALIFIERS}\s+)*(\w+)\s*\[\s*\]((?:\s*\[[^\]]*\])*)\s*;"
)
# C++ wants it in front of what `__shared__` stands for.
_ALIGNED = re.compile(r"\b__shared__(\s+)(alignas\s*\((?:[^()]|\([^()]*\))*\))")
# Not an explicit instance, `template __global__ ...`, which cannot be inline.
_GLOBAL = re.compile(r"(?<!\btemplate )\b__global__\b(?P<declared>[^{;]*)")
_KERNEL = re.compile(r"\b__global__\b[^;{]*\{")
_BORDER = re.compile(r"[{};]|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
_OPEN = re.compile(r"\bnamespace\b[^()]*$|\bextern\s*$")  # braces that are none of a function
_CALLED = re.compile(
    r"\b(?!(?:__launch_bounds__|__maxnreg__|__align__|__attribute__|alignas|decltype|noexcept)\b)"
    r"(\w+)\s*\("
)
_STATIC = re.compile(r"\b__shared__\s")
_VARIABLE = re.compile(r"\b__(constant|device)__\s+([^;(){}=]*(?:=[^;]*)?);")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.M)
_ALIGNMENT = r"(?:(?:__align__|alignas)\s*\([^)]*\)|__attribute__\s*\(\(.*?\)\))\s*"
_STRUCTURE = re.compile(
    rf"\b(?<!\benum )(typedef\s+)?(struct|class|union)\s+(?:{_ALIGNMENT})*(\w*)\s*(?:final\s*)?"
    r"(?::[^{;()]*)?\{"
)
# A type at the beginning of a statement, and what it declares.
_TYPED = re.compile(
    r"\s*(?:(?:const|constexpr|static|volatile|typedef|unsigned|signed|struct|__constant__"
    r"|__device__|__align__\s*\([^)]*\)|alignas\s*\([^)]*\))\s+)*"
    r"(?!(?:return|else|case|goto|using|do|__shared__|extern)\b)"
    r"[\w:]+(?:\s*<.*>)?[\s*&]+(.*)",
    re.S,
)
_SIZED = re.compile(r"\s*[*&\s]*\w+\s*\[")
ROWS = r"\(\s*\*[^()]*{0}\)\s*\[|{0}\[\s*\]\s*\["  # float (*t)[4], float t[][4]
_DECLARATOR = re.compile(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)$")


@dataclass(frozen=True)
class Prepared:
    """`text` compiles after cl_device.h. `fibers`: its threads may wait for one another.

    `constants`, `variables`: names of those in constant memory, and of those in global memory too.
    `structures`: of those that it defines outside of all braces, each with its keyword.
    """

    text: str
    fibers: bool
    constants: tuple[str, ...]
    variables: tuple[str, ...]
    structures: tuple[str, ...]


class NeedsGpu(ValueError):
    """The source asks for what only a GPU has; says what, and on which line."""

    def __init__(self, what: str, line: int):
        super().__init__(what)
        self.what, self.line = what, line


def masked(text: str) -> str:
    """Return `text` with comments and literals blanked out: a search finds code alone."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def uses_dynamic(text: str, name: str) -> bool:
    """Return whether kernel `name` takes shared memory whose size comes with a launch."""
    code = _reached(masked(text), name)
    return any(len(re.findall(rf"\b{found[2]}\b", code)) > 1 for found in _DYNAMIC.finditer(code))


def shared_names(text: str) -> list[tuple[str, int, int]]:
    """Return each name of shared memory with the first and the last line on which it is known."""
    code, found = masked(text), []
    for match in _STATIC.finditer(code):
        end = _end(code, match.end()) or match.end()
        last = len(code) if _outside(code, match.start()) else _block_ends(code, end)
        found += [
            (name, code.count("\n", 0, match.start()) + 1, code.count("\n", 0, last) + 1)
            for name in _declared(code[match.end() : end])
        ]
    return found


def has_sized_arrays(text: str, name: str) -> bool:
    """Return whether kernel `name`, or what it may call, declares arrays of a size.

    Shared ones count if they have rows, and so do pointers to rows: what leaves the whole of one is
    seen at the access.
    """
    code = _reached(masked(text), name)
    if re.search(rf"\b__shared__\s[^;]*\]\s*\[|{ROWS.format('')}", code):
        return True
    statements = re.split(r"[;{}]|^[ \t]*#[^\n]*", code, flags=re.M)
    return any(
        _SIZED.match(piece)
        for found in map(_TYPED.match, statements)
        if found
        for piece in found[1].split(",")
    )


def included(text: str) -> list[str]:
    """Return the names of the headers that the source includes: `cuda_fp16.h`."""
    return list(dict.fromkeys(_INCLUDE.findall(masked(text))))


def variables(text: str) -> dict[str, str]:
    """Return the source's variables outside of all braces: name, "constant" or "device"."""
    code = masked(text)
    return {
        name: found[1]
        for found in _VARIABLE.finditer(code)
        if _outside(code, found.start())
        for name in _names(found[2])
    }


def prepare(text: str, name: str, exact: bool = True) -> Prepared:
    """Turn the declarations of shared memory into C++. Raises `NeedsGpu`.

    exact: shifts and casts are put into words that do as a GPU does.
    """
    text = _ALIGNED.sub(r"\2\1__shared__", text)
    code = masked(text)
    if left_out(code):
        if needed := left_out(_reached(code, name)):
            raise NeedsGpu(*needed)
        for begin, end in _unreached(code, name):  # nobody calls what needs a GPU
            text, code = (_blank(each, begin, end) for each in (text, code))
    edits = [*_dynamic(code)]
    taken = [(begin, end) for begin, end, _ in edits]
    numbers = itertools.count()
    for found in _STATIC.finditer(code):
        end = _end(code, found.end())
        if end and not any(begin <= found.start() < end for begin, end in taken):
            # Known to the runtime by a number; it keeps a set of 64, more than one kernel has.
            declared = "".join(
                f" CL_DECLARE({next(numbers) % 64}, {name});"
                for name in _declared(code[found.end() : end])
            )
            places = [end + 1]
            if _outside(code, found.start()):  # then where each kernel begins
                places = [kernel.end() for kernel in _KERNEL.finditer(code, end)]
            edits += [(place, place, declared) for place in places]
    # Constant memory is filled from outside, so nothing in it may lie among what is read only.
    edits += [(*found.span(1), "") for found in re.finditer(r"\b__constant__\s+(const)\b", code)]
    for found in _VARIABLE.finditer(code):
        if "=" in found[2]:  # its value must be there before anything runs
            edits.append((found.start(), found.start(), "CL_CONSTINIT "))
    if exact:
        edits += exact_operators.edits(code)
    for begin, end, new in sorted(edits, reverse=True):
        lines = text.count("\n", begin, end)
        text = text[:begin] + new + "\n" * lines + text[end:]
    kinds = variables(text)
    constants = tuple(name for name, kind in kinds.items() if kind == "constant")
    return Prepared(
        text, _WAITS.search(code) is not None, constants, tuple(kinds), tuple(_structures(code))
    )


def _structures(code: str) -> Iterator[str]:
    for found in _STRUCTURE.finditer(code):
        before = code[: found.start()].rstrip()
        if before.endswith(">") or not _outside(code, found.start()):  # a template's have no size
            continue
        if found[3]:
            yield f"{found[2]} {found[3]}"
        elif found[1]:  # typedef struct { ... } name;
            yield from _names(code[_block_ends(code, found.end()) + 1 :].partition(";")[0])


def others_inline(text: str, name: str) -> str:
    """Return `text` with every kernel but `name` inline: checked as before, but no code is made."""
    base = name.partition("<")[0].strip().split("::")[-1]
    chosen = re.compile(rf"\b{re.escape(base)}\s*\(")
    code = masked(text)
    for found in reversed([*_GLOBAL.finditer(code)]):
        if not chosen.search(found["declared"]):
            text = text[: found.start()] + "inline" + text[found.start("declared") :]
    return text


def _blank(code: str, begin: int, end: int) -> str:
    return code[:begin] + re.sub(r"[^\n]", " ", code[begin:end]) + code[end:]


def _reached(code: str, name: str) -> str:
    """The code without the functions that kernel `name` never calls."""
    for begin, end in _unreached(code, name):
        code = _blank(code, begin, end)
    return code


def _unreached(code: str, name: str) -> list[tuple[int, int]]:
    """Where the functions lie that kernel `name` does not call, nor what it calls."""
    base, left, rest = name.partition("<")[0].strip().split("::")[-1], [], code
    for begin, end, called in _functions(code):
        kernel = "__global__" in code[begin : code.index("{", begin)]
        rest = _blank(rest, begin, end)
        left.append((begin, end, called, kernel and called != base))
    words = {base, *re.findall(r"\w+", rest)}
    while now := [each for each in left if each[2] in words and not each[3]]:
        left = [each for each in left if each not in now]
        words.update(word for begin, end, *_ in now for word in re.findall(r"\w+", code[begin:end]))
    return [(begin, end) for begin, end, *_ in left]


def _functions(code: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each function with a body begins and ends, and its name; no members."""
    begin = at = 0
    while found := _BORDER.search(code, at):
        at = found.end()
        if found[0] == "{" and not _OPEN.search(head := code[begin : found.start()]):
            at = _block_ends(code, at) + 1
            name = _CALLED.search(head)
            if name and not _STRUCTURE.search(head + "{"):
                yield begin, at, name[1]
        begin = at


def _outside(code: str, at: int) -> bool:
    """Whether no braces stand around `at`, but for those of extern "C" (whose "C" is masked)."""
    before = code[:at]
    return before.count("{") - before.count("}") <= len(re.findall(r"\bextern\s*\{", before))


def _block_ends(code: str, begin: int) -> int:
    """Where the braces close that `begin` lies in."""
    depth = 0
    for found in re.finditer(r"[{}]", code[begin:]):
        depth += 1 if found[0] == "{" else -1
        if depth < 0:
            return begin + found.start()
    return len(code)


def _dynamic(code: str):
    """`extern __shared__ T name[];` becomes a pointer to the block's memory."""
    for found in _DYNAMIC.finditer(code):
        kind, name, inner = found[1], found[2], found[3].strip()
        if _outside(code, found.start()):
            yield found.start(), found.end(), f"CL_DYNAMIC({kind}, {name})"
            continue
        declared = f"(*const {name}){inner}" if inner else f"*const {name}"
        cast = f"{kind} (*){inner}" if inner else f"{kind} *"
        yield (
            found.start(),
            found.end(),
            (
                f'{kind} {declared} = ({cast})cl_dynamic_shared("{name}", sizeof({kind}), '
                f"alignof({kind})); "
                # Of one type in all kernels, or the compiler says so.
                f"extern {kind} cl_type_of_{name}[]{inner};"
            ),
        )


def _end(code: str, begin: int) -> int | None:
    """Where the declaration ends that goes on at `begin`: its semicolon, behind all brackets."""
    depth = 0
    for found in re.finditer(r"[{};=]", code[begin:]):
        depth += (found[0] == "{") - (found[0] == "}")
        if depth < 0 or (depth == 0 and found[0] == "="):
            return None
        if depth == 0 and found[0] == ";":
            return begin + found.start()
    return None


def _declared(declaration: str) -> list[str]:
    """Return the names that shared memory declares; of a union without a name, its members."""
    opened, closed = declaration.find("{"), declaration.rfind("}")
    if opened < 0:
        return _names(declaration)
    if behind := declaration[closed + 1 :].strip():
        return _names(behind)
    return [
        name for member in declaration[opened + 1 : closed].split(";") for name in _names(member)
    ]


def _names(declaration: str) -> list[str]:
    """Return the names that `float a[4], b = {1, 2}` declares: a, b."""
    sizes = re.compile(r"\[[^\[\]]*\]")  # where < and > compare or shift
    depth, names, piece = 0, [], ""
    for letter in sizes.sub("[]", declaration) + ",":
        depth += (letter in "[<({") - (letter in "]>)}")
        if letter == "," and depth == 0:
            if found := _DECLARATOR.search(piece.split("=")[0].strip()):
                names.append(found[1])
            piece = ""
        else:
            piece += letter
    return names
