"""What of CUDA C++ the emulator knows: each piece against values worked out by NumPy."""

import numpy as np
import pytest

from convladder import cuda

pytestmark = pytest.mark.usefixtures("emulator")
T = np.arange(64)


def launch(source, grid, block, *arguments, name="f", shared_bytes=0):
    """Run it plainly, then traced; neither may find a fault. Gives the kernel."""
    kernel = cuda.Kernel(source, name)
    kernel[grid, block, shared_bytes](*arguments)
    report = kernel.profile(grid, block, shared_bytes, *arguments)
    assert report.ok, report.faults
    return kernel


def out(sides, dtype=np.float32):
    return cuda.to_device(np.full(sides, 77, dtype))


def test_three_dimensions_of_grid_and_block():
    y = out((6, 8, 15), np.int32)
    source = """
    extern "C" __global__ void f(int *y)
    {
        int x = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
        int k = blockIdx.z * blockDim.z + threadIdx.z;
        y[(k * gridDim.y * blockDim.y + j) * gridDim.x * blockDim.x + x] = x + 100 * j + 10000 * k;
    }"""
    launch(source, (5, 2, 3), (3, 4, 2), y)
    k, j, x = np.indices((6, 8, 15))
    np.testing.assert_array_equal(y.get(), x + 100 * j + 10000 * k)


def test_atomics_in_shared_and_in_global_memory():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 8, 999).astype(np.int32)
    x, counts, total, fours = cuda.to_device(values), out(10, np.int32), out(1), out(8)
    source = """
    extern "C" __global__ void f(const int *x, int *counts, float *total, float *fours, int n)
    {
        __shared__ int own[8];
        int t = threadIdx.x;
        if (t < 8) own[t] = 0;
        __syncthreads();
        for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
            atomicAdd(&own[x[i]], 1);
            atomicAdd(total, 0.5f);
        }
        __syncthreads();
        if (t < 8) atomicAdd(&counts[t], own[t]);
        if (t == 0) atomicMax(&counts[8], (int)blockIdx.x);
        atomicCAS(&counts[9], -1, 7);
        if (t < 2) atomicAdd((float4 *)fours, make_float4(1, 2, 3, 4));
        if (t < 2) atomicAdd((float2 *)fours + 3, make_float2(5, 6));
    }"""
    for _ in range(3):  # on all cores at once: lost updates would show
        counts.set(np.array([0] * 8 + [-5, -1], np.int32))
        total.set(np.zeros(1, np.float32)), fours.set(np.zeros(8, np.float32))
        cuda.Kernel(source, "f")[40, 64](x, counts, total, fours, values.size)
        np.testing.assert_array_equal(counts.get(), [*np.bincount(values), 39, 7])
        assert total.get() == 999 / 2
        np.testing.assert_array_equal(fours.get(), 80 * np.array([1, 2, 3, 4, 0, 0, 5, 6]))
    launch(source, 4, 64, x, counts, total, fours, values.size)


def test_constant_and_device_variables():
    source = """
    __constant__ float weights[4];
    __device__ int launches = 5;
    extern "C" __global__ void f(float *y) {
        y[threadIdx.x] = weights[threadIdx.x % 4] + launches;
    }"""
    kernel, y = cuda.Kernel(source, "f"), out(8)
    for values in ([1, 2, 3, 4], [4, 3, 2, 1]):
        kernel.set_constant("weights", np.array(values, np.float32))
        kernel[1, 8](y)
        np.testing.assert_array_equal(y.get(), np.tile(values, 2) + 5)
        y.set(np.zeros(8, np.float32))
        report = kernel.profile(1, 8, 0, y)
        np.testing.assert_array_equal(y.get(), np.tile(values, 2) + 5)
        # The device variable is global memory, and one place for all lanes.
        assert (report.global_load_requests, report.global_load_sectors) == (1, 1)
    with pytest.raises(cuda.LaunchError, match="no __constant__.*'weight'; it has weights, launch"):
        kernel.set_constant("weight", np.zeros(4, np.float32))
    with pytest.raises(cuda.LaunchError, match="weights has 16 bytes; .* has 20"):
        kernel.set_constant("weights", np.zeros(5, np.float32))


@pytest.mark.weekly
def test_recursion_a_name_of_the_c_library_and_shared_memory_outside_of_all_functions():
    """A kernel named like a function of the C library is the kernel."""
    y = out(32)
    source = """
    extern __shared__ float s[];  // its size comes with the launch
    __device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
    extern "C" __global__ void sync(float *y) {
        s[threadIdx.x] = factorial(threadIdx.x % 5);
        __syncthreads();
        y[threadIdx.x] = s[(threadIdx.x + 1) % 32] + 100 * ((float4 *)s)[1].x;
    }"""
    launch(source, 1, 32, y, name="sync", shared_bytes=128)
    np.testing.assert_array_equal(y.get(), np.array([1, 1, 2, 6, 24])[(T[:32] + 1) % 32 % 5] + 2400)


