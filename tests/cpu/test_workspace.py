"""The workspace that a method says it needs is the one that it really allocates."""

import pytest

from convladder import ConvProblem, methods
from convladder.core.dilation_groups import is_dense
from convladder.core.reference import random_arrays
from convladder.measure import RESOLUTION, available_cores, threads
from convladder.measure.memory import traced

from ..conftest import BENCHMARK_PROBLEMS, problems
from ..sampling import sampled

# What the paper's layers leave out: padding, 1×1 kernels, batches with an output larger than L.
# As small as the measurement can tell, since interpreted loops are traced too.
MORE = problems("""
    3x64x60x8,5x3x16,s2x1,p2x1
    2x20x25x8,1x1x12
    2x40x50x8,1x1x12,s2,p1
    4x30x30x4,3x3x64,p1
    4x30x30x64,3x3x4,p1
    2x20x23x16,5x5x24,p2
    40x40x8,9x9x16,p4
    40x50x12,3x3x24,p1,d2x1,g2
    50x40x16,3x3x32,p2,d2,g16
""")


LAYERS = [
    pytest.param(p, id=name, marks=pytest.mark.weekly) for name, p in BENCHMARK_PROBLEMS.items()
]


@pytest.mark.parametrize("problem", [*sampled(MORE, 2, str), *LAYERS])
def test_measured_workspace_is_the_predicted_one(problem):
    x, w = random_arrays(problem)
    small = ConvProblem.parse("9x9x2,3x3x2")  # compiles and imports what a first call does
    for method in methods("cpu"):
        if method.unsupported(problem) or problem.depthwise and method.name != "depthwise":
            continue  # what each of 64 parts leaves to the garbage collector would count
        if method.name == "loops_numba" and problem.macs > 1e7:
            continue  # seconds, for no workspace at any size
        if not method.unsupported(small):
            method(*random_arrays(small), small)
        weights = method.prepare(w, problem) if method.prepare else w
        if method.prepare:  # compiles for each class of problems
            method.run(x, weights, problem)
        # Every thread has a kilobyte of Python's objects: few threads, on any machine.
        with threads(min(2, available_cores())):
            predicted = method.workspace_bytes(problem)  # first: it cuts a problem into its parts
            measured = traced(method.run, x, weights, problem).workspace
        most = RESOLUTION if is_dense(problem) else 2 * RESOLUTION
        assert abs(measured - predicted) <= most, method.name
