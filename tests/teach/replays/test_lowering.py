"""The replays of lowering: what they copy, multiply and write is the convolution."""

import numpy as np
import pytest

from convladder.core import conv2d_float64
from convladder.core.problem import ConvProblem
from convladder.teach.plots import IMAGE, KERNEL
from convladder.teach.replays import im2col_replay, implicit_replay, mec_replay


def written(scene: dict, name: str) -> list[float]:
    """Return the last value of each cell of an array."""
    number = [array["name"] for array in scene["arrays"]].index(name)
    values = list(scene["arrays"][number]["values"])
    for step in scene["steps"]:
        for array, cells, _, given in step.get("write", ()):
            if array == number and cells.isdigit():
                values[int(cells)] = given[0]
    return values


@pytest.mark.parametrize(
    "replay, copied", [(im2col_replay, [36]), (implicit_replay, [0, 36]), (mec_replay, [24])]
)
def test_every_scene_ends_with_the_convolution(replay, copied):
    x, w = IMAGE[None, :, :, None], KERNEL[:, :, None, None]
    right = conv2d_float64(x, w, ConvProblem(1, 4, 4, 1, 3, 3, 1)).ravel()
    scenes = replay(IMAGE, KERNEL).trace["scenes"]
    for scene, count in zip(scenes, copied, strict=True):
        assert np.array_equal(written(scene, "output"), right)
        tally = {}
        for step in scene["steps"]:
            tally |= step.get("tally", {})
        compared = {"im2col would copy": 36} if replay is mec_replay else {}
        assert tally == {"pixels": 16, "values copied": count, "multiplications": 36} | compared


def test_it_opens_on_a_telling_turn():
    trace = im2col_replay(IMAGE, KERNEL).trace
    step = trace["scenes"][0]["steps"][trace["poster"]]
    assert step["say"] == "Copy window 2 into row 2."
