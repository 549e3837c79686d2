"""`Kernel.profile`: counts by line, lanes of a warp, and a report that can be read."""

import numpy as np
import pytest

from convladder import cuda

from ..sampling import sampled
from . import kernel_of

pytestmark = pytest.mark.usefixtures("emulator", "watched_first")

TRANSPOSE = """
extern "C" __global__ void transpose(const float *a, float *b, int n)
{
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        b[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
"""


def profile(source, name, grid, block, *arguments, **more):
    return cuda.Kernel(source, name).profile(grid, block, 0, *arguments, **more)


@pytest.fixture
def report():
    matrix = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    a, b = cuda.to_device(matrix), cuda.empty((64, 64))
    found = profile(
        "#define PAD 0" + TRANSPOSE, "transpose", (2, 2), (32, 8), a, b, 64, watch=(1, 3)
    )
    np.testing.assert_array_equal(b.get(), matrix.T)  # a profile computes too
    return found


def test_totals_and_lines(report):
    """4 blocks of 8 warps, 4 rows each: 128 requests of 128 bytes, four sectors each."""
    assert (report.global_load_requests, report.global_load_sectors) == (128, 512)
    assert (report.global_store_requests, report.global_store_sectors) == (128, 512)
    assert report.global_load_bytes == report.global_store_bytes == 64 * 64 * 4
    assert report.shared_requests == 256
    assert report.shared_conflicts == 128 * 31  # every read finds 32 words in one bank
    assert report.ok and not report.divergent
    lines = {line.number: line for line in report.lines}
    load, store = lines[7], lines[12]
    assert load.text.strip().startswith("tile[threadIdx.y + j]")
    assert load.traffic.global_load_requests == load.traffic.shared_store_requests == 128
    assert load.traffic.shared_conflicts == load.traffic.global_store_requests == 0
    assert store.traffic.shared_load_conflicts == 128 * 31
    row = next(line for line in str(report).splitlines() if "tile[threadIdx.x]" in line)
    assert row.split()[:6] == ["12", "128", "512", "4", "128", "3,968"]
    assert str(report).startswith("transpose, 2 × 2 blocks of 32 × 8 threads\n")
    assert "3,968" in report._repr_html_() and "threadIdx.y + j" in report._repr_html_()


def test_the_lanes_of_the_watched_warp(report):
    loads = [r for r in report.requests if r.kind == "loads"]
    assert [(r.line, r.array, r.size) for r in loads] == [(7, "a", 4)] * 4
    first = 4 * (3 * 64 + 32)  # block (1, 0): column 32; warp 3: row 3
    assert loads[0].offsets == tuple(range(first, first + 128, 4))
    reads = [r for r in report.requests if r.kind == "shared_loads"]
    assert reads[1].array == "tile"
    assert reads[1].offsets == tuple(128 * lane + 4 * (3 + 8) for lane in range(32))


def test_lanes_that_part_meet_again_and_those_past_the_end_ask_for_nothing():
    """An inner loop of unequal length, then a store: one request for all lanes."""
    source = """extern "C" __global__ void f(const float *x, float *y, int n) {
        int t = threadIdx.x;
        for (int row = 0; row < 3; row++) {
            float sum = x[row * 32 + t];
            for (int j = 0; j < (t + row) % 4; j++)
                sum += x[96 + j];
            if (t % 2) sum += x[100 + row];
            if (row * 32 + t < n) y[row * 32 + t] = sum;
        }
    }"""
    x = cuda.to_device(np.ones(128, np.float32))
    found = profile(source, "f", 1, 32, x, cuda.empty(72), 72)
    lines = {line.number: line.traffic for line in found.lines}
    assert lines[4].global_load_requests == 3
    assert lines[6].global_load_requests == 3 * 3  # as often as the longest lane
    assert lines[7].global_load_requests == 3
    assert (lines[8].global_store_requests, lines[8].global_store_sectors) == (3, 9)
    last = [request for request in found.requests if request.kind == "stores"][-1]
    assert last.offsets == (*range(256, 288, 4), *[None] * 24) and found.divergent


def test_memory_that_was_never_written():
    source = """extern "C" __global__ void f(float *x, float *y) {
        y[threadIdx.x] = x[threadIdx.x];
    }"""
    x, y = cuda.empty(64), cuda.empty(64)
    found = profile(source, "f", 1, 64, x, y)
    assert [str(fault) for fault in found.uninitialised] == [
        "kernel.cu, line 2: thread (0, 0, 0) of block (0, 0, 0) reads x[0], which nothing has "
        "written (and 63 more like it)."
    ]
    assert profile(source, "f", 1, 64, y, cuda.empty(64)).ok  # a traced launch is remembered
    cuda.Kernel(source, "f")[1, 64](y, half := cuda.empty(64))
    assert profile(source, "f", 1, 64, half, y).ok  # and a plain one
    half = cuda.empty(64)
    profile(source, "f", 1, 32, y, half)
    assert profile(source, "f", 1, 64, half, y).uninitialised[0].index == (32,)
    x.set(np.zeros(64, np.float32))
    assert profile(source, "f", 1, 64, x, y).ok


