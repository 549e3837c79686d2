"""A tensor computed again where it is needed: the same values in a smaller arena."""

import numpy as np
import pytest

from convladder.networks.compile import (
    NETWORKS,
    PASSES,
    Program,
    cost,
    evaluate,
    infer_shapes,
    optimise,
)
from convladder.networks.compile.passes import compute_again

from .conftest import CLOSE, input_of

APART = [each for each in PASSES if each.__name__ != "fuse_add"]


@pytest.mark.parametrize(
    "name, tensor, extra",
    [("skip", "stem.relu", 32 * 32 * 27 * 16), ("depthwise", "stem.relu", 16 * 16 * 27 * 16)],
)
def test_values_bytes_and_macs(name, tensor, extra):
    graph = NETWORKS[name](2)
    before = optimise(graph, APART)[-1].after
    after = infer_shapes(compute_again(before, tensor, "sum1"))
    program, inputs = Program(after), input_of(graph)
    program.arena.view(np.float32)[:] = np.nan
    expected = evaluate(graph, **inputs)["logits"]
    np.testing.assert_allclose(program(**inputs)["logits"], expected, **CLOSE)
    assert program.plan.bytes < Program(before).plan.bytes
    touched = program.touched_bytes(**inputs)
    assert program.plan.bytes - 64 < touched <= program.plan.bytes
    assert cost(after).macs - cost(before).macs == 2 * extra


def test_names_that_do_not_fit():
    graph = NETWORKS["skip"](1)
    with pytest.raises(ValueError, match="no node makes 'x'"):
        compute_again(graph, "x", "stem")
    with pytest.raises(
        ValueError, match="'out1' is not a node that reads 'stem.relu'; its readers are a1, sum1"
    ):
        compute_again(graph, "stem.relu", "out1")
