"""Chapter 13: timelines, tables, the line to attack."""

import pytest

from convladder import cuda
from convladder.bench.lenet import rtx_2060_profile
from convladder.bench.records import profiles
from convladder.exercises.mocks.on_device import run_on_device
from convladder.measure.cuda.profile import Activity, profile_of
from convladder.teach.plots import profiling
from convladder.teach.plots.profiling import attack_picture, timeline_picture

RUN = [
    Activity("call", "cuLaunchKernel", 0, 900),
    Activity("kernel", "conv", 1000, 5000, 1),
    Activity("kernel", "conv", 5000, 7000, 1),
    Activity("download", "back", 7000, 9000, 1, 40),
]
PROFILE = profile_of([RUN, RUN], [2e-5, 2e-5], (1.1e-5, 1.2e-5, 1.3e-5))


def test_a_table_is_of_one_run_and_its_shares_add_up():
    made = profiling.device_table(PROFILE)
    assert [row[:3] + row[-1:] for row in made.cells] == [
        ["75.0%", "6.00 µs", "2", "conv"],
        ["25.0%", "2.00 µs", "1", "back"],
    ]
    assert profiling.calls_table(PROFILE, 1).cells[0][-1] == "cuLaunchKernel"
    assert "at work for 8.00 µs of the 8.00 µs" in profiling.profile_sentence(PROFILE)
    assert "no copy ran during a kernel" in profiling.profile_sentence(PROFILE)


def test_a_lines_gain_is_one_of_the_wall_clock():
    assert PROFILE.seconds_if_faster(1, 2) == pytest.approx(12e-6 - 3e-6)
    assert PROFILE.seconds_if_faster(2, 4) == pytest.approx(12e-6 - 1.5e-6)
    baseline = rtx_2060_profile("baseline")
    assert 6.3073 / baseline.seconds_if_faster(1, 1e9) == pytest.approx(1.059, abs=1e-3)
    with pytest.raises(ValueError, match="lines 1 to 2, not 3"):
        PROFILE.seconds_if_faster(3, 2)
    with pytest.raises(ValueError, match="they overlap"):
        attack_picture(rtx_2060_profile("overlap_fused"), 1, 2, "fused")
    assert "line 2 at 4 times the speed" in attack_picture(PROFILE, 2, 4, "x").alt


def test_counters_are_of_the_launch_that_was_named():
    record = profiles.profile_records()[0]
    ((label, seen),) = profiles.launches_of(record, [("batched", 4)])
    assert label == "batched: linear" and profiles.flops(seen) == 2 * 30_720 * 10_000
    assert profiles.roofline_points(record, {"product": ("batched", 4)}) == [
        (
            "product",
            pytest.approx(profiles.flops(seen) / profiles.moved(seen)),
            pytest.approx(profiles.flops(seen) / seen["seconds"]),
        )
    ]
    with pytest.raises(ValueError, match="'one_kernel' has 1 launches counted, and no number 1"):
        profiles.launches_of(record, [("one_kernel", 1)])


def plan(back):
    def put(gpu, chunks):
        for number, chunk in enumerate(chunks):
            gpu.upload(chunk, number % 2)
            gpu.after(2, number % 2)
            gpu.kernel(chunk, 2)
            if back:
                gpu.download(chunk, 2)
        return gpu.wait()

    return put


@pytest.mark.weekly
def test_a_plan_is_carried_out_with_real_images():
    assert "32 images, 100.00% right, 0 labels differ" in run_on_device(plan(True), 32, 2)
    assert "labels run from 255" in run_on_device(plan(False), 32, 2)


def test_without_a_compiler_it_is_said(monkeypatch):
    def none(pixels):
        raise cuda.NoBackend("no compiler")

    monkeypatch.setattr("convladder.exercises.mocks.on_device.Carrier", none)
    assert run_on_device(plan(True)) == "Your plan cannot be carried out here: no compiler"


EVENTS = [
    Activity("call", "cudaMemcpyAsync", 0, 2000),
    Activity("upload", "[CUDA memcpy HtoD, pinned]", 1000, 9000, 1),
    Activity("kernel", "lenet", 9000, 30_000, 2),
]


@pytest.mark.parametrize("window", [(5, 5), (10, 4), (40, None)])
def test_a_window_of_no_time_is_said(window):
    with pytest.raises(ValueError, match="is empty; the run ends after 30 µs"):
        timeline_picture(EVENTS, "one", *window)