def test_lanes_that_have_ended_are_not_waited_for():
    source = """extern "C" __global__ void f(int *x) {
        int t = threadIdx.x;
        if (t < 4 || t >= 20) return;
        x[t] = __shfl_sync(0xffffffffu, t, 7) + 100 * __reduce_min_sync(0xffffffffu, t);
    }"""
    x = cuda.to_device(np.zeros(32, np.int32))
    assert profile(source, "f", 1, 32, x).ok
    assert (x.get()[4:20] == 407).all()


@pytest.mark.parametrize("kind", sampled(("float", "double"), 1, str))
def test_a_profile_rounds_as_a_plain_launch_does(kind):
    """A product and a sum are one operation, rounded once: x·x − y is what y was rounded by."""
    kernel = kernel_of("y[0] = x[0] * x[0] - x[1];", f"const {kind} *x, {kind} *y")
    a = np.dtype("float32" if kind == "float" else "float64").type(1.1)
    x = cuda.to_device(np.array([a, a * a]))
    plain, watched = (cuda.to_device(np.zeros(1, a.dtype)) for _ in range(2))
    kernel[1, 1](x, plain)
    kernel.profile(1, 1, 0, x, watched)
    assert plain.get()[0] == watched.get()[0] != 0


FAR = {  # a body, and the array, the index and the number of elements that are told
    "shared, below 0": (
        "__shared__ float s[32]; s[i] = x[i]; __syncthreads();\n    y[i] = s[threadIdx.x - 1];",
        ("s", 2**32 - 1, 32),
    ),
    "global, below 0": ("y[i] = x[threadIdx.x - 1];", ("x", 2**32 - 1, 64)),
    "by another name": (
        "const float *p = x;\n    y[i] = p[threadIdx.x - 1];",
        ("x", 2**32 - 1, 64),
    ),
    "an int that overflowed": ("y[i] = x[n * 8960];", ("x", -2147479296, 64)),
    "of 64 bits": ("y[(long long)n * 8963] = i;", ("y", 2148207025, 32)),
    "a loop without end": ("for (unsigned j = 3; j >= 0; --j) y[j] = x[i];", ("y", 2**32 - 1, 32)),
    "added to": ("y[threadIdx.x - 1] += x[i];", ("y", 2**32 - 1, 32)),
}


@pytest.mark.parametrize("case", sampled(list(FAR), 1, str))
def test_an_index_far_away_is_told_with_its_array(case):
    body, told = FAR[case]
    parameters = "const float *x, float *y, int n"
    kernel = kernel_of(f"    int i = threadIdx.x;\n    {body}", parameters)
    x, y = (cuda.to_device(np.zeros(size, np.float32)) for size in (64, 32))
    fault = kernel.profile(1, 32, 0, x, y, 239675).faults[0]
    assert (fault.array, *fault.index, *fault.shape) == told
    assert ("an unsigned number has gone below 0" in str(fault)) == (told[1] == 2**32 - 1)
    with pytest.raises(cuda.KernelError) as caught:
        kernel[1, 32](x, y, 239675)
    if told[1] > 0:  # else a plain launch knows two arrays on the line, and not which was meant
        assert (caught.value.faults[0].array, *caught.value.faults[0].index) == told[:2]


def test_a_null_pointer_is_the_kernels_affair():
    """It is passed as None; a kernel that looks at it first runs, one that does not is told."""
    text = (
        'extern "C" __global__ void f(int *sums, int *y)\n'
        "{ int i = threadIdx.x; IF sums[0] = 1; y[i] = 2; }"
    )
    y = cuda.to_device(np.zeros(4, np.int32))
    kernel = cuda.Kernel(text.replace("IF", "if (sums != NULL)"), "f")
    kernel[1, 4](None, y)
    assert kernel.profile(1, 4, 0, None, y).ok and y.get().tolist() == [2] * 4
    blind = cuda.Kernel(text.replace("IF", ""), "f")
    says = "through sums, which is a null pointer"
    assert f"line 2: thread (0, 0, 0) of block (0, 0, 0) writes {says}" in str(
        blind.profile(1, 1, 0, None, y).faults[0]
    )
    with pytest.raises(cuda.KernelError, match=says):
        blind[1, 4](None, y)


VECTORS = {  # NVRTC makes one instruction of each
    "make_float4(0, 0, 0, 0)": ("float4", 16), "make_float4(1, 2, 3, 4)": ("float4", 16),
    "float4{1, 2, 3, 4}": ("float4", 16), "{1, 2}": ("float4", 16), "float4()": ("float4", 16),
    "make_int4(0, 0, 0, 0)": ("int4", 16), "make_float2(1, 2)": ("float2", 8),
    "{}": ("double2", 16), "make_uchar4(1, 2, 3, 4)": ("uchar4", 4),
}  # fmt: skip


@pytest.mark.parametrize("value", sampled(list(VECTORS), 1, str))
def test_a_vector_of_constants_is_one_store(value):
    kind, size = VECTORS[value]
    source = f"""extern "C" __global__ void f(float *y, int first) {{
        (({kind} *)(y + first))[threadIdx.x] = {value};
    }}"""
    y = cuda.to_device(np.zeros(256, np.float32))
    report = profile(source, "f", 1, 32, y, 0)
    assert (report.global_store_requests, report.global_store_sectors) == (1, size)
    (fault,) = profile(source, "f", 1, 1, y, 1).misaligned if size > 4 else [None]
    if fault:
        assert (fault.line, fault.array, fault.index) == (2, "y", (1,))
        assert f"writes {size} bytes from y[1] on, at an address that is not" in str(fault)
