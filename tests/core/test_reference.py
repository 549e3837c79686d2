"""The oracle against a definition even plainer, and a judge that must be able to say no."""

import re

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core import reference
from convladder.core.reference import (
    ErrorModel,
    compare,
    conv2d_float64,
    error_scale,
    random_arrays,
)

from ..conftest import GENERAL_PROBLEMS, ODD_PROBLEMS, RANDOM_PROBLEMS


def by_definition(x, w, p):
    padded = np.pad(x.astype(np.float64), ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    y = np.zeros(p.output_shape)
    for n, h, v, k in np.ndindex(p.output_shape):
        first = k // p.group_k_c * p.group_i_c
        for a, b, c in np.ndindex(p.kernel_shape[:3]):
            pixel = padded[n, p.s_h * h + p.d_h * a, p.s_w * v + p.d_w * b]
            y[n, h, v, k] += pixel[first + c] * w[a, b, c, k]
    return y


@pytest.mark.parametrize("problem", ODD_PROBLEMS + RANDOM_PROBLEMS + GENERAL_PROBLEMS, ids=str)
def test_oracle_is_the_definition(problem):
    x, w = random_arrays(problem, seed=3)
    assert conv2d_float64(x, w, problem).shape == problem.output_shape
    np.testing.assert_allclose(
        conv2d_float64(x, w, problem), by_definition(x, w, problem), rtol=1e-12, atol=1e-12
    )


def test_random_arrays_are_signed_asymmetric_and_repeatable():
    p = ConvProblem(1, 8, 8, 2, 3, 3, 2)
    x, w = random_arrays(p)
    for array in (x, w):
        assert array.dtype == np.float32
        assert array.min() < 0 < array.max()
    assert not np.allclose(w, w[::-1])
    assert not np.allclose(w, w.swapaxes(0, 1))
    assert (random_arrays(p)[0] == x).all()
    assert not (random_arrays(p, seed=1)[0] == x).all()


P = ConvProblem(2, 8, 9, 3, 3, 2, 4, padding=1)
X, W = random_arrays(P)
GOOD = conv2d_float64(X, W, P).astype(np.float32)


def spoiled(where, value):
    y = GOOD.copy()
    y[where] = value
    return y


@pytest.mark.parametrize(
    ("y", "why"),
    [
        (spoiled((1, 2, 3, 0), np.nan), "NaN"),
        (spoiled((0, 0, 0, 0), np.inf), "infinity"),
        (spoiled((1, 7, 9, 3), GOOD[1, 7, 9, 3] + 1e-3), r"\(1, 7, 9, 3\)"),
        (GOOD.astype(np.float64), "float64"),
        (GOOD[:, :-1], "shape"),
        (GOOD.astype(np.float16).astype(np.float32), "above"),
        (conv2d_float64(X, W[::-1, ::-1], P).astype(np.float32), "above"),
    ],
)
def test_a_wrong_result_is_not_ok_and_a_right_one_is(y, why):
    agreement = compare(GOOD, X, W, P)
    assert agreement.ok and 0 < agreement.error < agreement.limit < 1e-5
    agreement = compare(y, X, W, P)
    assert not agreement.ok
    assert re.search(why, agreement.reason)


def test_window_of_padding_alone_must_be_zero():
    p = ConvProblem(1, 1, 1, 1, 1, 1, 1, padding=1)
    x, w = random_arrays(p)
    y = conv2d_float64(x, w, p).astype(np.float32)
    assert compare(y, x, w, p).ok
    y[0, 0, 0, 0] = 1e-30
    assert not compare(y, x, w, p).ok


def test_one_oracle_judges_several_results(monkeypatch):
    problem = ConvProblem.parse("5x5x2,3x3x3")
    x, w = random_arrays(problem)
    oracle, right = reference.Oracle(x, w, problem), conv2d_float64(x, w, problem)
    assert oracle.compare(right.astype(np.float32)).ok
    monkeypatch.setattr(reference, "conv2d_float64", None)  # it is not asked again
    wrong = right.astype(np.float32)
    wrong[0, 1, 2, 1] += 0.1
    assert "[n,h,w,c]=(0, 1, 2, 1)" in oracle.compare(wrong).reason


@pytest.mark.parametrize("text", ["2x9x10x2,3x3x3,p1", "1x11x8x2,5x3x2,s2x1,p2x0"])
@pytest.mark.parametrize("tile", [(2, 2), (4, 3)])
def test_a_tile_is_as_inexact_as_all_that_it_reads(text, tile):
    p = ConvProblem.parse(text)
    x, w = random_arrays(p)
    scale = error_scale(x, w, p, ErrorModel(tile))
    padded = np.pad(abs(x.astype(np.float64)), ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    for n, row, column, k in np.ndindex(p.output_shape):
        top, left = row // tile[0] * tile[0] * p.s_h, column // tile[1] * tile[1] * p.s_w
        read = padded[n, top:, left:][: (tile[0] - 1) * p.s_h + p.k_h][
            :, : (tile[1] - 1) * p.s_w + p.k_w
        ]
        expected = read.max(axis=(0, 1)) @ abs(w.astype(np.float64)).sum(axis=(0, 1))[:, k]
        assert scale[n, row, column, k] == pytest.approx(expected)
