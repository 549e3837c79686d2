"""Indices outside a thread's own arrays, and outside all else that is declared with its size."""

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.emulator import toolchain, worker_client
from convladder.cuda.emulator.subscripts import subscripted

from ..sampling import sampled

pytestmark = pytest.mark.usefixtures("emulator", "watched_first")


def profile(body, n, head="", threads=1):
    source = f'{head}\nextern "C" __global__ void f(float *x, int n)\n{{\n{body}\n}}'
    x = cuda.to_device(np.arange(64, dtype=np.float32))
    return cuda.Kernel(source, "f").profile(1, threads, 0, x, n)


def faults(*arguments):
    """Of a launch that comes to its end or not: what is stored outside may spoil the stack."""
    try:
        return profile(*arguments).faults
    except cuda.KernelError as error:
        return error.faults


ROW = "    float own[4] = {1, 2, 3, 4};\n"
PLANE = (
    "    float two[3][5];\n    for (int i = 0; i < n; i++)\n"
    "        for (int j = 0; j < 2 * n - 1; j++) two[i][j] = x[i + j];\n"
    "    x[threadIdx.x] = two[2][4];"
)
OUTSIDE = {
    "a store": ("    float own[4];\n    for (int i = 0; i <= n; i++) own[i] = i;\n"
                "    x[0] = own[1];", 4, "", (5, "writes", "own[4]", (4,))),
    "a load": (ROW + "    x[0] = own[n];", 4, "", (5, "reads", "own[4]", (4,))),
    "a row": (PLANE.replace("i < n", "i < 3"), 4, "", (6, "writes", "two[i][5]", (5,))),
    "a column": (PLANE.replace("2 * n - 1", "5"), 4, "", (6, "writes", "two[3]", (3, 5))),
    "a member's": ("    S s = {0};\n    s.n = n;\n    s.own [ s.n ] += 1;\n    x[0] = s.own[1];", 4,
                   "struct S { int n; float own[4]; };", (6, "writes", "s.own[4]", (4,))),
    "under another name": (ROW + "    x[0] = at(own, n);", 5,
                           "float at(float (&a)[4], int i) { return a[i]; }",
                           (1, "reads", "a[5]", (4,))),
    "in a macro": (ROW + "    x[0] = OWN(n);", 4, "#define OWN(i) own[i]",
                   (5, "reads", "own[4]", (4,))),
    "constant memory": ("    x[0] = w[n];", 9, "__constant__ float w[9];",
                        (4, "reads", "w[9]", (9,))),
    "beside shared memory": (
        "    __shared__ float t[8];\n    t[threadIdx.x] = 1;\n    __syncthreads();\n" + ROW
        + "    own[n] = t[0]; x[0] = own[1];", 4, "", (8, "writes", "own[4]", (4,))),
}  # fmt: skip


def test_a_sum_that_nobody_began_is_no_sum_from_zero():
    """A CPU's stack holds zeros more often than not."""
    if not any("var-init" in option for option in toolchain.options(traced=False)):
        pytest.skip("this compiler cannot fill variables")
    body = "    float sum;\n    for (int i = 0; i < n; i++) sum += x[i];\n    x[0] = sum;"
    kernel = cuda.Kernel(f'extern "C" __global__ void f(float *x, int n)\n{{\n{body}\n}}', "f")
    for run in (kernel[1, 1], lambda *values: kernel.profile(1, 1, 0, *values)):
        x = cuda.to_device(np.arange(1, 5, dtype=np.float32))
        run(x, 4)
        assert x.get()[0] != 10


@pytest.mark.parametrize("case", sampled(list(OUTSIDE), 1, str))
def test_an_index_outside_a_local_array_is_told(case):
    """Each is compiled twice."""
    body, n, head, told = OUTSIDE[case]
    line, does, element, shape = told
    (fault,) = faults(body, n, head)
    array, index = element[:-1].rsplit("[", 1)
    assert (fault.line, fault.array, fault.index) == (line, array, (int(index),))
    assert fault.shape == shape
    size = " x ".join(map(str, shape))
    assert str(fault).startswith(
        f"kernel.cu, line {line}: thread (0, 0, 0) of block (0, 0, 0) {does} {element}, outside "
        f"{array}, which has {size} elements"
    )


