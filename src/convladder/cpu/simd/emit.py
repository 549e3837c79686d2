"""What register tiles are emitted from: vectors, some of their lanes, and where pixels lie."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils

INT, LANE, FLOAT = ir.IntType(64), ir.IntType(32), ir.FloatType()


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


def masked_load(
    b: ir.IRBuilder, module: ir.Module, place: ir.Value, valid: ir.Value
) -> ir.Value:
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
    mask = mask_of(b, valid, vector.type.count)
    kind = ir.FunctionType(ir.VoidType(), [vector.type, place.type, LANE, mask.type])
    name = f"llvm.masked.store.v{vector.type.count}f32.p0"
    b.call(cgutils.get_or_insert_function(module, kind, name), [vector, place, LANE(4), mask])


def mask_of(b: ir.IRBuilder, valid: ir.Value, lanes: int) -> ir.Value:
    """Return a mask that is true for the first `valid` lanes."""
    numbers = ir.Constant(ir.VectorType(LANE, lanes), list(range(lanes)))
    return b.icmp_signed("<", numbers, broadcast(b, b.trunc(valid, LANE), lanes))


def pointer(b: ir.IRBuilder, address: ir.Value) -> ir.Value:
    """Return the address as a pointer to float32."""
    return b.inttoptr(address, FLOAT.as_pointer())
