"""Methods in tiles: right on any shape, judged as tiles deserve, and their mistakes seen."""

import numpy as np
import pytest

from convladder import PAPER, ConvProblem, get_method
from convladder.core.reference import POINTWISE, compare, conv2d_float64, random_arrays
from convladder.core.winograd_transforms import Tiles, error_model, sizes
from convladder.cpu import costs, winograd
from convladder.cpu.isa import Isa
from convladder.cpu.winograd import Cut

from ..sampling import sampled

SHAPES = [
    "5x5x1,3x3x1",
    "2x7x9x3,3x3x4,p1",  # tails of channels, a batch, edge tiles
    "13x9x8,3x3x17",
    "2x14x15x35,3x3x77,p1",
    "3x3x8,3x3x8,p3",  # more padding than kernel: tiles of nothing else
    "1x1x2,3x3x2,p2x1",
    "3x14x13x5,5x5x7,p2",
    "1x6x16,5x5x3,p4x0",
    "2x9x17x5,1x7x19,p0x3",
    "17x6x3,7x1x5,p3x0",
    "7x11x6,3x5x9,p1x2",
    "8x8x33,3x1x4,p1x0",
]
TILED = ["winograd_numpy", "winograd", "fft"]
KERNELS = [(3, 3), (5, 5), (1, 7), (7, 1), (3, 1), (1, 5), (3, 5)]


def random_problem(name, seed):
    """Any small problem that the method takes."""
    rng = np.random.default_rng((seed, len(name)))
    k_h, k_w = rng.choice(KERNELS) if "winograd" in name else rng.integers(1, 12, 2)
    p_h, p_w = rng.integers(0, 4, 2)
    i_h, i_w = (
        max(1, k - 2 * p) + e for k, p, e in zip((k_h, k_w), (p_h, p_w), rng.integers(0, 20, 2))
    )
    i_n, (i_c, k_c) = rng.integers(1, 4), rng.choice([1, 2, 3, 5, 8, 16, 17, 31, 33, 48, 70], 2)
    sides = (int(value) for value in (i_n, i_h, i_w, i_c, k_h, k_w, k_c))
    return ConvProblem(*sides, padding=(int(p_h), int(p_w)))


@pytest.fixture
def poisoned(poison):
    poison(lambda array: array.fill(np.nan) if array.dtype.kind in "fc" else None)


@pytest.mark.parametrize("name", TILED)
@pytest.mark.parametrize("seed", sampled(range(120), 3, str))
def test_random_problems(name, seed, poisoned):
    method, p = get_method(name), random_problem(name, seed)
    x, w = random_arrays(p, seed)
    agreement = compare(method(x, w, p), x, w, p, method.error_model(p))
    assert agreement.ok, (p, agreement.reason)


