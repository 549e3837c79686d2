"""The building blocks of register tiles: vectors, some of their lanes, where pixels lie, the way
out of the registers, and the choice of a size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import RequireLiteralValue

INT, LANE, FLOAT = ir.IntType(64), ir.IntType(32), ir.FloatType()
TABLE_SIDE = 32  # registers hold fewer pixels, and fewer vectors


def pixel_offsets(
    b: ir.IRBuilder, a: dict[str, ir.Value], array: str, pixels: int
) -> list[ir.Value]:
    """Return the offsets of the tile's pixels in `array` from the first of them."""
    by_col = a[f"{array}_col"]
    one_row = b.icmp_signed("<=", b.add(a["col"], INT(pixels)), a["cols"])
    with b.if_else(one_row) as (straight, around):
        with straight:
            places = [b.mul(by_col, INT(pixel)) for pixel in range(pixels)]
            straight_end = b.block
        with around:
            turns = _walk(b, a, array, pixels)
            around_end = b.block
    offsets = []
    for place, turn in zip(places, turns, strict=True):
        offset = b.phi(INT)
        offset.add_incoming(place, straight_end)
        offset.add_incoming(turn, around_end)
        offsets.append(offset)
    return offsets


def _walk(b: ir.IRBuilder, a: dict[str, ir.Value], array: str, pixels: int) -> list[ir.Value]:
    """Offsets of the tile's pixels in `array` from the first: selects, no branches."""
    by_col, by_row, by_image = (a[f"{array}_{axis}"] for axis in ("col", "row", "image"))
    # At the end of a row: back to its start and one row on; likewise at the end of an image.
    whole_row = b.mul(b.sub(a["cols"], INT(1)), by_col)
    whole_box = b.add(whole_row, b.mul(b.sub(a["rows"], INT(1)), by_row))
    by_row, by_image = b.sub(by_row, whole_row), b.sub(by_image, whole_box)
    row, col, at = a["row"], a["col"], INT(0)
    offsets = [at]
    for _ in range(pixels - 1):
        col, next_row = b.add(col, INT(1)), b.add(row, INT(1))
        row_ends = b.icmp_signed("==", col, a["cols"])
        image_ends = b.icmp_signed("==", next_row, a["rows"])
        turn = b.select(image_ends, by_image, by_row)
        at = b.add(at, b.select(row_ends, turn, by_col))
        col = b.select(row_ends, INT(0), col)
        row = b.select(row_ends, b.select(image_ends, INT(0), next_row), row)
        offsets.append(at)
    return offsets


def vector_at(b: ir.IRBuilder, base: ir.Value, offset: ir.Value, vector: ir.Type) -> ir.Value:
    """Return the address of a `vector` that begins `offset` values behind `base`."""
    return b.bitcast(b.gep(base, [offset]), vector.as_pointer())


def broadcast(b: ir.IRBuilder, value: ir.Value, lanes: int) -> ir.Value:
    """Emit a vector of `lanes` times `value`."""
    nothing = ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined)
    everywhere = ir.Constant(ir.VectorType(LANE, lanes), [0] * lanes)
    return b.shuffle_vector(b.insert_element(nothing, value, LANE(0)), nothing, everywhere)


def masked_load(b: ir.IRBuilder, module: ir.Module, place: ir.Value, valid: ir.Value) -> ir.Value:
    """Load the vector at `place`; zeros for lanes from `valid` on, which are not read."""
    vector = place.type.pointee
    mask = mask_of(b, valid, vector.count)
    load = cgutils.get_or_insert_function(
        module,
        ir.FunctionType(vector, [place.type, LANE, mask.type, vector]),
        f"llvm.masked.load.v{vector.count}f32.p0",
    )
    return b.call(load, [place, LANE(4), mask, ir.Constant(vector, None)])


