"""`Kernel` and its arrays: what they take, what they refuse, and in which words."""

import threading
import types

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.cupy_kernel import OnGpu
from convladder.cuda.emulator import toolchain
from convladder.cuda.launch_checks import Watch, checked, shape
from convladder.cuda.signature import c_linkage, parameters

pytestmark = pytest.mark.usefixtures("emulator")

ADD = """
extern "C" __global__ void add(const float *x, float *y, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + alpha;
}
"""


@pytest.fixture
def add():
    return cuda.Kernel(ADD, "add")


@pytest.fixture
def x():
    return cuda.to_device(np.arange(70, dtype=np.float32))


@pytest.mark.parametrize(("key", "says"), [
    ((1, 1025), "block=1025: its x is 1025; 1 to 1024"),
    ((1, 128), "compiled for 64 threads .* has 128"),
    (((1, 70000), 32), "its y is 70000"),
    ((1.5, 32), "grid=1.5 is not a whole number"),
    ((1, 32, 300_000), "shared_bytes=300000 is more than a block can have"),
    (7, r"write kernel\[grid, block\]"),
])  # fmt: skip
def test_launches_that_cannot_be(x, key, says):
    bounded = ADD.replace("void add", "void __launch_bounds__(MOST, 2) add")
    kernel = cuda.Kernel("#define MOST 64\n" + bounded, "add")
    kernel[2, 64](x, cuda.empty(70), 1.0, 70)
    with pytest.raises(cuda.LaunchError, match=says):
        kernel[key](x, cuda.empty(70), 1.0, 70)


@pytest.mark.parametrize(("change", "says"), [
    (lambda a: a[:3], r"takes 4 arguments \(const float \* x, .*\), not 3"),
    (lambda a: [np.zeros(70), *a[1:]], r"x is a NumPy array.*pass cuda.to_device\(x\)"),
    (lambda a: [types.SimpleNamespace(shape=(70,), get=None), *a[1:]],
     "x is an array of another backend than the kernel"),
    (lambda a: [cuda.to_device(np.zeros(70)), *a[1:]],
     r"an array of float32, not of float64.*astype\(np.float32\)"),
    (lambda a: [*a[:3], 70.5], "int n takes a whole number, not 70.5"),
    (lambda a: [*a[:3], 2**31], "int n cannot hold 2147483648"),
])  # fmt: skip
def test_arguments_that_do_not_fit(add, x, change, says):
    with pytest.raises(cuda.LaunchError, match=says):
        add[1, 70](*change([x, cuda.empty(70), 1.0, 70]))


def test_a_structure_is_given_as_one_and_a_vector_may_be_a_row():
    source = """struct P { int h; float scale; };
extern "C" __global__ void f(float* y, P p, float2 v, size_t n)
{ y[0] = p.scale * v.y + n; }"""
    kernel, y, row = cuda.Kernel(source, "f"), cuda.empty(1), np.array([3, 4], np.float32)
    for p in (np.array((3, 0.5), "i4,f4"), np.array((3, 0.5), ">i4,>f4")):  # either byte order
        kernel[1, 1](y, p, row, np.False_)
        assert y.get() == 2
    for p, v in ((np.array([3, 4], np.int32), row), (row.astype(float)[:1], row)):
        with pytest.raises(cuda.LaunchError, match=r"P p takes a structure, not array\(\[3"):
            kernel[1, 1](y, p, v, 0)
    with pytest.raises(cuda.LaunchError, match="float2 v takes a structure"):
        kernel[1, 1](y, np.array((3, 0.5), "i4,f4"), row.astype(np.int32), 0)


def test_files_as_editors_write_them(tmp_path, x):
    path = tmp_path / "größe.cu"
    path.write_bytes(b"\xef\xbb\xbf// \xc3\xbc\r\n" + ADD.replace("\n", "\r\n").encode())
    for given in (path, str(path)):
        cuda.Kernel(given, "add")[3, 32](x, y := cuda.empty(70), 2, 70)
        np.testing.assert_array_equal(y.get(), x.get() + 2)
    path.write_text("// ü\n" + ADD, encoding="latin-1")
    with pytest.raises(cuda.CompileError, match="größe.cu is not UTF-8"):
        cuda.Kernel(path, "add")
    with pytest.raises(FileNotFoundError, match="no file .*other.cu"):
        cuda.Kernel(str(tmp_path / "other.cu"), "add")


