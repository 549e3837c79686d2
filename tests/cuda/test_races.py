"""Races in global memory, and shared memory with many readers: what is told, and in which words.

The kernels `broken_races.cu` and `sound_races.cu` of studies/gpu_validation hold the kinds of
races, each with its twin.
"""

import numpy as np
import pytest

from convladder import cuda

from ..sampling import sampled
from . import kernel_of

pytestmark = pytest.mark.usefixtures("emulator", "watched_first")


def profile(body, grid, block, *arguments, head="", parameters="float *y, const float *x, int n"):
    return kernel_of(body, parameters, head).profile(grid, block, 0, *arguments)


@pytest.fixture
def x():
    return cuda.to_device(np.arange(1, 1001, dtype=np.float32))


@pytest.fixture
def y():
    return cuda.to_device(np.zeros(1000, np.float32))


INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def test_a_sum_by_all_threads_is_told_with_threads_blocks_and_lines(x, y):
    found = profile(INDEX + "    if (i < n)\n        y[0] += x[i];", 1000, 1, y, x, 1000)
    read, written = found.faults
    assert (read.kind, read.line, read.thread, read.block) == ("race", 6, (0, 0, 0), (1, 0, 0))
    assert (read.other_line, read.other_thread, read.other_block) == (6, (0, 0, 0), (0, 0, 0))
    assert (read.array, read.index, read.count, written.count) == ("y", (0,), 999, 999)
    assert str(read) == (
        "kernel.cu, line 6: thread (0, 0, 0) of block (1, 0, 0) reads y[0], which thread (0, 0, 0) "
        "of block (0, 0, 0) (line 6) has written, and nothing in between orders the two blocks "
        "(and 998 more like it)."
    )
    assert y.get()[0] == x.get().sum()  # and yet: blocks run one after the other here


def test_one_array_under_two_names(x):
    body = INDEX + "    if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] + x[i + 1];"
    fault = profile(body, 8, 128, x, x, 1000).races[0]
    assert str(fault).endswith("y and x are one array.")
    assert (fault.line, fault.other_line) == (5, 5)
    assert profile(body, 8, 128, cuda.to_device(x.get()), x, 1000).ok


def test_stores_of_one_value_are_told_in_milder_words(x, y):
    body = INDEX + "    if (x[i] > 3) y[0] = i % n;"
    (fault,) = profile(body, 10, 100, y, x, 1).faults
    assert (fault.kind, fault.count) == ("race", 996)
    assert "write the same value to y[0] with no barrier in between; that often goes" in str(fault)
    (fault,) = profile(body, 10, 100, y, x, 50).faults
    assert "same value" not in str(fault) and "also touches it" in str(fault)


OVERLAPS = [
    ("y[3] = 1;", "reinterpret_cast<float4 *>(y)[0].w", True),
    ("reinterpret_cast<short *>(y)[3] = 1;", "y[1]", True),
    ("reinterpret_cast<short *>(y)[3] = 1;", "reinterpret_cast<short *>(y)[2]", False),
    ("reinterpret_cast<char *>(y)[9] = 1;", "reinterpret_cast<short *>(y)[4]", True),
    ("reinterpret_cast<double *>(y)[1] = 1;", "__ldg(y + 3)", True),
    ("y[3] = 1;", "*(volatile float *)(y + 3)", True),
    ("*(volatile float *)(y + 3) = 1;", "*(volatile float *)(y + 3)", False),
    ("atomicAdd(y + 3, 1.0f);", "*(volatile float *)(y + 3)", False),
    ("atomicAdd(y + 3, 1.0f);", "y[3]", True),
]


@pytest.mark.parametrize(
    ("store", "load", "races"), sampled(OVERLAPS, 2, lambda case: f"{case[0]} {case[1]}")
)
def test_what_overlaps(store, load, races, y):
    body = f"    if (blockIdx.x == 0) {{ {store} }} else {{ float v = {load}; y[99] = v; }}"
    found = profile(body, 2, 1, y, parameters="float *y")
    assert bool(found.races) is races and len(found.races) == len(found.faults)


def test_a_variable_of_the_source_is_told_by_its_name(x, y):
    body = "    total += x[threadIdx.x]; table[threadIdx.x / 2][1] = threadIdx.x;"
    found = profile(body, 1, 64, y, x, 64, head="__device__ float total, table[32][2];")
    assert {fault.array for fault in found.races} == {"total", "table"}
    assert "reads total, which thread" in str(found.faults[0])
    assert any("writes table[0, 1], and" in str(fault) for fault in found.faults)


TWICE_USED = [
    "__shared__ union { float a[64]; int b[128]; };",
    "__shared__ union { float a[64]; int b[128]; } u;\n#define a u.a\n#define b u.b",
    "__shared__ struct { float a[1 << 6]; int b[1 << 7]; } s, t[2];\n"
    "#define a s.a\n#define b t[1].b",
    "extern __shared__ float a[]; int *b = (int *)a;",
]


