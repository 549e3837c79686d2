"""Machine code is counted as a reader would count it."""

import pytest

from convladder.core import processor
from convladder.cpu import assembly
from convladder.cpu.assembly import compiled_loop, loops, main_loop
from convladder.measure.peak import Target
from convladder.measure.register_tile import _optimised

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


def test_no_loop_is_an_empty_one():
    loop = main_loop("f:\n    retq\n")
    assert loop.lines == () and loop.accumulators == loop.loads == loop.bits == 0


@pytest.mark.parametrize(
    "line",
    [
        "vunpcklps %xmm1, %xmm2, %xmm3",
        "vpermt2ps %zmm1, %zmm2, %zmm3",
        "ld4 { v0.4s, v1.4s, v2.4s, v3.4s }, [x1]",
    ],
)
def test_values_sorted_into_vectors_are_seen(line):
    assert main_loop(f".L1:\n    {line}\n    jne .L1\n").shuffles == 1


def test_a_numba_function_is_read():
    import numba
    import numpy as np

    @numba.njit(fastmath=True)
    def add(a, b):
        for i in range(len(a)):
            a[i] += np.float32(3) * b[i]

    add(np.zeros(9, np.float32), np.ones(9, np.float32))
    assert compiled_loop(add).multiply_adds


# --- what LLVM makes for Arm's processors, here and on a Mac ------------------------------------

LINUX, MAC = "aarch64-linux-gnu", "arm64-apple-macosx14.0.0"
ARMS = [
    (LINUX, "neoverse-v1"),  # SVE
    (LINUX, "neoverse-n1"),
    (LINUX, "cortex-a76"),
    (MAC, "apple-m1"),
    (MAC, "apple-m4"),
]


def targeted(triple, cpu):
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        llvm.Target.from_triple(triple)
    except RuntimeError:
        pytest.skip(f"this LLVM was built without {triple}")
    return Target(triple, cpu, "")


def sums_ir(sums, step="fast", neighbours=False):
    """LLVM's text of a loop that adds products of floats to several sums.

    Each sum goes through a part of its own, or takes every so many values, as its neighbours do.
    """
    every = range(sums)
    phis = [f"%s{k} = phi float [0.0, %entry], [%t{k}, %loop]" for k in every]
    body = []
    for k in every:
        body += [
            f"%from{k} = mul i64 {f'%i, {sums}' if neighbours else f'%part, {k}'}",
            f"%at{k} = add i64 %from{k}, {k if neighbours else '%i'}",
            *(f"%{v}p{k} = getelementptr float, ptr %{v}, i64 %at{k}" for v in "ab"),
            *(f"%{v}{k} = load float, ptr %{v}p{k}" for v in "ab"),
            f"%m{k} = fmul {step} float %a{k}, %b{k}",
            f"%t{k} = fadd {step} float %s{k}, %m{k}",
        ]
    total = ["%u0 = fadd fast float %t0, 0.0"]
    total += [f"%u{k} = fadd fast float %u{k - 1}, %t{k}" for k in every[1:]]
    return "\n".join([
        "define float @dot(ptr noalias %a, ptr noalias %b, i64 %part) {",
        "entry:", "br label %loop", "loop:",
        "%i = phi i64 [0, %entry], [%next, %loop]", *phis, *body,
        "%next = add nuw i64 %i, 1", "%more = icmp ult i64 %next, %part",
        "br i1 %more, label %loop, label %done", "done:", *total, f"ret float %u{sums - 1}", "}",
    ])  # fmt: skip


def emitted(ir, target):
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(ir)
    machine = llvm.Target.from_triple(target.triple).create_target_machine(cpu=target.cpu, opt=3)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.loop_interleaving = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    return machine.emit_assembly(module)


@pytest.mark.parametrize(("triple", "cpu"), ARMS)
def test_arms_code_of_a_dot_product_is_counted(triple, cpu, monkeypatch):
    """As exercise 5 of lab 05 has it, which asks for eight chains of vectors."""
    monkeypatch.setattr(assembly, "sve_bits", lambda: 256)
    loop = main_loop(emitted(sums_ir(4), targeted(triple, cpu)))
    assert len(loop.multiply_adds) == loop.accumulators >= 8 and loop.fused
    assert loop.loads == 2 * loop.accumulators and not loop.shuffles and not loop.spills
    assert loop.bits == (256 if cpu == "neoverse-v1" else 128)


@pytest.mark.parametrize(("triple", "cpu"), ARMS)
def test_arms_code_without_vectors_and_with_sorting_is_seen(triple, cpu):
    target = targeted(triple, cpu)
    exact = main_loop(emitted(sums_ir(4, step="contract"), target))
    assert not exact.multiply_adds and exact.floats >= 4
    mixed = main_loop(emitted(sums_ir(4, neighbours=True), target))
    assert mixed.multiply_adds and mixed.shuffles


@pytest.mark.parametrize(("triple", "cpu"), ARMS)
def test_arms_code_of_the_microkernel_is_counted(triple, cpu):
    module, machine = _optimised(6, 4, 4, targeted(triple, cpu))
    loop = main_loop(machine.emit_assembly(module))
    assert loop.accumulators == 24 and len(loop.multiply_adds) % 24 == 0
    assert loop.bits == 128 and not loop.spills and not loop.shuffles


def test_the_width_of_scalable_vectors(tmp_path, monkeypatch):
    monkeypatch.setattr(processor, "SVE_BYTES", tmp_path / "length")
    assert processor.sve_bits() == 128
    (tmp_path / "length").write_text("64\n")
    assert processor.sve_bits() == 512