HELPERS = """__device__ float table[4];
__constant__ float fixed[4];
__device__ float at(const float *a, int i) { return a[i]; }
__device__ __noinline__ float apart(const float *a, int i) { return a[i]; }
__device__ void put(float *a, int i) { a[i] = 9; }"""
POINTED = {  # a body with n = 4, and what is told: line, does, element, elements
    "a pointer, read": (ROW + "    float *p = own;\n    x[0] = p[n];", (10, "reads", "own[4]", 4)),
    "a pointer, written": (
        ROW + "    float *p = own; p[n] = 1;\n    x[0] = own[1];", (9, "writes", "own[4]", 4)),
    "a parameter, read": (ROW + "    x[0] = at(own, n);", (3, "reads", "own[4]", 4)),
    "a parameter, written": (ROW + "    put(own, n); x[0] = own[1];", (5, "writes", "own[4]", 4)),
    "before it": (ROW + "    float *p = own;\n    x[0] = p[n - 5];", (10, "reads", "own[-1]", 4)),
    "a function apart": (ROW + "    x[0] = apart(own, n);", (4, "reads", "own[4]", 4)),
    "a row by a pointer": (
        "    int two[2][3] = {{0}}; int *p = &two[0][0];\n"
        "    for (int i = 0; i < n + 3; i++) p[i] = i;\n    x[0] = two[1][2];",
        (9, "writes", "two[6]", 6)),
    "a device variable, read": ("    x[0] = at(table, n);", (3, "reads", "table[4]", 4)),
    "a device variable, written": (
        "    float *p = table;\n    p[n] = 1;", (9, "writes", "table[4]", 4)),
    "a constant": ("    x[0] = at(fixed, n);", (3, "reads", "fixed[4]", 4)),
}  # fmt: skip


@pytest.mark.skipif(not toolchain.gcc(), reason="Clang's instrumentation sees indices alone")
@pytest.mark.parametrize("case", sampled(list(POINTED), 1, str))
def test_an_overrun_by_a_pointer_is_told(case):
    body, (line, does, element, elements) = POINTED[case]
    (fault,) = faults(body, 4, HELPERS)
    assert str(fault).startswith(
        f"kernel.cu, line {line}: thread (0, 0, 0) of block (0, 0, 0) {does} {element}, outside "
        f"{fault.array}, which has {elements} elements"
    )
    inside = body.replace("n]", "n - 1]").replace("n)", "n - 1)").replace("n - 5", "n - 4")
    assert profile(inside.replace("n + 3", "n + 2"), 4, HELPERS).out_of_bounds == []


SHARED = "    __shared__ float a[8][8], b[8][8], c[64];\n    int t = threadIdx.x, r = t / 8;\n"
SHARED += "    a[r][t % 8] = b[r][t % 8] = c[t] = 1;\n    __syncthreads();\n"
ROWS = {  # what stands on line 8, and what is told of block (0, 0, 0)
    "x[t] = b[r][t % 8 + 1];": "7 reads b[r][8], outside b[r], which has 8",
    "b[t % 8 + 1][r] = 2;": "7 writes b[64], outside b, which has 8 x 8",
    "x[t] = c[t + n];": "63 reads c[64], outside c, which has 64",
    "float *p = c + t; p[n] = 3;": "63 writes c[64], outside c, which has 64",
    "float (&v)[64] = c; x[t] = v[t + n];": "63 reads c[64], outside c, which has 64",
    "x[t] = b[0][t];": "",  # all of it as one row, on purpose
    "float (*v)[8] = b; x[t] = v[0][t];": "",
    "float (*v)[8] = b; x[t] = v[r % 7][t % 8 + 1];":
        "7 reads v[r % 7][8], outside v[r % 7], which has 8",
    "float (*v)[8] = (float (*)[8])x; v[r % 7][t % 8 + 1] = 2;":
        "7 writes v[r % 7][8], outside v[r % 7], which has 8",
}  # fmt: skip


@pytest.mark.parametrize("line", sampled(list(ROWS), 1, str))
def test_one_shared_array_does_not_run_over_into_another(line):
    told = ROWS[line]
    found = [str(fault) for fault in profile(f"{SHARED}    {line}", 1, threads=64).out_of_bounds]
    assert len(found) == bool(told)
    thread, _, does = told.partition(" ")
    begins = f"kernel.cu, line 8: thread ({thread}, 0, 0) of block (0, 0, 0) {does} elements"
    assert all(each.startswith(begins) for each in found)


