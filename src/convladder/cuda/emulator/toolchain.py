"""The C++ compiler that is there, and the options under which it compiles kernels."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ...core.processor import cpu_flags
from ..errors import NoBackend

_COMMON = ("-std=c++17", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=fast", "-fno-math-errno")
RUNTIME = (*_COMMON, "-O3", "-g1", "-ftls-model=initial-exec",
           "-fno-semantic-interposition")  # fmt: skip
# A large frame touches each of its pages, so that no stack reaches into the next one unseen.
_PROBES = ("-fstack-clash-protection",) if sys.platform == "linux" else ()
_KERNEL = (
    "-g1", "-Werror=vla", "-fvisibility=hidden", *_PROBES,
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
# A variable to which nothing was assigned holds -1.7e38, or -16,843,010; with Clang NaN. On a CPU
# it is 0 too often for a sum that nobody has begun to show.
_FILLED = ("-ftrivial-auto-var-init=pattern",)  # from GCC 12 on, Clang 8
# On Arm, GCC probes every 64 KiB, where a stack's guard is one page (runtime/fiber.cpp). And it
# reaches one shared array from another's address, past the room put between them (compiler.py).
_ARM_GCC = ("--param=stack-clash-protection-guard-size=12", "-fno-section-anchors")
# Below -O2 nothing else has a product and a sum made one operation, as the plain build has them.
_FUSED_GCC = ("-fexpensive-optimizations",)
_TRACED_GCC = (
    "-fno-tree-sra", "-fno-ipa-sra", "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition",
    "-fno-guess-branch-probability", "-fno-tree-vectorize", "-fno-thread-jumps",
    *_FUSED_GCC, "-Wuninitialized", "-Wmaybe-uninitialized",  # see compiler.never_set
)  # fmt: skip
_VOLATILE_GCC = ("--param=tsan-distinguish-volatile=1",)  # from version 11 on
# Clang takes structures apart at any level but this, at which it keeps repeated accesses too.
_TRACED_CLANG = ("-O0", "-ffp-contract=on", "-mllvm", "-tsan-distinguish-volatile")
# Each index into an array of a known size is compared with it (runtime/bounds.cpp). A build of its
# own: in the plain one loops over such arrays would take up to three times as long, and in the
# traced one the compiler would load anew what it now keeps, and count it.
_CHECKED = (*_KERNEL, "-O1", "-DCL_CHECKED")
_CHECKED_GCC = (
    *_PLAIN_GCC, *_FUSED_GCC, "-fsanitize=bounds-strict",
    # Room around each array, and a call before each access (runtime/red_zones.cpp).
    "-fsanitize=kernel-address", "-fno-sanitize-address-use-after-scope",
    "-fasan-shadow-offset=0x7fff8000", "-fsanitize-sections=cl_constant", "--param=asan-stack=1",
    "--param=asan-globals=1", "--param=asan-instrumentation-with-call-threshold=0",
)  # fmt: skip
_CHECKED_CLANG = ("-fsanitize=array-bounds", "-fsanitize-recover=array-bounds")
# All that is not C++17 is told, and `rules` knows what of it NVRTC refuses too.
_WARNINGS = ("-Wpedantic", "-Wno-attributes", "-Wno-unknown-pragmas", "-Wno-narrowing")


@cache
def compiler() -> tuple[str, ...]:
    """Return the command: `$CXX`, g++, clang++, else the package ziglang's. Raises `NoBackend`."""
    if sys.platform == "win32":
        raise NoBackend(
            "There is no GPU, and kernels run on the CPU under Linux and macOS only; "
            "use Windows' own Linux (WSL)"
        )
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
def version() -> str:
    """Return the key of the cache, which differs between compilers and between processors."""
    processor = cpu_flags() or platform.processor()  # machines that share a cache may differ in it
    return _answer(compiler(), "--version") + platform.machine() + processor


@cache
def _native() -> str:
    """Return the option for this processor's own instructions: on Arm older Clang has another."""
    command = [*compiler(), "-march=native", "-E", "-x", "c++", os.devnull, "-o", os.devnull]
    known = gcc() or subprocess.run(command, capture_output=True, check=False).returncode == 0
    return "-march=native" if known else "-mcpu=native"


@cache
def options(traced: bool, checked: bool = False) -> list[str]:
    """Return the options for a kernel that is run as it is, or whose accesses are traced, or
    (`checked`) whose indices are compared with the sizes of arrays."""
    version = _answer(compiler(), "-dumpversion").split(".")[0]
    number = int(version) if version.isdigit() else 0
    # A loop that never ends is not to be left out, whatever C++ says of it.
    loops = ("-fno-finite-loops",) if number >= (10 if gcc() else 12) else ()
    filled = _FILLED if number >= (12 if gcc() else 8) else ()
    flags = (*_PLAIN, *_PLAIN_GCC) if gcc() else _PLAIN
    if traced:
        own = (*_TRACED_GCC, *_VOLATILE_GCC[: number > 10]) if gcc() else _TRACED_CLANG
        flags = (*_TRACED, *own)
    elif checked:
        flags = (*_CHECKED, *(_CHECKED_GCC if gcc() else _CHECKED_CLANG))
    arm = _ARM_GCC if gcc() and _PROBES else ()
    return [*_COMMON, _native(), *flags, *arm, *filled, *loops, *_WARNINGS]


@cache
def libraries() -> list[str]:
    """Return the libraries that a kernel is linked with.

    C++'s own library is not: the runtime, loaded first, has brought it, and to look through it for
    nothing takes half of the linker's time.
    """
    return ["-nostdlib", "-lm", "-lc", "-lgcc"] if sys.platform == "linux" and gcc() else []


@cache
def gcc() -> bool:
    """Return whether the compiler is GCC, and not Clang or what is built on it."""
    return "clang" not in version().lower() and "ziglang" not in compiler()


def environment() -> dict[str, str]:
    """Return this process's environment, but with messages in English, whose words are read."""
    return {**os.environ, "LC_ALL": "C"}
