"""Code that NVRTC refuses though an ordinary C++ compiler accepts it, and the other way round.

`studies/gpu_validation/language.py` holds both against one another, program by program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Of the source without comments and literals.
_REFUSED = {
    r"[^\x00-\x7f]": "{} is no sign of C++ (copied from a text, perhaps)",
    r"\b(?:texture|surface)\s*<|\bcudaTextureType\w*": "{} went with CUDA 12, on every GPU: pass "
        "the image by a const pointer",
    r"\bthread_local\b": "{} is not for kernels; local variables are each thread's own",
    # In a declaration without __device__.
    r"(?:^|(?<=[;{}]))(?![^;{}(]*__device__)[^;{}(]*?\b(__host__)\b":
        "{} alone: NVRTC compiles for the GPU only; write __device__, or nothing",
    r"(?<!\])\]\s*__(?:device|host)__\b": "a lambda takes no __device__; leave it out",
    r"\b__shared__\b[^;{}()=\[]*(?:\[[^\]]*\][^;{}()=\[]*)*=(?!=)":
        "shared memory has no values to begin with: let a thread store them, then __syncthreads()",
    r"\bextern\s+__shared__[^;\[]*;":
        "extern __shared__ memory is an array without a size: extern __shared__ float one[];",
    r"\b(?:malloc|free)\s*\(|\bnew\b(?!\s*\()|(?<!=)(?<!= )\bdelete\b":
        "a GPU has a heap for {}, the emulator has none: use a local array, or pass one",
    r"\b__builtin_(?!(?:expect|unreachable|bit_cast|assume|assume_aligned)\b)\w+":
        "{} is the processor's compiler's own; NVRTC does not know it",
    r"\b__(?:typeof(?:__)?|auto_type|extension__|asm__|const|signed__|float128|fp16|thread)\b"
    r"|\b_(?:Bool|Static_assert|Float16|Complex)\b|\b__VA_OPT__\b|\b__COUNTER__\b"
    r"|\b__(?!CUDA)[A-Z0-9]+(?:_[A-Z0-9]+)*_(?:MAX|MIN|TYPE|BIT|WIDTH|EPSILON|DIG)__\b":
        "{} is not known to NVRTC",
}  # fmt: skip
# Warnings of what g++ or Clang add to C++17.
_EXTENSION = re.compile(
    r"only available with|C\+\+2[0-9a-c] extension|GNU|braced-groups|middle operand|zero.size array"
    r"|address of a label|range expressions in switch|compound.literals|designated initializers"
    r"|does not support '__int128'|__int128 is an|pointer of type 'void \*' used|pointer to void is"
    r"|imaginary constants|complex types|'register' storage|exceeds range of"
)
# Errors, but not for NVRTC: with -fpermissive they are not for g++ either.
_PERMITTED = re.compile(r"there are no arguments to .* that depend on a template")
_SAID = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? "
    r"(?P<kind>(?:fatal )?error|warning|note): (?P<text>.*?)(?: \[-[\w+=-]+\])?$",
    re.M,
)


def refused(code: str) -> tuple[int, str] | None:
    """Return the first line of a source, as `masked` gives it, that NVRTC refuses, and why."""
    found = [
        (match.start(match.lastindex or 0), match[match.lastindex or 0], why)
        for pattern, why in _REFUSED.items()
        if (match := re.search(pattern, code))
    ]
    if not found:
        return None
    at, what, why = min(found)
    return code.count("\n", 0, at) + 1, why.format(what.rstrip("(< "))


def said(told: str, file: str, kind: str = "error") -> Iterator[tuple[int, str]]:
    """Yield the compiler's errors or warnings on lines of `file`: line, message.

    What is wrong in a macro of a header is noted on the line that uses it.
    """
    inside = None
    for match in _SAID.finditer(told):
        own = match["file"] == file
        if match["kind"].endswith(kind):
            inside = None if own else match["text"]
            if own:
                yield int(match["line"]), match["text"]
        elif own and inside and match["text"].startswith("in expansion of macro"):
            yield int(match["line"]), inside
            inside = None


def extensions(told: str, file: str) -> str:
    """Return the warnings on lines of `file` that NVRTC makes errors, called so; "" if none is."""
    return "".join(
        f"{file}:{line}: error: {text}\n"
        for line, text in said(told, file, "warning")
        if _EXTENSION.search(text)
    )


def permitted(told: str, file: str) -> bool:
    """Return whether all that the compiler calls an error is none for NVRTC."""
    errors = [text for _, text in said(told, file)]
    return bool(errors) and all(map(_PERMITTED.search, errors))
