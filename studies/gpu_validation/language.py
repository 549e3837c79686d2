"""What NVRTC and the emulator say to small programs, valid and not; needs no GPU.

They lie in `programs/*.cuh`, each behind a line `//: its name`, or `//: refused: its name` where
NVRTC refuses it; the kernel is `f`, or what stands in square brackets behind the name. `names()`
makes more: every letter as a macro, many a common word as a macro, a variable, a function, a type
and a kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import ascii_letters

from convladder.bench.metadata import cpu_metadata
from convladder.bench.records import newest
from convladder.core.progress import Progress, report_progress
from convladder.cuda.errors import CompileError

FOLDER = "language"
PACKAGES = ("nvidia-cuda-nvrtc", "cuda-core")


@cache
def recorded() -> dict:
    """Return the newest record: `programs` by group, those `refused` by either, with its words."""
    return newest(FOLDER)


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Let both judge every program; takes minutes. Raises `RuntimeError` where one is not there."""
    from convladder.cuda.emulator.toolchain import described

    compiler = described()
    refused = {}
    for program in programs():
        progress(program.name)
        said = {
            "nvrtc": _words(by_nvrtc(program)),
            "emulator": _words(by_emulator(program)),
        }
        if any(said.values()):
            refused[program.name] = said
    stamp = cpu_metadata(PACKAGES)
    return {
        **stamp,
        "versions": {**stamp["versions"], "compiler": compiler},
        "arch": ARCH,
        "programs": groups(),
        "refused": refused,
    }


def groups() -> dict[str, dict[str, object]]:
    """Return how many programs each group has, and a digest of their texts."""
    found: dict[str, list[str]] = {}
    for program in programs():
        found.setdefault(program.group, []).append(f"{program.name}\n{program.text}")
    return {
        group: {"number": len(texts), "digest": sha256("\n".join(texts).encode()).hexdigest()[:16]}
        for group, texts in found.items()
    }


def lines(record: Mapping) -> Iterator[str]:
    """Say how many programs there are, and where the two differ."""
    number = sum(group["number"] for group in record["programs"].values())
    differing = [
        name
        for name, said in record["refused"].items()
        if (said["nvrtc"] is None) != (said["emulator"] is None)
    ]
    yield (
        f"{number} programs, NVRTC {record['versions']['nvidia-cuda-nvrtc']} beside "
        f"{record['versions']['compiler']}: one verdict on all but {len(differing)}"
    )
    yield from (f"  {name}: {DIFFERENT.get(name, 'no reason is given')}" for name in differing)


def _words(error: CompileError | None) -> str | None:
    """The first line of what was said, with the line of the program."""
    if error is None:
        return None
    line, text = error.lines[0] if error.lines else (None, str(error))
    return (f"line {line}: " if line else "") + text.splitlines()[0]