def test_a_block_larger_than_its_tile_leaves_the_worker_sound():
    source = """extern "C" __global__ void f(float *x) {
        __shared__ float tile[16][16];
        tile[threadIdx.y][threadIdx.x] = 1;
        x[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
    }"""
    kernel, x = cuda.Kernel(source, "f"), cuda.to_device(np.zeros(1024, np.float32))
    kernel[1, (32, 32)](x)
    fault = kernel.profile(1, (32, 32), 0, x).out_of_bounds[0]
    assert (fault.line, fault.thread, fault.array) == (3, (16, 0, 0), "tile[threadIdx.y]")


UNSET = {
    "float sum;\n    for (int i = 0; i < n; i++) sum += i;\n    x[0] = sum;": "sum",
    "int sum, k = 3;\n    sum += k;\n    x[0] = sum;": "sum",
    "float sum;\n    for (int i = 0; i < n; i++) sum = sum * 2 + i;\n    x[0] = sum;": "sum",
    "int at;\n    for (int i = 0; i < n; i++) if (!i || x[i] > x[at]) at = i;\n    x[0] = at;": "",
}


@pytest.mark.skipif(not toolchain.gcc(), reason="Clang says less of variables")
@pytest.mark.parametrize(("body", "name"), sampled([*UNSET.items()], 1, lambda case: case[0]))
def test_a_variable_that_nobody_set_is_told(body, name):
    found = [str(fault) for fault in profile(f"    {body}", 4).uninitialised]
    wanted = f"kernel.cu, line 5: {name} is read before anything was assigned to it."
    assert found == [wanted] * bool(name)


@pytest.mark.parametrize(("text", "at", "axes", "array", "store", "shared"), [
    ("two[own[k]][j] <<= 3;", "]][", 1, "own", False, False),
    ("two[own[k]][j] <<= 3;", "][j", 2, "two", True, False),
    ("a->b[k].c[i]--;", "].c", 1, "a->b", True, False),
    ("y = tile[i][j];", "tile", 1, "tile[i]", False, True),
    ("ADD(3);", "ADD", 1, "two", True, False),
    ("y = /* \u00e4 */ own[i];", "];", 1, "own", False, False),
])  # fmt: skip
def test_the_array_is_read_in_the_source(text, at, axes, array, store, shared):
    source = f"__global__ void f()\n{{\n    __shared__ float tile[2][3], t;\n    {text}\n}}\n"
    source += "__global__ void g()\n{\n    tile[0];\n}\n#define ADD(i) (two[i] += 1)\n"
    column = len(("    " + text[: text.index(at)]).encode()) + 1
    found = subscripted(source, "f", 4, column, axes)
    assert (found.array, found.store, found.shared) == (array, store, shared)
    assert not subscripted(source, "f", 8, 5, 1).shared  # of another kernel


def test_the_second_run_changes_and_prints_nothing(capsys):
    x = cuda.to_device(np.arange(64, dtype=np.float32))
    source = """extern "C" __global__ void f(float *x) {
        float own[2] = {1, 2};
        x[threadIdx.x] += own[(int)x[threadIdx.x]];
        printf("%g", own[0]);
    }"""
    assert cuda.Kernel(source, "f").profile(1, 2, 0, x).ok
    assert x.get()[:2].tolist() == [1, 3] and capsys.readouterr().out == "11"


def test_a_store_far_from_its_array_leaves_the_worker_alive():
    x = cuda.to_device(np.zeros(1024, np.float32))
    source = """extern "C" __global__ void f(float *x) {
        float own[2] = {1, 2};
        x[2048 + threadIdx.x] = own[threadIdx.x];
    }"""
    kernel = cuda.Kernel(source, "f")
    kernel.profile(1, 2, 0, cuda.to_device(np.zeros(4096, np.float32)))  # compiled and loaded
    worker = worker_client.process().generation
    assert kernel.profile(1, 2, 0, x).out_of_bounds[0].index == (2048,)
    assert worker_client.process().generation == worker
