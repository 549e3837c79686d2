"""A GPU's values, bit by bit, of every CUDA feature that the emulator has.

The tests hold the emulator to the values that each argument held afterwards. The conversions of the
16-bit types are compared on the GPU itself, for every float there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from convladder import cuda
from convladder.bench.records import newest, today
from convladder.core.progress import Progress, report_progress
from convladder.cuda import emulator as cuda_emulator
from convladder.measure.cuda.gpu_info import require_gpu

from .case import KERNELS, Case, Mapped
from .counts import compiler_versions, device

FOLDER = "features"
ROUNDINGS = tuple(
    f"{kind}, {how}"
    for kind in ("half", "bfloat16")
    for how in ("to nearest", "to zero", "down", "up")
)


@cache
def recorded() -> dict:
    """Return the newest record: `values` by case and parameter, `differing` by rounding.

    `rounding` is the SHA-256 of the source whose conversions were compared.
    """
    return newest(FOLDER)


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Launch every case on this GPU. Raises `RuntimeError` if there is none."""
    require_gpu("only one has bits to record")
    return {
        "date": today(),
        "device": device(),
        "versions": compiler_versions(),
        "values": {case.name: values(case, "gpu") for case in cases()},
        "rounding": told(np.frombuffer(rounding().encode(), np.uint8)),
        "floats": 2**32,
        "differing": differing(),
        "sums": {kind: sums(kind) for kind in SUMS},
    }


# A tensor core's values by name: their middle and their reach, as powers of 2.
SUMS = {"about 1": (0, 0), "tiny": (-20, 4), "huge": (6, 3), "of all sizes": (-4, 12)}


def sums(kind: str, count: int = 512) -> dict[str, float]:
    """Compare this GPU's sums of 16 products and a float with the emulator's, which round once.

    `same`: the share that agrees to the bit. `units`: the largest difference, in units of the last
    place of the largest number that was added up.
    """
    middle, reach = SUMS[kind]
    rng = np.random.default_rng(16)

    def values(*sides: int) -> np.ndarray:
        powers = 2.0 ** (middle + rng.uniform(-reach, reach, sides))
        return (rng.standard_normal(sides) * powers).astype(np.float16)

    a, b = values(count, 32, 8), values(count, 32, 4)
    c = (values(count, 32, 4).astype(np.float32) * np.float32(2.0**middle)).astype(np.float32)
    found = {}
    for backend in ("gpu", "emulator"):
        d = cuda.empty(c.shape, np.float32, backend)
        kernel = cuda.Kernel(KERNELS / "tensor.cu", "products", backend=backend)
        words = (cuda.to_device(each.view(np.uint32), backend) for each in (a, b))
        kernel[count, 32](d, *words, cuda.to_device(c, backend))
        found[backend] = d.get()
    ours, theirs = found["emulator"], found["gpu"]
    largest = np.maximum(abs(c).max((1, 2)), abs(a).max((1, 2)).astype(float) * abs(b).max((1, 2)))
    unit = np.spacing(largest.astype(np.float32))[:, None, None]
    return {
        "same": float((ours == theirs).mean()),
        "units": float((abs(ours.astype(float) - theirs) / unit).max()),
    }


def differing() -> dict[str, int]:
    """Count the floats that the emulator rounds otherwise than this GPU, of all, by rounding."""
    count = cuda.to_device(np.zeros(len(ROUNDINGS), np.uint64))
    cuda.Kernel(rounding(), "differing", backend="gpu")[4096, 256](count)
    return dict(zip(ROUNDINGS, map(int, count.get()), strict=True))


def lines(record: Mapping) -> Iterator[str]:
    """Say what was compared."""
    yield (
        f"{record['device']['name']}: values of {len(record['values'])} launches; "
        f"{sum(record['differing'].values())} of {record['floats']:,} floats are rounded "
        "otherwise by the emulator"
    )
    for kind, each in record.get("sums", {}).items():
        yield (
            f"sums of products, {kind}: {each['same']:.1%} to the bit, at most "
            f"{each['units']:.2g} units of the last place away"
        )


LIMIT = 0x7C00  # half's infinity
MOST_BYTES = 4096


def cases() -> list[Case]:
    """Return every launch; their `results` are in the record."""
    return [
        *_language(),
        *_groups(),
        *_orders(),
        *_copies(),
        *_tensor(),
        *_small_floats("halves", LIMIT),
        *_small_floats("bfloat16", 0x7F80),
    ]


