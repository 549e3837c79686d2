"""Depthwise convolution: the microkernel's tile, each lane with an input of its own."""

import sys
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import compare
from convladder.cpu import depthwise as channels
from convladder.cpu.depthwise import depthwise_conv2d

from ..conftest import ODD_PROBLEMS, RANDOM_PROBLEMS
from ..python import python
from ..sampling import sampled


def arrays(channel, i_c, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((*channel.input_shape[:3], i_c), dtype=np.float32) + np.float32(0.25)
    return x, rng.standard_normal((*channel.kernel_shape[:2], i_c), dtype=np.float32)


def check(y, x, w, channel):
    assert y.shape == (*channel.output_shape[:3], x.shape[3]) and y.dtype == np.float32
    for c in range(x.shape[3]):
        one = slice(c, c + 1)
        agreement = compare(y[..., one], x[..., one], w[:, :, one, None], channel)
        assert agreement.ok, f"channel {c}: {agreement.reason}"


# Fewer than a vector has lanes, one more, four vectors and a few.
CASES = [*product(ODD_PROBLEMS + RANDOM_PROBLEMS[::4], (1, 17, 70))]


@pytest.mark.parametrize("problem, i_c", sampled(CASES, 20, "{0[0]} {0[1]}".format))
def test_each_channel_is_a_convolution_of_its_own(problem, i_c, poison):
    channel = replace(problem, i_c=1, k_c=1)
    x, w = arrays(channel, i_c)
    poison(lambda array: array.fill(np.nan) if array.dtype == np.float32 else None)
    check(depthwise_conv2d(x, w, channel), x, w, channel)


@pytest.mark.parametrize("threads", [1, 3, 7])
def test_threads_and_neighbours(threads):
    """Nothing beyond x is used, nothing beyond y is written, whoever does which part."""
    channel = ConvProblem.parse("3x9x11x1,3x3x1,s2x1,p1")
    x, w = arrays(channel, 21)
    around, y = (np.full(n + 64, np.nan, np.float32) for n in (x.size, 3 * 5 * 11 * 21))
    inner, out = around[32:-32].reshape(x.shape), y[32:-32].reshape(3, 5, 11, 21)
    inner[:] = x
    channels.call(inner, channels.prepare(w), channel, threads, out)()
    check(out, x, w, channel)
    assert np.isnan(y[:32]).all() and np.isnan(y[-32:]).all()


@pytest.mark.parametrize(
    "channel, x, w, told",
    [
        ("5x4x2,3x3x1", (1, 5, 4, 2), (3, 3, 2), "i_c=2"),
        ("5x4x1,3x3x1", (1, 4, 5, 2), (3, 3, 2), "do not fit"),
        ("5x4x1,3x3x1", (1, 5, 4, 2), (3, 3, 3), "do not fit"),
        ("5x4x1,3x3x1", (1, 5, 4, 2), (3, 3, 1, 2), "do not fit"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(channel, x, w, told):
    x, w = np.zeros(x, np.float32), np.zeros(w, np.float32)
    with pytest.raises(ValueError, match=told):
        depthwise_conv2d(x, w, ConvProblem.parse(channel))


EDGE = """
import ctypes, mmap
import numpy as np
from convladder import ConvProblem
from convladder.cpu import depthwise, microkernel
from convladder.cpu.simd.blocking import Tile

libc = ctypes.CDLL(None, use_errno=True)

def at_the_edge(array):  # what comes right after it may not be touched
    room = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(room))
    protected = ctypes.c_void_p(begin + mmap.PAGESIZE)
    assert libc.mprotect(protected, ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    copy = np.frombuffer(room, np.float32, array.size, mmap.PAGESIZE - array.nbytes)
    copy = copy.reshape(array.shape)
    copy[:] = array
    return copy

for i_c in (1, 5, 17):
    channel = ConvProblem.parse("3x4x1,3x2x1,s1,p1")
    y = np.ones((1, 3, 5, i_c), np.float32)
    x, out, bias, added = map(at_the_edge, (np.ones((1, 3, 4, i_c), np.float32), y, y[0, 0, 0], y))
    after = microkernel.Epilogue(bias, added, True)
    w = np.ones((3, 2, i_c), np.float32)
    depthwise.call(x, depthwise.prepare(w), channel, 1, out, after)()
    assert out[0, 1, 1].tolist() == [8] * i_c  # six of the window, bias and map
    whole = ConvProblem(1, 3, 4, i_c, 3, 2, i_c, 1, 1)
    for size in (Tile(6, 2, 4), Tile(14, 2, 16)):
        packed = microkernel.pack(np.ones(whole.kernel_shape, np.float32), whole, size)
        microkernel.convolve(x, packed, whole, size, 1, out, after)
        assert out[0, 1, 1].tolist() == [6 * i_c + 2] * i_c
print("right")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="protects pages as POSIX has it")
def test_nothing_beyond_an_array_is_touched():
    done = python("-c", EDGE)
    assert done.stdout == "right\n", f"{done.returncode} {done.stderr}"
