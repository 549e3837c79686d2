"""Dilation and groups: who takes them, their parts, and the counts."""

import numpy as np
import pytest

from convladder import ConvProblem, conv2d, get_method, methods
from convladder.core.dilation_groups import is_dense, parts
from convladder.core.reference import compare, random_arrays
from convladder.core.registry import choose

from ..conftest import GENERAL_PROBLEMS

TAKING = set(
    "loops loops_numba im2col_loops im2col mec_rows mec_batch im2col_threads mec_threads "
    "direct_tiled microkernel".split()
)


@pytest.mark.parametrize("problem", GENERAL_PROBLEMS, ids=str)
def test_conv2d_and_the_methods_take_it(problem):
    """The methods' values are in cpu/test_methods.py."""
    taking = {method.name for method in methods("cpu") if method.unsupported(problem) is None}
    assert taking >= TAKING | ({"depthwise"} if problem.depthwise else set())
    p, (x, w) = problem, random_arrays(problem, seed=5)
    more = dict(stride=p.stride, padding=p.padding, dilation=p.dilation, groups=p.groups)
    assert compare(conv2d(x, w, **more), x, w, p).ok


def test_parts_are_plain_and_cover_the_output_once():
    for problem in GENERAL_PROBLEMS:
        covered = np.zeros(problem.output_shape, int)
        for part in parts(problem):
            assert is_dense(part.problem)
            assert part.output(covered).shape == part.problem.output_shape
            part.output(covered)[...] += 1
        assert (covered == 1).all()
        assert all(part.problem.stride <= problem.stride for part in parts(problem))
        assert sum(part.problem.macs for part in parts(problem)) == problem.macs
    assert len(parts(ConvProblem.parse("19x19x2,3x3x2,s1,p0,d2x4,g2"))) == 2 * 4 * 2
    shared = ConvProblem.parse("19x19x2,3x3x2,s4x2,p0,d2x4")  # a factor of stride and dilation
    assert len(parts(shared)) == 1 * 2


def test_others_refuse_with_the_reason_and_a_way_out():
    for name in ("winograd", "fft", "gpu_naive", "gpu_shared"):
        reason = get_method(name).unsupported(ConvProblem.parse("9x9x4,3x3x4,d2,g2"))
        assert all(word in reason for word in ("dilation=(2, 2)", "groups=2", "microkernel"))
    reason = get_method("depthwise").unsupported(ConvProblem.parse("9x9x4,3x3x4,g2"))
    assert "i_c=4 in groups=2" in reason and "groups=i_c" in reason


def test_auto_takes_depthwise_where_it_can():
    assert choose(ConvProblem.parse("56x56x64,3x3x64,p1,g64")).name == "depthwise"
    assert choose(ConvProblem.parse("56x56x64,3x3x64,p1,g4")).name == "microkernel"
    assert choose(ConvProblem.parse("56x56x64,3x3x64,p2,d2")).name == "microkernel"
    with pytest.raises(ValueError, match="i_c=6.*takes 2 a group.*groups=2, 4 in all"):
        conv2d(*random_arrays(GENERAL_PROBLEMS[0]), groups=2)


# --- counts ---------------------------------------------------------------------------------------


def test_groups_divide_weights_and_work():
    whole, quarter = (ConvProblem.parse(f"28x28x256,3x3x512,p1{g}") for g in ("", ",g4"))
    assert quarter.kernel_shape == (3, 3, 64, 512)
    assert (4 * quarter.macs, 4 * quarter.params) == (whole.macs, whole.params)
    assert 4 * quarter.accesses().input == whole.accesses().input
    assert quarter.accesses().output == whole.accesses().output
    assert 4 * quarter.im2col_bytes() == whole.im2col_bytes()  # a group at a time
    assert quarter.mec_ratio == whole.mec_ratio
    p = ConvProblem.parse("28x28x256,3x3x512,p1,g256")
    channel = ConvProblem.parse("28x28x1,3x3x2,p1")
    assert p.accesses(bias=True) == 256 * channel.accesses(bias=True)
    assert (p.macs, p.params) == (256 * channel.macs, 256 * channel.params)
    assert p.compulsory_bytes() == 256 * channel.compulsory_bytes()


def test_dilation_costs_nothing_but_the_border():
    plain, gaps = (ConvProblem.parse(f"32x32x8,3x3x4,{more}") for more in ("p1", "p2,d2"))
    assert (gaps.reach_h, gaps.reach_w) == (5, 5)
    assert plain.output_shape == gaps.output_shape
    assert (plain.macs, plain.params) == (gaps.macs, gaps.params)
    assert plain.accesses() == gaps.accesses()
