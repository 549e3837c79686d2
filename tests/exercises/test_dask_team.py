"""The stand-in for a team of workers says what is amiss with a recipe."""

import numpy as np
import pytest

from convladder.exercises.mocks.dask_team import RehearsalTeam


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
