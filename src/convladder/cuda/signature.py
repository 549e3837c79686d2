"""A kernel's parameters, read from its source: the same on every backend."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .emulator.preprocess import masked
from .errors import CompileError

DTYPES = {
    "float": np.float32, "double": np.float64, "half": np.float16, "__half": np.float16,
    "__nv_bfloat16": np.uint16, "nv_bfloat16": np.uint16,  # their bits: NumPy has no such type
    "int": np.int32, "unsigned": np.uint32, "unsigned int": np.uint32, "short": np.int16,
    "unsigned short": np.uint16, "char": np.int8, "signed char": np.int8,
    "unsigned char": np.uint8, "bool": np.bool_, "long long": np.int64, "size_t": np.uint64,
    "unsigned long long": np.uint64, "int8_t": np.int8, "uint8_t": np.uint8,
    "int16_t": np.int16, "uint16_t": np.uint16, "int32_t": np.int32, "uint32_t": np.uint32,
    "int64_t": np.int64, "uint64_t": np.uint64,
}  # fmt: skip
VECTORS = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16,
           "int": np.int32, "uint": np.uint32, "float": np.float32, "double": np.float64,
           "half": np.float16, "__half": np.float16, "__nv_bfloat16": np.uint16,
           "nv_bfloat16": np.uint16, "longlong": np.int64, "ulonglong": np.uint64}  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    """`dtype`: of the value, or of what the pointer points to; None if a template decides."""

    name: str
    type: str
    pointer: bool
    constant: bool
    dtype: np.dtype | None

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


def parameters(source: str, name: str, file: str) -> list[Parameter]:
    """Return the parameters of kernel `name`, without template arguments. Raises `CompileError`."""
    found = _declared(source, name)
    if not found:
        code = masked(source)
        kernels = re.findall(r"__global__\b[^;{()]*(?:\([^()]*\)[^;{()]*)?\b(\w+)\s*\(", code)
        if _base(name) in kernels:
            raise CompileError(f"{file}: a ) is missing behind the parameters of {_base(name)}")
        there = ", ".join(dict.fromkeys(kernels)) or "no kernel at all (`__global__ void ...`)"
        raise CompileError(f"{file} has no kernel {_base(name)!r}; it has {there}")
    pieces = [piece.strip() for piece in _split(found[1])]
    if references := [piece for piece in pieces if "&" in piece.split("=")[0]]:
        line = source.count("\n", 0, found.start(1)) + 1
        raise CompileError(
            f"{file}, line {line}: {references[0]} is a reference; a kernel is "
            "given numbers, and arrays by a pointer",
            [(line, "a reference")],
        )
    return [_parameter(piece) for piece in pieces if piece and piece != "void"]


def taken(source: str, name: str) -> list[str]:
    """Return the declarations of a kernel's parameters, without values for those left out."""
    found = _declared(source, name)
    return [" ".join(piece.split("=")[0].split()) for piece in _split(found[1])] if found else []


def first_line(source: str, name: str) -> int:
    """Return the line on which a kernel's declaration begins; 1 if there is none."""
    found = _declared(source, name)
    return source.count("\n", 0, found.start()) + 1 if found else 1


def _base(name: str) -> str:
    return name.split("<")[0].strip().split("::")[-1]


def times_declared(source: str, name: str) -> int:
    """Return how many kernels of this name the source declares or defines."""
    return len([*_declarations(source, name)])


def c_linkage(source: str, name: str) -> bool:
    """Return whether a kernel is `extern "C"`, by itself or by the block around it.

    Its name in the machine code is then the one in the source. A definition has the linkage of the
    declaration before it.
    """
    code = re.sub(
        r"//[^\n]*|/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found[0]), source, flags=re.S
    )
    for found in _declarations(source, name):
        blocks: list[bool] = []
        for brace in re.finditer(r'extern\s*"C"\s*\{|[{}]', code[: found.start()]):
            if brace[0] == "}":
                del blocks[-1:]
            else:
                blocks.append(brace[0] != "{")
        if any(blocks) or re.search(r'extern\s*"C"[^;{}]*$', code[: found.start()]):
            return True
    return False


def _declared(source: str, name: str) -> re.Match | None:
    return next(_declarations(source, name), None)


def _declarations(source: str, name: str) -> Iterator[re.Match]:
    return re.finditer(
        rf"__global__\b[^;{{]*?\b{re.escape(_base(name))}\s*"
        r"\(((?:[^()]|\([^()]*\))*)\)",
        masked(source),
    )


def launch_bounds(source: str, name: str) -> str | None:
    """Return the expression in `__launch_bounds__`: the most threads that a block may have."""
    base = re.escape(name.split("<")[0].strip())
    found = re.search(rf"__global__\b[^;{{]*?\b{base}\s*\(", masked(source))
    bounds = found and re.search(r"__launch_bounds__\s*\(([^,()]*)", found[0])
    return bounds[1].strip() if bounds else None


def _split(text: str) -> list[str]:
    depth, pieces = 0, [""]
    for letter in text:
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


def _parameter(text: str) -> Parameter:
    pointer = "*" in text or "[" in text
    text = re.sub(r"\[[^\]]*\]|[()]", " ", text.split("=")[0]).strip()  # rows: float (*y)[8]
    found = re.search(r"(\w+)\s*$", text)
    name = found[1] if found else "?"
    kind = re.sub(
        r"\b(?:const|volatile|__restrict__|__restrict|restrict|__grid_constant__)\b",
        "",
        text[: found.start()] if found else text,
    )
    kind = " ".join(kind.replace("*", " ").replace("&", " ").split())
    constant = re.search(r"\bconst\b", text) is not None
    shown = f"{'const ' * constant}{kind}{' *' * pointer}"
    dtype = dtype_of(kind) if pointer or kind in DTYPES else None  # a vector is a structure
    return Parameter(name, shown, pointer, constant, dtype)


def dtype_of(kind: str) -> np.dtype | None:
    """Return the dtype of a C type; a vector's is that of its members."""
    if kind in DTYPES:
        return np.dtype(DTYPES[kind])
    found = re.fullmatch(r"(\w+?)([1-4])", kind)
    return np.dtype(VECTORS[found[1]]) if found and found[1] in VECTORS else None
