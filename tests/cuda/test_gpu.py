"""On a GPU the same sources give the emulator's values, and the same mistakes its words."""

import numpy as np
import pytest

from convladder import cuda

from . import test_language, test_report

pytestmark = pytest.mark.skipif(not cuda.gpu(), reason="needs a GPU and CuPy")


EMULATORS = (
    "test_what_a_kernel_prints_is_seen",  # or with arguments
)


def test_the_language_runs_here_too(monkeypatch, capsys):
    """Every test of the emulator's language, its kernels run by the GPU and then traced."""
    monkeypatch.setattr(test_language, "launch", _launch)
    monkeypatch.setattr(test_language.cuda, "Kernel", _auto)
    for name, test in vars(test_language).items():
        if name.startswith("test_") and name not in EMULATORS:
            test()


def _auto(source, name, backend="auto"):
    return REAL(source, name)


REAL = cuda.Kernel


def _launch(source, grid, block, *arguments, name="f", shared_bytes=0):
    kernel = REAL(source, name)
    assert kernel.backend == "gpu"
    before = [value.get() if hasattr(value, "get") else None for value in arguments]
    kernel[grid, block, shared_bytes](*arguments)
    after = [value.get() if hasattr(value, "get") else None for value in arguments]
    for value, held in zip(arguments, before, strict=True):
        if held is not None:
            value.set(held)
    assert kernel.profile(grid, block, shared_bytes, *arguments).ok
    for value, found in zip(arguments, after, strict=True):
        if found is not None:
            np.testing.assert_allclose(value.get(), found, rtol=1e-6)
    return kernel


def test_a_profile_on_a_gpu_is_the_emulator_s():
    matrix = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    a, b = cuda.to_device(matrix), cuda.empty((64, 64))
    kernel = REAL("#define PAD 0" + test_report.TRANSPOSE, "transpose")
    assert kernel.profile((2, 2), (32, 8), 0, a, b, 64).shared_conflicts == 128 * 31
    np.testing.assert_array_equal(b.get(), matrix.T)
    b.fill(0)
    kernel[(2, 2), (32, 8)](a, b, 64)
    cuda.synchronize()
    np.testing.assert_array_equal(b.get(), matrix.T)


def test_what_does_not_compile_is_told_by_line_here_too():
    with pytest.raises(cuda.CompileError, match="kernel.cu, line 3: ") as caught:
        REAL('extern "C" __global__ void f(float *x)\n{\n    x[0] = y;\n}', "f")
    assert caught.value.lines[0][0] == 3


@pytest.mark.parametrize(
    "source, name",
    [
        ("__global__ void f(float *y) { y[threadIdx.x] = threadIdx.x; }", "f"),
        (
            "namespace mine { __global__ void f(float *y) { y[threadIdx.x] = threadIdx.x; } }",
            "mine::f",
        ),
        (
            "template <typename T>\n__global__ void f(T *y) { y[threadIdx.x] = threadIdx.x; }",
            "f<float>",
        ),
    ],
)
def test_a_kernel_without_c_linkage_is_found(source, name):
    y = cuda.to_device(np.full(32, np.nan, np.float32))
    REAL(source, name)[1, 32](y)
    np.testing.assert_array_equal(y.get(), np.arange(32))
