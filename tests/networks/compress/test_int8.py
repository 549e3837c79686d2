"""Convolution of bytes: exact, in every instruction set that is here."""

import numpy as np
import pytest

from convladder import PAPER, ConvProblem
from convladder.cpu.isa import host_features
from convladder.cpu.simd.blocking import Tile
from convladder.measure import RESOLUTION, workspace
from convladder.networks.compress.int8 import convolve, pack
from convladder.networks.compress.int8.dots import Dot, dot_of, host_dot, tile_for

from ...conftest import ODD_PROBLEMS, RANDOM_PROBLEMS
from ...sampling import sampled

SMALL = Tile(3, 2, host_dot().lanes)  # each size takes a second to compile


def arrays_of(problem, seed=0):
    """Bytes and weights over their whole range, the ends among them."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 256, problem.input_shape, np.uint8)
    q = rng.integers(-128, 128, problem.kernel_shape, np.int8)
    x.flat[:2], q.flat[:2] = 255, -128
    bias = rng.integers(-(10**6), 10**6, problem.k_c, np.int32)
    return x, q, bias


def sums_of(x, q, bias, problem, x_zero):
    """int64, from the definition: shifted images; padding stands for zero."""
    p = problem
    inside = np.pad(x.astype(np.int64) - x_zero, ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    y = np.zeros(p.output_shape, np.int64) + bias
    for u in range(p.k_h):
        for v in range(p.k_w):
            part = inside[:, u : u + p.s_h * p.o_h : p.s_h, v : v + p.s_w * p.o_w : p.s_w]
            y += part[:, : p.o_h, : p.o_w] @ q[u, v].astype(np.int64)
    return y


@pytest.fixture(autouse=True)
def poisoned_buffers(poison):
    """Fresh memory is full of a value that is wrong nearly everywhere."""
    convolve_once = ConvProblem.parse("3x3x1,1x1x1")
    x, q, _ = arrays_of(convolve_once)
    # Numba has done its own allocation.
    convolve(x, pack(q, convolve_once, size=SMALL), convolve_once)
    poison(lambda array: array.view(np.uint8).fill(0xA5))


FEW_CHANNELS = [problem for problem in ODD_PROBLEMS if problem.k_c < 9]


@pytest.mark.parametrize(
    "problem, size",
    [
        *((problem, SMALL) for problem in FEW_CHANNELS + RANDOM_PROBLEMS[:6]),
        *((problem, None) for problem in FEW_CHANNELS[:2]),  # its own largest tile
    ],
    ids=str,
)
def test_sums_are_exact(problem, size):
    x, q, bias = arrays_of(problem)
    for x_zero in (0, 131):
        y = convolve(x, pack(q, problem, x_zero=x_zero, bias=bias, size=size), problem)
        assert y.dtype == np.int32
        np.testing.assert_array_equal(y, sums_of(x, q, bias, problem, x_zero))


# Few channels of the input or many, with and without a rest of four; blocks of one to four vectors.
SHAPES = ["2x5x9x7,3x3x150,s1,p1", "3x4x5x8,2x2x70,s2x1,p2", "1x23x6,1x5x33", "2x4x4x16,4x4x120"]
HERE = [
    ("avx512vnni", Dot("vnni", 512, 32)),
    ("avxvnni", Dot("vnni", 256, 16)),
    ("avx512bw", Dot("pairs", 512, 32)),
    ("avx2", Dot("pairs", 256, 16)),
    ("sse2", Dot("pairs", 128, 16)),
    ("dotprod", Dot("sdot", 128, 32)),
    ("", Dot("widen", 128, 16)),
]


@pytest.mark.parametrize("feature, dot", sampled(HERE, 2, lambda each: each[0] or "any"))
def test_every_way_that_this_processor_has_is_exact(feature, dot):
    if feature and not host_features().get(feature):
        pytest.skip(f"this processor lacks {feature}")
    size = Tile(2, 2, dot.lanes)  # small: each compiles
    for shape in SHAPES:
        problem = ConvProblem.parse(shape)
        x, q, bias = arrays_of(problem, 1)
        packed = pack(q, problem, x_zero=7, bias=bias, dot=dot, size=size)
        expected = sums_of(x, q, bias, problem, 7)
        np.testing.assert_array_equal(convolve(x, packed, problem, threads=1), expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_threads_do_every_part_once(shape):
    problem = ConvProblem.parse(shape)
    x, q, bias = arrays_of(problem, 2)
    packed = pack(q, problem, x_zero=9, bias=bias, size=SMALL)
    expected = sums_of(x, q, bias, problem, 9)
    for threads in (1, 2, 3):
        np.testing.assert_array_equal(convolve(x, packed, problem, threads), expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("y_zero", "relu"), [(0, True), (77, False), (77, True), (255, False)])
def test_requantisation_is_that_of_the_definition(shape, y_zero, relu):
    problem = ConvProblem.parse(shape)
    x, q, bias = arrays_of(problem, 3)
    sums = sums_of(x, q, bias, problem, 3)
    spread = np.abs(sums).max() / np.linspace(100, 400, problem.k_c)  # some beyond the grid's ends
    multiplier = (1 / spread).astype(np.float32)
    # Halves, which must go to the even neighbour.
    multiplier[:2] = 0.5, 2.0**-20
    packed = pack(
        q, problem, x_zero=3, bias=bias, multiplier=multiplier, y_zero=y_zero, relu=relu, size=SMALL
    )
    steps = np.rint(sums.astype(np.float32) * multiplier) + y_zero
    expected = np.clip(steps, y_zero if relu else 0, 255)
    y = convolve(x, packed, problem)
    assert y.dtype == np.uint8
    np.testing.assert_array_equal(y, expected)
    assert 10 < np.unique(y).size or y_zero == 255


def test_no_workspace():
    problem = ConvProblem.parse("28x28x128,3x3x128,s1,p1")
    x, q, bias = arrays_of(problem)
    packed = pack(q, problem, bias=bias, multiplier=np.full(128, 1e-4, np.float32), size=SMALL)
    for threads in (1, 2):
        memory = workspace(convolve, x, packed, problem, threads)
        assert memory.workspace <= RESOLUTION
        assert memory.result == np.prod(problem.output_shape)
    assert packed.quads.nbytes == q.nbytes, "a weight is a byte"


@pytest.mark.parametrize(
    ("arch", "features", "how", "lanes"),
    [
        ("x86_64", ["avx512f", "avx512bw", "avx512vnni"], "vnni", 16),
        ("AMD64", ["avx2", "avxvnni"], "vnni", 8),
        ("x86_64", ["avx2", "avx512f", "avx512bw"], "pairs", 16),
        ("x86_64", ["avx2"], "pairs", 8),
        ("x86_64", [], "pairs", 4),
        ("aarch64", ["dotprod"], "sdot", 4),
        ("arm64", [], "widen", 4),
        ("riscv64", [], "widen", 4),
    ],
)
def test_the_best_instruction_there_is(arch, features, how, lanes):
    dot = dot_of(arch, dict.fromkeys(features, True))
    assert (dot.how, dot.lanes) == (how, lanes)
    for problem in [*PAPER.values(), *ODD_PROBLEMS]:
        size = tile_for(problem, dot)
        assert size.pixels >= 1
        assert size.pixels * size.vectors + dot.spare(size.vectors) <= dot.registers


def test_what_cannot_be_is_named():
    problem = ConvProblem.parse("3x3x2,2x2x3")
    x, q, _ = arrays_of(problem)
    packed, other = pack(q, problem), ConvProblem.parse("3x3x2,3x3x3")
    for error, message, call in (
        (TypeError, "int8", lambda: pack(q.astype(np.float32), problem)),
        (ValueError, "x_zero=256", lambda: pack(q, problem, x_zero=256)),
        (ValueError, "multiplier", lambda: pack(q, problem, multiplier=np.full(3, np.nan, "f4"))),
        (ValueError, "beyond int32", lambda: pack(q, problem, bias=np.full(3, 2**31 - 1, "i4"))),
        (ValueError, "C-contiguous", lambda: convolve(x[:, ::-1], packed, problem)),
        (ValueError, "another problem", lambda: convolve(x, packed, other)),
    ):
        with pytest.raises(error, match=message):
            call()
