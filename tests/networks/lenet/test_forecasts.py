"""Forecasts of the LeNet-5 ladder: what parts add up to, and how near an H200 came."""

import pytest

from convladder.bench.lenet import lenet_records
from convladder.bench.records.lenet import chip_limits
from convladder.networks.lenet.forecasts import ChipLimits, Forecast, forecast, forecast_parts

CHIP = ChipLimits("a", 60e12, 4e12, launch=5e-6, wait=10e-6, page_locked=50e9, pageable=20e9,
                  labels=200e-6)  # fmt: skip


def test_what_passes_at_the_same_time_counts_once():
    def total(chunks, waits, up=4.0, kernels=3.0, launches=1.0):
        return Forecast(up, kernels, launches, 0.5, 0.25, 2.0, chunks, waits).total

    assert total(1, True) == 4 + 3 + 1.5 + 0.25 + 2
    assert total(1, False) == 4 + 3 + 0.25 + 2
    assert total(1, False, launches=9.0) == 4 + 9.5 + 0.25 + 2
    assert total(6, False) == 4 + 3 / 6 + 0.25 + 2
    assert total(6, False, up=1.5) == 3 + 1.5 / 6 + 0.25 + 2
    assert total(6, False, launches=9.0) == 9.5 + 3 / 6 + 0.25 + 2


@pytest.mark.weekly
def test_a_rungs_calls_and_copies():
    """Ten rungs' kernels are compiled and run: ten seconds."""
    found = {name: forecast(name, CHIP) for name in ("batched", "no_sync", "pinned", "graph")}
    assert found["batched"].launches == pytest.approx(7 * 10e-6) and found["batched"].waits
    assert found["no_sync"].launches == pytest.approx(7 * 5e-6) and not found["no_sync"].waits
    assert found["no_sync"].up == pytest.approx(31.36e6 / 20e9)
    assert found["pinned"].up == pytest.approx(31.36e6 / 50e9)
    assert found["graph"].launches == 5e-6 and found["graph"].copies == 0
    floats, octets = (forecast(name, CHIP) for name in ("overlap_fused", "bytes"))
    assert floats.copies == pytest.approx(32 * 5e-6) and floats.chunks == 16
    assert floats.up == pytest.approx(4 * octets.up) and octets.labels == 0 < floats.labels
    alone = forecast("baseline", CHIP)
    assert alone.launches == pytest.approx(70_000 * 10e-6)
    assert forecast("tensor_core", CHIP).kernels < forecast("one_kernel", CHIP).kernels


@pytest.mark.weekly
def test_kernels_take_what_was_forecast():
    """Of the record that ships, not of this machine: within half of it, where nobody waits."""
    times = lenet_records()[0]
    chip = chip_limits()
    for name in ("conv_tuned", "fc_tuned", "no_sync", "pinned", "fc_coalesced", "graph", "bytes"):
        told = sum(seconds for _, seconds in forecast_parts(name, chip))
        assert 1 / 1.5 < told / times.device_seconds[name] < 1.5, name
