"""What `inspect` says of kernels whose registers, memory and instructions are known."""

import sys
from functools import cache
from re import escape

import pytest

from convladder.core.install import install_text
from convladder.cuda.errors import CompileError, MissingPackages
from convladder.cuda.inspect import inspect, nvrtc
from convladder.cuda.inspect.sass import Instruction

from ..sampling import sampled

ARCHS = sampled(("sm_75", "sm_80", "sm_90", "sm_120"), 1, str)  # all of them weekly

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only"
)

CONV = """\
// A row of pixels by K weights: each block first brings T + K - 1 pixels to shared memory.
__constant__ float weights[9];

__device__ float add(float sum, float pixel, int k) {
    return sum + pixel * weights[k];
}

template <int K, int T>
__global__ void conv(const float* __restrict__ x, float* __restrict__ y, int n) {
    __shared__ float tile[T + K - 1];
    int i = blockIdx.x * T + threadIdx.x;
    #pragma unroll 1
    for (int j = threadIdx.x; j < T + K - 1; j += T)
        tile[j] = blockIdx.x * T + j < n ? x[blockIdx.x * T + j] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum = add(sum, tile[threadIdx.x + k], k);
    if (i < n)
        y[i] = sum;
}
"""
MULTIPLY, BARRIER, STORE = 5, 15, 20  # lines of CONV


def kernel(body: str, parameters: str = "float* x") -> str:
    """A kernel `k`; its body begins on line 2."""
    return f'extern "C" __global__ void k({parameters}) {{\n{body}\n}}\n'


COPY4 = kernel(
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = x[i];",
    "const float4* __restrict__ x, float4* y",
)
# 48 values of one thread are alive at the same time: more than 32 registers.
HUNGRY = kernel("""\
  float v[48];
  #pragma unroll
  for (int i = 0; i < 48; ++i) v[i] = x[i * 97 + threadIdx.x];
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < 48; ++i) x[i * 89 + threadIdx.x] = v[i] * v[(i * 5 + 11) % 48];""")


@cache
def conv(arch):
    """CONV's instance for an architecture, taken apart once for all who look at it."""
    return inspect(CONV, "conv<3, 128>", arch)


@pytest.mark.parametrize("arch", ARCHS)
def test_memory_and_instructions_of_a_template_instance(arch):
    found = conv(arch)
    assert found.shared_bytes == 4 * (128 + 3 - 1) and found.constant_bytes == 4 * 9
    assert (found.stack_bytes, found.spill_stores, found.spill_loads) == (0, 0, 0)
    assert 8 <= found.registers <= 40 and found.warnings == ()
    assert sum(text.startswith("FFMA") for text in found.at(MULTIPLY)) == 3
    assert {line for line, text in found.sass if "FFMA" in text} == {MULTIPLY}
    assert any("STG" in text for text in found.at(STORE))
    assert any("BAR" in text for text in found.at(BARRIER))
    # K pixels of the tile; whether each loads alone is the compiler's affair.
    assert sum(number for kind, number in found.counts.items() if kind.startswith("LDS")) >= 1
    assert found.counts["STS.32"] >= 1 <= found.counts["LDG.32"] and found.counts["BAR"] == 1
    counts = inspect(COPY4, "k", arch).counts
    assert (counts["LDG.128"], counts["STG.128"]) == (1, 1)


@pytest.mark.parametrize("arch", ARCHS)
def test_what_registers_that_run_out_cost(arch):
    roomy = inspect(HUNGRY, "k", arch)
    assert roomy.registers > 48
    assert roomy.spill_bytes == 0 and not {"STL.32", "LDL.32"} & set(roomy.counts)
    tight = inspect(HUNGRY, "k", arch, options=("-maxrregcount=32",))
    assert tight.registers <= 32
    assert tight.spill_stores >= 4 * (48 - 32) and tight.spill_loads >= 4 * (48 - 32)
    assert tight.spill_bytes == tight.spill_stores + tight.spill_loads
    assert tight.stack_bytes > 0 and any(kind.startswith("STL") for kind in tight.counts)


