"""A tensor computed again where it is needed: the same values in a smaller arena."""

import numpy as np
import pytest

from convladder.networks.compile import (
    NETWORKS,
    PASSES,
    Program,
    cost,
    infer_shapes,
    optimise,
)
from convladder.networks.compile.passes import compute_again

from .conftest import agree, input_of

APART = [each for each in PASSES if each.__name__ != "fuse_add"]


@pytest.mark.parametrize(
    "name, tensor, extra",
    [("skip", "stem.relu", 32 * 32 * 27 * 16), ("depthwise", "stem.relu", 16 * 16 * 27 * 16)],
)
def test_values_bytes_and_macs(name, tensor, extra):
    graph = NETWORKS[name](2)
    before = optimise(graph, APART)[-1].after
    after = infer_shapes(compute_again(before, tensor, "sum1"))
    program = Program(after)
    program.arena.view(np.float32)[:] = np.nan
    agree(program, graph)
    assert program.plan.bytes < Program(before).plan.bytes
    touched = program.touched_bytes(**input_of(graph))
    assert program.plan.bytes - 64 < touched <= program.plan.bytes
    assert cost(after).macs - cost(before).macs == 2 * extra


def test_names_that_do_not_fit():
    with pytest.raises(ValueError, match="'out1' is not a node that reads 'stem.relu'"):
        compute_again(NETWORKS["skip"](1), "stem.relu", "out1")
