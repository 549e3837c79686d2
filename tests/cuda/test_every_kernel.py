"""Every `.cu` file of the package compiles for every architecture that the course speaks of.

A file says what it needs in comment lines of its own (CONTRIBUTING.md, "Add a CUDA kernel"):

    // requires sm_80
    // defines: I_H=28 I_W=28
    // instances: conv<3, 16>; conv<5, 16>

NVIDIA's compiler needs no GPU for this, and NVRTC of CUDA 12, for those with an older driver, does
not either. A push compiles a few files, each for one architecture, which a seed of all sources
chooses; the weekly run compiles all of them for all. The oldest architecture, which has the fewest
instructions, gets every instance of a template, the others one of each; CUDA 12 gets one for the
oldest alone, as what it lacks are words of the language.
"""

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import convladder
from convladder.cuda.emulator.preprocess import masked
from convladder.cuda.errors import CompileError
from convladder.cuda.inspect.nvrtc import compile_cubin
from convladder.cuda.source_file import read_source

from . import nvrtc12

PACKAGE = Path(convladder.__file__).parent
ARCHS = ("sm_75", "sm_80", "sm_86", "sm_90")
AT_A_PUSH = 4  # pairs of a file and an architecture: seconds each

_REQUIRES = re.compile(r"^// requires (sm_\d+[af]?)$", re.MULTILINE)
_DEFINES = re.compile(r"^// defines: (.+)$", re.MULTILINE)
_INSTANCES = re.compile(r"^// instances: (.+)$", re.MULTILINE)
_BOUNDS = re.compile(
    r"__(?:launch_bounds|cluster_dims)__\s*"
    r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
# What stands before: `template <...>`, `extern "C"`; behind: words, the name, `<...>` if explicit.
_KERNEL = re.compile(
    r"(?P<before>[^;{}#]*)\b__global__\s+(?:\w+\s+)+(?P<name>\w+)\s*"
    r"(?P<explicit><[^;{}()]*>)?\s*\("
)


linux = pytest.mark.skipif(
    sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only"
)


def architectures(source: str) -> list[str]:
    """ARCHS from the required one up, and that one. sm_90a is compatible with no other."""
    found = _REQUIRES.search(source)
    if found is None:
        return list(ARCHS)
    least = found[1]
    above = [arch for arch in ARCHS if least[-1].isdigit() and int(arch[3:]) > int(least[3:])]
    return [least, *above]


def names(source: str) -> list[str]:
    """The kernels to compile: plain ones as they stand, templates by the instances listed.

    Raises ValueError for a template without an instance, and for a file without a kernel.
    """
    found = [name.strip() for line in _INSTANCES.findall(source) for name in line.split(";")]
    code = _BOUNDS.sub("", masked(source))
    kernels = list(_KERNEL.finditer(code))
    if len(kernels) != code.count("__global__"):
        raise ValueError(
            f"{code.count('__global__')} __global__ functions, but only "
            f"{len(kernels)} that this gate can read: write the others as those are"
        )
    if not kernels:
        raise ValueError("there is no __global__ function")
    templates = []
    for kernel in kernels:
        if kernel["explicit"]:
            found.append(kernel["name"] + kernel["explicit"])
        elif re.search(r"\btemplate\s*<", kernel["before"]):
            templates.append(kernel["name"])
        else:
            found.append(kernel["name"])
    for template in templates:
        if not any(re.match(rf"{template}\s*<", name) for name in found):
            raise ValueError(
                f"the template {template} has no instance: list those that the "
                f"package launches, // instances: {template}<...>"
            )
    return found


def one_of_each(kernels: list[str]) -> list[str]:
    """Return the first instance of each template, and the kernels that are none."""
    return list({name.partition("<")[0]: name for name in reversed(kernels)}.values())


def refused(path: Path, arch: str) -> list[str]:
    """What is wrong with a file on an architecture, a line for each error or warning."""
    source = read_source(path)
    try:
        kernels = names(source)
        if arch != architectures(source)[0]:
            kernels = one_of_each(kernels)
        warnings = compile_cubin(source, kernels, arch, defines(source), path.name).warnings
    except (ValueError, CompileError) as error:
        return [f"{arch}: {error}"]
    return [f"{arch}: {path.name}, line {line}: {text}" for line, text in warnings]


def defines(source: str) -> list[str]:
    return [f"-D{each}" for line in _DEFINES.findall(source) for each in line.split()]


SOURCES = {path: read_source(path) for path in sorted(PACKAGE.rglob("*.cu"))}


def pairs() -> Iterator:
    """Yield each file with each of its architectures, all but AT_A_PUSH of them weekly."""
    every = [(path, arch) for path, source in SOURCES.items() for arch in architectures(source)]
    chosen = random.Random("".join(SOURCES.values())).sample(every, AT_A_PUSH)
    for path, arch in every:
        marks = [] if (path, arch) in chosen else pytest.mark.weekly
        yield pytest.param(path, arch, id=f"{path.name} {arch}", marks=marks)


@linux
@pytest.mark.parametrize("path, arch", [*pairs()])
def test_it_compiles(path, arch):
    assert not refused(path, arch)
    source = SOURCES[path]
    if not nvrtc12.there() or "<mma.h>" in source:  # half of it comes with CUDA 12's nvcc, 40 MB
        return
    if arch == architectures(source)[0]:
        kernels = one_of_each(names(source))
        assert nvrtc12.refusal(source, kernels, arch, defines(source), path.name) is None


@pytest.mark.skipif(not nvrtc12.there(), reason="NVRTC of CUDA 12 is not installed")
def test_cuda_12_can_refuse_and_leaves_the_packages_own_compiler_alone():
    assert "identifier" in nvrtc12.refusal(PLAIN.replace("1.0f", "foo"), ["k"], "sm_75")
    assert compile_cubin(PLAIN, ["k"], "sm_110").cubin, "CUDA 12 knows no such chip"


@pytest.mark.weekly
@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
def test_nvcc_builds_the_program_of_chapter_07s_optional_notebook(tmp_path):
    program = Path(__file__).parents[2] / "course" / "deeper" / "first_program.cu"
    command = ["nvcc", "-Werror", "all-warnings", "-arch=sm_90", "-o", tmp_path / "a", program]
    subprocess.run(command, check=True)


# --- that the gate itself can fail ------------------------------------------------------------


PLAIN = 'extern "C" __global__ void k(float* x) {\n  x[0] = 1.0f;\n}\n'
TEMPLATE = "template <int N>\n__global__ void __launch_bounds__(N) t(float* x) { x[N] = N; }\n"


@linux
@pytest.mark.parametrize(
    "source, words",
    [
        (PLAIN.replace("1.0f", "foo"), "sm_75: bad.cu, line 2: identifier"),
        (TEMPLATE, "the template t has no instance"),
        (PLAIN + "__global__ void (h)(float* x) {}", "2 __global__ functions, but only 1"),
    ],
)
def test_what_the_gate_finds(source, words, tmp_path):
    path = tmp_path / "bad.cu"
    path.write_text(source)
    (found,) = refused(path, "sm_75")
    assert words in found
