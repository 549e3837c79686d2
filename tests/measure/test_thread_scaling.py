"""Chapter 04: no verdict contradicts a figure of its page."""

import pytest

from convladder.measure import thread_scaling as scaling


def times(lowering=4.0, gemm=10.0, low2=4.0, gemm2=5.0, whole=14.0, whole2=9.2):
    return {
        1: {"lowering": lowering, "GEMM": gemm, "im2col": whole},
        2: {"lowering": low2, "GEMM": gemm2, "im2col": whole2},
    }


@pytest.mark.parametrize(
    "best, why",
    [
        (times(), None),
        (times(low2=2.1), "lowering is one thread's work"),
        (times(low2=5.5), "lowering is one thread's work"),
        (times(gemm2=4.0), "2.50 times as fast on 2 threads"),
        (times(whole2=8.0), "1.75, above the 1.56"),
    ],
)
def test_times_that_cannot_all_be_right(best, why):
    found = scaling.parts_disturbed(best, 2)
    assert found is None if why is None else why in found
    said = scaling.parts_verdict(best, 2, found)
    assert said.startswith("disturbed") == (why is not None)
    assert ("of the limit" in said) == (why is None)


def test_a_reading_is_taken_until_it_is_undisturbed_and_three_times_at_most():
    readings = iter([times(whole2=8.0), times(), times(low2=1.0)])
    best, why = scaling.read_again(
        lambda: next(readings), lambda best: scaling.parts_disturbed(best, 2)
    )
    assert best == times() and why is None
    count = []
    assert (
        scaling.read_again(lambda: count.append(1), lambda _: "no")[1] == "no" and len(count) == 3
    )


@pytest.mark.parametrize(
    "near, far, cores, gain, said",
    [
        (40, 10, 2, 1.97, "In one line they take 4.0 times"),
        (11, 10, 2, 1.97, "disturbed: no difference"),
        (11, 10, 2, 1.05, "which share its first cache"),
        (30, 19, 2, 1.97, "disturbed: even far apart"),
        (10, 10, 1, 1.0, "One core"),
    ],
)
def test_no_verdict_on_sharing_contradicts_the_peak(near, far, cores, gain, said):
    assert said in scaling.sharing_verdict({8: near, 64: far, 256: far}, 10, cores, gain)


def test_one_core_and_a_peak_above_the_cores():
    one = {1: {"lowering": 4.0, "GEMM": 10.0, "im2col": 14.0}}
    assert scaling.parts_disturbed(one, 1) is None
    assert scaling.parts_verdict(one, 1, None).startswith("One core")
    assert scaling.peak_disturbed(1.97, 2) is None and "2.30" in scaling.peak_disturbed(2.3, 2)
