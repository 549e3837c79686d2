"""Machine code is counted as a reader would count it."""

import pytest

from convladder.core import processor
from convladder.cpu.assembly import loops, main_loop

X86 = """
f:
.LBB0_1:
    vmovups (%rsi), %ymm13          # weights
    vbroadcastss (%rdi,%rax,4), %ymm15
    vfmadd231ps %ymm13, %ymm15, %ymm7
    vfmadd231ps 32(%rsi), %ymm15, %ymm2
    vmovaps %ymm7, -64(%rsp)
    movq 8(%rsp), %r9
    leaq (%r9,%r9), %r10
    vfmadd231ps %ymm13, %ymm14, %ymm7
    jne .LBB0_1
    retq
"""
ARM = """
f:
LBB0_2:
    ldp q24, q23, [x1, #-16]
    ldr s21, [x0, x22, lsl #2]
    fmla v6.4s, v23.4s, v21.s[0]
    fmla v5.4s, v24.4s, v21.s[0]
    fmul s1, s2, s3
    str q9, [sp, #32]
    b.lt LBB0_2
    ret
"""
UNFUSED = """
.L1:
    movups (%rdi), %xmm1
    mulps (%rsi), %xmm1
    addps %xmm1, %xmm0
    jb .L1
"""
NESTED = """
.Louter:
    vmulss %xmm0, %xmm1, %xmm1
.Linner:
    vaddss %xmm0, %xmm1, %xmm1
    jne .Linner
    jne .Louter
    retq
.Lcold:
    vaddps %xmm0, %xmm1, %xmm1
    retq
    jmp .Lcold
"""


def test_x86_is_counted():
    loop = main_loop(X86)
    assert len(loop.multiply_adds) == 3 and loop.fused
    assert loop.accumulators == 2, "ymm7 is added to twice"
    assert loop.loads == 4, "weights, broadcast, one folded into the multiply-add, one address"
    assert loop.spills == 1, "a vector goes to the stack; an address that comes back is no vector"
    assert loop.bits == 256 and loop.shuffles == 0


def test_arm_is_counted():
    loop = main_loop(ARM)
    assert len(loop.multiply_adds) == 2 and loop.accumulators == 2
    assert loop.loads == 3, "a pair counts twice"
    assert loop.spills == 1 and loop.bits == 128


def test_without_fusion_the_additions_of_products_count():
    loop = main_loop(UNFUSED)
    assert len(loop.multiply_adds) == 1 and not loop.fused
    assert loop.accumulators == 1 and loop.loads == 2


def test_only_innermost_loops_are_found_and_no_code_behind_a_return():
    (inner,) = loops(NESTED)
    assert inner.lines == ("vaddss %xmm0, %xmm1, %xmm1", "jne .Linner")
    assert inner.floats == 1 and inner.accumulators == 0
    assert main_loop("f:\n    retq\n").lines == ()


@pytest.mark.parametrize(
    "line", ["vpermt2ps %zmm1, %zmm2, %zmm3", "ld4 { v0.4s, v1.4s, v2.4s, v3.4s }, [x1]"]
)
def test_values_sorted_into_vectors_are_seen(line):
    assert main_loop(f".L1:\n    {line}\n    jne .L1\n").shuffles == 1


def test_the_width_of_scalable_vectors(tmp_path, monkeypatch):
    monkeypatch.setattr(processor, "SVE_BYTES", tmp_path / "length")
    assert processor.sve_bits() == 128
    (tmp_path / "length").write_text("64\n")
    assert processor.sve_bits() == 512
