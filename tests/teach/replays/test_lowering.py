"""The replays of lowering: what they copy, multiply and write is the convolution."""

import numpy as np
import pytest

from convladder.core import conv2d_float64
from convladder.core.problem import ConvProblem
from convladder.teach.plots import IMAGE, KERNEL
from convladder.teach.replays import im2col_replay, implicit_replay, mec_replay

from .scene_values import last_tally, last_values


@pytest.mark.parametrize(
    "replay, copied", [(im2col_replay, [36]), (implicit_replay, [0, 36]), (mec_replay, [24])]
)
def test_every_scene_ends_with_the_convolution(replay, copied):
    x, w = IMAGE[None, :, :, None], KERNEL[:, :, None, None]
    right = conv2d_float64(x, w, ConvProblem(1, 4, 4, 1, 3, 3, 1)).ravel()
    for scene, count in zip(replay(IMAGE, KERNEL).scenes, copied, strict=True):
        (output,) = (n for n, array in enumerate(scene.arrays) if array["name"] == "output")
        assert np.array_equal(last_values(scene, output), right)
        compared = {"im2col would copy": 36} if replay is mec_replay else {}
        counted = {"pixels": 16, "values copied": count, "multiplications": 36}
        assert last_tally(scene) == counted | compared


def test_it_opens_on_a_telling_turn():
    trace = im2col_replay(IMAGE, KERNEL).trace
    step = trace["scenes"][0]["steps"][trace["poster"]]
    assert step["say"] == "Copy window 2 into row 2."