@pytest.mark.weekly
@pytest.mark.parametrize("declared", TWICE_USED)
def test_memory_of_two_uses(declared, y):
    for sync in ("", "__syncthreads();"):
        source = f"""extern "C" __global__ void f(float *y) {{
            {declared}
            int x = threadIdx.x;
            a[x] = x; {sync}
            float mine = a[63 - x];
            __syncthreads();
            b[x + 64] = x; {sync}
            y[x] = mine + b[127 - x];
        }}"""
        found = cuda.Kernel(source, "f").profile(1, 64, 512, y)
        assert found.ok is bool(sync) and len(found.races) == len(found.faults)
    np.testing.assert_array_equal(y.get()[:64], 2 * np.arange(63, -1, -1))


def test_readers_of_global_memory_are_all_remembered(x, y):
    """0 and 40 read, 5 reads once its warp has waited, 2 stores after it waited again: 40 may
    still be reading. The kernel `three_readers` does as much in shared memory."""
    body = """    int i = threadIdx.x;
    if (i == 2) g[0] = 1;
    __syncthreads();
    if (i == 0 || i == 40) y[i] = g[0];
    if (i < 32) __syncwarp();
    if (i == 5) y[i] = g[0];
    if (i < 32) __syncwarp();
    if (i == 2) g[0] = 3;"""
    (fault,) = profile(body, 1, 64, y, x, parameters="float *y, float *g").faults
    assert (fault.thread, fault.other_thread) == ((2, 0, 0), (40, 0, 0))
    sound = body.replace("|| i == 40", "")
    assert profile(sound, 1, 64, y, x, parameters="float *y, float *g").ok


@pytest.fixture
def order():
    yield cuda.shuffle_blocks
    cuda.shuffle_blocks(None)


@pytest.mark.weekly
def test_blocks_in_another_order(order, x, y):
    body = (
        "    __shared__ int t; if (threadIdx.x == 0) t = atomicAdd(count, 1);\n"
        "    __syncthreads();\n    if (threadIdx.x == 0) y[t] = blockIdx.x;"
    )

    def run(seed, watched):
        order(seed)
        y, count = cuda.empty(100, np.int32), cuda.to_device(np.zeros(1, np.int32))
        kernel = cuda.Kernel(f"__global__ void f(int *y, int *count) {{\n{body}\n}}", "f")
        if watched:
            assert kernel.profile((10, 10), 32, 0, y, count).ok
        else:
            kernel[(10, 10), 32](y, count)
        return y.get()

    assert (run(None, True) == np.tile(np.arange(10), 10)).all()
    first = run(5, True)
    assert (first != np.tile(np.arange(10), 10)).any() and (first == run(5, True)).all()
    fault = profile("    if (blockIdx.x % 4 == 2) y[0] += 1;", 8, 1, y, x, 1).races[0]
    assert {fault.block, fault.other_block} == {(2, 0, 0), (6, 0, 0)}, "the blocks that ran"
    assert (first != run(6, True)).any() and (np.sort(run(7, False)) == np.sort(first)).all()
    with pytest.raises(ValueError, match="seed=-1"):
        order(-1)


LOCK = """
    if (threadIdx.x == 0) {
        TAKE
        __threadfence();
        *sum += 1;
        __threadfence();
        GIVE
    }"""
CAS = "while (atomicCAS((int *)lock, 0, 1) != 0) {}"


LOCKS = {  # how it is taken and given back, and whether that is sound
    (CAS, "*lock = 0;"): True,
    (CAS, "atomicExch((int *)lock, 0);"): True,
    ("while (atomicExch((int *)lock, 1) != 0) {}", "*lock = 0;"): True,
    ("while (*lock) {} *lock = 1;", "*lock = 0;"): False,  # both may find it free
    ("if (!blockIdx.x) " + CAS, "*lock = 0;"): False,
}


@pytest.mark.parametrize(("take", "give"), sampled(list(LOCKS), 1, str))
def test_a_lock_may_be_given_back_by_a_volatile_store(take, give):
    body = LOCK.replace("TAKE", take).replace("GIVE", give)
    lock, total = (cuda.to_device(np.zeros(1, np.int32)) for _ in range(2))
    report = profile(body, 4, 32, lock, total, parameters="volatile int *lock, int *sum")
    assert report.ok == LOCKS[take, give] and total.get()[0] == 4
    assert {fault.kind for fault in report.faults} <= {"race"}


def test_two_barriers_on_one_line_are_two(x, y):
    second = "n += __syncthreads_count(1);"
    body = "    if (threadIdx.x % 2) { __syncthreads(); } else { " + second + " }\n    y[0] = n;"
    (fault,) = profile(body, 1, 64, y, x, 1).barriers
    assert (fault.line, fault.other_line, fault.other_thread) == (4, 4, (1, 0, 0))


def test_a_race_names_another_warp_if_there_is_one(x, y):
    """Lanes of one warp, which go together mostly, race by the letter too."""
    body = (
        "    __shared__ float s[64];\n    int t = threadIdx.x;\n    s[t] = x[t];\n"
        "    float v = __shfl_down_sync(0xffffffffu, x[t], 1);\n    y[t] = v + s[(t + 1) % 64];"
    )
    (fault,) = profile(body, 1, 64, y, x, 1).races
    assert (fault.line, fault.thread, fault.other_thread) == (8, (31, 0, 0), (32, 0, 0))
    assert (fault.index, fault.count) == ((32,), 64)
