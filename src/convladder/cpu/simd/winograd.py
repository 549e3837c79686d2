"""A part of Winograd's convolution, compiled once for each F(m, r): transforms around products.

Tiles are taken in blocks, whose transforms V and M stay in a cache near the core; the products
between them are done by the microkernel's register tile.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...core.jit import compiled_once, numba
from ...core.winograd_transforms import Side
from .scratch import table
from .transform import transform_in, transform_out
from .work_stealing import call, leave_slot, take_slot

OF_A_CALL = (
    "step",  # which step of all tiles; or ALL, a block at a time
    *("x", "U", "y", "V", "M", "own"),  # addresses; `own` is a thread's scratch memory
    "taken",  # slots: int64s, a cache line apart, that are not 0 if in use
)
WORK = np.dtype(
    [
        (name, np.int64)
        for name in (
            *OF_A_CALL,
            *("tiles", "blocks", "threads"),
            *("next", "own_next"),  # bytes to the next thread's V and M, or 0; to its own
            *("V_plane", "U_plane", "M_plane"),  # values from a plane to the next
            *("i_h", "i_w", "i_c", "o_h", "o_w", "k_c", "p_h", "p_w"),
            *("rows", "cols"),  # tiles of an image
            # the products' C code; its plan for the smaller blocks, and for those larger by one
            *("product", "layout", "boxes", "more_layout", "more_boxes"),
            "parts",  # of the products of one plane, which several threads may take
        )
    ]
)
ALL, *STEPS = range(4)  # inputs, products, outputs
INPUTS, PRODUCTS, OUTPUTS = STEPS
WORKS = types.CPointer(numba.from_dtype(WORK))


@intrinsic
def _put(typing_context, address, value):
    """Put an int64 at `address`."""

    def emit(context, b, signature, arguments):
        b.store(arguments[1], b.inttoptr(arguments[0], ir.IntType(64).as_pointer()))
        return context.get_dummy_value()

    return types.void(address, value), emit


@compiled_once
def compiled(columns: Side, rows: Side, lanes: int):
    """Return `part(piece, pieces, work)`, in C, which does one of `pieces` equal parts of a step.

    `work` points to one WORK. Kept on disk by Numba.
    """
    # Constants to the compiler, and part of the name under which the code is kept.
    (m_h, r_h), (m_w, r_w), lane_count = columns, rows, lanes
    a_h, a_w = m_h + r_h - 1, m_w + r_w - 1
    places, addresses = a_h * a_w, table(a_h * a_w)

    @numba.cfunc(types.void(types.int64, types.int64, WORKS), cache=True)
    def part(piece, pieces, work):

        def inputs(w, V, own, first, end, base):
            """Transform tiles `first` to `end` into V, which begins with tile `base`."""
            scratch = own + 8 * addresses
            zeros = scratch + 4 * places * lane_count
            for tile in range(first, end):
                image, rest = divmod(tile, w.rows * w.cols)
                row, col = divmod(rest, w.cols)
                top, left = row * m_h - w.p_h, col * m_w - w.p_w
                for i in range(a_h):
                    line = w.x + 4 * ((image * w.i_h + top + i) * w.i_w + left) * w.i_c
                    there = 0 <= top + i < w.i_h
                    for j in range(a_w):
                        inside = there and 0 <= left + j < w.i_w
                        _put(own + 8 * (i * a_w + j), line + 4 * j * w.i_c if inside else zeros)
                planes = V + 4 * (tile - base) * w.i_c
                transform_in(m_h, r_h, m_w, r_w, lane_count, planes, w.V_plane, own, scratch, w.i_c)

        def outputs(w, M, own, first, end, base):
            """Transform tiles `first` to `end` back from M, which begins with tile `base`."""
            scratch = own + 8 * addresses
            nobody = scratch + 4 * places * lane_count + 4 * lane_count * (-(-w.i_c // lane_count))
            for tile in range(first, end):
                image, rest = divmod(tile, w.rows * w.cols)
                row, col = divmod(rest, w.cols)
                top, left = row * m_h, col * m_w
                for i in range(m_h):
                    line = w.y + 4 * ((image * w.o_h + top + i) * w.o_w + left) * w.k_c
                    for j in range(m_w):
                        inside = top + i < w.o_h and left + j < w.o_w
                        _put(own + 8 * (i * m_w + j), line + 4 * j * w.k_c if inside else nobody)
                planes = M + 4 * (tile - base) * w.k_c
                transform_out(
                    m_h, r_h, m_w, r_w, lane_count, planes, w.M_plane, own, scratch, w.k_c
                )

        def products(w, V, M, first, end, larger):
            """Multiply parts `first` to `end` of V's planes by U's into M's."""
            layout = w.more_layout if larger else w.layout
            boxes = w.more_boxes if larger else w.boxes
            for number in range(first, end):
                plane, part = divmod(number, w.parts)
                arrays = (
                    layout,
                    boxes,
                    V + 4 * plane * w.V_plane,
                    w.U + 4 * plane * w.U_plane,
                    M + 4 * plane * w.M_plane,
                    0,
                    0,
                    0,
                )
                call(w.product, part, w.parts, arrays)

        w = numba.carray(work, 1)[0]
        slot = take_slot(w.taken, w.threads)
        V, M, own = w.V + slot * w.next, w.M + slot * w.next, w.own + slot * w.own_next
        units = places * w.parts
        least, larger = divmod(w.tiles, w.blocks)
        number, behind = piece, piece + 1  # a step of all tiles has as many parts as pieces
        if w.step == ALL:
            number, behind = w.blocks * piece // pieces, w.blocks * (piece + 1) // pieces
        while number < behind:
            if w.step == ALL:
                first = number * least + min(number, larger)
                end = first + least + (number < larger)
                base, unit, unit_end = first, 0, units
            else:
                first, end = w.tiles * piece // pieces, w.tiles * (piece + 1) // pieces
                base, unit, unit_end = 0, units * piece // pieces, units * (piece + 1) // pieces
            if w.step == ALL or w.step == INPUTS:
                inputs(w, V, own, first, end, base)
            if w.step == ALL or w.step == PRODUCTS:
                products(w, V, M, unit, unit_end, w.step == ALL and number < larger)
            if w.step == ALL or w.step == OUTPUTS:
                outputs(w, M, own, first, end, base)
            number += 1
        leave_slot(w.taken, slot)

    return part
