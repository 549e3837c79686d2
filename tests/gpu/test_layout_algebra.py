"""Layouts are functions: every operation is compared with what it says of them, place by place."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import random_arrays
from convladder.cpu.im2col import lower
from convladder.gpu.layout_algebra import (
    Layout,
    coalesce,
    compose,
    divide,
    implicit_layout,
    lowered_layout,
    mec_layout,
)

PROBLEM = ConvProblem(2, 9, 12, 3, 3, 2, 4, stride=(2, 3))
POINTWISE = ConvProblem(2, 5, 4, 8, 1, 1, 16)


def whole(layout):
    return [layout(i) for i in range(layout.size)]


def test_a_number_counts_through_the_modes_the_first_the_fastest():
    layout = Layout(((2, 3), 4), ((12, 1), 3))
    assert layout((1, 2), 3) == layout(5, 3) == layout(5 + 6 * 3) == 12 + 2 + 9
    assert (layout.size, layout.cosize) == (24, 12 + 2 + 9 + 1)
    assert str(layout) == "((2,3),4):((12,1),3)" and str(layout[0]) == "(2,3):(12,1)"


@pytest.mark.parametrize("problem", [PROBLEM, POINTWISE], ids=str)
@pytest.mark.parametrize("view", [implicit_layout, lowered_layout, mec_layout])
def test_every_view_reads_im2cols_matrix(problem, view):
    p, layout = problem, view(problem)
    x, _ = random_arrays(p)
    matrix = lower(x, p)
    columns = np.arange(p.k_w) + p.s_w * np.arange(p.o_w)[:, None]
    memory = {
        implicit_layout: x,
        lowered_layout: matrix,
        mec_layout: x[:, :, columns].transpose(0, 2, 1, 3, 4),
    }[view].ravel()
    assert layout[0].size == p.pixels and layout[1].size == p.window
    read = [[memory[layout(m, k)] for k in range(p.window)] for m in range(p.pixels)]
    assert (np.array(read) == matrix).all()
    assert memory.size >= layout.cosize


def test_coalesced_to_as_few_modes_as_possible():
    # A kernel row is in one piece.
    assert str(coalesce(implicit_layout(PROBLEM)[1])) == "(6,3):(1,36)"
    assert str(coalesce(mec_layout(PROBLEM)[1])) == "18:1"
    assert str(coalesce(implicit_layout(POINTWISE)[0])) == "40:8"  # a plain GEMM
    assert str(coalesce(Layout((1, 1), (7, 9)))) == "1:0"
    for layout in (implicit_layout(PROBLEM), mec_layout(PROBLEM), Layout((4, (1, 2)), (0, (3, 5)))):
        assert whole(coalesce(layout)) == whole(layout)


@pytest.mark.parametrize(
    "outer, inner",
    [
        (Layout((6, 4), (4, 1)), Layout((3, 2), (2, 6))),
        (Layout((2, 3, 4), (1, 20, 100)), Layout(6, 1)),
        (Layout((8, 2), (1, 9)), Layout(4, 0)),
        (implicit_layout(PROBLEM)[1], Layout((6, 3), (1, 6))),
    ],
)
def test_composition_is_one_after_the_other(outer, inner):
    both = compose(outer, inner)
    assert whole(both) == [outer(inner(i)) for i in range(inner.size)]


def test_tiles_must_fit_and_shapes_their_strides():
    with pytest.raises(ValueError, match="nested alike"):
        Layout((2, 3), (1, (2, 4)))
    assert str(divide(implicit_layout(PROBLEM)[1], 6)) == "(6,3):(1,36)"
    with pytest.raises(ValueError, match="not a multiple of 4"):
        divide(implicit_layout(PROBLEM)[1], 4)
    with pytest.raises(ValueError, match="steps of 4 do not fit a mode of 6"):
        compose(implicit_layout(PROBLEM)[1], Layout(2, 4))
