"""The photograph."""

import numpy as np
import pytest

from convladder.teach import photo


@pytest.mark.parametrize(
    "size, grey, shape", [(224, True, (224, 224, 1)), (17, False, (17, 17, 3))]
)
def test_photo_has_the_shape_that_kernels_take(size, grey, shape):
    pixels = photo(size, grey)
    assert pixels.shape == shape and pixels.dtype == np.float32
    assert pixels.flags.c_contiguous
    assert 0 <= pixels.min() < 0.1 and 0.9 < pixels.max() <= 1


def test_photo_is_cut_not_stretched():
    whole = photo(512)
    small = photo(256)
    halved = whole.reshape(256, 2, 256, 2, 3).mean(axis=(1, 3))
    assert np.abs(small - halved).max() < 0.01
    assert np.allclose(photo(32, grey=True)[..., 0], photo(32) @ [0.299, 0.587, 0.114], atol=1e-6)


@pytest.mark.parametrize("size", [0, 513])
def test_photo_refuses_a_size_it_does_not_have(size):
    with pytest.raises(ValueError, match=f"size is {size}: .* 1 to 512"):
        photo(size)