def values(case: Case, backend: str = "auto") -> dict[str, str]:
    """Launch a case; return what its arrays hold, by the parameters' names.

    Bits in hexadecimal, or where they are many their SHA-256.
    """
    kernel, arguments = case.kernel_on(backend), case.on_device(backend)
    kernel[case.grid, case.block, case.shared](*arguments)
    return {
        p.name: told(argument.get())
        for p, argument in zip(kernel.parameters, arguments, strict=True)
        if p.pointer and not p.constant
    }


def told(array: np.ndarray) -> str:
    """Return an array's bits as the record has them."""
    data = array.tobytes()
    return data.hex() if len(data) <= MOST_BYTES else sha256(data).hexdigest()


def rounding() -> str:
    """Return the source that compares the emulator's conversions with a GPU's, for all floats."""
    text = Path(cuda_emulator.__file__).with_name("include") / "cl_rounding.h"
    return (
        "#define CL_FN static __device__ __forceinline__\n"
        + text.read_text().replace("#pragma once\n", "")
        + (KERNELS / "rounding.cuh").read_text()
    )


def _case(file: str, kernel: str, grid, block, *arguments) -> Case:
    name = kernel.replace("_", " ")
    if file in ("halves", "bfloat16"):
        name += f" of {file}"
    return Case(name, KERNELS / f"{file}.cu", kernel, grid, block, arguments, {})


def _whole(size: int, seed: int = 1, most: int = 1000) -> np.ndarray:
    return np.random.default_rng(seed).integers(-most, most, size).astype(np.int32)


def _real(size: int, seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(size).astype(np.float32)


def _out(*sides: int, dtype: type = np.int32) -> np.ndarray:
    return np.zeros(sides, dtype)


def window() -> np.ndarray:
    """Return a structure as the kernel `structures` takes it."""
    fields = np.dtype(
        [
            ("rows", "i1"),
            ("columns", "i1"),
            ("stride", "i2"),
            ("weights", "f4", 3),
            ("scale", "f8"),
            ("part", [("begin", "i4"), ("end", "i4")]),
        ],
        align=True,
    )
    return np.array((5, 3, 2, (0.5, -1.25, 2.0), 1.5, (3, 29)), fields)


def _language() -> Iterator[Case]:
    bits = np.random.default_rng(3).integers(0, 2**32, 64).astype(np.uint32)
    yield _case("language", "words", (1,), (64,), _out(14, 64, dtype=np.uint32), bits)
    yield _case("language", "lanes", (1,), (64,), _out(16, 64, dtype=np.uint32), _whole(64))
    yield _case("language", "barriers", (1,), (96,), _out(4, 96), _whole(96))
    counters = [
        _out(16),
        _out(6, dtype=np.uint32) + np.uint32(7),
        _out(3, dtype=np.float32),
        _out(2, dtype=np.uint64),
    ]
    yield _case("language", "atomics", (2,), (64,), *counters, _whole(128))
    yield _case(
        "language",
        "structures",
        (1,),
        (32,),
        _out(32, dtype=np.float32),
        window(),
        np.array((1, 2, 3, 4.5), "f4, f4, f4, f4"),
        _real(80),
    )


def _groups() -> Iterator[Case]:
    unsigned = np.uint32
    yield _case("groups", "ranks", (2, 2), (16, 2, 2), _out(7, 256, dtype=unsigned))
    yield _case("groups", "tiles", (1,), (64,), _out(14, 64, dtype=unsigned), _whole(64))
    yield _case("groups", "partitions", (1,), (64,), _out(8, 64, dtype=unsigned), _whole(64))
    yield _case(
        "groups",
        "reductions",
        (1,),
        (64,),
        _out(10, 64),
        _out(5, 64, dtype=np.float32),
        _whole(64),
        _real(64),
    )
    yield _case(
        "groups", "copies_of_a_group", (1,), (64,), _out(2, 64, dtype=np.float32), _real(200)
    )


def _orders() -> Iterator[Case]:
    yield _case("orders", "orders", (2,), (64,), _out(15), _out(1, dtype=np.float32), _whole(128))
    yield _case("orders", "message", (1,), (64,), _out(32), _whole(64))
    yield _case("orders", "last_of_all", (40,), (1,), _out(1), _out(40), _out(1), _whole(40))


def _copies() -> Iterator[Case]:
    real = np.float32
    yield _case("copies", "two_stages", (1,), (64,), _out(5 * 64, dtype=real), _real(320), 5)
    yield _case("copies", "vectors_and_zeros", (1,), (64,), _out(64, dtype=real), _real(64))
    yield _case("copies", "phases", (1,), (64,), _out(64), _whole(64), 5)
    yield _case("copies", "copies_for_a_barrier", (1,), (64,), _out(64, dtype=real), _real(130))
    yield _case("copies", "pipeline_of_a_thread", (1,), (64,), _out(320, dtype=real), _real(320), 5)
    yield _case("copies", "pipeline_of_a_block", (1,), (64,), _out(320, dtype=real), _real(320), 5)


def _tensor() -> Iterator[Case]:
    def few(*sides: int) -> np.ndarray:
        return np.random.default_rng(4).integers(-8, 9, sides).astype(np.float16)

    yield _case(
        "tensor", "fragments", (1,), (32,), _out(1024, dtype=np.float32),
        _whole(1024, 5, 9).astype(np.float16), few(16, 16), few(16, 16) + np.float16(1),
    )  # fmt: skip
    yield _case(
        "tensor", "engine", (1,), (32,), _out(3 * 1088, dtype=np.uint16),
        _out(3 * 128, dtype=np.uint32), _out(128, dtype=np.float32),
        Mapped(few(30, 96), (16, 64)), few(192),
    )  # fmt: skip


def breakpoints(kind: str) -> np.ndarray:
    """Return floats between which no rounding to the type changes: each value, the middle between
    it and the next, and those beside both; infinities and what is no number.
    """
    infinity = LIMIT if kind == "halves" else 0x7F80
    bits = np.arange(infinity, dtype=np.uint16)
    if kind == "halves":
        values = np.append(bits.view(np.float16).astype(np.float64), 65536.0)
    else:
        values = np.append(bits, infinity).astype(np.uint32) << 16
        values = values.view(np.float32).astype(np.float64)
        values[-1] = 2.0**128
    with np.errstate(over="ignore"):
        near = np.concatenate([values[:-1], (values[:-1] + values[1:]) / 2]).astype(np.float32)
    sides = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))]
    all_of_them = np.concatenate([*sides, np.float32([np.inf, np.nan])])
    return np.concatenate([all_of_them, -all_of_them])


