"""Structures move as NVRTC moves them: in pieces of their alignment; in shared memory, wider ones.

`structures.json` holds what NVRTC made of each for sm_90: its declaration and type, and the bits of
each load from global memory and from shared memory (of each store too). The second is null where
NVRTC looks at the members, as it does not elsewhere: bytes, shorts, and two types of one width.
"""

import ctypes
import json
import re
from pathlib import Path

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.emulator.worker import placed
from convladder.cuda.inspect import inspect, require

from ..sampling import sampled

pytestmark = pytest.mark.usefixtures("emulator", "watched_first")

FACTS = json.loads(Path(__file__).with_name("structures.json").read_text())
PARTS = [FACTS[k::6] for k in range(6)]  # one kernel's shared memory holds 40
KINDS = {
    "global": ((2, "LDG", "loads"), (2, "STG", "stores")),
    "shared": ((3, "STS", "shared_stores"), (4, "LDS", "shared_loads")),
}


def source(facts):
    """A kernel that copies one structure of each kind a thread, and once more by shared memory."""
    heads, pointers, body = [], [], []
    for n, (head, kind, *_) in enumerate(facts):
        head, kind = (re.sub(r"\b([SPEKVAB])\b", rf"\g<1>{n}", text) for text in (head, kind))
        heads.append(head)
        pointers.append(f"const {kind} *x{n}, {kind} *y{n}")
        body += [
            f"__shared__ {kind} s{n}[32]; __syncthreads();  // {n}",
            f"y{n}[i] = x{n}[i];",
            f"s{n}[i] = x{n}[31 - i]; __syncthreads();",
            f"y{n}[i + 32] = s{n}[31 - i];",
        ]
    taken = ", ".join(pointers)
    return "\n".join(
        [*heads, f'extern "C" __global__ void f({taken}) {{ int i = threadIdx.x;', *body, "}"]
    )


def by_structure(text, bits):
    """Of each structure: bits by `KINDS`. `bits`: of (line, kind)."""
    lines = text.splitlines()
    for n in range(sum("__shared__" in line for line in lines)):
        first = next(k for k, line in enumerate(lines) if line.endswith(f"// {n}"))
        yield [
            [sorted(bits.get((first + k, kind), [])) for k, *names in each for kind in names[:1]]
            for each in KINDS.values()
        ]


def of_the_emulator(text):
    kernel = cuda.Kernel(text, "f")
    arrays = [
        cuda.to_device(np.zeros(8192 // (p.dtype or np.dtype("u1")).itemsize, p.dtype or "u1"))
        for p in kernel.parameters
    ]
    report = kernel.profile(1, 32, 0, *arrays)
    assert report.ok, report.faults[:1]
    names = {ours: theirs for each in KINDS.values() for _, theirs, ours in each}
    bits = {}
    for request in report.requests:
        bits.setdefault((request.line, names[request.kind]), []).append(8 * request.size)
    return bits


def of_nvrtc(text):
    bits = {}
    for each in inspect(text, "f").instructions:
        kind, _, width = each.kind.partition(".")
        if width.isdigit():
            bits.setdefault((each.line, kind), []).append(int(width))
    return bits


def same(facts, bits):
    for (head, kind, in_global, in_shared), found in zip(
        facts, by_structure(source(facts), bits), strict=True
    ):
        assert found[0] == [in_global] * 2, (head, kind)
        assert in_shared is None or found[1] == [in_shared] * 2, (head, kind)


@pytest.mark.parametrize("facts", sampled(PARTS, 1, lambda facts: facts[0][0]))
def test_the_emulator_counts_what_nvrtc_compiled(facts):
    same(facts, of_the_emulator(source(facts)))


@pytest.mark.weekly
@pytest.mark.parametrize("facts", PARTS, ids=lambda facts: facts[0][0])
def test_nvrtc_still_compiles_them_so(facts):
    try:
        require()
    except cuda.MissingPackages as error:
        pytest.skip(str(error))
    same(facts, of_nvrtc(source(facts)))


@pytest.mark.weekly
@pytest.mark.parametrize("whole", ["", "__align__(8) "])
def test_padding_need_not_be_written(whole):
    """The members are stored one by one, and the structure is read as a whole."""
    text = (
        f"struct {whole}S {{ int n; char c; }};\n"
        'extern "C" __global__ void f(S *x, S *y) { int i = threadIdx.x;\n'
        "x[i].n = i; WRITTEN\ny[i] = x[i]; }"
    )
    for written, faults in (("x[i].c = 1;", 0), ("", not whole)):
        kernel = cuda.Kernel(text.replace("WRITTEN", written), "f")
        x, y = cuda.empty(256, np.uint8), cuda.empty(256, np.uint8)
        assert len(kernel.profile(1, 32, 0, x, y).uninitialised) == faults


@pytest.mark.parametrize("alignment", [1, 64, 128])
def test_a_parameter_lies_where_its_type_may(alignment):
    # With AVX-512, g++ 13 copies a structure of 64 bytes by one instruction, which traps elsewhere.
    values = [placed(bytes(range(128)), alignment) for _ in range(20)]
    assert {ctypes.addressof(value) % alignment for value in values} == {0}
    assert {value.raw for value in values} == {bytes(range(128))}