def masked_store(
    b: ir.IRBuilder, module: ir.Module, vector: ir.Value, place: ir.Value, valid: ir.Value
) -> None:
    """Store the first `valid` lanes of a vector; the others' memory is left alone."""
    mask, element = mask_of(b, valid, vector.type.count), vector.type.element
    kind = ir.FunctionType(ir.VoidType(), [vector.type, place.type, LANE, mask.type])
    letters = "f32" if element == FLOAT else str(element)
    store = cgutils.get_or_insert_function(
        module, kind, f"llvm.masked.store.v{vector.type.count}{letters}.p0"
    )
    b.call(store, [vector, place, LANE(bytes_of(element)), mask])


def bytes_of(element: ir.Type) -> int:
    """Return the bytes of a float32 or of an integer."""
    return 4 if element == FLOAT else element.width // 8


def mask_of(b: ir.IRBuilder, valid: ir.Value, lanes: int) -> ir.Value:
    """Return a mask that is true for the first `valid` lanes."""
    numbers = ir.Constant(ir.VectorType(LANE, lanes), list(range(lanes)))
    return b.icmp_signed("<", numbers, broadcast(b, b.trunc(valid, LANE), lanes))


def opaque(b: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Return the value as one of which LLVM knows nothing."""
    return b.asm(ir.FunctionType(value.type, [value.type]), "", "=r,0", [value], False)


def pointer(b: ir.IRBuilder, address: ir.Value) -> ir.Value:
    """Return the address as a pointer to float32."""
    return b.inttoptr(address, FLOAT.as_pointer())


def store_sums(
    b: ir.IRBuilder,
    module: ir.Module,
    outputs: Sequence[ir.Value],
    sums: Sequence[Sequence[ir.Value]],
    valid: ir.Value,
    finish: Callable[[ir.Value, int], ir.Value] | None = None,
) -> None:
    """Store each pixel's vectors of sums, one behind the other from its output on.

    Stored is `finish(sum, v)` of vector `v`, or the sum itself; of the last vector only `valid`
    lanes, the rest being another pixel's.
    """
    last = []
    for row, output in zip(sums, outputs, strict=True):
        for v, place in enumerate(row):
            result = b.load(place) if finish is None else finish(b.load(place), v)
            target = vector_at(b, output, INT(v * result.type.count), result.type)
            if v < len(row) - 1:
                b.store(result, target, align=bytes_of(result.type.element))
            else:
                last.append((result, target))
    lanes = sums[0][0].allocated_type.count
    with b.if_else(b.icmp_signed("==", valid, INT(lanes))) as (whole, part):
        with whole:
            for result, target in last:
                b.store(result, target, align=bytes_of(result.type.element))
        with part:
            for result, target in last:
                masked_store(b, module, result, target, valid)


def call_tile(
    b: ir.IRBuilder,
    table: ir.Value,
    size: tuple[ir.Value, ir.Value],
    kind: ir.FunctionType,
    tuples: Sequence[ir.Value],
) -> None:
    """Call the tile of `size`, pixels and vectors, from the `TileTable` at address `table`.

    Its arguments come as three tuples: arrays, where to begin in each, numbers.
    """
    arrays, at, numbers = (cgutils.unpack_tuple(b, values) for values in tuples)
    begin = [b.gep(array, [offset]) for array, offset in zip(arrays, at, strict=True)]
    pixels, vectors = size
    place = b.add(b.mul(vectors, INT(TABLE_SIDE)), pixels)
    address = b.load(b.gep(b.inttoptr(table, INT.as_pointer()), [place]))
    b.call(b.inttoptr(address, kind.as_pointer()), [*begin, *numbers])


def literals(*sizes: types.Type) -> tuple[int, ...]:
    """Return the values of Numba's literals. Raises `RequireLiteralValue` for what is none."""
    if not all(isinstance(size, types.IntegerLiteral) for size in sizes):
        raise RequireLiteralValue("a tile's sizes and its lanes are fixed when it compiles")
    return tuple(size.literal_value for size in sizes)
