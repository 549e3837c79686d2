"""Functions and headers of CUDA's guides: each runs, or is refused by its name in a sentence.

guides.txt lists them. What NVRTC does not take either, in a newer version, is not looked at.
"""

import re
from itertools import product
from pathlib import Path

import pytest

from convladder import cuda
from convladder.cuda.inspect.nvrtc import compile_cubin

pytestmark = pytest.mark.usefixtures("emulator")
VALUES = (
    "int i = s[0]; unsigned u = q[0]; long long l = i; unsigned long long n = u; "
    "float x = p[0]; double d = x;"
)
HALVES = {
    "<cuda_fp16.h>": " half h = x; half2 H = half2(h, h);",
    "<cuda_bf16.h>": " nv_bfloat16 g = x; nv_bfloat162 G = nv_bfloat162(g, g);",
}
REFUSED = re.compile("CUDA has it, the emulator has not|needs a GPU")


def groups():
    """Yield each header ("" for none) and its uses."""
    header, uses = "", []
    for line in Path(__file__).with_name("guides.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("<"):
            yield header, uses
            header, uses = line, []
        elif not line.startswith("#"):
            use, _, names = line.rpartition(": ")
            uses += [use.replace("@", name) for word in names.split() for name in spelt_out(word)]
    yield header, uses


def spelt_out(word):
    """Yield __a_x and __a_y of __a_{x,y}."""
    pieces = [piece.split(",") for piece in re.split(r"[{}]", word)]
    yield from map("".join, product(*pieces))


def program(header, uses):
    """Return a kernel that calls a function for each use, the first of which is on line 2."""
    values = VALUES + HALVES.get(header, "")
    functions = [
        f"__device__ void u{k}(float *p, unsigned *q, int *s) {{ {values} {use}; (void)r; }}"
        for k, use in enumerate(uses)
    ]
    calls = " ".join(f"u{k}(p, q, s);" for k in range(len(uses)))
    kernel = f'extern "C" __global__ void f(float *p, unsigned *q, int *s) {{ {calls} }}'
    return "\n".join([f"#include {header}" if header else "", *functions, kernel])


def verdicts(header, uses):
    """Return the emulator's words about each use; "" where it runs. All are compiled at once, and
    again without those that were refused."""
    said = dict.fromkeys(uses, "")
    while left := [use for use in uses if not said[use]]:
        try:
            cuda.Kernel(program(header, left), "f", "emulator")
        except cuda.CompileError as error:
            for line, words in error.lines:
                refused = left if line == 1 else left[line - 2 : line - 1]  # the header itself
                alone = len(error.lines) == 1
                said.update(dict.fromkeys(refused, str(error) if alone else words))
        else:
            break
    return said


def taken_by_nvrtc(header, use):
    try:
        compile_cubin(program(header, [use]), ("f",), "sm_90")
    except cuda.CompileError:
        return False
    return True


@pytest.mark.weekly
@pytest.mark.parametrize(("header", "uses"), [*groups()], ids=lambda value: str(value)[:30])
def test_each_runs_or_is_refused_by_its_name(header, uses):
    pytest.importorskip("cuda.core")
    raw = {use: said for use, said in verdicts(header, uses).items() if said}
    raw = {use: said for use, said in raw.items() if not REFUSED.search(said)}
    assert {use: said for use, said in raw.items() if taken_by_nvrtc(header, use)} == {}