@pytest.mark.parametrize("text", sampled(SHAPES, 2, str))
def test_every_size_and_cut(text, poisoned):
    """Whatever the model would choose: blocks of each size, all threads together or apart."""
    p = ConvProblem.parse(text)
    x, w = random_arrays(p)
    for m in sizes(p):
        U, count = winograd.pack(w, p, m), Tiles.of(p, m).count
        for way in (Cut(1, False), Cut(-(-count // 4), False), Cut(count, False), Cut(1, True)):
            for threads in (1, 3):
                y = winograd.convolve(x, U, p, m, way, threads)
                agreement = compare(y, x, w, p, error_model(p, m))
                assert agreement.ok, (m, way, threads, agreement.reason)


@pytest.mark.parametrize("lanes", sampled([4, 8], 1, str))
def test_shorter_vectors(lanes, monkeypatch):
    isa = Isa("shorter", 32 * lanes, 16, True)
    monkeypatch.setattr(winograd, "host_isa", lambda: isa)
    monkeypatch.setattr(winograd, "arranged", winograd.arranged.__wrapped__)
    p = ConvProblem.parse("9x10x11,3x3x13,p1")
    x, w = random_arrays(p)
    y = winograd.convolve(x, winograd.pack(w, p, 4), p, 4, Cut(2, False), 1)
    assert compare(y, x, w, p, error_model(p, 4)).ok


# --- how they are judged -------------------------------------------------------------------------


def hard_cases(p):
    """Where values of very different size meet in a tile."""
    x, w = random_arrays(p, seed=5)
    empty = x.copy()
    empty[:, : p.i_h // 2] = 0
    large = x.copy()
    large[0, p.i_h // 2, p.i_w // 2] *= 1e6
    alone = np.zeros_like(x)
    alone[0, 1, 2, 0] = 1
    tap, one = w.copy(), np.zeros_like(w)
    tap[-1, -1] *= 1e4
    one[0, 0] = 1
    return [(empty, w), (large, w), (alone, w), (x, tap), (x, one)]


HARD = "12x13x1,3x3x1", "12x13x2,3x3x4,p1", "11x14x3,5x5x2,p2", "9x16x1,1x7x4,p0x3"


@pytest.mark.parametrize("name", TILED)
@pytest.mark.parametrize("text", sampled(HARD, 1, str))
def test_right_results_are_accepted_where_values_differ_in_size(name, text):
    p, method = ConvProblem.parse(text), get_method(name)
    refused = 0
    for x, w in hard_cases(p):
        y = method(x, w, p)
        agreement = compare(y, x, w, p, method.error_model(p))
        assert agreement.ok, agreement.reason
        refused += not compare(y, x, w, p, POINTWISE).ok
    assert refused, "the error model says nothing: point by point is as good"


def test_the_least_of_mistakes_is_refused():
    """An image in half precision; wrong indices are off by thousands of times as much."""
    p = ConvProblem.parse("14x14x32,3x3x16,p1")
    x, w = random_arrays(p)
    y = conv2d_float64(x.astype(np.float16), w, p).astype(np.float32)
    assert not compare(y, x, w, p, error_model(p, 4)).ok


# --- what is chosen ------------------------------------------------------------------------------

LAYERS = {
    "56²·64": ConvProblem.parse("56x56x64,3x3x64,p1"),
    "28²·128": ConvProblem.parse("28x28x128,3x3x128,p1"),
    "14²·256": ConvProblem.parse("14x14x256,3x3x256,p1"),
    "8·7²·512": ConvProblem.parse("8x7x7x512,3x3x512,p1"),
} | PAPER
# As measured on Sapphire Rapids (AVX-512, 2 MiB), one thread, 2026-11-22; 0: the microkernel.
FASTEST = dict(zip(["56²·64", "28²·128", "14²·256", "8·7²·512"], (6, 4, 4, 4))) | dict(
    cv5=4, cv6=2, cv7=0, cv8=4, cv9=6, cv10=4, cv11=4, cv12=0
)


@pytest.fixture
def sapphire_rapids(monkeypatch):
    monkeypatch.setattr(costs, "cache_bytes", lambda: 2**21)
    monkeypatch.setattr(winograd, "host_isa", lambda: Isa("AVX-512", 512, 32, True))
    monkeypatch.setattr(winograd, "cut", winograd.cut.__wrapped__)


@pytest.mark.parametrize("name", FASTEST)
def test_the_model_chooses_what_was_fastest(name, sapphire_rapids):
    p = LAYERS[name]
    m = winograd.choose.__wrapped__(p)
    gains = costs.direct(p, 16, 1) > winograd.expected(p, m, 1)
    assert (m if gains else 0) == FASTEST[name]


def test_threads_share_one_block_or_have_their_own(sapphire_rapids):
    many, few = ConvProblem.parse("112x112x64,3x3x64"), ConvProblem.parse("7x7x512,3x3x512,p1")
    assert winograd.cut(few, 4, 2) == Cut(1, True)
    way = winograd.cut(many, 4, 2)
    assert way.blocks % 2 == 0 and way.blocks > 10 and not way.together
