"""What NVIDIA's own compiler says to a learner's kernel, where it is installed; no GPU needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ... import cuda

ARCH = "sm_90"  # what the emulator says it is
SHOWN = 3  # of its errors

TAKEN = "NVIDIA's compiler takes this source: a GPU may run it, the emulator cannot."
# Its commonest words, made plain. The others stand as they are.
_PLAIN = {
    r'identifier "(.*?)" is undefined': r"`\1` is not declared",
    r'expected an? "(.)"': r"a `\1` is missing here, or before",
    r'cannot open source file "(.*?)"': r"there is no header `\1`: a source stands alone",
    r"expression must be a modifiable lvalue":
        "this cannot be changed: it is const, or no variable",
    r'a value of type "(.*?)" cannot be (?:assigned to|used to initialize) '
    r'an entity of type "(.*?)"':
        r"a `\1` cannot be stored in a `\2`",
    r'argument of type "(.*?)" is incompatible with parameter of type "(.*?)"':
        r"a `\1` is passed where a `\2` is taken",
    r'more than one instance of overloaded function "(.*?)" matches.*':
        r"`\1` is there for several types, and these arguments suit more than one: "
        "give both one type",
    r'no instance of overloaded function "(.*?)" matches.*': r"no `\1` takes these arguments",
    r"expression must have a constant value": "this must be known when the source is compiled",
    r'class "(.*?)" has no member "(.*?)"': r"a `\1` has no member `\2`",
    r"too (many|few) arguments in function call": r"too \1 arguments are given",
    r'"(.*?)" has already been declared.*': r"`\1` is declared twice",
}  # fmt: skip


@dataclass(frozen=True)
class Said:
    """Whether NVIDIA's compiler is here at all, and what it has against a source."""

    here: bool
    error: cuda.CompileError | None = None


def asked(source: str, name: str) -> Future[Said]:
    """Begin to compile a source. That takes less than the compiler that runs meanwhile."""
    return _thread().submit(_said, source, name)


def compiled(compile_: Callable[[], Any], says: Future[Said]) -> Any:
    """Return what the emulator's `compile_` gives. Raises `CompileError` if either refuses."""
    try:
        made = compile_()
    except cuda.CompileError as error:
        said = says.result()
        more = [TAKEN] if said.here and not said.error else _lines(said.error)
        raise cuda.CompileError("\n".join([str(error), *more]), error.lines) from None
    # What has no line is not about the source, or the emulator has said it too.
    error = says.result().error
    if error and any(line for line, _ in error.lines):
        raise cuda.CompileError(
            "\n".join(["it runs on the emulator, but on no GPU:", *_lines(error)]), error.lines
        )
    return made


def plain(message: str) -> str:
    """Return one of its messages in plain words, where these are known."""
    for pattern, words in _PLAIN.items():
        if found := re.fullmatch(pattern, message):
            return found.expand(words)
    return message


@lru_cache(maxsize=256)
def _said(source: str, name: str) -> Said:
    from ...cuda.inspect.nvrtc import compile_cubin

    try:
        compile_cubin(source, (name,), ARCH)
    except cuda.CompileError as error:
        return Said(True, error)
    except Exception:  # not installed, or not working: nobody's answer fails because of that
        return Said(False)
    return Said(True)


def _lines(error: cuda.CompileError | None) -> list[str]:
    found = error.lines[:SHOWN] if error else []
    return [
        f"NVIDIA's compiler{f', line {line}' if line else ''}: {plain(message)}"
        for line, message in found
    ]


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)
