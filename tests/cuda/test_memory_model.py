"""The rule for sectors and bank conflicts against the emulator, on patterns of every kind."""

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda import Line, Report, Request, Traffic
from convladder.cuda.memory_model import (
    bank_ways,
    ceiling,
    request_of,
    sectors,
    strided_addresses,
    wavefronts,
    words_by_bank,
)

SOURCE = """
extern "C" __global__ void gather(const T* a, const int* order, T* b) {
    b[threadIdx.x] = a[order[threadIdx.x]];
}
extern "C" __global__ void pick(const int* order, float* b) {
    __shared__ float tile[2048];
    for (int i = threadIdx.x; i < 2048; i += 32) tile[i] = i;
    __syncthreads();
    b[threadIdx.x] = tile[order[threadIdx.x]];
}
"""
PATTERNS = {
    "side by side": np.arange(32),
    "backwards": np.arange(32)[::-1],
    **{f"apart by {stride}": stride * np.arange(32) for stride in (0, 3, 32, 33)},
    "pairs": np.arange(32) // 2 * 40,
    "chance": np.random.default_rng(7).integers(0, 2048, 32),
}


@pytest.mark.parametrize("order", PATTERNS.values(), ids=PATTERNS)
@pytest.mark.parametrize("dtype, name", [(np.float64, "double"), (np.uint8, "unsigned char")])
def test_sectors_are_those_that_the_emulator_counts(order, dtype, name):
    size = np.dtype(dtype).itemsize
    asked = Request(0, "loads", "a", size, tuple(int(i) * size for i in order))
    kernel = cuda.Kernel(f"typedef {name} T;" + SOURCE, "gather")
    given = (cuda.to_device(each) for each in (np.ones(2048, dtype), order.astype(np.int32)))
    report = kernel.profile(1, 32, 0, *given, cuda.empty(32, dtype))
    assert len(sectors(asked)) == report.global_load_sectors - 4  # of `order` itself
    assert request_of(report, "b[threadIdx.x] = a", 1).offsets == asked.offsets
    with pytest.raises(ValueError, match="line 'no such text' has 0 requests.* lines 3"):
        request_of(report, "no such text")


@pytest.mark.parametrize("order", PATTERNS.values(), ids=PATTERNS)
def test_turns_are_those_that_the_emulator_counts(order):
    asked = Request(0, "shared_loads", "tile", 4, tuple(4 * int(i) for i in order))
    kernel = cuda.Kernel("typedef float T;" + SOURCE, "pick")
    report = kernel.profile(1, 32, 0, cuda.to_device(order.astype(np.int32)), cuda.empty(32))
    assert bank_ways(asked) - 1 == report.shared_load_conflicts
    assert sum(map(len, words_by_bank(asked).values())) == len(set(order.tolist()))


def test_words_of_one_bank_are_taken_one_after_the_other():
    distances = (0, 1, 4, 32, 33, 120, 256)
    assert [bank_ways(strided_addresses(d)) for d in distances] == [1, 1, 4, 32, 1, 8, 32]
    half = Request(0, "loads", "a", 4, (*(128 * i for i in range(4)), *(None,) * 28))
    assert sectors(half) == [0, 4, 8, 12] and bank_ways(half) == 4, "idle lanes ask for nothing"
    assert bank_ways(strided_addresses(size=16)) == 4  # 512 bytes, of 128 a turn


def test_the_largest_count_sets_the_ceiling():
    counts = dict(global_load_requests=50, shared_load_requests=10, shared_load_conflicts=2)
    loads = ceiling(Report(**counts, shared_store_requests=1), 1000)
    assert loads.wavefronts == 63 and loads.limit == "wavefronts"
    assert loads.share == pytest.approx(1000 / 128 / 63)
    sectors = ceiling(Report(global_load_sectors=300, global_store_sectors=20), 1000)
    assert sectors.sectors == 80 and sectors.limit == "sectors"
    assert ceiling(Report(), 1000).share == 1 and ceiling(Report(), 1000).limit == "arithmetic"
    with pytest.raises(ValueError, match="macs=0"):
        ceiling(Report(), 0)


def test_a_wide_request_takes_a_clock_for_each_128_bytes():
    wide = Traffic(shared_load_requests=10, shared_load_bytes=10 * 512, shared_load_conflicts=3)
    idle = Traffic(global_store_requests=10, global_store_bytes=4)
    assert wavefronts(Report(lines=[Line(1, "", wide)], shared_load_conflicts=3)) == 43
    lines = [Line(1, "", wide), Line(2, "", idle)]
    counts = dict(shared_load_requests=20, shared_load_bytes=5124, shared_load_conflicts=3)
    assert ceiling(Report(**counts, lines=lines), 1000).wavefronts == 53
    copy = {"global_load_requests": 10, "global_load_bytes": 5120, "shared_store_requests": 10}
    for asynchronous, passes in ((0, 80), (5120, 0)):
        line = Traffic(**copy, shared_store_bytes=5120, asynchronous_bytes=asynchronous)
        assert wavefronts(Report(lines=[Line(1, "", line)])) == passes
