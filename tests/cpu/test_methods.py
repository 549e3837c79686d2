"""Every method in the registry against the oracle, on shapes that find wrong indices."""

import numpy as np
import pytest

from convladder import ConvProblem, conv2d, methods
from convladder.core.reference import compare, random_arrays
from convladder.cpu import mec

from ..conftest import GENERAL_PROBLEMS, ODD_PROBLEMS, RANDOM_PROBLEMS
from ..sampling import sampled

METHODS = methods("cpu")
PROBLEMS = [
    *map(pytest.param, ODD_PROBLEMS),
    *sampled(RANDOM_PROBLEMS, 10, str),
    *sampled(GENERAL_PROBLEMS, 2, str),
]
TAKEN = [
    pytest.param(method, *each.values, id=f"{method.name} {each.values[0]}", marks=each.marks)
    for method in METHODS
    for each in PROBLEMS
    if not method.unsupported(*each.values)
]


@pytest.fixture(autouse=True)
def poisoned_buffers(poison):
    """Fresh memory is full of NaN, so that a value never written cannot pass as a zero."""
    poison(lambda array: array.fill(np.nan) if array.dtype.kind == "f" else None)


@pytest.mark.parametrize(("method", "problem"), TAKEN)
def test_method_agrees_with_the_oracle(method, problem):
    x, w = random_arrays(problem, seed=problem.pixels)
    before = x.copy(), w.copy()
    y = method(x, w, problem)
    agreement = compare(y, x, w, problem, method.error_model(problem))
    assert not agreement.reason, agreement.reason
    assert y.flags.c_contiguous
    assert not np.shares_memory(y, x) and not np.shares_memory(y, w)
    assert (x == before[0]).all() and (w == before[1]).all()


def test_the_shapes_are_odd_enough():
    """No method escapes the shapes that matter by refusing them.

    But for those in tiles, which take stride 1 alone (test_winograd has odd shapes for them), and
    the depthwise one (GENERAL_PROBLEMS have).
    """
    refused = {m.name for m in METHODS for p in ODD_PROBLEMS if m.unsupported(p)}
    assert refused == {"winograd_numpy", "winograd", "fft", "depthwise"}


@pytest.mark.parametrize("name", ["loops", "im2col_loops"])
def test_slow_method_refuses_a_large_problem_with_a_way_out(name):
    large = ConvProblem(32, 224, 224, 3, 7, 7, 64)
    x, w = (np.zeros(s, np.float32) for s in (large.input_shape, large.kernel_shape))
    with pytest.raises(ValueError, match=f"{name}.*[Uu]se a smaller image"):
        conv2d(x, w, method=name)


@pytest.mark.parametrize(
    ("text", "more", "name"),
    [
        ("4x12x12x256,3x3x64", {}, "mec_batch"),  # rows of ten, a small output
        ("4x12x12x256,3x3x64", {"threshold": 10}, "mec_batch"),
        ("4x12x12x256,3x3x64", {"threshold": 9}, "mec_rows"),
        ("224x224x3,7x7x16,p1", {}, "mec_rows"),  # rows longer than T
        ("12x12x3,3x3x64", {}, "mec_rows"),  # an output larger than L
    ],
)
def test_the_papers_choice_between_its_solutions(text, more, name):
    assert mec.choose(ConvProblem.parse(text), **more) == name
