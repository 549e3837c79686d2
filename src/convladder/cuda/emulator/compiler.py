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
from ..signature import launch_bounds
from .source import NeedsGpu, Prepared, masked, others_inline, prepare

HERE = Path(__file__).parent
_COMMON = ("-std=c++17", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=fast", "-fno-math-errno")
_RUNTIME = (*_COMMON, "-O2", "-g1")
# A large frame touches each of its pages, so that no stack reaches into the next one unseen.
_PROBES = ("-fstack-clash-protection",) if sys.platform == "linux" else ()
_KERNEL = ("-g1", "-march=native", "-Werror=vla", "-fvisibility=hidden", *_PROBES)
_PLAIN = (*_KERNEL, "-O2")
# What the GPU's compiler does too (no access twice, none that is not needed), and no more: no
# structure is taken apart, no piece of code moved out of the order in which it runs.
_TRACED = (
    *_KERNEL, "-O1", "-DCL_TRACED", "-fsanitize=thread", "-fsanitize-coverage=trace-pc",
)  # fmt: skip
_TRACED_GCC = (
    "-fno-tree-sra", "-fno-ipa-sra", "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition",
    "-fno-guess-branch-probability", "-fno-tree-vectorize", "-fno-thread-jumps",
)  # fmt: skip
_VOLATILE_GCC = "--param=tsan-distinguish-volatile=1"  # from version 11 on; before, all are plain
# Clang takes structures apart at any level but this, at which it keeps repeated accesses too.
_TRACED_CLANG = ("-O0", "-mllvm", "-tsan-distinguish-volatile")
_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.M
)


@cache
def compiler() -> tuple[str, ...]:
    """The command: `$CXX`, g++, clang++, else that of the package ziglang. Raises `NoBackend`."""
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
    """Name and version of the compiler: "g++ 12". Raises `NoBackend`."""
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
    """Where compiled kernels are kept: `$CONVLADDER_CACHE`, else the user's folder for caches."""
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
    files = sorted([*(HERE / "include").iterdir(), *(HERE / "runtime").iterdir()])
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@cache
def runtime() -> Path:
    """The library that runs blocks, fibers and traces; made once."""
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    return _built("runtime", _headers(), [*_RUNTIME, "-pthread", *map(str, sources)], "")


@cache
def build(text: str, file: str, name: str, traced: bool) -> tuple[Path, bool]:
    """The library of kernel `name` in the source `text`, and whether its threads may wait.

    `file` is what errors call the source. Raises `CompileError` with the source's own lines.
    """
    prepared = _prepared(text, file)
    variables = "".join(f'CL_VARIABLE({v}), ' for v in prepared.variables)
    constant_bytes = "+".join(["0", *(f"sizeof({name})" for name in prepared.constants)])
    # What depends on a template's own arguments is known to its compiler alone.
    bounds = "<" not in name and launch_bounds(text, name) or 0
    code = others_inline(prepared.text, name)
    unit = (f'#include "cl_device.h"\n#line 1 "{file}"\n{code}\n#line 1 "launcher"\n'
            f'#define CL_KERNEL {name}\n#define CL_VARIABLES {variables}\n'
            f'#define CL_BOUNDS {bounds}\n'
            f'#define CL_CONSTANT_BYTES {constant_bytes}\n'
            '#include "cl_module.h"\n')
    gcc = "clang" not in _version().lower() and "ziglang" not in compiler()
    flags = (*_TRACED, *(_traced_gcc() if gcc else _TRACED_CLANG)) if traced else _PLAIN
    options = [*_COMMON, *flags, "-Wno-attributes", "-Wno-unknown-pragmas"]
    includes = [*([_precompiled(tuple(options))] if gcc else []), HERE / "include"]
    stem = re.sub(r"\W+", "_", name)
    try:
        try:
            path = _built(stem, _headers(), options, unit, includes)
        except subprocess.CalledProcessError as error:
            if "inlining failed" not in error.stderr:
                raise
            path = _built(stem, _headers(), [*options, "-DCL_RECURSIVE"], unit, includes)
    except subprocess.CalledProcessError as error:
        raise _compile_error(error.stderr, text, file, name) from None
    return path, prepared.fibers


