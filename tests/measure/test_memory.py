import gc
import threading
import tracemalloc

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from convladder.measure import RESOLUTION, Memory, workspace

MIB = 2**20

resident_told = pytest.mark.skipif(
    workspace(lambda: None).resident is None, reason="this system does not tell a process its peak"
)


@pytest.mark.parametrize("size", [0, 40, 30 * MIB])
def test_one_array_of_known_size(size):
    measured = workspace(lambda: np.empty(size, np.uint8).size)
    assert abs(measured.workspace - size) <= RESOLUTION
    assert measured.result == 0


KEPT, FIRST = np.zeros(MIB, np.uint8), []
CALLS = {  # what is called, its result and its workspace, in MiB
    "the peak counts, not the sum": (lambda: [np.empty(MIB, np.uint8).size for _ in "abcd"], 0, 1),
    "a larger buffer under the result": (lambda: np.zeros((2, MIB), np.uint8)[0], 1, 1),
    "a result that was there before": (lambda: KEPT[4:], 0, 0),
    "the first call's alone": (lambda: FIRST or FIRST.append(np.empty(MIB, np.uint8)), 0, 0),
}


@pytest.mark.parametrize("what", CALLS)
def test_what_is_workspace(what):
    call, result, work = CALLS[what]
    measured = workspace(call)
    assert measured.result == result * MIB
    assert abs(measured.workspace - work * MIB) <= RESOLUTION


@pytest.mark.parametrize(
    "view", [lambda y: y, lambda y: y.reshape(4, -1).T, lambda y: as_strided(y, (MIB // 4,), (4,))]
)
def test_a_result_in_a_cycle_is_no_workspace(view):
    """A function within a function that calls itself refers to itself, and to the result."""

    def fn():
        y = np.zeros(MIB, np.uint8)

        def halves(begin, end):
            if end - begin > MIB // 4:
                halves(begin, (begin + end) // 2)
                halves((begin + end) // 2, end)
            else:
                y[begin:end] = np.ones(MIB // 4, np.uint8)

        halves(0, MIB)
        return view(y)

    measured = workspace(fn)
    assert measured.result == view(np.zeros(MIB, np.uint8)).nbytes
    assert abs(measured.workspace - (MIB - measured.result) - MIB // 4) <= RESOLUTION


# What BLAS can take as it lies, and what it cannot: rows nearer to one another than they are long.
ROWS, K = 8192, 1024
LOWERED = np.ones((ROWS, 2 * K), np.float32)
W = np.ones((K, 16), np.float32)


@resident_told
@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="matmul copied nothing before"
)
@pytest.mark.parametrize(
    "operand",
    [LOWERED[:, :K][:, ::-1], LOWERED[:, ::2], as_strided(LOWERED, (ROWS, K), (84, 4))],
    ids=["negative", "every other", "overlapping rows"],
)
def test_a_copy_inside_matmul_is_seen(operand):
    out = np.empty((ROWS, 16), np.float32)
    measured = workspace(lambda: np.matmul(operand, W, out=out).size)
    # From NumPy 2.5 on it tells tracemalloc of that copy.
    assert 0.9 < (measured.hidden + measured.workspace) / (4 * ROWS * K) < 1.2


@resident_told
def test_resident_memory_sees_what_python_does_not():
    import ctypes

    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]

    def fn():
        block = libc.malloc(64 * MIB)
        ctypes.memset(block, 1, 64 * MIB)
        libc.free(block)

    measured = workspace(fn)
    assert measured.workspace <= RESOLUTION
    assert 60 * MIB < measured.resident < 72 * MIB
    assert measured.hidden == measured.resident - measured.workspace
    assert Memory(20, 3, 10).hidden == 0  # pages never touched are not resident


def test_a_result_that_is_still_referred_to_is_one_while_others_trace():
    def fn(x):
        y = np.empty(MIB, np.uint8)

        def itself():
            return itself, y

        return y

    tracemalloc.start()
    try:
        assert abs(workspace(fn, 0).result - MIB) <= RESOLUTION
        assert workspace(fn, 0).workspace <= RESOLUTION
        x = np.empty(MIB, np.uint8)
        assert workspace(lambda x: x[1:], x).result == 0
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("long", [0, 60])
def test_what_another_thread_allocates_meanwhile_does_not_count(long, monkeypatch):
    """As those threads do that send a notebook's output."""
    monkeypatch.setattr("convladder.measure.memory.LONG", long)
    kept, calls, asked, done = [], [], threading.Event(), threading.Event()

    def keep():
        asked.wait()
        kept.append(bytearray(MIB))
        done.set()

    def fn():
        calls.append(1)
        if len(calls) == 2:  # the first that is measured
            asked.set()
            done.wait()

    threading.Thread(target=keep, daemon=True).start()
    assert workspace(fn).workspace <= RESOLUTION and len(kept[0]) == MIB
    del calls[:]
    monkeypatch.setattr("convladder.measure.memory._others_ran", dict)  # no other one, ever
    assert workspace(fn).workspace <= RESOLUTION
    assert len(calls) == 2, "it is measured again only where another thread ran"


@pytest.mark.parametrize("long", [0, 60])
def test_two_readings_that_others_disturbed_alike_are_not_believed(long, monkeypatch):
    monkeypatch.setattr("convladder.measure.memory.LONG", long)
    monkeypatch.setattr("convladder.measure.memory._others_ran", lambda: None)  # not told
    others = iter([0, 2 * MIB, MIB, 2 * MIB, 0, 0])  # what they allocate in each call
    assert workspace(lambda: len(bytearray(next(others)))).workspace <= RESOLUTION
    assert next(others, None) is None


@pytest.mark.parametrize("good_calls", [0, 1])
def test_an_error_passes_through_and_leaves_nothing_on(good_calls):
    calls = []

    def fails():
        calls.append(1)
        if len(calls) > good_calls:
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="^mine$"):
        workspace(fails)
    assert not tracemalloc.is_tracing() and gc.isenabled()
