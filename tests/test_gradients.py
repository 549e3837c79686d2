"""Both gradients, every way, against float64 and against differences of the loss."""

import numpy as np
import pytest

from convladder import ConvProblem, conv2d, conv2d_input_grad, conv2d_weight_grad, conv_transpose2d
from convladder.core.reference import UNIT_ROUNDOFF, conv2d_float64, random_arrays
from convladder.cpu.input_grad import INPUT_GRADS, input_grad
from convladder.cpu.weight_grad import WEIGHT_GRADS, weight_grad

from .conftest import GENERAL_PROBLEMS, ODD_PROBLEMS, RANDOM_PROBLEMS
from .gradient_oracles import input_grad_float64, weight_grad_float64
from .sampling import sampled

PROBLEMS = [*ODD_PROBLEMS, *RANDOM_PROBLEMS[::3], *GENERAL_PROBLEMS]


def arrays(problem, seed=1):
    rng = np.random.default_rng(seed)
    return *random_arrays(problem, seed), rng.standard_normal(
        problem.output_shape, dtype=np.float32
    ) + np.float32(0.5)


def judge(found, expected, scale, terms):
    """As `reference.compare`: within the rounding of float32 sums of so many terms."""
    assert found.dtype == np.float32 and found.shape == expected.shape
    assert np.isfinite(found).all()
    wrong = np.abs(found - expected) > 4 * np.sqrt(terms) * UNIT_ROUNDOFF * scale
    assert not wrong.any(), np.argwhere(wrong)[0]


@pytest.mark.parametrize("problem", sampled(PROBLEMS, 12, str))
def test_the_oracles_are_the_gradients_of_the_loss(problem):
    """The loss `sum(dy·y)` is linear in x and in w: its differences are exact but for rounding."""
    x, w, dy = (array.astype(np.float64) for array in arrays(problem))
    rng = np.random.default_rng(2)
    along_x, along_w = rng.standard_normal(x.shape), rng.standard_normal(w.shape)

    def loss(x, w):
        return (dy * conv2d_float64(x, w, problem)).sum()

    by_x = (loss(x + along_x, w) - loss(x - along_x, w)) / 2
    by_w = (loss(x, w + along_w) - loss(x, w - along_w)) / 2
    size = np.abs(dy).sum()
    assert (along_x * input_grad_float64(dy, w, problem)).sum() == pytest.approx(
        by_x, rel=1e-9, abs=1e-10 * size
    )
    assert (along_w * weight_grad_float64(x, dy, problem)).sum() == pytest.approx(
        by_w, rel=1e-9, abs=1e-10 * size
    )


@pytest.mark.parametrize("problem", sampled(PROBLEMS, 16, str))
def test_every_way_agrees_with_the_oracle(problem, poison):
    poison(lambda array: array.fill(np.nan) if array.dtype.kind == "f" else None)
    p = problem
    x, w, dy = arrays(p)
    before = [array.copy() for array in (x, w, dy)]
    dx, dw = input_grad_float64(dy, w, p), weight_grad_float64(x, dy, p)
    dx_scale = input_grad_float64(np.abs(dy), np.abs(w), p)
    dw_scale = weight_grad_float64(np.abs(x), np.abs(dy), p)
    for way in INPUT_GRADS:
        found = input_grad(dy, w, p, way)
        judge(found, dx, dx_scale, p.k_h * p.k_w * p.group_k_c)
        assert found.flags.c_contiguous
    for way in WEIGHT_GRADS:
        found = weight_grad(x, dy, p, way)
        judge(found, dw, dw_scale, p.pixels)
        assert found.flags.c_contiguous
    for array, copy in zip((x, w, dy), before):
        assert (array == copy).all()


P = ConvProblem.parse("2x8x7x4,3x2x6,s2x1,p1x0,d1x2,g2")
MORE = dict(stride=P.stride, padding=P.padding, dilation=P.dilation, groups=P.groups)


def test_the_public_face():
    x, w, dy = arrays(P)
    found = conv2d_input_grad(dy, w, size=(8, 7), **MORE)
    np.testing.assert_allclose(found, input_grad_float64(dy, w, P), rtol=1e-4, atol=1e-5)
    found = conv2d_weight_grad(x, dy, kernel=(3, 2), **MORE)
    np.testing.assert_allclose(found, weight_grad_float64(x, dy, P), rtol=1e-4, atol=1e-5)


# --- transposed convolution -----------------------------------------------------------------------


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("more", [0, 1, 2])
def test_sizes_are_those_that_give_the_input_again(stride, more):
    """And `output_padding` tells apart all sizes that do."""
    if more >= stride:
        return
    w = np.ones((3, 3, 2, 5), np.float32)
    x = np.random.default_rng(0).standard_normal((1, 4, 3, 5)).astype(np.float32)
    y = conv_transpose2d(x, w, stride=stride, padding=1, output_padding=more)
    assert y.shape == (1, stride * 3 + 1 + more, stride * 2 + 1 + more, 2)
    assert conv2d(y, w, stride=stride, padding=1).shape == x.shape
    assert np.array_equal(y, conv2d_input_grad(x, w, size=y.shape[1:3], stride=stride, padding=1))


def test_it_is_the_transpose_of_the_matrix():
    """<conv(x), y> = <x, transposed(y)>."""
    x, w, y = arrays(P)
    forward = (conv2d_float64(x, w, P) * y).sum()
    more = tuple(
        i - (s * (o - 1) + d * (k - 1) + 1 - 2 * p)
        for i, s, o, d, k, p in zip(
            P.input_shape[1:3], P.stride, y.shape[1:3], P.dilation, P.kernel_shape, P.padding
        )
    )
    assert more == (1, 0)
    back = (conv_transpose2d(y, w, output_padding=more, **MORE).astype(np.float64) * x).sum()
    assert back == pytest.approx(forward, rel=1e-5)


# --- words ----------------------------------------------------------------------------------------

X, W, DY = arrays(P)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: conv2d_input_grad(DY, W, size=(9, 9), **MORE), ValueError, "dy has shape|gives"),
        (lambda: conv2d_input_grad(DY[0], W, size=(8, 7)), ValueError, "dy has 3 axes|o_h"),
        (lambda: conv2d_input_grad(DY, W, size=(8, 7), method="fft", **MORE), ValueError,
         "'fft'|direct, im2col, mec"),
        (lambda: conv2d_weight_grad(X, DY.astype(float), kernel=3), TypeError, "dy has dtype"),
        (lambda: conv2d_weight_grad(X, DY, kernel=3, groups=5), ValueError, "groups=5|i_c=4"),
        (lambda: conv_transpose2d(DY, W, groups=1.0), TypeError, "groups=1.0"),
        (lambda: conv_transpose2d(DY, W, stride=2, output_padding=2), ValueError,
         "output_padding=2|stride=2|0 to 1"),
        (lambda: conv_transpose2d(DY, W, padding=10**9), ValueError, "padding=1000000000|use less"),
    ],
)  # fmt: skip
def test_refusals_say_what_to_do(call, error, words):
    with pytest.raises(error) as raised:
        call()
    assert all(word in str(raised.value) for word in words.split("|")), raised.value
