"""The microkernel's tile, one size at a time: compiled and counted, or run and timed."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..cpu.assembly import Loop, main_loop
from ..cpu.isa import Isa, host_isa
from ..cpu.simd.tile import ARGUMENTS, build_tile
from . import timed
from .chains import Target

# Compiled anywhere, run nowhere: the same code, and the same numbers, on every machine.
PROCESSORS = {
    "AVX-512": (Isa("AVX-512", 512, 32, True), "x86_64-linux-gnu", "skylake-avx512"),
    "AVX2": (Isa("AVX2", 256, 16, True), "x86_64-linux-gnu", "haswell"),
    "SSE2": (Isa("SSE2", 128, 16, False), "x86_64-linux-gnu", "x86-64"),
    "NEON": (Isa("NEON", 128, 32, True), "aarch64-linux-gnu", "neoverse-n1"),
}


@dataclass(frozen=True)
class TileCode:
    """A tile's innermost loop, and how many steps of the sum one turn of it makes."""

    pixels: int
    vectors: int
    isa: Isa
    loop: Loop

    @property
    def accumulators(self) -> int:
        return self.pixels * self.vectors

    @property
    def needed(self) -> int:
        """Count registers for the sums, a step's weights and one input value."""
        return self.accumulators + self.vectors + 1

    @property
    def steps(self) -> float:
        return len(self.loop.multiply_adds) / self.accumulators

    @property
    def spills(self) -> float:
        """Return a step's vectors to and from the stack."""
        return self.loop.spills / self.steps

    @property
    def loads_per_fma(self) -> float:
        """Return all loads of the compiled loop, those of spilled registers too."""
        return self.loop.loads / len(self.loop.multiply_adds)


@cache
def tile_code(pixels: int, vectors: int, isa: str) -> TileCode:
    """Return the package's tile, compiled for one of PROCESSORS.

    Raises `RuntimeError` if this LLVM was built without that processor: see `known_isas`.
    """
    import llvmlite.binding as llvm

    held, triple, cpu = PROCESSORS[isa]
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module, machine = _optimised(pixels, vectors, held.lanes, Target(triple, cpu, ""))
    return TileCode(pixels, vectors, held, main_loop(machine.emit_assembly(module)))


@cache
def known_isas() -> tuple[str, ...]:
    """Return the names of PROCESSORS that this LLVM can compile for."""

    def compiles(isa: str) -> bool:
        try:
            tile_code(1, 1, isa)
        except RuntimeError:
            return False
        return True

    return tuple(filter(compiles, PROCESSORS))


@cache
def tile_rate(pixels: int, vectors: int, steps: int = 128, stride: int | None = None) -> float:
    """Return FLOP/s of one tile on one core here, its sums of `steps` terms each; weights are
    packed.

    stride: takes the steps one by one, the weights of the next lying this many times a tile's
    width further: 1 for packed weights, k_c / (vectors·lanes) for weights as they lie in `w`.
    """
    import llvmlite.binding as llvm

    lanes = host_isa().lanes
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module, machine = _optimised(pixels, vectors, lanes, Target.host())
    engine = llvm.create_mcjit_compiler(module, machine)  # owns the code
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, *[ctypes.c_int64] * (_NUMBERS + 1))
    call = kind(engine.get_function_address(ENTRY))

    wide = vectors * lanes
    x = np.ones((pixels, steps), np.float32)
    spare = np.ones(steps * (stride or 1) * wide + 16, np.float32)
    w = spare[-spare.ctypes.data % 64 // 4 :]
    y = np.zeros((pixels, wide), np.float32)
    numbers = dict.fromkeys(ARGUMENTS[3:], 0) | {
        # one run; or every step a kernel row of its own, whose place in the weights is free
        "k_rows": 1 if stride is None else steps,
        "k_cols": 1,
        "run": steps if stride is None else 1,
        "x_next": 1,
        "w_next": stride or 0,
        "rows": 1,
        "cols": pixels,
        "x_col": steps,
        "y_col": wide,
        "tiles": 1,
        "blocks": 1,
        "steps": steps,
        "valid": lanes,
    }
    times = max(1, 2**19 // (steps * pixels * vectors))
    arguments = [*(array.ctypes.data for array in (x, w, y)), *numbers.values(), times]
    seconds = timed(lambda: call(*arguments), budget=0.02, threads=1).low / times
    if not (y == steps).all():
        raise RuntimeError("the tile gave a wrong sum: its rate means nothing")
    return 2 * y.size * steps / seconds


ENTRY = "repeat"
_NUMBERS = len(ARGUMENTS) - 3


def _optimised(pixels: int, vectors: int, lanes: int, target: Target):
    """Return the tile, and a function ENTRY that calls it a number of times,
    after LLVM's passes.
    """
    import llvmlite.binding as llvm
    from llvmlite import ir
    from numba.core import cgutils

    source = ir.Module()
    tile = build_tile(source, pixels, vectors, lanes)
    kinds = [*(argument.type for argument in tile.args), ir.IntType(64)]
    entry = ir.Function(source, ir.FunctionType(ir.VoidType(), kinds), ENTRY)
    b = ir.IRBuilder(entry.append_basic_block())
    with cgutils.for_range(b, entry.args[-1], intp=ir.IntType(64)):
        b.call(tile, entry.args[:-1])
    b.ret_void()
    for function in (tile, entry):  # else some AVX-512 processors are given 256-bit code
        for width in ("min-legal-vector-width", "prefer-vector-width"):
            function.attributes._known |= {f'"{width}"="{32 * lanes}"'}
            function.attributes.add(f'"{width}"="{32 * lanes}"')
    module = llvm.parse_assembly(str(source))
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3
    )
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    return module, machine
