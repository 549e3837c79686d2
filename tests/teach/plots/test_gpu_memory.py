"""Chapter 08: requests and ceilings, as counted."""

import numpy as np

from convladder import ConvProblem, cuda
from convladder.core.reference import random_arrays
from convladder.gpu import probes, tiled
from convladder.teach.plots import gpu_memory as traffic
from convladder.teach.plots.gpu_memory import windows_over


def test_a_picture_counts_sectors_as_the_emulator_does():
    report = probes.strided(stride=3, offset=1).profile()
    each = report.global_load_sectors // report.global_load_requests
    assert each == 12
    assert f"touch {each} sectors" in traffic.warp_picture(report, "b[i] = a[").alt
    stored = traffic.warp_picture(report, "b[i] = a[", number=1)
    assert stored.alt.startswith("A warp's store to b") and "touch 4 sectors" in stored.alt


def test_windows_are_counted_where_they_overlap():
    counts = windows_over(4, 3)
    assert counts.shape == (6, 6) and counts.max() == 9 and counts[0, 0] == 1
    assert counts.sum() == 16 * 9
    brute = np.zeros((7, 7), int)
    for row, column in np.ndindex(3, 3):
        brute[row : row + 5, column : column + 5] += 1
    assert (windows_over(3, 5) == brute).all()


SMALL = ConvProblem.parse("9x9x8,3x3x64")


def test_the_emulator_counts_the_bytes_of_shared_requests():
    report = tiled.vectorised_launch(SMALL).profile(
        *map(cuda.to_device, random_arrays(SMALL)), cuda.empty(SMALL.output_shape)
    )
    assert report.shared_load_bytes == 512 * report.shared_load_requests
