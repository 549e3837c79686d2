"""The GPU ladder of chapters 07 and 08 and the lowerings, on whatever runs CUDA C++ here."""

from dataclasses import replace
from itertools import product

import pytest

from convladder import ConvProblem, cuda, get_method
from convladder.core.reference import compare, random_arrays
from convladder.cpu import im2col, mec
from convladder.gpu import launch, lowering, tiled, untiled

from ..conftest import BENCHMARK_PROBLEMS, ODD_PROBLEMS, RANDOM_PROBLEMS, problems
from ..sampling import sampled

LAUNCHES = {
    "gpu_naive": untiled.naive_launch,
    "gpu_coalesced": untiled.coalesced_launch,
    "gpu_shared": tiled.shared_launch,
    "gpu_register_tile": tiled.register_tile_launch,
    "gpu_vectorised": tiled.vectorised_launch,
}

# What the shared shapes leave out: channels by fours, tiles in full and in part, several blocks.
MORE = problems("""
    9x17x8,3x3x64,p1
    2x10x19x12,5x3x68,s2x1,p2x1
    20x20x20,1x1x72
    15x9x3,7x7x5,s4
    2x5x4x3,9x17x5,s2x3,p5x8
""")


def _profile(plan: launch.Launch, problem: ConvProblem) -> cuda.Report:
    """A traced launch, whose values must be right too."""
    x, w = random_arrays(problem)
    y = cuda.empty(problem.output_shape)
    report = plan.profile(cuda.to_device(x), cuda.to_device(w), y)
    assert not (agreement := compare(y.get(), x, w, problem)).reason, agreement.reason
    return report


# A batch, unequal strides and padding, and outputs that no tile divides.
ALWAYS = ConvProblem.parse("2x7x19x3,3x2x5,s1x2,p1x2")


@pytest.mark.parametrize(
    "name, problem",
    [
        *product(LAUNCHES, [ALWAYS]),
        *sampled([*product(LAUNCHES, ODD_PROBLEMS + MORE)], 6, "{0[0]} {0[1]}".format),
    ],
)
def test_no_kernel_has_a_fault(name, problem):
    """No race, nothing out of bounds or read before it was written, on odd shapes either."""
    report = _profile(LAUNCHES[name](problem), problem)
    assert report.ok, report.faults
    assert report.global_store_bytes == 4 * problem.pixels * problem.k_c


@pytest.mark.parametrize("problem", sampled(ODD_PROBLEMS + RANDOM_PROBLEMS, 8, str))
def test_lowerings_are_those_of_the_processor(problem):
    x, _ = random_arrays(problem)
    on_device = cuda.to_device(x)
    assert (lowering.lower_im2col(on_device, problem).get() == im2col.lower(x, problem)).all()
    assert (lowering.lower_mec(on_device, problem).get() == mec.lower(x, problem)).all()


def test_lowered_channels_can_be_padded_with_zeros():
    p = ConvProblem.parse("2x6x7x3,3x3x4,p1")
    x, _ = random_arrays(p)
    L = lowering.lower_mec(cuda.to_device(x), p, depth=4).get()
    assert (L[..., :3] == mec.lower(x, p)).all() and (L[..., 3] == 0).all()
    with pytest.raises(ValueError, match="depth=2 is less than i_c=3"):
        lowering.lower_mec(cuda.to_device(x), p, depth=2)


def test_every_layer_fits_into_shared_memory():
    plans = tiled.shared_launch, tiled.register_tile_launch, tiled.vectorised_launch
    for plan_of, problem in product(plans, [*BENCHMARK_PROBLEMS.values(), *ODD_PROBLEMS]):
        plan = plan_of(problem)
        assert plan.shared <= tiled.SHARED_BYTES and plan.grid[1] < 2**16, problem


def test_what_is_too_large_is_refused_with_a_way_out():
    large = ConvProblem(1, 300, 300, 1, 200, 200, 1)
    assert "gpu_coalesced" in get_method("gpu_shared").unsupported(large)
    assert get_method("gpu_coalesced").unsupported(large) is None
    huge = ConvProblem(40_000, 224, 224, 3, 3, 3, 64, padding=1)
    assert "smaller batch" in get_method("gpu_naive").unsupported(huge)
    with pytest.raises(ValueError, match="lower_im2col would write"):
        lowering.im2col_launch(huge)


@pytest.mark.parametrize(
    "stride, i_c", sampled([*product((1, 2, 3, 4, 5), (3, 8, 12))], 2, "{0[0]} {0[1]}".format)
)
def test_vector_loads_have_no_bank_conflict(stride, i_c):
    problem = ConvProblem(1, 11, 13, i_c, 3, 3, 32, stride)
    assert _profile(tiled.vectorised_launch(problem), problem).shared_conflicts == 0


def test_a_stride_of_4_has_conflicts_with_8_channels_staged():
    problem = ConvProblem(1, 11, 13, 8, 3, 3, 32, 4)
    plan = tiled.vectorised_launch(problem)
    assert plan.sizes[-1] == 4
    deep = replace(plan, sizes=(*plan.sizes[:-1], 8), shared=2 * plan.shared)
    assert _profile(deep, problem).shared_conflicts > 0
