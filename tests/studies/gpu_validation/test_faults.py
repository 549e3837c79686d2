"""Every fault is found, with its line and thread, and no sound kernel is accused of one.

At a push some of both, others each week; each costs 0.3 s, most of it compiling.
"""

import pytest

from convladder import cuda
from studies.gpu_validation import faults
from studies.gpu_validation.counts import recorded

from ...sampling import sampled

pytestmark = pytest.mark.usefixtures("watched_first")
BROKEN = list(faults.broken())
SOUND = list(faults.sound())
# What compute-sanitizer on the GPU says nothing of, and why.
NOT_TOLD = {
    "half filled": "initcheck looks at global memory alone",
    "sum from nothing": "initcheck looks at global memory alone",
    "return before barrier": "since Volta a barrier waits only for threads that have not ended",
    "barrier in unequal loop": "since Volta a barrier waits only for threads that have not ended",
    "too much shared memory": "refused before it reaches the GPU",
    "block too large": "refused before it reaches the GPU",
}
LISTS = ("races", "out_of_bounds", "uninitialised", "misaligned", "barriers", "copies", "lanes")


@pytest.mark.parametrize("broken", sampled([b for b in BROKEN if b.kind in LISTS], 6))
def test_a_fault_is_found_in_its_line(broken):
    report, _ = broken.case.profile()
    assert not report.ok
    found = getattr(report, broken.kind)
    assert found, [str(fault) for fault in report.faults]
    for fault in found:
        assert fault.line in broken.lines, str(fault)
        assert f"{broken.case.source.name}, line {fault.line}" in str(fault)
    if broken.thread is not None:
        assert (found[0].block, found[0].thread) == broken.thread, str(found[0])
    if broken.kind == "races":
        assert {fault.other_line for fault in found} <= set(broken.lines)
        assert (found[0].other_block, found[0].other_thread) != (found[0].block, found[0].thread)
    # Nothing else is wrong with it, so nothing else is said.
    assert len(found) == len(report.faults), [str(fault) for fault in report.faults]


@pytest.mark.parametrize("broken", [b for b in BROKEN if b.kind == "limits"], ids=lambda b: b.name)
def test_more_than_the_chip_has_is_refused(broken):
    with pytest.raises(cuda.LaunchError, match="block"):
        broken.case.launch()
    with pytest.raises(cuda.LaunchError, match="block"):
        broken.case.profile()


@pytest.mark.parametrize("case", sampled(SOUND, 3))
def test_a_sound_kernel_is_not_accused(case):
    report, wrong = case.profile()
    assert wrong is None
    assert report.ok, [str(fault) for fault in report.faults]
    assert case.launch("emulator") is None


def test_compute_sanitizer_finds_the_same_faults():
    verdicts = recorded()["broken"]
    assert verdicts.keys() == {b.name for b in BROKEN if b.tool}
    assert {name for name, verdict in verdicts.items() if not verdict["errors"]} == NOT_TOLD.keys()
    assert all(verdicts[b.name]["tool"] == b.tool for b in BROKEN if b.tool)
