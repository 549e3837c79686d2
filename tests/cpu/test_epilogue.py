import numpy as np

from convladder.cpu.epilogue import relu, scale_shift, scale_shift_relu

RNG = np.random.default_rng(0)
Y = RNG.standard_normal((7, 5), dtype=np.float32)
SCALE, SHIFT = RNG.standard_normal((2, 5), dtype=np.float32)


def test_one_pass_does_what_two_do():
    two, one = np.full((2, *Y.shape), np.nan, np.float32)
    scale_shift(Y, SCALE, SHIFT, two)
    np.testing.assert_allclose(two, Y * SCALE + SHIFT, rtol=1e-6, atol=1e-6)
    assert (two < 0).any() and (two > 0).any()
    relu(two, two)
    assert (two >= 0).all()
    scale_shift_relu(Y, SCALE, SHIFT, one)
    np.testing.assert_allclose(one, two, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(one, np.maximum(Y * SCALE + SHIFT, 0), rtol=1e-6, atol=1e-6)
