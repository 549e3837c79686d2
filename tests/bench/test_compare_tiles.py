"""The comparison of the model's choice with all that there is to choose from."""

import pytest

from convladder import ConvProblem
from convladder.bench.winograd_tiles import MICROKERNEL, TileComparison, compare_tiles
from convladder.measure.timing import Comparison, timing_of

from ..python import python


def test_every_size_is_timed_and_the_models_choice_beside_the_fastest():
    found = compare_tiles(ConvProblem.parse("9x10x8,3x3x8,p1"), threads=1, budget=0.01)
    assert list(found.expected) == [MICROKERNEL, "F(2)", "F(4)", "F(6)"]
    assert set(found.comparison.timings) == set(found.expected)
    assert found.loss >= 1 or found.chosen == found.fastest
    assert "chosen" in str(found) and "expected" in str(found)


def test_the_loss_is_that_of_the_chosen_over_the_fastest():
    rounds = {MICROKERNEL: (4.0, 4.0), "F(2)": (3.0, 3.0), "F(4)": (2.0, 2.0)}
    times = {name: timing_of(list(each), 1) for name, each in rounds.items()}
    found = TileComparison(ConvProblem.parse("9x9x8,3x3x8"), 1, Comparison(times, rounds),
                   {MICROKERNEL: 3.0, "F(2)": 1.0, "F(4)": 2.0})  # fmt: skip
    assert (found.chosen, found.fastest, found.loss) == ("F(2)", "F(4)", 1.5)


FIRST = """
import sys
from convladder import ConvProblem, get_method
from convladder.bench import winograd_tiles as winograd
from convladder.cpu.costs import direct
from convladder.cpu.isa import host_isa
assert "numba" not in sys.modules
p = ConvProblem.parse("9x10x8,3x3x8,p1")
winograd.choose = lambda p: costs.append(get_method("microkernel").cost(p)) or get_method("fft")
costs = []
winograd.auto(p, 1)
assert costs == [direct(p, host_isa().lanes, 1)], costs
"""


@pytest.mark.weekly
def test_the_first_choice_of_a_process_is_for_as_many_threads_as_asked():
    """A second: Numba is not imported yet, so that nobody could hold it."""
    done = python("-c", FIRST)
    assert done.returncode == 0, done.stderr