def _bits(size: int, infinity: int, seed: int) -> np.ndarray:
    """Numbers of all sizes, each fourth near to 1, with the special ones first."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2**16, size).astype(np.uint16)
    one = 0x3C00 if infinity == LIMIT else 0x3F80
    bits[::4] = one + rng.integers(-300, 300, bits[::4].size)
    special = [0, 0x8000, 1, 0x8001, infinity, infinity | 0x8000, infinity - 1, 0x7FFF]
    places = rng.permutation(size)[: 8 * len(special)]
    bits[places] = np.tile(special, 8)
    return bits


def _small_floats(file: str, infinity: int) -> Iterator[Case]:
    small = np.float16 if file == "halves" else np.uint16

    def case(kernel: str, size: int, *arguments, rows: int, dtype=small, pairs: int = 1) -> Case:
        return _case(
            file,
            kernel,
            (-(-size // 256),),
            (256,),
            _out(rows * pairs, size, dtype=dtype),
            *arguments,
            size,
        )

    every = np.arange(2**16, dtype=np.uint16).view(small)
    yield case("to_float", every.size, every, rows=1, dtype=np.float32)
    floats = breakpoints(file)
    yield case("from_float", floats.size, floats, rows=5)
    yield case("to_whole", every.size, every, rows=8, dtype=np.int32)
    whole = np.concatenate(
        [
            _whole(2000, 5, 2**31 - 1) >> np.arange(2000) % 31,
            np.arange(-50, 50),
            [2**31 - 1, -(2**31)],
        ]
    ).astype(np.int32)
    yield case("from_whole", whole.size, whole, rows=7)
    a, b, c = (_bits(4096, infinity, seed).view(small) for seed in (6, 7, 8))
    yield case("arithmetic", a.size, a, b, c, rows=17)
    yield case("quotients", a.size, a, b, rows=1)
    yield case(
        "comparisons", a.size, a, np.where(np.arange(4096) % 3, b, a), rows=2, dtype=np.uint32
    )
    yield case("pairs", a.size // 2, a, b, c, rows=18, pairs=2)
    yield case("functions", every.size, every, rows=13)
    yield case("pairs_of_functions", a.size // 2, a, b, rows=3, pairs=2)
    few = (np.random.default_rng(9).integers(-3, 4, 60)).astype(np.float32)
    few = few.astype(np.float16) if file == "halves" else (few.view(np.uint32) >> 16)
    yield _case(
        file, "sums", (2,), (30,), _out(3, dtype=small), _out(4, dtype=small), few.astype(small)
    )
