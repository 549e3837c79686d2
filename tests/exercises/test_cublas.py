"""NumPy in cuBLAS's place: BLAS's own meaning of its numbers, and its contract."""

import numpy as np
import pytest

from convladder.exercises.mocks.cublas import ColumnMajorBlas
from convladder.measure import RESOLUTION, workspace

A = np.arange(24, dtype=np.float32)
B = np.arange(30, dtype=np.float32) - 11


def stored(array, begin, rows, columns, leading):
    return np.array([[array[begin + r + q * leading] for q in range(columns)] for r in range(rows)])


@pytest.mark.parametrize("transa", "NT")
@pytest.mark.parametrize("transb", "NT")
@pytest.mark.parametrize("beta", [0.0, 2.0])
def test_it_is_the_definition(transa, transb, beta):
    m, n, k, lda, ldb, ldc = 2, 3, 4, 5, 6, 3
    c = np.arange(40, dtype=np.float32)
    before, blas = c.copy(), ColumnMajorBlas()
    blas.sgemm_strided_batched(
        transa, transb, m, n, k, A, lda, 1, B, ldb, 2, c[4:], ldc, 12, 2, beta=beta
    )
    expected = before.copy()
    for i in range(2):
        a = stored(A, i, m, k, lda) if transa == "N" else stored(A, i, k, m, lda).T
        b = stored(B, 2 * i, k, n, ldb) if transb == "N" else stored(B, 2 * i, n, k, ldb).T
        for (r, q), value in np.ndenumerate(a @ b):
            place = 4 + 12 * i + r + q * ldc
            expected[place] = value + beta * before[place]
    assert (c == expected).all()
    assert blas.calls == 1
    assert blas.moved == 2 * (8 + 12 + (12 if beta else 6))


def test_adding_to_c_is_right_and_takes_no_memory_besides():
    rng = np.random.default_rng(3)
    a, b, c = (
        rng.standard_normal(shape, dtype=np.float32) for shape in ((70, 300), (300, 90), (70, 90))
    )
    blas, expected = ColumnMajorBlas(), c
    flat = [np.ascontiguousarray(each.T).reshape(-1) for each in (a, b, c)]

    def call():
        blas.sgemm_strided_batched(
            "N", "N", 70, 90, 300, flat[0], 70, 0, flat[1], 300, 0, flat[2], 70, 0, 1, beta=2.0
        )

    assert workspace(call).workspace <= RESOLUTION < flat[2].nbytes
    for _ in range(blas.calls):  # again, where others disturbed it
        expected = a @ b + 2 * expected
    assert blas.calls > 1 and np.allclose(flat[2].reshape(90, 70).T, expected, atol=1e-3)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"lda": 3}, "lda=3 is less than the 4 values of a stored column of a"),
        ({"ldc": 3}, "ldc=3 is less than"),
        ({"ldc": 8, "stride_c": 3}, "stride_c=3 is less than the 20 values.*undefined"),
        ({"stride_c": 11}, "stride_c=11 is less than the 12 values.*undefined"),
        ({"stride_a": 5}, "a has 24 values, and matrix 1 would reach as far as value 24"),
        ({"transa": "n"}, 'write "N" or "T"'),
    ],
)
def test_what_the_contract_forbids(changes, words):
    numbers = dict(transa="N", transb="N", m=4, n=3, k=5, lda=4, ldb=5, ldc=4, count=2)
    numbers |= dict(stride_a=4, stride_b=15, stride_c=12) | changes
    with pytest.raises(ValueError, match=words):
        ColumnMajorBlas().sgemm_strided_batched(a=A, b=B, c=np.zeros(24, np.float32), **numbers)


def test_results_may_interleave():
    """A product for each column of the output: a result's columns lie between another one's."""
    c = np.zeros(8, np.float32)
    ColumnMajorBlas().sgemm_strided_batched("N", "N", 2, 2, 1, A, 2, 2, A, 1, 2, c, 4, 2, 2)
    assert c.tolist() == [0, 0, 4, 6, 0, 1, 6, 9]


def test_a_check_objects_to_no_call_and_to_too_many():
    blas = ColumnMajorBlas(most_calls=1)
    assert "did not call" in blas.objection()
    for objection in (None, "called `blas.sgemm_strided_batched` 2 times, where 1 would do."):
        blas.sgemm_strided_batched("N", "N", 1, 1, 1, A, 1, 0, B, 1, 0, A.copy(), 1, 0, 1)
        assert blas.objection() == objection
