"""Chapter 08's probes: right, without fault, and not timed where they are wrong."""

import pytest

from convladder.gpu import probes

from ..sampling import sampled

PROBES = [
    *(probes.strided(100, 3, 2), probes.by_fours(520), probes.four_scalars(999)),
    *(probes.row_sums(33, 3), probes.blur("global"), probes.blur("constant", 9, 40)),
]


@pytest.mark.parametrize("probe", sampled(PROBES, 3, lambda probe: probe.launch.kernel))
def test_a_probe_is_right_and_without_fault(probe):
    probe.ready()()
    assert probe.profile().ok


def test_a_wrong_result_is_not_timed():
    right = probes.by_fours(512)
    probe = probes.Probe(right.launch, right.inputs, right.expected + [0, 0, 0, 1] * 128)
    with pytest.raises(RuntimeError, match="by_fours is wrong"):
        probe.ready()
