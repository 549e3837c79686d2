"""A `.cu` text made ready for an ordinary C++ compiler, each line in its place."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
_WAITS = re.compile(
    r"\b__(?:syncthreads\w*|syncwarp|shfl\w*_sync|ballot_sync|any_sync|all_sync"
    r"|reduce_\w+_sync|match_\w+_sync)\b"
)
_GPU_ONLY = {
    r"\basm\b": "PTX (asm)",
    r"\b(?:nvcuda::)?wmma::": "tensor cores (wmma)",
    r"\bcooperative_groups\b": "cooperative groups",
    r"\b__activemask\b": "__activemask (which lanes run together is the GPU's affair)",
    r"<<<": "a launch inside the source (launch it from Python)",
}
_QUALIFIERS = r"(?:__align__\s*\([^)]*\)|alignas\s*\([^)]*\)|volatile|static)"
_DYNAMIC = re.compile(
    rf"\bextern\s+(?:{_QUALIFIERS}\s+)*__shared__\s+(?:{_QUALIFIERS}\s+)*"
    r"([\w:]+(?:\s+[\w:]+)*?(?:\s*<[^;]*?>)?)\s+"
    rf"(?:{_QUALIFIERS}\s+)*(\w+)\s*\[\s*\]((?:\s*\[[^\]]*\])*)\s*;"
)
# Not an explicit instance, `template __global__ ...`, which cannot be inline.
_GLOBAL = re.compile(r"(?<!\btemplate )\b__global__\b(?P<declared>[^{;]*)")
_STATIC = re.compile(r"\b__shared__\s")
_VARIABLE = re.compile(r"\b__(constant|device)__\s+([^;(){}=]*(?:=[^;]*)?);")
_DECLARATOR = re.compile(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)$")


@dataclass(frozen=True)
class Prepared:
    """`text` compiles after cl_device.h. `fibers`: its threads may wait for one another.

    `constants`, `variables`: names of those in constant memory, and of those in global memory too.
    """

    text: str
    fibers: bool
    constants: tuple[str, ...]
    variables: tuple[str, ...]


class NeedsGpu(ValueError):
    """The source asks for what only a GPU has; says what, and on which line."""

    def __init__(self, what: str, line: int):
        super().__init__(what)
        self.what, self.line = what, line


def masked(text: str) -> str:
    """`text` with comments and literals blanked out, so that a search finds code alone."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def variables(text: str) -> dict[str, str]:
    """Those of the source outside of all functions: name, "constant" or "device"."""
    return {name: kind for kind, declaration in _VARIABLE.findall(masked(text))
            for name in _names(declaration)}


def prepare(text: str) -> Prepared:
    """Turn the declarations of shared memory into C++. Raises `NeedsGpu`."""
    code = masked(text)
    for pattern, what in _GPU_ONLY.items():
        if found := re.search(pattern, code):
            raise NeedsGpu(what, code.count("\n", 0, found.start()) + 1)
    edits = [*_dynamic(code)]
    taken = [(begin, end) for begin, end, _ in edits]
    numbers = itertools.count()
    for found in _STATIC.finditer(code):
        end = _end(code, found.end())
        if end and not any(begin <= found.start() < end for begin, end in taken):
            # Known to the runtime by a number; it keeps a set of 64, more than one kernel has.
            declared = "".join(f" CL_DECLARE({next(numbers) % 64}, {name});"
                               for name in _declared(code[found.end():end]))
            edits.append((end + 1, end + 1, declared))
    for begin, end, new in sorted(edits, reverse=True):
        lines = text.count("\n", begin, end)
        text = text[:begin] + new + "\n" * lines + text[end:]
    found = variables(text)
    constants = tuple(name for name, kind in found.items() if kind == "constant")
    return Prepared(text, _WAITS.search(code) is not None, constants, tuple(found))


def others_inline(text: str, name: str) -> str:
    """Return `text` with every kernel but `name` inline: checked as before, but no code is made."""
    chosen = re.compile(rf"\b{re.escape(name.partition('<')[0].strip())}\s*\(")
    code = masked(text)
    for found in reversed([*_GLOBAL.finditer(code)]):
        if not chosen.search(found["declared"]):
            text = text[: found.start()] + "inline" + text[found.start("declared") :]
    return text


def _dynamic(code: str):
    """`extern __shared__ T name[];` becomes a pointer to the block's memory."""
    for found in _DYNAMIC.finditer(code):
        kind, name, inner = found[1], found[2], found[3].strip()
        if code.count("{", 0, found.start()) == code.count("}", 0, found.start()):
            yield found.start(), found.end(), f"CL_DYNAMIC({kind}, {name})"
            continue
        declared = f"(*const {name}){inner}" if inner else f"*const {name}"
        cast = f"{kind} (*){inner}" if inner else f"{kind} *"
        yield found.start(), found.end(), (
            f'{kind} {declared} = ({cast})cl_dynamic_shared("{name}", sizeof({kind}));'
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
    """What a declaration of shared memory declares; of a union without a name, its members."""
    opened, closed = declaration.find("{"), declaration.rfind("}")
    if opened < 0:
        return _names(declaration)
    if behind := declaration[closed + 1:].strip():
        return _names(behind)
    return [name for member in declaration[opened + 1:closed].split(";") for name in _names(member)]


def _names(declaration: str) -> list[str]:
    """What `float a[4], b = {1, 2}` declares: a, b."""
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