def test_a_file_includes_those_beside_it(tmp_path, x):
    (tmp_path / "two.cuh").write_text('#include "one.cuh"\n#define TWO (ONE + 1)\n')
    (tmp_path / "one.cuh").write_text("#define ONE 1.0f\n")
    path = tmp_path / "own.cu"
    path.write_text(
        "#include <cuda_fp16.h>\n"
        + ADD.replace("alpha;", "alpha * TWO;").replace("\n", '\n#include "two.cuh"\n', 1)
    )
    kernel = cuda.Kernel(path, "add")
    y = cuda.empty(70)
    kernel[1, 70](x, y, 3, 70)
    np.testing.assert_array_equal(y.get(), x.get() + 6)
    assert kernel.file == "own.cu" and "include <cuda_fp16.h>" in kernel.source
    path.write_text('#include "three.cuh"\n' + ADD)
    with pytest.raises(FileNotFoundError, match="own.cu includes 'three.cuh'"):
        cuda.Kernel(path, "add")


@pytest.mark.parametrize(("source", "line", "says"), [
    ("\n// a comment\n__global__ void f(float *x) {\n  int i = threadIdx.x;\n  x[i] = y;\n}", 5,
     "y|expected"),
    ("__global__ void f(int *x) {\n  int i = threadIdx.x\n  x[i] = 1;\n}", None,
     "line 2 ends without|line 2: "),
    ("__global__ void f(float *x, int n) {\n  __shared__ float t[n];\n  x[0] = t[0];\n}", 2,
     "variable length array"),
    ("__global__ void f(int *x) { x[0] = __shfl_down(1, 16); }", 1, "add _sync to the name"),
    ("__global__ void f(int *x) {\n  __syncthreads;\n}", 2, r"it is a call: __syncthreads\(\);"),
    ('#include "mine.cuh"\n__global__ void f(float *x) {}', 1, "stands alone"),
    ("__global__ void f(float *x) { __nv_bfloat16 b; }", 1, "header of CUDA that the source does"),
    (ADD, None, "no kernel 'f'; it has add"),
    ("__device__ float f(float x) { return x; }", None, "no kernel at all"),
    ("__global__ void f(float *x) {\n  x[0] = 1;", None, r"has 1 { and 0 }: a } is missing"),
    ("__global__ void f(float *x) {\n  int w blockIdx.x;\n}", 2, "cannot convert|expected"),
    ("__global__ void f(float *x\n{\n}", None, r"a \) is missing behind the parameters of f"),
    ("__constant__ float c[9000], d[9000];\n__global__ void f(float *x) { x[0] = c[1] + d[1]; }",
     None, "more than 65536 bytes"),
])  # fmt: skip
def test_what_does_not_compile_is_told_by_line(source, line, says):
    with pytest.raises(cuda.CompileError, match=says) as caught:
        cuda.Kernel(source, "f")
    assert line is None or str(caught.value).startswith(f"kernel.cu, line {line}: ")
    assert "did you mean" not in str(caught.value)


def test_arrays():
    values = np.random.default_rng(0).integers(0, 9, (3, 4, 5))[:, ::2]
    a = cuda.to_device(values)
    assert (a.shape, a.dtype, a.size, a.nbytes) == ((3, 2, 5), np.int64, 30, 240)
    np.testing.assert_array_equal(a.get(), values)
    a.set(-values)
    np.testing.assert_array_equal(a.get(), -values)
    assert np.isnan(cuda.empty((2, 3)).get()).all()
    assert cuda.empty(0).get().shape == (0,)
    with pytest.raises(ValueError, match=r"int32\[3, 2, 5\] for a device array of int64"):
        a.set(values.astype(np.int32))
    with pytest.raises(TypeError, match="in device memory"):
        np.asarray(a)
    with pytest.raises(ValueError, match="dtype complex64"):
        cuda.to_device(np.zeros(2, np.complex64))


