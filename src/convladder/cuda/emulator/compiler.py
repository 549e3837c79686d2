"""Kernels compiled by whatever C++ compiler is there, kept by the content of what went in."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ..errors import CompileError, NoBackend
from .diagnostics import compile_error, listed
from .features import needs_gpu
from .rules import extensions, refused, said
from .source import NeedsGpu, Prepared, masked, prepare
from .unit import INCLUDE, remedy, unit

HERE = Path(__file__).parent
_COMMON = ("-std=c++17", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=fast", "-fno-math-errno")
_RUNTIME = (*_COMMON, "-O2", "-g1")
# A large frame touches each of its pages, so that no stack reaches into the next one unseen.
_PROBES = ("-fstack-clash-protection",) if sys.platform == "linux" else ()
_KERNEL = (
    "-g1", "-march=native", "-Werror=vla", "-fvisibility=hidden", *_PROBES,
    # NVRTC has no headers of a C or C++ library either, and no exceptions.
    "-nostdinc", "-nostdinc++", "-fno-exceptions", "-fno-rtti",
)  # fmt: skip
# A call that ends a kernel returns to it all the same, so that faults have their line.
_PLAIN = (*_KERNEL, "-O2", "-fno-optimize-sibling-calls")
# What the GPU's compiler does too (no access twice, none that is not needed), and no more: no
# structure is taken apart, no piece of code moved out of the order in which it runs.
_TRACED = (
    *_KERNEL, "-O1", "-DCL_TRACED", "-fsanitize=thread", "-fsanitize-coverage=trace-pc",
)  # fmt: skip
# A division by a constant zero, a store to a null pointer: on their lines, as any other.
_PLAIN_GCC = ("-fno-isolate-erroneous-paths-dereference",)
_TRACED_GCC = (
    "-fno-tree-sra", "-fno-ipa-sra", "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition",
    "-fno-guess-branch-probability", "-fno-tree-vectorize", "-fno-thread-jumps",
)  # fmt: skip
_VOLATILE_GCC = ("--param=tsan-distinguish-volatile=1",)  # from version 11 on
# Clang takes structures apart at any level but this, at which it keeps repeated accesses too.
_TRACED_CLANG = ("-O0", "-mllvm", "-tsan-distinguish-volatile")
# All that is not C++17 is told, and `rules` knows what of it NVRTC refuses too.
_WARNINGS = ("-Wpedantic", "-Wno-attributes", "-Wno-unknown-pragmas", "-Wno-narrowing")


@cache
def compiler() -> tuple[str, ...]:
    """Return the command: `$CXX`, g++, clang++, else the package ziglang's. Raises `NoBackend`."""
    if sys.platform == "win32":
        raise NoBackend("There is no GPU, and kernels run on the CPU under Linux and macOS only; "
                        "use Windows' own Linux (WSL)")
    for words in (os.environ.get("CXX", ""), "g++", "clang++"):
        command = tuple(shlex.split(words))
        # Asked for its version, since macOS has a g++ that only offers to install one.
        if command and shutil.which(command[0]) and _answer(command, "-dumpversion"):
            return command
    if find_spec("ziglang"):
        return (sys.executable, "-m", "ziglang", "c++")
    raise NoBackend(
        "There is no GPU and no C++ compiler, so no CUDA kernel can run here. Install a compiler "
        "(`convladder doctor` says how), or `pip install ziglang`, which brings one."
    )


def described() -> str:
    """Return name and version of the compiler: "g++ 12". Raises `NoBackend`."""
    name = "ziglang" if "ziglang" in compiler() else Path(compiler()[-1]).name
    return f"{name} {_answer(compiler(), '-dumpversion')}".strip()


def _answer(command: tuple[str, ...], question: str) -> str:
    try:
        done = subprocess.run([*command, question], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@cache
def _version() -> str:
    return _answer(compiler(), "--version") + platform.machine() + _processor()


def _processor() -> str:
    try:  # a cache may be shared by machines of different instruction sets
        return re.search(r"^flags.*$", Path("/proc/cpuinfo").read_text(), re.M)[0]
    except (OSError, TypeError):
        return platform.processor()


@cache
def cache_folder() -> Path:
    """Return the compiled kernels' folder: `$CONVLADDER_CACHE`, else the user's for caches."""
    home = Path.home()
    usual = {"darwin": home / "Library" / "Caches"}.get(
        sys.platform, Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache"))
    folder = Path(os.environ.get("CONVLADDER_CACHE") or usual / "convladder") / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="convladder-"))
    return folder