@cache
def _traced_gcc() -> tuple[str, ...]:
    number = _answer(compiler(), "-dumpversion").split(".")[0]
    return (*_TRACED_GCC, _VOLATILE_GCC) if number.isdigit() and int(number) > 10 else _TRACED_GCC


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
                            str(HERE / "include" / "cl_device.h"), "-o", str(new)],
                           capture_output=True, text=True, check=True, cwd=apart)
            new.replace(made)
    return folder


def _prepared(text: str, file: str) -> Prepared:
    try:
        return prepare(text)
    except NeedsGpu as error:
        raise CompileError(
            f"{file}, line {error.line}: {error.what} needs a GPU; the emulator runs CUDA-core "
            "code only",
            [(error.line, error.what)],
        ) from None


def _built(stem: str, salt: str, options: list[str], unit: str,
           includes: Sequence[Path] = ()) -> Path:
    """Compile `unit` (or the files among `options`) into a library, unless it is there already.

    `salt` stands for what lies in the folders `includes`, wherever these are.
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
        searched = [word for each in includes for word in ("-I", str(each))]
        steps = [[*options, "-shared", "-o", str(made)]]
        if unit:
            thing = str(made.with_suffix(".o"))
            steps = [[*options, *searched, "-c", str(files[0]), "-o", thing],
                     ["-shared", *undefined, thing, "-o", str(made)]]
        for step in steps:
            subprocess.run([*compiler(), *step], capture_output=True, text=True, check=True,
                           cwd=folder)
        made.replace(path)  # at once, whoever else builds the same
    return path


def _compile_error(told: str, text: str, file: str, name: str) -> CompileError:
    """The compiler's own words for the lines of the source, each with that line."""
    found = {}  # the first message of each line
    for m in _MESSAGE.finditer(told):
        if m["file"] == file:
            found.setdefault(int(m["line"]), re.sub(r" \[-W.*\]$", "", m["text"]))
    found = list(found.items())
    lines = text.splitlines()
    if not found and (needs := re.search(r'#error "(<.*)"', told)):
        return CompileError(f"{file}: {needs[1]}")
    if "cl_shared_limit" in told:
        line = int(re.search(rf"^{re.escape(file)}:(\d+):\d+:", told, re.M)[1])
        found = [(line, "more shared memory than a block can have: 232448 bytes, and 49152 in "
                        "arrays of a fixed size")]
    if "cl_constant_limit" in told:
        return CompileError(f"{file}: its __constant__ arrays have more than 65536 bytes in all, "
                            "which is what there is")
    opened, closed = masked(text).count("{"), masked(text).count("}")
    if not found and opened > closed:
        return CompileError(f"{file} opens {opened} times with {{ and closes {closed} times "
                            "with }: one is missing")
    if not found and ("launcher:" in told or "cl_module.h:" in told):
        return CompileError(
            f"{file} has no kernel {name!r} that could be launched: is it declared "
            "`__global__ void`, spelt so, and does it take numbers and pointers only?"
        )
    if not found:
        return CompileError(f"{file} does not compile: {told.strip()[:600]}")
    if any("No such file" in message or "file not found" in message for _, message in found):
        found = [(line, f"{message} (a source here stands alone; <cuda_fp16.h> is known)")
                 for line, message in found]
    found = [(line, message + _unended(lines, line, message) + _uncalled(message))
             for line, message in found]
    shown = [f"{file}, line {line}: {message}\n    {lines[line - 1].strip()}"
             if 0 < line <= len(lines) else f"{file}, line {line}: {message}"
             for line, message in found[:5]]
    return CompileError("\n".join(shown), found)


def _unended(lines: list[str], line: int, message: str) -> str:
    """Where a semicolon is missing the compiler names the line after, at which it noticed."""
    above = lines[line - 2].strip() if 1 < line <= len(lines) + 1 else ""
    if not re.search("expected .*;.* before", message) or not above or above[-1] in ";{}":
        return ""
    return f" (line {line - 1} ends without a semicolon)"


def _uncalled(message: str) -> str:
    """The barrier is a macro here, which no compiler knows without its brackets."""
    without = re.search(r"\W__syncthreads\W", message) and "declared" in message
    return " (it is a call: __syncthreads();)" if without else ""
