"""The instruction that makes bytes worthwhile: four products of bytes, added to an int32.

A register of 16 int32 sums takes 64 products in one instruction, where float32 has 16. Processors
name it VNNI (vpdpbusd, unsigned by signed bytes) or dot product (sdot, both signed). Those without
widen bytes to 16 bits and multiply pairs (pmaddwd); others are left to LLVM. The shorter form for
bytes, pmaddubsw, is not used: it saturates its 16-bit sums, so 255·127 + 255·127 would be 32767.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import cache

from llvmlite import ir
from numba.core import cgutils

from ....core.problem import ConvProblem
from ....cpu.isa import host_features
from ....cpu.simd.blocking import MOST_PIXELS, Tile

WORD, HALF, BYTE = ir.IntType(32), ir.IntType(16), ir.IntType(8)
HOWS = ("vnni", "sdot", "pairs", "widen")
FLIP = 0x80808080  # makes each of four unsigned bytes a signed one, 128 less


@dataclass(frozen=True)
class Dot:
    """One way to do `sum += x0·w0 + x1·w1 + x2·w2 + x3·w3` in each lane of a vector.

    `how` is "vnni", "sdot", "pairs" (pmaddwd) or "widen" (plain LLVM). `signed`: it takes x - 128.
    """

    how: str
    vector_bits: int
    registers: int

    @property
    def lanes(self) -> int:
        """Return the int32 sums in one register."""
        return self.vector_bits // 32

    @property
    def signed(self) -> bool:
        return self.how == "sdot"

    def spare(self, vectors: int) -> int:
        """Return the registers a step wants besides the sums: weights, the input, a constant."""
        return vectors + 2 if self.how in ("vnni", "sdot") else 2 * vectors + 4

    def of_weights(self, b: ir.IRBuilder, quads: ir.Value) -> tuple[ir.Value, ...]:
        """Return the operands of `add` for a vector of four int8 weights per lane."""
        if self.how in ("vnni", "sdot"):
            return (quads,)
        lanes = quads.type.count
        halves = b.bitcast(quads, ir.VectorType(HALF, 2 * lanes))
        eight = ir.Constant(halves.type, [8] * (2 * lanes))
        # Bytes 0 and 2, then 1 and 3, with their signs.
        return b.ashr(b.shl(halves, eight), eight), b.ashr(halves, eight)

    def of_input(self, b: ir.IRBuilder, quads: ir.Value) -> tuple[ir.Value, ...]:
        """Return the operands of `add` for a vector with the same four input bytes in each lane."""
        lanes = quads.type.count
        if self.how == "vnni":
            return (quads,)
        if self.how == "sdot":
            return (b.xor(quads, ir.Constant(quads.type, [FLIP] * lanes)),)
        halves = b.bitcast(quads, ir.VectorType(HALF, 2 * lanes))
        low = ir.Constant(halves.type, [255] * (2 * lanes))
        eight = ir.Constant(halves.type, [8] * (2 * lanes))
        return b.and_(halves, low), b.lshr(halves, eight)

    def add(self, b: ir.IRBuilder, total: ir.Value, x: tuple, w: tuple) -> ir.Value:
        """Return `total` plus the products: int32 lanes, exact."""
        lanes = total.type.count
        if self.how == "vnni":
            name = f"llvm.x86.avx512.vpdpbusd.{32 * lanes}"
            return _call(b, name, total.type, [total, *x, *w])
        if self.how == "sdot":
            octets = ir.VectorType(BYTE, 4 * lanes)
            arguments = [total, b.bitcast(x[0], octets), b.bitcast(w[0], octets)]
            name = f"llvm.aarch64.neon.sdot.v{lanes}i32.v{4 * lanes}i8"
            return _call(b, name, total.type, arguments)
        for pair in zip(x, w, strict=True):
            total = b.add(total, self._pairs(b, *pair, total.type))
        return total

    def _pairs(self, b: ir.IRBuilder, x: ir.Value, w: ir.Value, kind: ir.VectorType) -> ir.Value:
        """x0·w0 + x1·w1 of two int16 a lane, in int32."""
        name = {4: "sse2.pmadd.wd", 8: "avx2.pmadd.wd", 16: "avx512.pmaddw.d.512"}
        if self.how == "pairs":
            return _call(b, f"llvm.x86.{name[kind.count]}", kind, [x, w])
        products = []
        for part in (0, 1):
            each = list(range(part, 2 * kind.count, 2))
            places = ir.Constant(ir.VectorType(WORD, kind.count), each)
            nothing = ir.Constant(x.type, ir.Undefined)
            each = [b.sext(b.shuffle_vector(v, nothing, places), kind) for v in (x, w)]
            products.append(b.mul(*each))
        return b.add(*products)


def _call(b: ir.IRBuilder, name: str, kind: ir.Type, arguments: list[ir.Value]) -> ir.Value:
    signature = ir.FunctionType(kind, [argument.type for argument in arguments])
    return b.call(cgutils.get_or_insert_function(b.module, signature, name), arguments)


@cache
def host_dot() -> Dot:
    """Return the best of this machine, or of what Numba is held to (see `convladder.cpu.isa`)."""
    return dot_of(platform.machine(), host_features())


def dot_of(arch: str, features: dict[str, bool]) -> Dot:
    """Return the best of an architecture with LLVM's `features`."""
    arch = arch.lower()
    if arch in ("arm64", "aarch64"):
        return Dot("sdot" if features.get("dotprod") else "widen", 128, 32)
    if arch not in ("x86_64", "amd64"):
        return Dot("widen", 128, 16)
    if features.get("avx512vnni") and features.get("avx512f"):
        return Dot("vnni", 512, 32)
    if features.get("avxvnni"):
        return Dot("vnni", 256, 16)
    if features.get("avx512bw"):
        return Dot("pairs", 512, 32)
    if features.get("avx2"):
        return Dot("pairs", 256, 16)
    return Dot("pairs", 128, 16)


def tile_for(problem: ConvProblem, dot: Dot) -> Tile:
    """Return the largest tile that registers hold; of 1, 2 or 4 vectors, those that load least."""
    lanes = dot.lanes
    while lanes > 4 and problem.k_c <= lanes // 2:
        lanes //= 2
    there = -(-problem.k_c // lanes)
    sizes = [
        Tile(min((dot.registers - dot.spare(v)) // v, MOST_PIXELS), v, lanes)
        for v in (1, 2, 4)
        if (v == 1 or v // 2 < there) and dot.registers > dot.spare(v) + v
    ]
    return min(sizes, key=lambda size: 1 / size.pixels + 1 / size.vectors)


BYTES = 4  # of one lane: what one dot product multiplies at a time


def dot_fill(problem: ConvProblem) -> tuple[int, int, float, float]:
    """Return the work for an output value of an int8 layer, in registers of 512 bits.

    The products it wants, the dot products of four bytes that it is given (each kernel row begins
    a new one), the share of bytes in use, and of lanes: 8 where the channels fit, else 16.
    """
    p = problem
    quads = p.k_h * -(-p.k_w * p.i_c // BYTES)
    lanes = 16 if p.k_c > 8 else 8
    return (p.window, quads, p.window / (BYTES * quads), p.k_c / (-(-p.k_c // lanes) * lanes))
