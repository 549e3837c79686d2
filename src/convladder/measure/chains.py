"""Chains of multiply-adds in vector registers, compiled by LLVM: their rate is the peak."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from ..cpu.isa import Isa


def chain_counts(isa: Isa) -> tuple[int, ...]:
    """Return numbers of chains worth trying: two registers must be left for the operands."""
    return (8, 12, 16, 24) if isa.registers == 32 else (8, 10, 12, 14)


def chain_ir(isa: Isa, chains: int) -> str:
    """Return LLVM IR of `chain(iterations, start, operands, out)`, one multiply-add a chain and
    turn.

    `start` and `out` point to float32[chains, lanes], `operands` to m and x, float32[2, lanes]
    each of them unknown to the compiler, which therefore must do all the arithmetic.
    """
    vector = f"<{isa.lanes} x float>"
    every = range(chains)

    def at(pointer: str, row: int, name: str) -> str:
        return f"%{name} = getelementptr {vector}, ptr %{pointer}, i64 {row}"

    def load(pointer: str, row: int, name: str) -> list[str]:
        return [
            at(pointer, row, f"{name}.at"),
            f"%{name} = load {vector}, ptr %{name}.at, align 4",
        ]

    def step(k: int) -> list[str]:
        if isa.fused:
            return [
                f"%b{k} = call {vector} @llvm.fma.v{isa.lanes}f32"
                f"({vector} %m, {vector} %x, {vector} %a{k})"
            ]
        # Without fusion m·x would be the same each turn, and be moved out of the loop.
        return [f"%t{k} = fmul {vector} %a{k}, %m", f"%b{k} = fadd {vector} %t{k}, %x"]

    lines = [
        f"declare {vector} @llvm.fma.v{isa.lanes}f32({vector}, {vector}, {vector})",
        "define void @chain(i64 %iterations, ptr %start, ptr %operands, ptr %out) #0 {",
        "entry:",
        *load("operands", 0, "m"),
        *load("operands", 1, "x"),
        *(line for k in every for line in load("start", k, f"s{k}")),
        "br label %loop",
        "loop:",
        "%i = phi i64 [%iterations, %entry], [%left, %loop]",
        *(f"%a{k} = phi {vector} [%s{k}, %entry], [%b{k}, %loop]" for k in every),
        *(line for k in every for line in step(k)),
        "%left = sub i64 %i, 1",
        "%more = icmp ne i64 %left, 0",
        "br i1 %more, label %loop, label %done",
        "done:",
        *(
            line
            for k in every
            for line in (
                at("out", k, f"o{k}"),
                f"store {vector} %b{k}, ptr %o{k}, align 4",
            )
        ),
        "ret void",
        "}",
        # Some AVX-512 processors are given 256-bit code unless 512 is asked for.
        f'attributes #0 = {{ "min-legal-vector-width"="{isa.vector_bits}"'
        f' "prefer-vector-width"="{isa.vector_bits}" }}',
    ]
    return "\n".join(lines)


@dataclass(frozen=True)
class Target:
    """The target that LLVM compiles for; the default is this machine."""

    triple: str
    cpu: str
    features: str

    @classmethod
    def host(cls) -> Target:
        import llvmlite.binding as llvm

        try:
            features = llvm.get_host_cpu_features().flatten()
        except RuntimeError:
            features = ""
        return cls(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)


def compiled(ir: str, target: Target):
    """Return the verified module and its target machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(ir)
    module.verify()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3
    )
    return module, machine


class Chains:
    """The compiled loop, callable from many threads at once."""

    def __init__(self, isa: Isa, chains: int, target: Target | None = None):
        import llvmlite.binding as llvm

        module, machine = compiled(chain_ir(isa, chains), target or Target.host())
        self.assembly = machine.emit_assembly(module)
        self._engine = llvm.create_mcjit_compiler(module, machine)  # owns the code
        self._engine.finalize_object()
        signature = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 3)
        self._call = signature(self._engine.get_function_address("chain"))
        self.start = np.arange(chains * isa.lanes, dtype=np.float32).reshape(chains, isa.lanes)
        self.flops = 2 * self.start.size  # of one iteration

    def run(self, iterations: int, out: np.ndarray, m: float = 1.0, x: float = 1.0) -> None:
        """Put `a = m·x + a`, done `iterations` times from `a = start`, into `out`.

        (Without fused multiply-add, `a = m·a + x`: the same where m = 1.)
        """
        operands = np.empty((2, self.start.shape[1]), np.float32)
        operands[0], operands[1] = m, x
        self._call(iterations, self.start.ctypes.data, operands.ctypes.data, out.ctypes.data)
