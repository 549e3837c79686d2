"""On a GPU the same sources give the emulator's values, and the same mistakes its words."""

import numpy as np
import pytest

from convladder import cuda

from . import test_language

pytestmark = pytest.mark.skipif(not cuda.gpu(), reason="needs a GPU and CuPy")


def test_the_language_runs_here_too(monkeypatch, capsys):
    """The tests of the emulator's language, their kernels run by the GPU and then traced."""
    monkeypatch.setattr(test_language, "launch", _launch)
    monkeypatch.setattr(test_language.cuda, "Kernel", _auto)
    for name, test in vars(test_language).items():
        if name.startswith("test_") and not test.__code__.co_argcount:
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


@pytest.mark.parametrize(
    "source, name",
    [("KERNEL", "f"), ("namespace own { KERNEL }", "own::f"), ("template <int n> KERNEL", "f<3>")],
)
def test_a_kernel_without_c_linkage_is_found(source, name):
    y = cuda.to_device(np.full(32, np.nan, np.float32))
    kernel = "__global__ void f(float *y) { y[threadIdx.x] = threadIdx.x; }"
    REAL(source.replace("KERNEL", kernel), name)[1, 32](y)
    np.testing.assert_array_equal(y.get(), np.arange(32))
