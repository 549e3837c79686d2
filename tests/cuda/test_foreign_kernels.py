"""Kernels as strangers write them, in `foreign/`: values, counts that follow from the algorithm by
hand, and planted faults, each of which is to be told with its line.

A fault is a line below its kernel: `//! kind: old => new @ line @ line`. `old` occurs once in the
kernel, and each `line` is a text that only the line to be told contains, for a race those of both
accesses; without `@` it is the line that was changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from convladder import cuda
from tests.sampling import sampled

FOREIGN = Path(__file__).parent / "foreign"
KINDS = {
    "races": "race", "out_of_bounds": "out of bounds", "uninitialised": "unwritten",
    "misaligned": "misaligned", "barriers": "barrier", "lanes": "warp", "copies": "copy",
}  # fmt: skip
pytestmark = pytest.mark.usefixtures("emulator", "watched_first")


@dataclass(frozen=True)
class Launch:
    """`results`: what the argument at a place holds afterwards; `counts`: fields of the report."""

    file: str
    kernel: str
    grid: object
    block: object
    arguments: tuple
    results: dict[int, object]
    counts: dict[str, int]
    shared: int = 0
    any_order: bool = False

    @property
    def name(self) -> str:
        return self.kernel.split("<")[0]

    def run(self, source: str) -> tuple[cuda.Report, list]:
        kernel = cuda.Kernel(source, self.kernel)
        if self.kernel == "stencil_1d":
            kernel.set_constant("taps", TAPS)
        arguments = [
            cuda.to_device(a.copy()) if isinstance(a, np.ndarray) else a for a in self.arguments
        ]
        return kernel.profile(self.grid, self.block, self.shared, *arguments), arguments


@dataclass(frozen=True)
class Planted:
    """A fault: the launch that shows it, the faulty source, and the lines to be told."""

    launch: Launch
    kind: str
    edit: str
    source: str
    lines: frozenset[int]

    @property
    def name(self) -> str:
        return f"{self.launch.kernel}-{self.edit}"

    def told(self) -> bool:
        try:
            faults = self.launch.run(self.source)[0].faults
        except cuda.KernelError as error:
            faults = error.faults
        return any(
            f.kind == KINDS[self.kind] and self.lines <= {f.line, f.other_line} for f in faults
        )


def planted(launch: Launch) -> Iterator[Planted]:
    """Yield the faults written below the launched kernel."""
    source = (FOREIGN / launch.file).read_text()
    for part in re.finditer(r"((?:^(?!//!).*\n)+)((?:^//!.*\n)+)", source, re.M):
        if not re.search(rf"\b{launch.name}\(", part[1]):
            continue
        for line in part[2].splitlines():
            kind, old, new, _, where = re.fullmatch(
                r"//! (\w+): (.*?) =>(?: (.*?))??(?: ?(@) (.*))?", line
            ).groups("")
            assert part[1].count(old) == 1, f"{launch.name}: {old!r} is not there once"
            text = part[1].replace(old, new)
            changed = source[: part.start()] + text + source[part.end(1) :]
            lines = {source.count("\n", 0, part.start() + part[1].index(old)) + 1}
            if where:
                first = source.count("\n", 0, part.start()) + 1
                lines = {_line(text, fragment) + first for fragment in where.split(" @ ")}
            yield Planted(launch, kind, f"{old} => {new}", changed, frozenset(lines))


def _line(text: str, fragment: str) -> int:
    found = [n for n, line in enumerate(text.splitlines()) if fragment in line]
    assert len(found) == 1, f"{fragment!r} is on lines {found} of {text}"
    return found[0]


RNG = np.random.default_rng(32)
TAPS = np.array([1, -2, 3, 4, 3, 2, -1], np.float32)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def fresh(*shape: int, dtype: object = np.float32) -> np.ndarray:
    return np.full(shape, 77, dtype)


def sgemm() -> Iterator[Launch]:
    """37 x 28 times 28 x 44: edges in each tile. A row of C is 176 bytes: odd ones begin in the
    middle of a sector."""
    a, b, c = normal(37, 28), normal(28, 44), normal(37, 44)
    product = a.astype(float) @ b
    taken = (a, b, fresh(37, 44), 37, 44, 28)

    def rung(kernel: str, grid: object, block: object, **counts: int) -> Launch:
        return Launch("sgemm.cu", kernel, grid, block, taken, {2: product}, counts)

    # 66 warps of 16 rows and 2 columns have work; each row of C is a sector of its own in each.
    yield Launch(
        "sgemm.cu", "sgemm_naive", (3, 3), (16, 16), (37, 44, 28, 1.5, a, b, 0.5, c),
        {7: 1.5 * product + 0.5 * c},
        {"global_load_requests": 66 * 57, "global_store_sectors": 37 * 22},
    )  # fmt: skip
    # A: one sector a row and step; B and C: 4 + 2 sectors of an even row, 5 + 2 of an odd one.
    yield rung(
        "sgemm_coalesced<32>", (2, 2), 1024, global_load_requests=37 * 2 * 28 * 2,
        global_load_sectors=37 * (28 * 2 + 14 * 6 + 14 * 7), global_store_sectors=19 * 6 + 18 * 7,
    )  # fmt: skip
    # 9 blocks of 8 warps, 2 tiles; a warp reads 2 words of A and 16 of B.
    yield rung("sgemm_tiled", (3, 3), (16, 16), shared_store_requests=9 * 8 * 2 * 2,
               shared_load_requests=9 * 8 * 2 * 16 * 2, shared_conflicts=0)  # fmt: skip
    # Two rows of 16, 17 words apart: words 0 and 32 share a bank.
    yield rung("sgemm_double_buffer", (3, 3), (16, 16), shared_load_conflicts=0,
               shared_store_conflicts=9 * 8 * 2 * 2)  # fmt: skip
    yield rung("sgemm_async<2>", (2, 2), 64, asynchronous_bytes=4 * 64 * 4 * 2 * 16,
               shared_load_conflicts=4 * 2 * 4 * 8 * 4 * 3)  # fmt: skip


def reductions() -> Iterator[Launch]:
    """1,000 floats are 125 sectors, however they are read."""
    x = normal(1000)

    eighths = {1: [x[i : i + 128].sum(dtype=float) for i in range(0, 1000, 128)]}
    yield Launch("reduce.cu", "reduce_modulo", 8, 128, (x, fresh(8), 1000), eighths,
                 {"global_load_sectors": 125, "shared_conflicts": 0}, 512)  # fmt: skip
    # A block's 8 warps store once each, and one loads.
    counts = {"global_load_sectors": 125, "shared_requests": 2 * 9, "global_atomics": 2}
    zero, total = np.zeros(1, np.float32), {1: [x.sum(dtype=float)]}
    yield Launch("reduce.cu", "reduce_shuffle", 2, 256, (x, zero, 1000), total, counts)
    yield Launch("reduce.cu", "reduce_groups", 2, 256, (x, zero, 1000), total, counts)
    yield Launch(
        "reduce.cu", "reduce_last_block", 4, 64, (x, fresh(4), fresh(1), 1000),
        {2: total[1]}, {"global_load_sectors": 125 + 4, "global_atomics": 4},
    )  # fmt: skip
    yield Launch(
        "reduce.cu", "argmax", 1, 128, (x, 1000, fresh(1), fresh(1, dtype=np.int32)),
        {2: [x.max()], 3: [x.argmax()]}, {"global_load_sectors": 125, "shared_store_requests": 4},
    )  # fmt: skip


def scans() -> Iterator[Launch]:
    k = RNG.integers(0, 50, 500, dtype=np.int32)
    out, f, zero = fresh(500, dtype=np.int32), normal(200), np.zeros(1, np.int32)

    def scan(kernel: str, grid: int, block: int, taken: tuple, results: dict, **more) -> Launch:
        shared, any_order = more.pop("shared", 0), more.pop("any_order", False)
        return Launch("scan.cu", kernel, grid, block, taken, results, more, shared, any_order)

    yield scan("scan_hillis_steele", 1, 128, (k[:100], out[:100], 100), {1: k[:100].cumsum()},
               shared=1024, shared_conflicts=0)  # fmt: skip
    # Padding by one word in 32 leaves no conflict at any level.
    yield scan("scan_blelloch<float, 256>", 1, 128, (f, fresh(200), 200),
               {1: f.cumsum(dtype=float) - f}, shared_conflicts=0)  # fmt: skip
    yield scan("scan_warps", 2, 256, (k, 500), {0: [*k[:256].cumsum(), *k[256:].cumsum()]},
               shared_store_requests=2 * 9, shared_load_requests=2 * 8)  # fmt: skip
    u = k[:300].astype(np.uint32)
    # A ticket and a first state each; the later two look at one tile, and tell their sum.
    yield scan("scan_lookback", 3, 128, (u, fresh(300, dtype=np.uint32), 300,
               np.zeros(3, np.uint32), zero), {1: u.cumsum()},
               global_atomics=3 + 3 + 2 + 2)  # fmt: skip
    x = normal(500)
    kept = x[x > 0]
    yield scan("compact_positive", 4, 128, (x, fresh(len(kept)), zero, 500),
               {1: kept, 2: [len(kept)]}, any_order=True, global_atomics=4)  # fmt: skip


def transposes() -> Iterator[Launch]:
    """40 x 48: a row is 6 sectors of the one, 5 of the other."""
    a = normal(40, 48)

    def transpose(kernel: str, grid: tuple, **counts: int) -> Launch:
        taken = (a, fresh(48, 40), 40, 48)
        counts |= {"global_load_sectors": 240}
        return Launch("transpose.cu", kernel, grid, (32, 8), taken, {1: a.T}, counts)

    yield transpose("transpose_naive", (2, 5), global_store_sectors=40 * 48)
    # A column of 32, and one of 8 at the edge: each in one bank.
    yield transpose("transpose_tile<0>", (2, 2), shared_conflicts=48 * (31 + 7),
                    global_store_sectors=240)  # fmt: skip
    yield transpose("transpose_tile<1>", (2, 2), shared_conflicts=0, global_store_sectors=240)
    yield transpose("transpose_swizzled", (2, 2), shared_conflicts=0, global_store_sectors=240)
    rows = normal(5, 100)
    yield Launch("transpose.cu", "reverse_rows", 5, 64, (rows, fresh(5, 100), 100),
                 {1: rows[:, ::-1]}, {"global_load_requests": 5, "global_load_sectors": 5 * 13},
                 400)  # fmt: skip
    x, y = (RNG.integers(-8, 9, 1000).astype(np.float16) for _ in range(2))
    yield Launch("transpose.cu", "axpy_half2", 2, 128, (np.float16(0.5), x, y, 500),
                 {2: 0.5 * x.astype(float) + y}, {"global_load_sectors": 2 * 63,
                 "global_store_sectors": 63})  # fmt: skip


def attention() -> Iterator[Launch]:
    def softmax(x: np.ndarray) -> np.ndarray:
        e = np.exp(x.astype(float) - x.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    x = normal(3, 50)
    yield Launch("attention.cu", "softmax_naive", 3, 64, (x, fresh(3, 50), 50), {1: softmax(x)},
                 {"global_load_requests": 3 * 6, "global_store_requests": 3 * 4})  # fmt: skip
    w = normal(5, 70)
    yield Launch("attention.cu", "softmax_online", 2, (32, 4), (w, fresh(5, 70), 5, 70),
                 {1: softmax(w)}, {"global_load_requests": 30, "shared_requests": 0})  # fmt: skip
    g, b = normal(50), normal(50)
    wide = x.astype(float)
    scale = 1 / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    yield Launch("attention.cu", "layernorm<64>", 3, 64, (x, g, b, fresh(3, 50), 50, 1e-5),
                 {3: (wide - wide.mean(1, keepdims=True)) * scale * g + b},
                 {"global_load_requests": 3 * 8, "global_store_requests": 3 * 2})  # fmt: skip
    q, k, v = normal(40, 8), normal(40, 8), normal(40, 8)
    scores = q.astype(float) @ k.T * 0.25
    # A thread's row of S is 16 words: 16 lanes want a bank, in 40 stores and 40 loads.
    yield Launch("attention.cu", "flash_attention<32, 16, 8>", 2, 32,
                 (q, k, v, fresh(40, 8), 40, 0.25), {3: softmax(scores) @ v},
                 {"shared_conflicts": 2 * 80 * 15}, 4 * (2 * 16 * 8 + 32 * 16))  # fmt: skip


def histograms() -> Iterator[Launch]:
    data = RNG.integers(0, 256, 1000, dtype=np.uint8)
    data[7] = 255
    bins, counted = np.zeros(256, np.uint32), {1: np.bincount(data, minlength=256)}

    def histogram(kernel: str, grid: int, n: int, **counts: int) -> Launch:
        return Launch("histogram.cu", kernel, grid, 128, (data, bins, n), counted, counts)

    yield histogram("histogram_global", 4, 1000, global_atomics=1000, global_load_sectors=32)
    yield histogram("histogram_shared", 1, 250, shared_atomics=1000, global_load_requests=8)
    yield histogram("histogram_private<4>", 2, 1000, shared_atomics=1000)
    x = normal(1000)
    below = np.flatnonzero(x < 0.3)
    yield Launch("histogram.cu", "filter_below", 4, 128, (x, fresh(len(below), dtype=np.int32),
                 np.zeros(1, np.int32), 0.3, 1000), {1: below, 2: [len(below)]},
                 {"global_atomics": 32}, any_order=True)  # fmt: skip


def stencils() -> Iterator[Launch]:
    x = normal(200)
    edged = np.pad(x.astype(float), 3, "edge")
    yield Launch("stencil.cu", "stencil_1d", 4, 64, (x, fresh(200), 200),
                 {1: sum(t * edged[i : i + 200] for i, t in enumerate(TAPS))},
                 {"global_load_requests": 4 * 4, "global_store_requests": 7}, 280)  # fmt: skip
    a = normal(21, 37)
    e = np.pad(a.astype(float), 1, "edge")
    yield Launch("stencil.cu", "jacobi_2d<16, 8>", (3, 3), (16, 8), (a, fresh(21, 37), 21, 37),
                 {1: (e[:-2, 1:-1] + e[2:, 1:-1] + e[1:-1, :-2] + e[1:-1, 2:]) / 4},
                 {"global_load_requests": 9 * 6, "global_store_requests": 33})  # fmt: skip
    image = normal(9, 52)
    e = np.pad(image.astype(float), ((1, 1), (0, 0)), "edge")
    e = e[:-2] + e[1:-1] + e[2:]
    # Two rows of 176 bytes are 11 sectors; the last is alone.
    yield Launch("stencil.cu", "blur_float4", (1, 2), (16, 8), (image, fresh(9, 44), 9, 11),
                 {1: (e[:, 3:47] + e[:, 4:48] + e[:, 5:49]) / 9},
                 {"global_load_requests": 5 * 9, "global_store_sectors": 4 * 11 + 6})  # fmt: skip


def sorting() -> Iterator[Launch]:
    keys = RNG.integers(-999, 999, 100, dtype=np.int32)
    yield Launch("sorting.cu", "bitonic_shared", 1, 128, (keys, 100), {0: np.sort(keys)},
                 {"shared_conflicts": 0, "global_store_requests": 4}, 512)  # fmt: skip
    short = RNG.integers(-999, 999, 101, dtype=np.int16)
    yield Launch("sorting.cu", "odd_even", 1, 64, (short, 101), {0: np.sort(short)},
                 {"shared_conflicts": 0, "global_load_requests": 4})  # fmt: skip


def sparse() -> Iterator[Launch]:
    dense = np.where(RNG.random((70, 60)) < 0.15, normal(70, 60), 0).astype(np.float32)
    dense[:, 59] = 1
    x, (r, c) = normal(60), (i.astype(np.int32) for i in dense.nonzero())
    y, values, length = {4: dense.astype(float) @ x}, dense[r, c], np.bincount(r)
    csr = (np.append(0, length.cumsum()).astype(np.int32), c, values, x, fresh(70), 70)
    width = int(length.max())
    columns, padded = np.full((width, 70), -1, np.int32), np.zeros((width, 70), np.float32)
    at = np.arange(len(r)) - csr[0][r]
    columns[at, r], padded[at, r] = c, values
    stores = {"global_store_requests": 3, "global_store_sectors": 9}
    yield Launch("sparse.cu", "csr_scalar", 3, 32, csr, y, stores)
    # Four rows a warp.
    yield Launch("sparse.cu", "csr_vector<8>", 5, 128, csr, y, {"global_store_requests": 18})
    yield Launch("sparse.cu", "ell", 3, 32, (columns, padded, x, fresh(70), 70, width), {3: y[4]},
                 stores)  # fmt: skip
    pairs, zero = np.stack([r, c], 1), np.zeros(70, np.float32)
    yield Launch("sparse.cu", "coo_atomic", 2, 128, (pairs, values, x, zero, len(r)), {3: y[4]},
                 {"global_atomics": len(r)})  # fmt: skip


FAMILIES = (
    sgemm, reductions, scans, transposes, attention, histograms, stencils, sorting, sparse,
)  # fmt: skip
LAUNCHES = [launch for family in FAMILIES for launch in family()]
# A template's faults are planted into one of its instances.
PLANTED = [
    fault for launch in {each.name: each for each in LAUNCHES}.values() for fault in planted(launch)
]


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 2, lambda each: each.kernel))
def test_right_kernel(launch):
    report, arguments = launch.run((FOREIGN / launch.file).read_text())
    assert report.ok, report.faults
    for place, expected in launch.results.items():
        got, expected = arguments[place].get().astype(float).ravel(), np.ravel(expected)
        if launch.any_order:
            got, expected = np.sort(got), np.sort(expected)
        np.testing.assert_allclose(got, expected, 1e-5, 1e-5)
    assert {name: getattr(report, name) for name in launch.counts} == launch.counts


@pytest.mark.parametrize("fault", sampled(PLANTED, 2))
def test_planted_fault(fault):
    assert fault.told(), (fault.kind, sorted(fault.lines))
