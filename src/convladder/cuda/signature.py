"""What a kernel takes, read from its source: the same on every backend."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from .emulator.source import masked
from .errors import CompileError

DTYPES = {
    "float": np.float32, "double": np.float64, "half": np.float16, "__half": np.float16,
    "int": np.int32, "unsigned": np.uint32, "unsigned int": np.uint32, "short": np.int16,
    "unsigned short": np.uint16, "char": np.int8, "signed char": np.int8,
    "unsigned char": np.uint8, "bool": np.bool_, "long long": np.int64, "size_t": np.uint64,
    "unsigned long long": np.uint64, "int8_t": np.int8, "uint8_t": np.uint8,
    "int16_t": np.int16, "uint16_t": np.uint16, "int32_t": np.int32, "uint32_t": np.uint32,
    "int64_t": np.int64, "uint64_t": np.uint64,
}  # fmt: skip
VECTORS = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16,
           "int": np.int32, "uint": np.uint32, "float": np.float32, "double": np.float64,
           "half": np.float16, "longlong": np.int64, "ulonglong": np.uint64}  # fmt: skip


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
    """Return those of kernel `name` (an instance by its name alone). Raises `CompileError`."""
    code = masked(source)
    base = name.split("<")[0].strip().split("::")[-1]
    kernels = re.findall(r"__global__\b[^;{()]*(?:\([^()]*\)[^;{()]*)?\b(\w+)\s*\(", code)
    found = re.search(rf"__global__\b[^;{{]*?\b{re.escape(base)}\s*\(([^)]*)\)", code)
    if not found:
        there = ", ".join(dict.fromkeys(kernels)) or "no kernel at all (`__global__ void ...`)"
        raise CompileError(f"{file} has no kernel {base!r}; it has {there}")
    pieces = [piece.strip() for piece in _split(found[1])]
    return [_parameter(piece) for piece in pieces if piece and piece != "void"]


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
    text = re.sub(r"\[[^\]]*\]", "", text.split("=")[0]).strip()
    found = re.search(r"(\w+)\s*$", text)
    name = found[1] if found else "?"
    kind = re.sub(r"\b(?:const|volatile|__restrict__|__restrict|restrict|__grid_constant__)\b", "",
                  text[: found.start()] if found else text)
    kind = " ".join(kind.replace("*", " ").replace("&", " ").split())
    constant = re.search(r"\bconst\b", text) is not None
    shown = f"{'const ' * constant}{kind}{' *' * pointer}"
    return Parameter(name, shown, pointer, constant, dtype_of(kind))


def dtype_of(kind: str) -> np.dtype | None:
    """Return the dtype of a C type; a vector's is that of its members."""
    if kind in DTYPES:
        return np.dtype(DTYPES[kind])
    if found := re.fullmatch(r"(\w+?)([1-4])", kind):
        if found[1] in VECTORS:
            return np.dtype(VECTORS[found[1]])
    return None
