"""The libraries give the same values, where they are installed."""

import numpy as np
import pytest

from convladder import ConvProblem, conv2d
from convladder.reference import random_arrays
from convladder.teach import libraries


@pytest.mark.parametrize("name", libraries.NEEDS)
def test_its_values_are_ours(name, monkeypatch):
    for package in libraries.NEEDS[name]:
        pytest.importorskip(package)
    monkeypatch.setattr(libraries, "installed", lambda: [name])
    problem = ConvProblem(2, 7, 9, 3, 3, 2, 5, stride=(2, 3), padding=(2, 1))
    x, w = random_arrays(problem)
    expected = conv2d(x, w, stride=problem.stride, padding=problem.padding)
    calls = libraries.library_calls(x, w, problem)
    assert calls
    for call in calls.values():
        assert np.allclose(np.asarray(call()).transpose(0, 2, 3, 1), expected, atol=1e-4)


def test_none_installed_is_none_called(monkeypatch):
    monkeypatch.setattr(libraries, "find_spec", lambda package: None)
    x, w = random_arrays(problem := ConvProblem(1, 4, 4, 1, 2, 2, 1))
    assert libraries.installed() == [] and libraries.library_calls(x, w, problem) == {}
