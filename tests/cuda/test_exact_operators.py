"""What C++ leaves open and every GPU does alike: shifts over the end, numbers that do not fit.

The conversions are those of F2I in SASS: narrow types by way of 32 bits, NaN is 0 but from double
or to 64 bits (PTX ISA, "cvt").
"""

import numpy as np
import pytest

from convladder import cuda

pytestmark = pytest.mark.usefixtures("emulator")

V = np.array([-5, -0.9, 300, 255.9, 1e10, -1e10, 3e9, np.nan], np.float32)
N = np.array([0, 1, 31, 32, 33, 64, 5, -1], np.int32)
TOP32, TOP64 = 2**31, 2**63
CASES = {  # an expression of float v, double d, int n; its type; what a GPU gives for V, N
    "(unsigned char)v": ("unsigned char", [0, 0, 44, 255, 255, 0, 0, 0]),
    "(signed char)v": ("signed char", [-5, 0, 44, -1, -1, 0, -1, 0]),
    "(unsigned)v": ("unsigned", [0, 0, 300, 255, 2**32 - 1, 0, 3 * 10**9, 0]),
    "static_cast<int>(v)": ("int", [-5, 0, 300, 255, TOP32 - 1, -TOP32, TOP32 - 1, 0]),
    "int(v)": ("int", [-5, 0, 300, 255, TOP32 - 1, -TOP32, TOP32 - 1, 0]),
    "-(int)v + 1": ("int", [6, 1, -299, -254, -TOP32 + 2, -TOP32 + 1, -TOP32 + 2, 1]),
    "(unsigned)d": ("unsigned", [0, 0, 300, 255, 2**32 - 1, 0, 3 * 10**9, TOP32]),
    "(long long)(v * 1e20f)": (
        "long long", [-TOP64] * 2 + [TOP64 - 1] * 3 + [-TOP64, TOP64 - 1, -TOP64]),
    "1u << n": ("unsigned", [1, 2, TOP32, 0, 0, 0, 32, 0]),
    "~0u >> n": ("unsigned", [2**32 - 1, TOP32 - 1, 1, 0, 0, 0, 2**27 - 1, 0]),
    "-8 >> n": ("int", [-8, -4, -1, -1, -1, -1, -1, -1]),
    "1ull << n": ("unsigned long long", [1, 2, TOP32, 2**32, 2**33, 0, 32, 0]),
    "(1u << n) - 1": (
        "unsigned", [0, 1, TOP32 - 1, 2**32 - 1, 2**32 - 1, 2**32 - 1, 31, 2**32 - 1]),
    "1 << n << 1": ("int", [2, 4, 0, 0, 0, 0, 64, 0]),
    "one()": ("int", [1] * 8),
    "shifted(n)": ("unsigned", [3, 6, TOP32, 0, 0, 0, 96, 0]),
}  # fmt: skip
# What looks like a shift or a conversion, and is none.
NEITHER = """#if 1 << 3 > 4
template <typename T> struct V { T v; };
__device__ V<V<int>> operator<<(V<V<int>> a, int n) { return {{a.v.v + n}}; }
#endif
__device__ int one() { int (*f)(int) = nullptr; V<V<int>> a{{sizeof(int)}}; int4 b = int4();
    return (f == nullptr) + (a << 1).v.v - 5 + b.x + (int)'a' - 97; }
"""


@pytest.mark.parametrize("watched", [False, True])
def test_they_are_a_gpus(watched):
    lines = "\n".join(f"y{k}[t] = {expression};" for k, expression in enumerate(CASES))
    outs = ", ".join(f"{kind} *y{k}" for k, (kind, _) in enumerate(CASES.values()))
    kernel = cuda.Kernel(
        NEITHER + "__device__ unsigned shifted(int n) { unsigned m = 3; m <<= n; return m; }\n"
        f'extern "C" __global__ void f(const float *x, const int *by, {outs}) {{\n'
        f"int t = threadIdx.x, n = by[t]; float v = x[t]; double d = v;\n{lines}\n}}",
        "f",
    )
    ys = [cuda.to_device(np.zeros(8, p.dtype)) for p in kernel.parameters[2:]]
    arguments = cuda.to_device(V), cuda.to_device(N), *ys
    kernel.profile(1, 8, 0, *arguments) if watched else kernel[1, 8](*arguments)
    assert {e: y.get().tolist() for e, y in zip(CASES, ys, strict=True)} == {
        expression: values for expression, (_, values) in CASES.items()
    }


def test_what_does_not_compile_is_told_in_the_sources_own_words():
    for text in ("y[0] = y << z;", "y[0] = (int)z;", "y[0] = (1 << n) + ;"):
        with pytest.raises(cuda.CompileError) as caught:
            cuda.Kernel(
                f'extern "C" __global__ void f(float *y, int n) {{ {text} }}', "f", "emulator"
            )
        assert "cl_" not in str(caught.value)
