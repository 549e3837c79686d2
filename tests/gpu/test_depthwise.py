"""The depthwise kernel, on whatever runs CUDA C++ here."""

import pytest

from convladder import ConvProblem, conv2d, cuda, get_method
from convladder.gpu.depthwise import depthwise_launch
from convladder.reference import compare, random_arrays

# Channels below a warp and beyond, multipliers, strides, gaps, rows that strips of four do not
# divide, windows in the padding alone, a batch.
PROBLEMS = [ConvProblem.parse(text) for text in (
    "5x6x3,3x3x3,g3",
    "2x9x11x5,3x2x10,s2x1,p1x2,g5",
    "7x10x33,3x3x33,p2,d2,g33",
    "2x6x7x4,2x3x12,s1x3,p3,d1x3,g4",
    "4x3x40,1x1x40,g40",
    "3x1x5x2,1x5x2,p0x2,g2",
)]


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_agrees_with_the_oracle(problem):
    x, w = random_arrays(problem, seed=problem.pixels)
    p = problem
    y = conv2d(x, w, stride=p.stride, padding=p.padding, dilation=p.dilation, groups=p.groups,
               method="gpu_depthwise")
    assert not (agreement := compare(y, x, w, problem)).reason, agreement.reason


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_no_fault_and_each_value_is_stored_once(problem):
    x, w = map(cuda.to_device, random_arrays(problem))
    report = depthwise_launch(problem).profile(x, w, cuda.empty(problem.output_shape))
    assert report.ok, report.faults
    assert report.global_store_bytes == 4 * problem.pixels * problem.k_c


def test_requests_of_a_warp_are_neighbours():
    """A request of 32 channels is 4 sectors: of x, of the weights, of y."""
    p = ConvProblem.parse("9x8x64,3x3x64,g64")  # nothing is cut off: all threads do all
    x, w = map(cuda.to_device, random_arrays(p))
    report = depthwise_launch(p).profile(x, w, cuda.empty(p.output_shape))
    assert report.global_load_sectors == 4 * report.global_load_requests
    assert report.global_store_sectors == 4 * report.global_store_requests


@pytest.mark.parametrize("text, words", [
    ("9x9x4,3x3x4", ["groups=1 of 4", "gpu_coalesced"]),
    ("9x9x4,3x3x4,g2", ["groups=2 of 2", "groups=i_c=4"]),
    ("9x9x1,3x3x4", ["groups=1 of 1"]),
])
def test_what_it_refuses(text, words):
    reason = get_method("gpu_depthwise").unsupported(ConvProblem.parse(text))
    assert all(word in reason for word in words), reason


def test_others_point_to_it():
    reason = get_method("gpu_naive").unsupported(ConvProblem.parse("9x9x4,3x3x4,g4"))
    assert "gpu_depthwise" in reason
