import sys

import pytest
import threadpoolctl

from convladder.measure import threads
from convladder.measure.pinning import available_cores


def blas_threads():
    """Return the threads of each loaded BLAS; other pools, as of OpenMP, may load meanwhile."""
    return {
        lib["filepath"]: lib["num_threads"]
        for lib in threadpoolctl.threadpool_info()
        if lib["user_api"] == "blas"
    }


def test_blas_is_held_and_let_go():
    before = blas_threads()
    if not before:
        pytest.skip("this NumPy's BLAS cannot be held (Accelerate)")
    with threadpoolctl.threadpool_limits(limits=2):  # differs from 1 on any machine
        with threads(1) as n:
            assert n == 1
            assert set(blas_threads().values()) == {1}
        assert set(blas_threads().values()) == {2}
    after = blas_threads()
    assert {path: after[path] for path in before} == before


def test_numba_is_held_and_let_go_even_after_an_error():
    import numba

    before = numba.get_num_threads()
    with pytest.raises(KeyError), threads(1):
        assert numba.get_num_threads() == 1
        raise KeyError
    assert numba.get_num_threads() == before


def test_numba_is_not_imported_for_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    with threads(1):
        assert "numba" not in sys.modules


@pytest.mark.parametrize("n", [0, -1, available_cores() + 1])
def test_out_of_range(n):
    message = rf"threads={n} .* 1 to {available_cores()} "
    with pytest.raises(ValueError, match=message), threads(n):
        pass


def test_not_a_whole_number():
    with pytest.raises(TypeError, match="threads=1.5 "), threads(1.5):
        pass
