"""Every value of every control gives a picture of its own, and no error."""

import pytest
from matplotlib.patches import Patch
from matplotlib.text import Text

from convladder.teach import Picture, explore
from convladder.teach.plots import counting_cost, first_kernels, gpu_memory, mec, threads

from ...sampling import sampled

EXPLORED = [
    (
        counting_cost.layer_cost_picture,
        {
            "image": [56, 28, 7, 1],
            "kernel": [1, 3, 5, 7],
            "channels": [64, 256, 1024],
            "stride": [1, 2],
            "batch": [1, 16, 64],
            "depthwise": [False, True],
        },
    ),
    (first_kernels.issue_picture, {"warps": (1, 6), "wait": [8, 16, 32], "arithmetic": [1, 3]}),
    (gpu_memory.stride_picture, {"stride": (1, 9), "offset": (0, 8), "bytes_a_lane": [4, 8, 16]}),
    (gpu_memory.halo_picture, {"tile": [4, 8, 16, 2, 1], "kernel": [3, 5, 7]}),
    (mec.mec_partition_picture, {"h": (0, 4), "s_h": [1, 2, 3], "k_h": [3, 1, 2, 5]}),
    (
        threads.schedule_picture,
        {
            "threads": [4, 8, 2, 1],
            "chunk": [6, 3, 2, 1],
            "dealt": ["beforehand", "on demand"],
            "serial": (0, 12, 2),
        },
    ),
]


def words_and_areas(picture: Picture) -> tuple:
    """Return enough to tell two pictures of one function apart, without rendering them."""
    words = [text.get_text() for text in picture.figure.findobj(Text)]
    areas = [(*p.get_extents().bounds, p.get_facecolor()) for p in picture.figure.findobj(Patch)]
    return picture.alt, *words, *areas


@pytest.mark.parametrize("draw, controls", sampled(EXPLORED, 1, lambda each: each[0].__name__))
def test_every_value_of_every_control_gives_a_picture_of_its_own(draw, controls):
    explorer = explore(draw, **controls)
    for name, control in explorer.controls.items():
        first, seen, spec = control.value, set(), controls[name]
        values = spec if isinstance(spec, list) else range(spec[0], spec[1] + 1, *spec[2:])
        for value in values:
            control.value = value
            assert explorer.note.value == "", (name, value)
            seen.add(words_and_areas(explorer.picture))
        assert len(seen) == len(values), name
        control.value = first
