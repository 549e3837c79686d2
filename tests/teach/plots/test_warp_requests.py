"""Chapter 07's pictures: what they say is what was counted, and every control changes something."""

import numpy as np
import pytest

from convladder.cuda.memory_model import strided_addresses
from convladder.gpu import probes
from convladder.teach import explore
from convladder.teach.plots import gpu_memory as traffic
from convladder.teach.plots.gpu_memory import (
    gpu_ladder_picture,
    gpu_times_picture,
    halo_picture,
    readers,
)

from ...sampling import sampled
from ..artists import drawn


def test_a_picture_counts_sectors_as_the_emulator_does():
    report = probes.strided(stride=3, offset=1).profile()
    each = report.global_load_sectors // report.global_load_requests
    assert each == 12
    assert f"touch {each} sectors" in traffic.warp_picture(report, "b[i] = a[").alt
    stored = traffic.warp_picture(report, "b[i] = a[", number=1)
    assert stored.alt.startswith("A warp's store to b") and "touch 4 sectors" in stored.alt


def test_a_picture_counts_conflicts_as_the_emulator_does():
    report = probes.row_sums(34).profile()
    picture = traffic.warp_picture(report, "sum += tile")
    assert "asked for 2 different words, so the bank conflicts number 1." in picture.alt


@pytest.mark.parametrize(
    "draw, controls",
    sampled(
        [
            (
                traffic.stride_picture,
                {"stride": (1, 9), "offset": (0, 8), "bytes_a_lane": [4, 8, 16]},
            ),
            (traffic.pitch_picture, {"pitch": (32, 40)}),
            (halo_picture, {"tile": [4, 8, 16, 2, 1], "kernel": [3, 5, 7]}),
        ],
        1,
        lambda each: each[0].__name__,
    ),
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


@pytest.mark.parametrize("stride", [1, 31, 100])
def test_any_request_can_be_drawn(stride):
    assert "sectors" in traffic.request_picture(strided_addresses(stride, 3, 16)).alt
    assert (
        "banks"
        in traffic.request_picture(strided_addresses(stride, kind="shared_loads", size=16)).alt
    )


def test_windows_are_counted_where_they_overlap():
    counts = readers(4, 3)
    assert counts.shape == (6, 6) and counts.max() == 9 and counts[0, 0] == 1
    assert counts.sum() == 16 * 9
    brute = np.zeros((7, 7), int)
    for row, column in np.ndindex(3, 3):
        brute[row : row + 5, column : column + 5] += 1
    assert (readers(3, 5) == brute).all()


RUNS = {"a GPU": {"one": 1e-3, "two": 3e-3}, "another": {"one": 2e-3, "two": 2e-3}}


@pytest.mark.parametrize("runs", [{}, {"a GPU": RUNS["a GPU"]}, RUNS])
def test_times_need_no_gpu_to_be_drawn(runs):
    alt = gpu_times_picture({"one": 1.0, "two": 2.0}, runs, "Steps").alt
    assert ("as measured" in alt) == bool(runs)
    report = probes.strided().profile()
    reports = {"one": report, "two": report}
    alt = gpu_ladder_picture(reports, 1000, runs, dict.fromkeys(runs, 1e12), 10**9, "a layer").alt
    assert ("No GPU has recorded" in alt) == (not runs)
    assert all(label in alt for label in runs)
