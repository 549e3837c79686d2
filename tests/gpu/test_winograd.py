"""Winograd on a GPU: right for every tile and shape, and its choices against measured ones."""

from itertools import product

import numpy as np
import pytest

from convladder import ConvProblem, conv2d, get_method
from convladder.core.reference import compare, random_arrays
from convladder.core.registry import choose, predicted_costs
from convladder.core.winograd_transforms import Tiles, error_model, sizes, transform_weights
from convladder.gpu import batched_gemm, winograd
from convladder.gpu.batched_gemm import TILES

from ..sampling import sampled

cuda = pytest.importorskip("convladder.cuda")
SHAPES = ["2x7x9x3,3x3x4,p1", "5x6x2,3x3x5", "1x1x1,3x3x2,p2x1", "2x6x9x2,5x5x3,p2", "9x5x3,5x5x2"]
SHAPES += ["2x9x6x3,1x7x4,p0x3", "9x5x2,7x1x6,p3x0", "5x7x4,3x5x2,p1x2", "6x5x2,1x3x3"]


def convolved(x, w, p, m):
    U = winograd.prepare(cuda.to_device(w), p, m)
    return winograd.convolve(cuda.to_device(x), U, p, m).get()


@pytest.mark.parametrize("text", sampled(SHAPES, 3, str))
def test_every_tile(text):
    """Edge tiles, padding, a batch; one channel a thread and two, whatever the model chooses."""
    p = ConvProblem.parse(text)
    x, w = random_arrays(p)
    for m in sizes(p):
        agreement = compare(convolved(x, w, p, m), x, w, p, error_model(p, m))
        assert agreement.ok, (m, agreement.reason)


@pytest.mark.parametrize("seed", sampled(range(40), 3, str))
def test_random_problems(seed, monkeypatch):
    """Values, and every device array that is made besides the result, added up."""
    rng = np.random.default_rng(seed)
    kernels, pad = [(3, 3), (5, 5), (1, 7), (3, 1), (5, 3)], [int(n) for n in rng.integers(0, 3, 2)]
    k_h, k_w = (int(k) for k in rng.choice(kernels))
    i_h, i_w = (
        max(1, k - 2 * n) + int(extra)
        for k, n, extra in zip((k_h, k_w), pad, rng.integers(0, 9, 2))
    )
    i_n, i_c, k_c = (int(rng.integers(1, most)) for most in (4, 12, 12))
    p = ConvProblem(i_n, i_h, i_w, i_c, k_h, k_w, k_c, padding=tuple(pad))
    x, w = random_arrays(p, seed)
    method = get_method("gpu_winograd")
    U, made, empty = method.prepare(cuda.to_device(w), p), [], cuda.empty
    monkeypatch.setattr(cuda, "empty", lambda *a: made.append(empty(*a)) or made[-1])
    y = method.run(cuda.to_device(x), U, p)
    agreement = compare(y.get(), x, w, p, method.error_model(p))
    assert agreement.ok, (p, agreement.reason)
    assert sum(a.nbytes for a in made) - y.nbytes == method.workspace_bytes(p)


@pytest.mark.parametrize("m", sampled([2, 4], 1, str))
def test_what_the_emulator_counts(m):
    """Every value of V, U and P once where one block holds all tiles, and a right result.

    Rows of a block's tile beyond the last one read that one: a line more at each place.
    """
    p = ConvProblem.parse("10x14x32,3x3x64")
    x, w = random_arrays(p)
    y, t = cuda.empty(p.output_shape), Tiles.of(p, m)
    reports = winograd.profile(cuda.to_device(x), cuda.to_device(w), y, p, m)
    assert compare(y.get(), x, w, p, error_model(p, m)).ok
    V, U, P = (t.places * n // 8 for n in (t.count * 32, 32 * 64, t.count * 64))  # sectors
    into, products, out = reports.values()
    assert all(report.ok for report in reports.values())
    assert (into.global_load_sectors, into.global_store_sectors) == (V, V)  # no tile hangs over
    assert V + U <= products.global_load_sectors <= V + U + t.places * 32 // 8
    assert products.global_store_sectors == P
    assert (out.global_load_sectors, out.global_store_sectors) == (P, p.pixels * 64 // 8)


def test_weights_are_rounded_once():
    p = ConvProblem.parse("9x9x3,3x3x5")
    _, w = random_arrays(p)
    U = winograd.prepare(cuda.to_device(w), p, 4).get()
    assert (U.reshape(6, 6, 3, 5) == transform_weights(w, 4).astype(np.float32)).all()


@pytest.mark.parametrize(
    "tile, sizes", sampled([*product(TILES, ((131, 20, 68), (3, 33, 5)))], 3, str)
)
def test_every_tile_of_the_products(tile, sizes):
    rng, (rows, inner, columns) = np.random.default_rng(1), sizes
    A = rng.standard_normal((2, rows, inner), dtype=np.float32)
    B = rng.standard_normal((2, inner, columns), dtype=np.float32)
    C = cuda.to_device(np.full((2, rows, columns), np.nan, np.float32))
    batched_gemm.multiply(cuda.to_device(A), cuda.to_device(B), C, tile)
    right = A.astype(np.float64) @ B
    assert (abs(C.get() - right) <= 1e-6 * (abs(A) @ abs(B))).all()


def test_auto_on_the_device():
    p = ConvProblem.parse("1x14x14x16,3x3x16,p1")
    x, w = random_arrays(p)
    assert set(predicted_costs(p, "gpu")) == {"gpu_implicit_gemm", "gpu_winograd"}
    y = conv2d(x, w, padding=1, method="auto", device="gpu")
    chosen = choose(p, "gpu")
    assert compare(y, x, w, p, chosen.error_model(p)).ok
    assert choose(p, "gpu", workspace_limit=0).name == "gpu_implicit_gemm"
    assert choose(ConvProblem.parse("9x9x3,3x3x5,s2"), "gpu").name == "gpu_implicit_gemm"