@pytest.mark.weekly
def test_a_header_counts_for_the_line_that_used_it():
    source = "#include <cuda_fp16.h>\n" + kernel(
        "  y[threadIdx.x] = __hmul(x[0], x[1]);", "const __half* x, __half* y"
    )
    found = inspect(source, "k")
    assert {line for line, _ in found.sass} <= {2, 3, 4}
    assert any(text.startswith("HMUL2") for text in found.at(3))
    assert found.counts["LDG.16"] == 2


def test_the_slow_path_of_a_division_is_set_apart_and_jumps_name_their_targets():
    found = inspect(kernel("  x[0] = x[1] / x[2];"), "k")
    assert found.added > 50 and "added by the compiler" in str(found)
    assert sum(found.counts.values()) == len(found.sass) - found.added
    labels = [each.label for each in found.instructions if each.label]
    assert labels[0] == "L1" and len(labels) == len(set(labels))
    jumps = [each.text.split()[-1] for each in found.instructions if " BRA " in f" {each.text} "]
    assert jumps and set(jumps) <= set(labels)


@pytest.mark.parametrize(
    "text, kind",
    [
        ("@!P0 LDG.E.CONSTANT R3, desc[UR6][R4.64]", "LDG.32"),
        ("LDG.E.U8.SYS R4, [R6]", "LDG.8"),
        ("@UP0 ULDC.64 UR4, c[0x3][0x0]", "ULDC"),
        ("IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", "MOV"),
        ("HFMA2.MMA R4, -RZ, RZ, 0, 0", "MOV"),
    ],
)
def test_kinds_of_instructions(text, kind):
    assert Instruction(1, 0, text).kind == kind


def test_errors_have_the_learners_lines():
    source = kernel("  x[0] = foo;\n  int unused = 2;\n  x[1] = 1.0f")
    with pytest.raises(CompileError) as caught:
        inspect(source, "k", file="mine.cu")
    error = caught.value
    assert [line for line, _ in error.lines] == [2, 5]
    assert str(error).startswith('mine.cu, line 2: identifier "foo" is undefined')
    assert "x[0] = foo;" in str(error) and 'mine.cu, line 5: expected a ";"' in str(error)
    assert "unused" not in str(error)


SHARED = (
    "  __shared__ float s[20000];\n  s[threadIdx.x] = x[0];\n  __syncthreads();\n  x[0] = s[1];"
)
REFUSED = [
    (COPY4, "copy", None, 'there is no kernel copy: identifier "copy" is undefined'),
    (CONV, "conv<3, -128>", 10, "array"),
    (kernel(SHARED), "k", None, "too much shared data"),
    ("#include <stdio.h>\n" + COPY4, "k", 1, 'cannot open source file "stdio.h"'),
    ("// a row: h×w\n" + kernel("  x[0] = é;"), "k", 3, ""),
]


@pytest.mark.parametrize("source, name, line, words", REFUSED)
def test_other_refusals(source, name, line, words):
    with pytest.raises(CompileError) as caught:
        inspect(source, name)
    assert caught.value.lines[0][0] == line
    assert words in caught.value.lines[0][1]


@pytest.mark.weekly
def test_options_and_an_unknown_chip():
    source = kernel("  x[0] = x[1] * x[2] + TILE;")
    apart = inspect(source, "k", options=("-DTILE=x[3]", "-fmad=false", "-std=c++20")).counts
    assert (apart["FMUL"], apart["FADD"]) == (1, 1) and "FFMA" not in apart
    with pytest.raises(ValueError, match="option '-O3' is not known here: give -DNAME=VALUE"):
        inspect(source, "k", options=("-O3",))
    with pytest.raises(ValueError, match="'sm_60' is not known here"):
        inspect(COPY4, "k", "sm_60")


def test_missing_packages_are_one_sentence_with_the_command(monkeypatch):
    monkeypatch.setattr(nvrtc, "_installed", lambda module: module != "cuda.core")
    command = escape(install_text("inspect"))
    with pytest.raises(MissingPackages, match=f"needs cuda-core; .*{command}"):
        inspect(COPY4, "k")
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(MissingPackages, match="not for macOS"):
        inspect(COPY4, "k")
