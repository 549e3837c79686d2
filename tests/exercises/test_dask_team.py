"""The stand-in for a team of workers says what is amiss with a recipe."""

import numpy as np
import pytest

from convladder.exercises.mocks.dask_team import ProbeTeam, RehearsalTeam


def test_recipes_give_the_values_of_their_futures():
    team = RehearsalTeam(2)
    there = team.put(np.arange(3), 1)
    assert team.collect([lambda: team.call(sum, there, worker=1), lambda: [there]])[0] == 3
    assert team.objection() == "left 1 of 2 workers without work."


def test_a_recipe_that_does_the_work_itself_is_told_so():
    with pytest.raises(TypeError, match=r"gave ndarray, not a future.*call"):
        RehearsalTeam(2).collect([lambda: np.arange(3)])
    with pytest.raises(TypeError, match="gave int, not a future"):
        RehearsalTeam(2).collect([lambda: [3]])


def test_a_probe_collects_zeros_in_place_of_arrays():
    team, ones = ProbeTeam(1, layers=2), np.ones(3)
    assert not team.collect([lambda: team.put(ones, 0)])[0].any()
    assert not team.collect([lambda: [team.put(ones, 0)]])[0][0].any()
    assert team.collect([lambda: team.put(3, 0)]) == [3]
