"""Chapter 06's and 07's pictures of who works when: every control changes something."""

import numpy as np
import pytest

from convladder.teach import explore
from convladder.teach.plots import chip_picture, divergence_picture, issue_picture, stages_picture

from ..artists import drawn


@pytest.mark.parametrize(
    "draw, controls",
    [
        (issue_picture, {"warps": (1, 6), "wait": [8, 16, 32], "arithmetic": [1, 3]}),
        (stages_picture, {"stages": (1, 5), "copy": (2, 8), "compute": [1, 2, 3]}),
    ],
)
def test_every_value_of_every_control_gives_a_picture_of_its_own(draw, controls):
    explorer = explore(draw, **controls)
    for name, control in explorer.controls.items():
        first, seen, spec = control.value, set(), controls[name]
        values = spec if isinstance(spec, list) else range(spec[0], spec[1] + 1)
        for value in values:
            control.value = value
            assert explorer.note.value == ""
            seen.add(drawn(explorer.picture))
        assert len(seen) == len(values), name
        control.value = first


def test_what_they_say():
    assert "13 issue slots are used, 20%" in issue_picture(1, 16, 3).alt
    assert "22 in all, and the arithmetic works 73%" in stages_picture(4, 6, 2).alt
    assert "132 multiprocessors" in chip_picture().alt
    turns = np.arange(64) % 2 * 7 + 1
    assert "together 16 rounds, of which the lanes work in 56%" in divergence_picture(turns).alt
    assert (
        "together 9 rounds, of which the lanes work in 100%"
        in divergence_picture(np.sort(turns)).alt
    )
