"""The rule for sectors and bank conflicts against the emulator, on patterns of every kind."""

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda import Request
from convladder.cuda.memory_model import bank_conflict_ways, request_of, sectors, words_by_bank

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
    "one place": np.full(32, 7),
    **{f"apart by {stride}": stride * np.arange(32) for stride in (3, 32, 33)},
    "pairs": np.arange(32) // 2 * 40,
    "chance": np.random.default_rng(7).integers(0, 2048, 32),
}


@pytest.mark.parametrize("order", PATTERNS.values(), ids=PATTERNS)
@pytest.mark.parametrize(
    "dtype, name", [(np.float32, "float"), (np.float64, "double"), (np.uint8, "unsigned char")]
)
def test_sectors_are_those_that_the_emulator_counts(order, dtype, name):
    size = np.dtype(dtype).itemsize
    asked = Request(0, "loads", "a", size, tuple(int(i) * size for i in order))
    kernel = cuda.Kernel(f"typedef {name} T;" + SOURCE, "gather")
    report = kernel.profile(
        1,
        32,
        0,
        cuda.to_device(np.ones(2048, dtype)),
        cuda.to_device(order.astype(np.int32)),
        cuda.empty(32, dtype),
    )
    assert len(sectors(asked)) == report.global_load_sectors - 4  # of `order` itself
    assert request_of(report, "b[threadIdx.x] = a", 1).offsets == asked.offsets


@pytest.mark.parametrize("order", PATTERNS.values(), ids=PATTERNS)
def test_turns_are_those_that_the_emulator_counts(order):
    asked = Request(0, "shared_loads", "tile", 4, tuple(4 * int(i) for i in order))
    kernel = cuda.Kernel("typedef float T;" + SOURCE, "pick")
    report = kernel.profile(1, 32, 0, cuda.to_device(order.astype(np.int32)), cuda.empty(32))
    assert bank_conflict_ways(asked) - 1 == report.shared_load_conflicts
    assert sum(map(len, words_by_bank(asked).values())) == len(set(order.tolist()))


def test_idle_lanes_ask_for_nothing():
    half = Request(0, "loads", "a", 4, (*(128 * i for i in range(4)), *(None,) * 28))
    assert sectors(half) == [0, 4, 8, 12] and bank_conflict_ways(half) == 4


def test_a_line_without_requests_is_named():
    kernel = cuda.Kernel("typedef float T;" + SOURCE, "pick")
    report = kernel.profile(1, 32, 0, cuda.to_device(np.zeros(32, np.int32)), cuda.empty(32))
    with pytest.raises(ValueError, match="line 'no such text' has 0 requests.* lines 7, 9"):
        request_of(report, "no such text")
