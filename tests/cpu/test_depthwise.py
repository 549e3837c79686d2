import numpy as np
import pytest

from convladder import ConvProblem
from convladder.cpu.depthwise import depthwise
from convladder.reference import compare


@pytest.mark.parametrize("text", [
    "5x4x1,3x3x1,s1,p1", "2x9x7x1,3x2x1,s2x1,p0x1", "6x5x1,1x1x1", "8x11x1,4x5x1,s3x2,p2x0",
])
def test_each_channel_is_a_convolution_of_its_own(text):
    channel = ConvProblem.parse(text)
    rng = np.random.default_rng(1)
    x = rng.standard_normal((*channel.input_shape[:3], 5), dtype=np.float32) + np.float32(0.25)
    w = rng.standard_normal((*channel.kernel_shape[:2], 5), dtype=np.float32)
    y = depthwise(x, w, channel)
    assert y.shape == (*channel.output_shape[:3], 5) and y.dtype == np.float32
    for c in range(5):
        one = slice(c, c + 1)
        agreement = compare(y[..., one], x[..., one], w[:, :, one, None], channel)
        assert agreement.ok, f"channel {c}: {agreement.reason}"


@pytest.mark.parametrize("channel, x, w, told", [
    ("5x4x2,3x3x1", (1, 5, 4, 2), (3, 3, 2), "i_c=2"),
    ("5x4x1,3x3x1", (1, 4, 5, 2), (3, 3, 2), "do not fit"),
    ("5x4x1,3x3x1", (1, 5, 4, 2), (3, 2, 2), "do not fit"),
    ("5x4x1,3x3x1", (1, 5, 4, 2), (3, 3, 3), "do not fit"),
    ("5x4x1,3x3x1", (1, 5, 4, 2), (3, 3, 1, 2), "do not fit"),
])
def test_arrays_that_do_not_fit_are_refused(channel, x, w, told):
    with pytest.raises(ValueError, match=told):
        depthwise(np.zeros(x, np.float32), np.zeros(w, np.float32), ConvProblem.parse(channel))