def test_two_threads_of_python_may_launch(add):
    """As a notebook with a widget does."""
    wrong = []

    def work(alpha):
        x, y = cuda.to_device(np.zeros(500, np.float32)), cuda.empty(500)
        for _ in range(20):
            add[2, 256](x, y, alpha, 500)
            if not (y.get() == alpha).all():
                wrong.append(alpha)

    threads = [threading.Thread(target=work, args=(alpha,)) for alpha in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_without_a_compiler_that_of_a_package_will_do(monkeypatch):
    monkeypatch.setattr(toolchain, "_answer", lambda command, question: "")
    monkeypatch.setattr(toolchain, "find_spec", lambda name: name == "ziglang")
    assert toolchain.compiler.__wrapped__()[-2:] == ("ziglang", "c++")
    monkeypatch.setattr(toolchain, "find_spec", lambda name: None)
    with pytest.raises(cuda.NoBackend, match="no GPU and no C.. compiler.*doctor"):
        toolchain.compiler.__wrapped__()


class OfAGpu:
    """What CuPy's arrays have, for a test without a GPU."""

    def __init__(self, values):
        self.values = values
        self.shape, self.dtype = values.shape, values.dtype

    def get(self):
        return self.values.copy()

    def set(self, values):
        self.values[...] = values


@pytest.mark.weekly
def test_a_profile_on_a_gpu_has_its_constants_its_types_and_its_file():
    """All but CuPy's own part: the emulator's twin of a kernel that a GPU runs."""
    source = """__constant__ float factor[2];
template <typename T> __global__ void f(const T* x, T* y, T more) {
    y[threadIdx.x] = factor[1] * x[threadIdx.x] + more;
}"""
    kernel = object.__new__(OnGpu)
    kernel.array_type, kernel.source = OfAGpu, source
    kernel.file, kernel.name = "own.cu", "f<float>"
    kernel.parameters = parameters(source, "f<float>", "own.cu")
    kernel.get_constant = lambda name, dtype: np.array([9, 3], np.float32).view(dtype)
    x, y = OfAGpu(np.arange(32, dtype=np.float32)), OfAGpu(np.full(32, np.nan, np.float32))
    values = checked("f<float>", kernel.parameters, (x, y, 5), OfAGpu)
    report = kernel.profile(shape((1, 32)), values, 10.0, Watch())
    assert report.ok and report.file == "own.cu" and report.global_load_requests == 1
    np.testing.assert_array_equal(y.get(), 3 * np.arange(32) + 5)
    np.testing.assert_array_equal(x.get(), np.arange(32))


BODY = "void f(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }"
LINKAGES = {
    f"__global__ {BODY}": False,
    f'extern "C" __global__ {BODY}': True,
    f'extern "C" {{ __device__ int n; __global__ {BODY} }}': True,
    f'extern "C" {{ __device__ int n; }} // extern "C"\n__global__ {BODY}': False,
    f'extern "C" __global__ void f(const float *, float *);\n__global__ {BODY}': True,
    f"namespace own {{ __global__ {BODY} }}": False,
}


@pytest.mark.parametrize("source", LINKAGES)
def test_a_kernel_is_looked_up_on_a_gpu_by_the_name_that_it_has_there(source):
    assert c_linkage(source, "own::f" if "namespace" in source else "f") == LINKAGES[source]


ELSEWHERE = """__device__ int lane() { int l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
extern "C" __global__ void other(float *x) { extern __shared__ float d[]; x[lane()] = d[0]; }
__device__ float one() { return 1; }
extern "C" __global__ void f(float *x, long long n) { x[n] = one(); }
"""


def test_what_another_kernel_uses_is_no_matter(x):
    """Neither what only a GPU has, nor a hint at dynamic shared memory."""
    kernel = cuda.Kernel(ELSEWHERE, "f", "emulator")
    kernel[1, 1](x, 3)
    assert x.get()[3] == 1
    with pytest.raises(cuda.KernelError) as error:
        kernel[1, 1](x, 10**11)
    assert "line 4" in str(error.value) and "dynamic" not in str(error.value)
    with pytest.raises(cuda.CompileError, match="line 1: PTX"):
        cuda.Kernel(ELSEWHERE, "other", "emulator")