PROGRAMS = Path(__file__).with_name("programs")
FILE = "program.cu"  # what messages call each
ARCH = "sm_90"  # what the emulator says it is
WORDS = (
    "tile TILE Tile run call min max block thread grid warp lane state swap size count value type "
    "index data kernel begin end first last width height row column stride offset sum result input "
    "output name number element mask source"
).split()
# Common words that the emulator's headers use, or the compiler beneath them.
INSIDE = (
    "arguments at atomic barrier by constant declared device dynamic fence fiber from letter next "
    "of old other rest shared sides site to used section aligned noinline hidden push"
).split()
_CHOICE = "NVRTC, asked for the kernel by its name, cannot choose between it and CUDA's own"
# Where the two say different things, and why that stays.
DIFFERENT = {
    "a pointer less than 0": "no C++: g++ and Clang have no switch for it",
    "goto past an initial value": "no C++: g++ and Clang have no switch for it",
    "a variable within a switch": "no C++: g++ and Clang have no switch for it",
    "static_assert(false) in a template that nobody uses": "allowed since C++23, and by g++ 13",
    "a static member that is only declared": "where it lies is said nowhere",
    "extern __shared__ without brackets": "dynamic memory is an array here, as in CUDA's guide",
    "a header after a macro that breaks NVIDIA's": "the emulator's headers are read first",
    "shared as a macro": "NVIDIA's __shared__ says `shared`, the emulator's does not",
    "min as a kernel": _CHOICE,
    "max as a kernel": _CHOICE,
    "malloc and free": "the emulator has no heap for kernels",
    "new and delete": "the emulator has no heap for kernels",
    "a reference": "it would refer to the host's memory, and a GPU cannot reach that",
    "assembly": "there is no GPU to run its instructions",
    "roundings that are asked for": "the emulator has not all of CUDA's functions",
    "inverses of the error function": "the emulator has not all of CUDA's functions",
    "four bytes at once": "the emulator has not all of CUDA's functions",
}
_REFUSED = ("shared as a macro", "min as a kernel", "max as a kernel")  # of `names()`
_TITLE = re.compile(r"^//: (?P<refused>refused: )?(?P<name>.*?)(?: \[(?P<kernel>[^\]]*)\])?$")
_BODY = """extern "C" __global__ void {kernel}(float *y_)
{{
    __shared__ float tile_[16];
    extern __shared__ float more_[];
    {use}
    __syncthreads();
    more_[0] = fmaxf(sqrtf(tile_[0]), __shfl_sync(0xffffffff, 4, 0));
    atomicAdd(y_, more_[0] + warpSize);
}}
"""
_KINDS = {
    "macro": ("#define {word} 16\n", "tile_[0] = {word};"),
    "variable": ("", "int {word} = 16; tile_[0] = {word};"),
    "function": ("__device__ int {word}(int a_) {{ return a_; }}\n", "tile_[0] = {word}(16);"),
    "type": ("struct {word} {{ int m_; }};\n", "struct {word} v_ = {{16}}; tile_[0] = v_.m_;"),
    "kernel": ("", "tile_[0] = 16;"),
}


@dataclass(frozen=True)
class SampleProgram:
    """One program: the text, its kernel, whether NVRTC must refuse it; `group`, its file."""

    name: str
    group: str
    text: str
    kernel: str = "f"
    refused: bool = False


def programs() -> list[SampleProgram]:
    """Return all of them, no two of one name."""
    return [*written(), *names()]


def written() -> Iterator[SampleProgram]:
    """Yield the programs of `programs/`."""
    for path in sorted(PROGRAMS.glob("*.cuh")):
        _, *pieces = re.split(r"^(?=//: )", path.read_text(encoding="utf-8"), flags=re.M)
        for piece in pieces:
            title, _, text = piece.partition("\n")
            found = _TITLE.match(title)
            yield SampleProgram(
                found["name"],
                path.stem,
                text.rstrip("\n"),
                found["kernel"] or "f",
                bool(found["refused"]),
            )


def names() -> Iterator[SampleProgram]:
    """Yield the programs about names."""
    for kind, (before, use) in _KINDS.items():
        for word in (*ascii_letters, *WORDS, *INSIDE) if kind == "macro" else WORDS:
            kernel = word if kind == "kernel" else "kernel_"
            text = (before + _BODY.replace("{use}", use)).format(word=word, kernel=kernel)
            yield SampleProgram(
                name := f"{word} as a {kind}", "names", text, kernel, name in _REFUSED
            )


def by_nvrtc(program: SampleProgram) -> CompileError | None:
    """Return why NVRTC refuses it, or None. Raises `MissingPackages`."""
    from convladder.cuda.inspect.nvrtc import compile_cubin

    try:
        compile_cubin(program.text, (program.kernel,), ARCH, file=FILE)
    except CompileError as error:
        return error
    return None


def by_emulator(program: SampleProgram, traced: bool = False) -> CompileError | None:
    """Return why the emulator refuses it, or None; in the form that `profile` runs if `traced`."""
    from convladder.cuda.emulator.launcher import Emulated
    from convladder.cuda.signature import parameters

    try:
        taken = parameters(program.text, program.kernel, FILE)
        Emulated(program.text, FILE, program.kernel, taken, traced)
    except CompileError as error:
        return error
    return None
