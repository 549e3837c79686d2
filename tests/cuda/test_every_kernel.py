"""Every `.cu` file of the package compiles for every architecture that the course speaks of.

A file says what it needs in comment lines of its own (CONTRIBUTING.md, "Add a CUDA kernel"):

    // requires sm_80
    // defines: I_H=28 I_W=28
    // instances: conv<3, 16>; conv<5, 16>

NVIDIA's compiler needs no GPU for this. A push compiles a few files, which a seed of all sources
chooses, for the first of their architectures, with one instance of each template. The weekly run
compiles all of them for every architecture, and with NVRTC of CUDA 12 for those with an older
driver.
"""

import random
import re
import sys
from pathlib import Path

import pytest

import convladder
from convladder.cuda.emulator.preprocess import masked
from convladder.cuda.errors import CompileError
from convladder.cuda.inspect.nvrtc import compile_cubin
from convladder.cuda.source_file import read_source

from . import nvrtc12

PACKAGE = Path(convladder.__file__).parent
ARCHS = ("sm_75", "sm_80", "sm_90")
ARCHS_12 = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90")
AT_A_PUSH, AT_A_PUSH_12 = 6, 2  # files; pairs of a file and an architecture: seconds each
FILES = sorted(PACKAGE.rglob("*.cu"))
SEED = "".join(map(read_source, FILES))

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


def architectures(source: str, among: tuple[str, ...] = ARCHS) -> list[str]:
    """Those `among` from the required one up, and that one. sm_90a is compatible with no other."""
    found = _REQUIRES.search(source)
    if found is None:
        return list(among)
    least = found[1]
    above = [arch for arch in among if least[-1].isdigit() and int(arch[3:]) > int(least[3:])]
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


def at_a_push(source: str) -> list[str]:
    """The first of a file's architectures; all, where its text differs by architecture."""
    return architectures(source)[: None if "__CUDA_ARCH__" in source else 1]


def of_each_template(source: str) -> list[str]:
    """Of `names` an instance of each template for the same types, and what is no template."""
    kinds = {}
    for name in names(source):
        kinds.setdefault(re.sub(r"\b\d+\b", "", name), []).append(name)
    seed = random.Random(source)
    return [seed.choice(alike) for alike in kinds.values()]


def refused(path: Path, chosen=architectures, kernels_of=names) -> list[str]:
    """What is wrong with a file, a line for each architecture and error or warning."""
    source = read_source(path)
    try:
        kernels = kernels_of(source)
    except ValueError as error:
        return [f"{path.name}: {error}"]
    defined = defines(source)
    wrong = []
    for arch in chosen(source):
        try:
            warnings = compile_cubin(source, kernels, arch, defined, path.name).warnings
        except CompileError as error:
            wrong.append(f"{arch}: {error}")
        else:
            wrong += [f"{arch}: {path.name}, line {line}: {text}" for line, text in warnings]
    return wrong


def defines(source: str) -> list[str]:
    return [f"-D{each}" for line in _DEFINES.findall(source) for each in line.split()]


def with_cuda_12() -> list:
    """Every file with every architecture of its own, all but a sample of them weekly."""
    pairs = [(path, arch) for path in FILES for arch in architectures(read_source(path), ARCHS_12)]
    chosen = random.Random(SEED).sample(pairs, AT_A_PUSH_12)
    return [
        pytest.param(
            path,
            arch,
            id=f"{path.relative_to(PACKAGE)} {arch}",
            marks=[] if (path, arch) in chosen else pytest.mark.weekly,
        )
        for path, arch in pairs
    ]


linux = pytest.mark.skipif(
    sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only"
)


@linux
@pytest.mark.parametrize(
    "path", random.Random(SEED).sample(FILES, AT_A_PUSH), ids=lambda path: path.name
)
def test_it_compiles(path):
    assert not refused(path, at_a_push, of_each_template)


@linux
@pytest.mark.weekly
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_all_of_it_compiles_for_every_chip(path):
    assert not refused(path)


older = pytest.mark.skipif(not nvrtc12.there(), reason="NVRTC of CUDA 12 is not installed")


@older
@pytest.mark.parametrize("path, arch", with_cuda_12())
def test_it_compiles_with_cuda_12(path, arch):
    source = read_source(path)
    assert nvrtc12.refusal(source, names(source), arch, defines(source), path.name) is None


@older
def test_cuda_12_can_refuse_and_leaves_the_packages_own_compiler_alone():
    assert nvrtc12.version()[0] == 12
    assert nvrtc12.refusal(PLAIN, ["k"], "sm_75") is None
    assert "identifier" in nvrtc12.refusal(PLAIN.replace("1.0f", "foo"), ["k"], "sm_75")
    assert nvrtc12.refusal(PLAIN, ["absent"], "sm_75")
    assert compile_cubin(PLAIN, ["k"], "sm_110").cubin, "CUDA 12 knows no such chip"


# --- that the gate itself can fail ------------------------------------------------------------


PLAIN = 'extern "C" __global__ void k(float* x) {\n  x[0] = 1.0f;\n}\n'
TEMPLATE = "template <int N>\n__global__ void __launch_bounds__(N) t(float* x) { x[N] = N; }\n"


@linux
@pytest.mark.parametrize(
    "source, words",
    [
        (PLAIN, None),
        (PLAIN.replace("1.0f", "foo"), "sm_75: bad.cu, line 2: identifier"),
        (PLAIN.replace("x[0]", "int n; x[0]"), "never referenced"),
        (TEMPLATE, "the template t has no instance"),
        ("// defines: HALF=0.5f TWO=2\n" + PLAIN.replace("1.0f", "HALF * TWO"), None),
        ("// instances: t<float>\n" + TEMPLATE, "there is no kernel t<float>"),
        (PLAIN + "__global__ void (h)(float* x) {}", "2 __global__ functions, but only 1"),
        ("// __global__ void k(float* x)", "there is no __global__ function"),
        (PLAIN.replace("x[0] = 1.0f", 'asm volatile("cp.async.wait_all;")'), "sm_75: "),
        (
            "// requires sm_80\n"
            + PLAIN.replace("x[0] = 1.0f", 'asm volatile("cp.async.wait_all;")'),
            None,
        ),
    ],
)
def test_what_the_gate_finds(source, words, tmp_path):
    path = tmp_path / "bad.cu"
    path.write_text(source)
    found = refused(path, at_a_push)
    assert (not found) if words is None else (found and words in found[0]), found
