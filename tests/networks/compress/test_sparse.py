"""Sparse weights: only what is not zero is kept and multiplied, for any number of pixels."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import compare, random_arrays
from convladder.measure import RESOLUTION, available_cores, threads, workspace
from convladder.networks.compress import sparse
from convladder.networks.compress.sparse import Sparse, product

SHAPES = [(7, 5, 3), (1, 1, 1), (33, 20, 200), (128, 65, 256), (5, 300, 31), (600, 9, 129)]


def pruned(problem, density, seed=0):
    x, w = random_arrays(problem, seed)
    w[np.random.default_rng(seed).random(w.shape) >= density] = 0
    return x, w


def product_of(x, w):
    """As a 1×1 convolution of one row of pixels, in the oracle's layout."""
    y = product(np.ascontiguousarray(x[0, 0].T), Sparse.of(w[0, 0]))
    return np.ascontiguousarray(y.T)[None, None]


@pytest.mark.parametrize("density", [0, 0.1, 1])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products_agree_with_the_oracle(shape, density, poison):
    poison(lambda array: array.fill(np.nan) if array.dtype.kind == "f" else None)
    i_c, k_c, pixels = shape
    p = ConvProblem(1, 1, pixels, i_c, 1, 1, k_c)
    x, w = pruned(p, density)
    for number in {1, min(2, available_cores())}:
        with threads(number):
            agreement = compare(product_of(x, w), x, w, p)
        assert agreement.ok, agreement.reason


@pytest.mark.parametrize("vectors", [2, 4, 8])
def test_every_width_of_a_block(vectors, monkeypatch):
    monkeypatch.setattr(sparse, "panel_vectors", lambda i_c: vectors)
    p = ConvProblem(1, 1, 333, 40, 1, 1, 21)
    x, w = pruned(p, 0.3)
    assert compare(product_of(x, w), x, w, p).ok


def test_what_is_kept():
    w = np.array([[0, 2, 0], [3, 0, 0], [4, 5, 0]], np.float32)
    rows = Sparse.of(w)
    assert rows.values.tolist() == [3, 4, 2, 5] and rows.channels.tolist() == [1, 2, 0, 2]
    assert rows.begins.tolist() == [0, 2, 4, 4]
    assert (rows.i_c, rows.k_c, rows.density) == (3, 3, 4 / 9)
    assert rows.nbytes == 4 * 8 + 4 * 8


def test_the_workspace_is_a_block_of_pixels_a_thread():
    x, w = random_arrays(ConvProblem(1, 1, 3000, 64, 1, 1, 8))
    x, w = np.ascontiguousarray(x[0, 0].T), Sparse.of(w[0, 0])
    with threads(1):
        measured = workspace(product, x, w).workspace
    lanes = sparse.host_isa().lanes
    assert abs(measured - 4 * 64 * sparse.panel_vectors(64) * lanes) <= RESOLUTION


@pytest.mark.parametrize(
    ("x", "error", "words"),
    [
        (np.ones((3, 4)), TypeError, "float64.*astype"),
        (np.ones((4, 3), np.float32), ValueError, r"\(4, 3\).*3 channels"),
        (np.ones((4, 3), np.float32).T, ValueError, "strides.*C-contiguous"),
    ],
)
def test_arrays_that_do_not_fit(x, error, words):
    with pytest.raises(error, match=words):
        product(x, Sparse.of(np.ones((3, 2), np.float32)))
    with pytest.raises(ValueError, match=r"\(0, 2\); it is empty"):
        Sparse.of(np.ones((0, 2), np.float32))
