"""Schedules: all right, none timed that is wrong, and the same ranking for the same clock."""

from functools import cache

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.cpu.isa import Isa
from convladder.networks.compile.schedule import (
    ORDERS,
    Candidate,
    Schedule,
    predicted_cycles,
    space,
    tune,
)

SMALL = ConvProblem(1, 9, 12, 3, 3, 5, 16, stride=(2, 1))
WIDE = Isa("AVX-512", 512, 32, fused=True)
NARROW = Isa("NEON", 128, 32, fused=True)


def fake(runs):
    """Seconds that hang on the schedule alone, with ties."""
    return {s: float(100 - s.pixels * s.lanes) for s in runs}


@pytest.mark.weekly
def test_they_are_right_and_ranked_alike_every_time():
    whole = space(SMALL, isa=NARROW)
    schedules = [*whole[:3], *whole[3::4]]  # each order, and tiles of every kind
    compiled = cache(Candidate)  # half a second each, and once is enough
    found = tune(SMALL, schedules, clock=fake, make=compiled)
    assert len(whole) == 30 and len(found) == len(schedules)
    assert not any(trial.wrong for trial in found)
    assert {trial.schedule.order for trial in found} == ORDERS.keys()
    assert found == tune(SMALL, schedules, clock=fake, make=compiled)
    seconds = [trial.seconds for trial in found]
    assert seconds == sorted(seconds) and len(set(seconds)) < len(seconds)
    assert [t.schedule for t in found] == sorted(schedules, key=fake(schedules).get)  # it is stable


def test_a_wrong_candidate_is_ranked_last_and_never_timed():
    asked = []

    class Broken(Candidate):
        def __call__(self, x, prepared, y):
            super().__call__(x, prepared, y)
            if self.schedule.pixels == 2:
                y[0, -1, -1, -1] = 0

    def clock(runs):
        asked.extend(runs)
        return fake(runs)

    schedules = [Schedule("hvkabc", pixels, 4, 4) for pixels in (1, 2, 4)]
    found = tune(SMALL, schedules, clock=clock, make=Broken)
    assert [t.schedule.pixels for t in found] == [4, 1, 2]
    assert "is above" in found[-1].wrong and found[-1].seconds is None
    assert schedules[1] not in asked


def test_what_is_in_the_space():
    sizes = {(s.pixels, s.channels) for s in space(SMALL, isa=WIDE) if s.order == "khvabc"}
    assert sizes == {(1, 1), (4, 4), (1, 16), (2, 16), (4, 16), (8, 16)}
    with pytest.raises(ValueError, match="pad it before"):
        space(ConvProblem(1, 9, 9, 3, 3, 3, 4, padding=1))
    with pytest.raises(ValueError, match="tile 5×16 by 16 does not cut"):
        Candidate(SMALL, Schedule("hvkabc", 5, 16, 16))


def test_the_guess():
    p = ConvProblem.parse("34x34x32,3x3x64")
    one, tile = Schedule("hvkabc", 1, 16, 16), Schedule("hvkabc", 8, 32, 16)
    assert predicted_cycles(p, one, WIDE) == 4 * p.macs / 16  # each waits for the one before
    assert predicted_cycles(p, tile, WIDE) == p.macs / 16 / 2  # two multiply-adds a cycle
    shared = Schedule("hvkabc", 8, 32, 16, threads=2)
    assert predicted_cycles(p, shared, WIDE) == predicted_cycles(p, tile, WIDE) / 2
    few = Isa("AVX2", 256, 16, fused=True)
    assert predicted_cycles(p, Schedule("hvkabc", 8, 32, 8), few) > p.macs / 8 / 2  # they spill


def test_threads_share_the_rows():
    x, y = np.ones(SMALL.input_shape, np.float32), np.zeros(SMALL.output_shape, np.float32)
    candidate = Candidate(SMALL, Schedule("hvkabc", 4, 8, 4, threads=3))
    candidate(x, candidate.prepare(np.ones(SMALL.kernel_shape, np.float32)), y)
    assert (y == SMALL.window).all()