@cache
def _headers() -> str:
    files = sorted(path for folder in (INCLUDE, HERE / "runtime") for path in folder.rglob("*")
                   if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@cache
def runtime() -> Path:
    """Return the library that runs blocks, fibers and traces; made once."""
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    return _built("runtime", _headers(), [*_RUNTIME, "-pthread", *map(str, sources)], "")


@cache
def build(text: str, file: str, name: str, traced: bool) -> tuple[Path, bool]:
    """Build the library of kernel `name` in the source `text`, and whether its threads may wait.

    `file` is what errors call the source. Raises `CompileError` with the source's own lines.
    """
    prepared = _prepared(text, file)
    code = unit(prepared, text, file, name)
    options = _options(traced)
    includes = [*([_precompiled(tuple(options))] if _gcc() else []), INCLUDE]
    stem, more = re.sub(r"\W+", "_", name), []
    while True:
        try:
            library = _built(stem, _headers(), [*options, *more], code, includes, file)
        except subprocess.CalledProcessError as error:
            option = remedy(error.stderr, text, file, name)
            if option is None or option in more:
                raise compile_error(error.stderr, text, file, name) from None
            more.append(option)
        else:
            return library, prepared.fibers


def suspects(text: str, file: str, name: str) -> list[tuple[int, str]]:
    """Return the lines on which the compiler itself sees an array's end passed, and its words."""
    options = [*_options(False), "-Warray-bounds", "-Waggressive-loop-optimizations",
               "-Wstringop-overflow", "-I", str(INCLUDE), "-x", "c++", "-c", "-", "-o", os.devnull]
    done = subprocess.run([*compiler(), *options], capture_output=True, text=True, check=False,
                          input=unit(_prepared(text, file), text, file, name), env=_environment())
    return list(dict(said(done.stderr, file, "warning")).items())


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C"}  # messages in English, whose words are read


@cache
def _options(traced: bool) -> list[str]:
    told = _answer(compiler(), "-dumpversion").split(".")[0]
    number = int(told) if told.isdigit() else 0
    # A loop that never ends is not to be left out, whatever C++ says of it.
    loops = ("-fno-finite-loops",) if number >= (10 if _gcc() else 12) else ()
    flags = (*_PLAIN, *_PLAIN_GCC) if _gcc() else _PLAIN
    if traced:
        own = (*_TRACED_GCC, *_VOLATILE_GCC[: number > 10]) if _gcc() else _TRACED_CLANG
        flags = (*_TRACED, *own)
    return [*_COMMON, *flags, *loops, *_WARNINGS]


@cache
def _gcc() -> bool:
    return "clang" not in _version().lower() and "ziglang" not in compiler()


def _precompiled(options: tuple[str, ...]) -> Path:
    """The folder of cl_device.h as GCC has read it under these options: half of a small kernel's
    time. GCC reads the text instead wherever it does not fit."""
    key = hashlib.sha256("\0".join([_version(), _headers(), *options]).encode()).hexdigest()[:24]
    folder = cache_folder() / f"headers-{key}"
    made = folder / "cl_device.h.gch"
    if not made.exists():
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder()) as apart:
            new = Path(apart) / made.name
            subprocess.run([*compiler(), *options, "-w", "-x", "c++-header",
                            str(INCLUDE / "cl_device.h"), "-o", str(new)],
                           capture_output=True, text=True, check=True, cwd=apart)
            new.replace(made)
    return folder


def _prepared(text: str, file: str) -> Prepared:
    try:
        prepared = prepare(text)
    except NeedsGpu as error:
        raise CompileError(
            f"{file}, line {error.line}: {needs_gpu(error.what)}", [(error.line, error.what)],
        ) from None
    if found := refused(masked(text)):
        raise listed([found], text, file)
    return prepared


def _built(stem: str, salt: str, options: list[str], unit: str,
           includes: Sequence[Path] = (), file: str = "") -> Path:
    """Compile `unit` (or the files among `options`) into a library, unless it is there already.

    `salt` stands for what lies in the folders `includes`, wherever these are. Raises
    `CalledProcessError`, for what is no C++17 on lines of `file` too.
    """
    key = hashlib.sha256("\0".join([_version(), salt, *options, unit]).encode()).hexdigest()[:24]
    path = cache_folder() / f"{stem[:40]}-{key}.so"
    if path.exists():
        return path
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        made = Path(folder) / path.name
        files = []
        if unit:
            files = [Path(folder) / "unit.cpp"]
            files[0].write_text(unit)
        undefined = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
        # Compiled and linked apart: the linker is not to bring the sanitizer's own runtime.
        searched = [word for each in includes for word in ("-isystem", str(each))]
        steps = [[*options, "-shared", "-o", str(made)]]
        if unit:
            thing = str(made.with_suffix(".o"))
            steps = [[*options, *searched, "-c", str(files[0]), "-o", thing],
                     ["-shared", *undefined, thing, "-o", str(made)]]
        for step in steps:
            done = subprocess.run([*compiler(), *step], capture_output=True, text=True, check=True,
                                  cwd=folder, env=_environment())
            if strict := extensions(done.stderr, file):
                raise subprocess.CalledProcessError(1, step, stderr=strict)
        made.replace(path)  # at once, whoever else builds the same
    return path
