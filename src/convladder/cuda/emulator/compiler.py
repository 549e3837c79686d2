"""Kernels compiled by whatever C++ compiler is there, kept by the content of what went in."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import CompileError
from . import compile_cache, toolchain
from .diagnostics import NO_SOURCE, compile_error, listed, of_the_machine
from .features import needs_gpu
from .nvrtc_rules import extensions, refused, said
from .preprocess import NeedsGpu, Prepared, masked, prepare
from .toolchain import compiler
from .unit import INCLUDE, remedy, unit

HERE = Path(__file__).parent
_TOLD = b"\nthe compiler told:\n"  # behind a library, before a digest
GAP = 4096  # bytes behind each shared array; a multiple of all their banks


@cache
def _headers() -> str:
    files = sorted(
        path
        for folder in (INCLUDE, HERE / "runtime")
        for path in folder.rglob("*")
        if path.is_file()
    )
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@cache
def runtime() -> Path:
    """Return the library that runs blocks, fibers and traces; made once."""
    source = HERE / "runtime" / "runtime.cpp"  # which includes the others
    options = [*toolchain.RUNTIME, "-pthread", str(source)]
    try:
        return _built("runtime", _headers(), options, "")
    except subprocess.CalledProcessError as error:
        raise of_the_machine(error.stderr) from None


@cache
def build(
    text: str, file: str, name: str, traced: bool, checked: bool = False
) -> tuple[Path, bool]:
    """Build the library of kernel `name` in the source `text`, and whether its threads may wait.

    `traced`, `checked`: which form of it, as `toolchain.options` has them.
    `file` is what errors call the source. Raises `CompileError` with the source's own lines.
    """
    exact = True
    prepared = _prepared(text, file, name)
    code = unit(prepared, text, file, name)
    options = toolchain.options(traced, checked)

    def includes() -> list[Path]:
        return [*([_precompiled(tuple(options))] if toolchain.gcc() else []), INCLUDE]

    stem, more = re.sub(r"\W+", "_", name), []
    while True:
        try:
            library = _built(stem, _headers(), [*options, *more], code, includes, file)
        except subprocess.CalledProcessError as error:
            option = remedy(error.stderr, text, file, name)
            if option not in (None, *more):
                more.append(option)
            elif exact:  # as it stands: what is wrong is then told in the source's own words
                exact = False
                prepared = _prepared(text, file, name, exact)
                code = unit(prepared, text, file, name)
            else:
                raise compile_error(error.stderr, text, file, name) from None
        else:
            return library, prepared.fibers or checked


def never_set(library: Path, text: str, file: str) -> list[tuple[int, str]]:
    """Return the local variables of the source `text` that are read before anything was assigned to
    them, each with the line: those that the compiler was sure of, or that begin with `+=`."""
    found, kept = [], library.read_bytes().rpartition(_TOLD)[2][:-32]
    for line, told in said(kept.decode(), file, "warning"):
        if name := re.match(r"'(\w+)' (is|may be) used uninit", told):
            line = _added_to_first(masked(text), name[1]) or (name[2] == "is" and line)
            found += [(line, name[1])] if line else []
    return found


def _added_to_first(code: str, name: str) -> int | None:
    """The line on which a variable, declared without a value, is added to before all else."""
    adds = rf"(?:[-+*|^&]=|=[^=;?&|]*\b{name}\b)"  # x += 1, x = x + 1
    rest = rf"(?:(?!\b{name}\b).)*\b{name}\s*{adds}"
    found = re.search(rf"\b{name}\s*(?:,[^;()]*)?;{rest}", code, re.S)
    return code.count("\n", 0, found.end()) + 1 if found else None


def warnings_near(text: str, file: str, name: str) -> list[tuple[int, str]]:
    """Return the lines on which the compiler itself sees an array's end passed, and its words."""
    warned = ("-Warray-bounds", "-Waggressive-loop-optimizations", "-Wstringop-overflow")
    words = [*toolchain.options(False), *warned, "-I", str(INCLUDE)]
    words += ["-x", "c++", "-c", "-", "-o", os.devnull]
    done = _run(words, input=unit(_prepared(text, file, name), text, file, name))
    return list(dict(said(done.stderr, file, "warning")).items())


def _key(*parts: str) -> str:
    """Return the name of the file that this compiler makes from these."""
    return hashlib.sha256("\0".join([toolchain.version(), *parts]).encode()).hexdigest()[:24]


@cache
def _precompiled(options: tuple[str, ...]) -> Path:
    """The folder of cl_device.h as GCC has read it under these options: half of a small kernel's
    time. GCC reads the text instead wherever it does not fit. (To see that its 12 MB are whole
    takes as long as to compile the kernel: once per process.)"""
    made = compile_cache.folder() / f"headers-{_key(_headers(), *options)}/cl_device.h.gch"
    folder = made.parent
    if not _is_whole(made):
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=compile_cache.folder()) as apart:
            new = Path(apart) / made.name
            header = ["-w", "-x", "c++-header", str(INCLUDE / "cl_device.h")]
            try:
                _compile([*options, *header, "-o", str(new)], apart)
            except subprocess.CalledProcessError as error:
                raise of_the_machine(error.stderr) from None
            _keep(new, made)
    return folder


