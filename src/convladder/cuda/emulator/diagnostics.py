"""A C++ compiler's words turned into what a learner can act on, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import CompileError, EmulatorError
from .features import needs_gpu
from .nvrtc_rules import said
from .preprocess import masked

# What the compiler says where the machine fails, whatever the source.
NO_SOURCE = re.compile(
    "No space left|Disk quota|Read-only file system|Input/output error|Too many open files"
    "|Cannot allocate memory|virtual memory exhausted|internal compiler error|Killed signal"
    "|cannot execute|error trying to exec|error while loading shared libraries"
)
# What CUDA has and the emulator has not.
_ABSENT = (
    r"'(?:__[fd](?:add|sub|mul|div|ma|maf|rcp|sqrt)_r[zud]|__v\w+[24]|__vi\w+|__\w+_r[zud]"
    r"|erf(?:c?inv|cx)f?|normcdfinvf?|r?norm(?:4d)?f?|cyl_bessel_i[01]f?|[jy][01n]f?"
    r"|(?:tex|surf)[123]D\w*|__dp2a_\w+|__u?mul64hi|__fns|__brkpt|h2?tanh_approx|__fmaf_ieee_r[nzud]|__cvta_\w+"
    r"|__is(?:Global|Shared|Local|Constant|GridConstant)|__cluster\w+|__threadfence_cluster)'"
)
# What CUDA had before sm_70: lanes then went together without saying which.
_OLD = r"'__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)'"
_HINTS = {
    _OLD: "no CUDA of today has it: add _sync to the name, and the mask of the lanes in front, "
          "0xffffffff for a whole warp",
    _ABSENT: "CUDA has it, the emulator has not; a GPU runs it",
    "cl_type_of_":
        "dynamic shared memory of this name has another type elsewhere in the source: give each "
        "type a name of its own",
    "constant initializer":
        "a variable outside of all functions is there before anything runs: give it a number, or "
        "let a kernel store it",
    "jump to (?:case )?label":
        "a variable gets its value on a line that is jumped over: put that part in braces",
    "template instantiation depth":
        "a template that asks for itself without end: give the last one a specialisation, or stop "
        "with if constexpr",
    "cl_exchanged": "lanes exchange numbers: pass a vector or a structure member by member",
    r"\b(u?int(?:8|16|32|64)_t)'":
        "NVRTC has no <cstdint>: write unsigned, long long and so on, or #include "
        "<cuda/std/cstdint>",
    r"'(?:INFINITY|M_PI|HUGE_VALF?)'":
        "NVRTC has no <cmath>: #include <math_constants.h> and write CUDART_INF_F, CUDART_PI_F",
    r"'(?:FLT|DBL|INT|UINT|LONG|CHAR|SIZE|SHRT)_?\w*(?:MAX|MIN|BIT|EPSILON)'":
        "NVRTC has no <climits> or <cfloat>: write the number",
    r"'\w+' is not a member of 'std'|'std::":
        "NVRTC has no std:: on a GPU; CUDA's own functions go without: min, sqrtf, printf",
    r"No such file|file not found":
        "a source here stands alone, and NVRTC has no headers of C++: leave it out; printf, assert "
        "and the functions of numbers are there without",
    r"call of overloaded '|call to '\w+' is ambiguous":
        "write both numbers in one type, such as 0.0f beside a float",
    r"'__syncthreads' was not declared|undeclared identifier '__syncthreads'":
        "it is a call: __syncthreads();",
    r"section attribute": "a __constant__ variable stands outside of all functions",
    r"exceptions|'throw'|'try'": "a kernel throws and catches nothing",
    r"storage size of '\w+' isn't constant|variable length array|not an integral constant":
        "the size must be known when it is compiled; that of extern __shared__ memory comes with "
        "the launch",
    r"cl_now|member '(?:uint3|dim3)::": "CUDA's own indices and sizes can only be read",
}  # fmt: skip


def compile_error(told: str, text: str, file: str, name: str) -> CompileError:
    """Return the error for the compiler's output `told` on kernel `name` of the source `text`.

    Raises `EmulatorError` for words that are not of the source.
    """
    found = list(dict(reversed([*said(told, file)])).items())[::-1]
    if re.search("error: static assert.*cl_shared_limit", told):
        line = int(re.search(rf"^{re.escape(file)}:(\d+):\d+:", told, re.M)[1])
        found = [
            (
                line,
                "more shared memory than a block can have: 232448 bytes, and 49152 in "
                "arrays of a fixed size",
            )
        ]
    if needs := re.search(r"cl_gpu_only\((.*)\)", told):
        line = int(re.search(rf"^{re.escape(file)}:(\d+):\d+:", told, re.M)[1])
        found = [(line, needs_gpu(needs[1]))]
    if "cl_constant_limit" in told:
        return CompileError(
            f"{file}: its __constant__ arrays have more than 65536 bytes in all, "
            "which is what there is"
        )
    code = masked(text)
    opened, closed = code.count("{"), code.count("}")
    if opened > closed and (not found or any("end of input" in each for _, each in found)):
        return CompileError(
            f"{file} has {opened} {{ and {closed} }}: a }} is missing",
            [(len(text.splitlines()), "a } is missing")],
        )
    if not found and file not in told and not re.search("launcher|cl_block_of", told):
        raise of_the_machine(told)
    if not found:
        return _not_launched(code, file, name)
    return listed(found, text, file)


def of_the_machine(told: str) -> EmulatorError:
    """Return the error for words of the compiler, or of the worker, that no source brings about."""
    lines = [line.strip() for line in told.strip().splitlines()] or ["no word why"]
    telling = [line for line in lines if re.search("error|No space|cannot", line, re.I)] or lines
    why = re.sub(r"^\S+:\d+: ", "", telling[0])  # without a place in a file of ours
    return EmulatorError(
        f"kernels cannot be compiled or run here, whatever the source: {why}; "
        "CONVLADDER_CACHE names another folder for compiled ones"
    )


def listed(found: Iterable[tuple[int, str]], text: str, file: str) -> CompileError:
    """Return the error that tells each line of the source with what is wrong there."""
    lines = text.splitlines()
    known = f"({_OLD}|{_ABSENT})( was not declared in this scope); did you mean .*"
    found = [(line, re.sub(known, r"\1\2", message)) for line, message in found]
    found = [
        (line, _own(message) + _unended(lines, line, message) + _hint(message))
        for line, message in found
    ]
    return CompileError.on_lines(file, text, found)


def undefined(symbol: str, text: str, file: str) -> CompileError:
    """Return the error for the function `symbol`, which is called but nowhere defined."""
    code = masked(text)
    found = re.search(rf"\b{re.escape(symbol)}\b", code)
    line = code.count("\n", 0, found.start()) + 1 if found else 1
    return listed([(line, f"'{symbol}' is declared and never defined")], text, file)


def _not_launched(code: str, file: str, name: str) -> CompileError:
    base = re.escape(name.partition("<")[0].strip().split("::")[-1])
    found = re.search(rf"\b{base}\s*\(", code)
    line = code.count("\n", 0, found.start()) + 1 if found else 1
    return CompileError(
        f"{file}, line {line}: there is no kernel {name!r} that could be launched: is it declared "
        "`__global__ void`, spelt so, and does it take numbers and pointers only? An instance of a "
        "template gives all its arguments: f<float, 8>",
        [(line, f"no kernel {name!r} that could be launched")],
    )


def _own(message: str) -> str:
    """Without names of the emulator's own, which nobody has written."""
    message = re.sub(r"; did you mean '(?:cl_|__cl|CL_)\w*'\?", "", message)
    message = re.sub(r"\bcl_(?:fp16|bf16|cuda_\w+|group\w*|pipeline)::", "", message)
    message = message.replace("cl_type_of_", "")
    message = re.sub(
        r"'(\w+)' was not declared in this scope; did you mean '\1(?:(?<=half|at16)2)?'\?",
        r"'\1' is in a header of CUDA that the source does not include",
        message,
    )
    return re.sub(
        r"\(\(\(const \w+&\)cl_now\)->cl_(\w+)_(\w)(\w+)\)|cl_now->\w*?cl_\w+",
        lambda found: f"{found[1]}{found[2].upper()}{found[3]}" if found[1] else "it",
        message,
    )


def _unended(lines: list[str], line: int, message: str) -> str:
    """Where a semicolon is missing the compiler names the line after, at which it noticed."""
    above = lines[line - 2].strip() if 1 < line <= len(lines) + 1 else ""
    if not re.search("expected .*;.* before", message) or not above or above[-1] in ";{}":
        return ""
    return f" (line {line - 1} ends without a semicolon)"


def _hint(message: str) -> str:
    """Return a remedy, where one is known."""
    return next(
        (f" ({hint})" for pattern, hint in _HINTS.items() if re.search(pattern, message)), ""
    )