EXPRESSIONS = {  # of a thread t of 64, and ints a = 5, b = 7; values, or one for all threads
    "__shfl_sync(0xffffffffu, t, 3)": T // 32 * 32 + 3,
    "__shfl_up_sync(0xffffffffu, t, 5)": np.where(T % 32 < 5, T, T - 5),
    "__shfl_down_sync(0xffffffffu, t, 2, 8)": np.where(T % 8 < 6, T + 2, T),
    "__shfl_xor_sync(0xffffffffu, t, 6)": T ^ 6, "__any_sync(0xffffffffu, t == 40)": T // 32,
    "(int)__ballot_sync(0xffffffffu, t % 2)": -0x55555556,
    "__all_sync(0xffffffffu, t < 40)": 1 - T // 32,
    "__reduce_add_sync(0xffffffffu, t)": np.where(T < 32, 496, 1520),
    "(t % 32 < 16 ? __shfl_xor_sync(0xffffu, t, 1) : __shfl_sync(0xffff0000u, t, 31))":
        np.where(T % 32 < 16, T ^ 1, T // 32 * 32 + 31),
    "__syncthreads_count(t % 3 == 0)": 22, "__syncthreads_and(t != 40)": 0,
    "__syncthreads_or(t == 40)": 1,
    "min(a, b)": 5, "max(a, b)": 7, "min(2.5f, 1.0f)": 1, "rsqrtf(4.0f)": 0.5, "__expf(0.0f)": 1,
    "__fdividef(3.0f, 2.0f)": 1.5, "__popc(0xf0u)": 4, "__clz(1)": 31, "__ffs(8)": 4,
    "__saturatef(1.5f)": 1, "__int_as_float(0x40490fdb)": np.float32(np.pi), "__hadd(-7, 4)": -2,
    "clock64() > 0 && warpSize == 32": 1, "__rhadd(-7, 4)": -1, "INT_MAX": 2**31 - 1,
    "__uhadd(~0u, 4u) >> 1": 0x40000000, "__umul24(0xff000003u, 5)": 15, "__usad(3, 9, 1)": 7,
    "(int)(__brevll(6) >> 60)": 6, "__double2hiint(1.5)": 0x3FF80000,
    "(int)__hiloint2double(0x40180000, 0)": 6, "__float2int_ru(2.1f) + __double2int_rd(-2.1)": 0,
    "__float2uint_rz(-5.0f)": 0, "(int)__double2ll_rn(2.5) + (int)__ll2float_rn(7)": 9,
    "(int)(4 * __dadd_rn(0.5, 0.25))": 3, "(int)ullmax(3, 5)": 5,
    "cuda::std::numeric_limits<short>::min()": -32768, "cuda::std::is_same_v<int, float>": 0,
    "cuda::std::numeric_limits<unsigned>::max() == ~0u": 1,
    "cuda::std::numeric_limits<float>::lowest() < -1e38f": 1, "cuda::std::is_signed_v<int8_t>": 1,
    "cuda::std::is_convertible_v<int, float *>": 0, "(int)cuda::std::sqrt(9.0f)": 3,
    "cuda::std::make_pair(1, 2).second": 2, "cuda::std::is_pointer<int *>::value": 1,
    "sizeof(cuda::std::conditional_t<false, char, double>)": 8, "array[1] + (int)array.size()": 9,
    "(t ? 3 : flag.fetch_add(4))": 3, "(int)(float)nv_bfloat16(2.0f)": 2,
}  # fmt: skip


def test_functions_of_cuda_and_the_headers_of_cuda_std():
    y = out((len(EXPRESSIONS), 64), np.float64)
    names = ("limits", "array", "cmath", "atomic", "climits")
    includes = "".join(f"#include <cuda/std/{name}>\n" for name in names)
    lines = "\n".join(f"    y[{64 * i} + t] = {text};" for i, text in enumerate(EXPRESSIONS))
    source = f"""{includes}#include <cuda/barrier>
    #include <cooperative_groups/reduce.h>
    extern "C" __global__ void f(double *y, int a, int b) {{
    int t = threadIdx.x;
    cuda::std::array<int, 2> array = {{4, 7}};
    __shared__ cuda::std::atomic<int> flag;
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (t == 0) {{ flag = 3; init(&barrier, 64); }}
    __syncthreads();
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
{lines}
    }}"""
    launch(source, 1, 64, y, 5, 7)
    for expression, found in zip(EXPRESSIONS, y.get(), strict=True):
        np.testing.assert_array_equal(found, EXPRESSIONS[expression], err_msg=expression)


TMA = """#include <convladder/tensor_core.cuh>
extern "C" __global__ void f(const float *x, float *y) {
    __shared__ __align__(16) float line[64];
    __shared__ mbarrier full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        mbarrier_arrive_expect_tx(&full, 256);
        cp_async_bulk(line, x, 256, &full);
    }
    __syncthreads();
    mbarrier_wait_parity(&full, 0);
    y[threadIdx.x] = line[threadIdx.x];
}"""


def test_the_copy_engine_is_told_of_a_barrier_by_a_fence(emulator):
    """Chapter 12's kernels have one and are not accused. A GPU may well read too early here."""
    x, y = cuda.to_device(T.astype(np.float32)), out(64)
    (fault,) = cuda.Kernel(TMA, "f").profile(1, 64, 0, x, y).barriers
    np.testing.assert_array_equal(y.get(), T)
    assert (fault.line, fault.thread) == (8, (0, 0, 0))


def test_a_parity_is_0_or_1(emulator):
    source = TMA.replace("(&full, 1);", "(&full, 1); fence_proxy_async();")
    for parity in (2, -2):
        kernel = cuda.Kernel(source.replace("(&full, 0)", f"(&full, {parity})"), "f")
        (fault,) = kernel.profile(1, 64, 0, cuda.to_device(T.astype(np.float32)), out(64)).barriers
        assert fault.count == 64 and "neither 0 nor 1" in fault.message
