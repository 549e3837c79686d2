"""Chapter 07's sums and histograms and chapter 08's staged blur: values, and what they count."""

from itertools import product

import numpy as np
import pytest

from convladder import cuda
from convladder.gpu import blur_launch, histogram_launch, sum_launch

from ..sampling import sampled

RNG = np.random.default_rng(5)


@pytest.mark.parametrize(
    "kind, blocks, atomics",
    [("atomic", None, 1000), ("block", None, 4), ("warps", 2, 2)],
)
def test_sums(kind, blocks, atomics):
    x = RNG.standard_normal(1000).astype(np.float32)
    total = cuda.to_device(np.ones(1, np.float32))
    report = sum_launch(kind, 1000, blocks).profile(cuda.to_device(x), total)
    assert total.get()[0] == pytest.approx(1 + x.sum(dtype=np.float64), abs=1e-4)
    assert report.ok and report.global_atomics == report.global_atomic_turns == atomics
    assert report.shared_atomics == report.shared_atomic_turns == 0


def test_histograms():
    values = RNG.integers(0, 256, 777)
    x, counts = cuda.to_device(values.astype(np.uint8)), np.bincount(values, minlength=256)
    reports = {}
    for kind in ("global", "private"):
        bins = cuda.to_device(np.ones(256, np.uint32))
        reports[kind] = histogram_launch(kind, 777, 2).profile(x, bins)
        assert np.array_equal(bins.get(), 1 + counts) and reports[kind].ok
    warps = [values[i : i + 32] for i in range(0, 777, 32)]
    turns = sum(int(np.bincount(warp).max()) for warp in warps)
    assert reports["global"].global_atomics == reports["private"].shared_atomics == 777
    assert reports["global"].global_atomic_turns == turns
    # In shared memory lanes of one bin are counted at once; different bins of one bank take turns.
    turns = sum(int(np.bincount(np.unique(warp) % 32).max()) for warp in warps)
    assert reports["private"].shared_atomic_turns == turns
    ours = np.arange(777) // 256 % 2  # which of the two blocks counts a value
    different = sum(len(set(values[ours == block])) for block in (0, 1))
    assert reports["private"].global_atomics == different


@pytest.mark.parametrize(
    "stages, shape", sampled([*product((1, 2, 3, 4), ((7, 128), (2, 70)))], 3, str)
)
def test_a_blur_in_stages(stages, shape):
    x = RNG.standard_normal(shape).astype(np.float32)
    padded, y = np.pad(x, ((0, 0), (1, 1))), cuda.empty(shape)
    report = blur_launch(*shape, stages).profile(cuda.to_device(x), y)
    np.testing.assert_allclose(
        y.get(), (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3, rtol=1e-5, atol=1e-6
    )
    assert report.ok
    if shape[1] % 64 == 0:  # all threads read
        rows = 1 if stages > 1 else shape[0]
        assert report.exposed_bytes == rows * 4 * 66 * (shape[1] // 64)