def _run(words: Sequence[str], **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*compiler(), *words],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        env=toolchain.environment(),
        **more,
    )


def _compile(words: Sequence[str], folder: str) -> str:
    """Run the compiler in `folder`; return its warnings. Raises `CalledProcessError`, and
    `EmulatorError` where it isn't the source that fails."""
    try:
        done = _run(words, cwd=folder)
    except OSError as error:
        raise of_the_machine(str(error)) from None
    if done.returncode < 0 or NO_SOURCE.search(done.stderr):
        raise of_the_machine(done.stderr or f"it was ended by signal {-done.returncode}")
    done.check_returncode()
    return done.stderr


def _prepared(text: str, file: str, name: str, exact: bool = True) -> Prepared:
    if found := refused(masked(text)):
        raise listed([found], text, file)
    try:
        prepared = prepare(text, name, exact)
    except NeedsGpu as error:
        raise CompileError(
            f"{file}, line {error.line}: {needs_gpu(error.what)}",
            [(error.line, error.what)],
        ) from None
    return prepared


def _built(
    stem: str,
    salt: str,
    options: list[str],
    unit: str,
    includes: Callable[[], Sequence[Path]] = tuple,
    file: str = "",
) -> Path:
    """Compile `unit` (or the files among `options`) into a library, unless it is there already.

    `salt` stands for what lies in the folders of `includes()`, wherever these are. Raises
    `CalledProcessError`, for what is no C++17 on lines of `file` too.
    """
    path = compile_cache.folder() / f"{stem[:40]}-{_key(salt, *options, unit, str(GAP))}.so"
    if _is_whole(path):
        return path
    with tempfile.TemporaryDirectory(dir=compile_cache.folder()) as folder:
        made = Path(folder) / path.name
        files = []
        if unit:
            files = [Path(folder) / "unit.cpp"]
            files[0].write_text(unit, encoding="utf-8")
        undefined = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
        # Compiled and linked apart: the linker is not to bring the sanitizer's own runtime.
        searched = [word for each in includes() for word in ("-isystem", str(each))]
        steps = [[*options, "-shared", "-o", str(made)]]
        if unit:
            thing, code = made.with_suffix(".s"), str(made.with_suffix(".o"))
            steps = [
                [*options, *searched, "-S", str(files[0]), "-o", str(thing)],
                ["-c", str(thing), "-o", code],
                ["-shared", *undefined, code, *toolchain.libraries(), "-o", str(made)],
            ]
        told = ""
        for step in steps:
            told += _compile(step, folder)
            if strict := extensions(told, file):
                raise subprocess.CalledProcessError(1, step, stderr=strict)
            if "-S" in step:
                thing.write_text(_apart(thing.read_text(encoding="utf-8")), encoding="utf-8")
        if sys.platform == "darwin":  # before the object file goes, in which its lines are
            with suppress(OSError):
                subprocess.run(["dsymutil", "--flat", str(made)], capture_output=True, check=False)
                Path(f"{made}.dwarf").replace(f"{path}.dwarf")
        _keep(made, path, told if unit else "")
    return path


def _apart(assembly: str) -> str:
    """Leave room behind each shared array: none runs over into the next, or into the worker."""
    sections = re.split(r"(?m)^(?=[ \t]*\.(?:section|text|data|bss)\b)", assembly)
    for number, section in enumerate(sections):
        if ".tbss" in section.partition("\n")[0]:
            sections[number] = re.sub(r"(\.zero.*)", rf"\1 + {GAP}", section)
    # A Mac's, on one line:
    return re.sub(r"(\.tbss[ \t].*),", rf"\1 + {GAP},", "".join(sections))


def _keep(made: Path, path: Path, told: str = "") -> None:
    """Put a compiled file where it is kept, at once, whoever else makes the same: with a digest at
    its end, since a full disk or a crash may cut it short later, behind what the compiler `told` of
    it. (macOS signs what it loads.)"""
    if sys.platform == "linux":
        with made.open("rb+") as file:
            data = file.read()
            more = _TOLD + told.encode()
            file.write(more + hashlib.sha256(data + more).digest())
    made.replace(path)


def _is_whole(path: Path) -> bool:
    """Return whether a compiled file is there, and as it was made."""
    if not path.is_file():
        return False
    data = path.read_bytes()
    digest = hashlib.sha256(data[:-32]).digest()
    return data[-32:] == digest if sys.platform == "linux" else bool(data)
