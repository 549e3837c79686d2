"""Convolution of bytes: exact, in every instruction set that is here."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.compress.int8 import convolve, pack
from convladder.compress.int8.dots import Dot, host_dot

from ..conftest import ODD_PROBLEMS, RANDOM_PROBLEMS


def arrays_of(problem, seed=0):
    """Bytes and weights over their whole range, the ends among them."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 256, problem.input_shape, np.uint8)
    q = rng.integers(-128, 128, problem.kernel_shape, np.int8)
    x.flat[:2], q.flat[:2] = 255, -128
    bias = rng.integers(-(10**6), 10**6, problem.k_c, np.int32)
    return x, q, bias


def sums_of(x, q, bias, problem, x_zero):
    """int64, from the definition: shifted images; padding stands for zero."""
    p = problem
    inside = np.pad(x.astype(np.int64) - x_zero, ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    y = np.zeros(p.output_shape, np.int64) + bias
    for u in range(p.k_h):
        for v in range(p.k_w):
            part = inside[:, u : u + p.s_h * p.o_h : p.s_h, v : v + p.s_w * p.o_w : p.s_w]
            y += part[:, : p.o_h, : p.o_w] @ q[u, v].astype(np.int64)
    return y


@pytest.fixture(autouse=True)
def poisoned_buffers(monkeypatch):
    """Fresh memory is full of a value that is wrong nearly everywhere."""
    empty = np.empty

    def poisoned(*args, **kwargs):
        array = empty(*args, **kwargs)
        array.view(np.uint8).fill(0xA5)
        return array

    convolve_once = ConvProblem.parse("3x3x1,1x1x1")
    x, q, _ = arrays_of(convolve_once)
    convolve(x, pack(q, convolve_once), convolve_once)  # Numba has done its own allocation
    monkeypatch.setattr(np, "empty", poisoned)


@pytest.mark.parametrize("problem", ODD_PROBLEMS + RANDOM_PROBLEMS[:8], ids=str)
def test_sums_are_exact(problem):
    x, q, bias = arrays_of(problem)
    for x_zero in (0, 131):
        y = convolve(x, pack(q, problem, x_zero=x_zero, bias=bias), problem)
        assert y.dtype == np.int32
        np.testing.assert_array_equal(y, sums_of(x, q, bias, problem, x_zero))
