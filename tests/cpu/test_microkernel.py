"""The microkernel: right in every width, how work is cut up, who does which part."""

import ctypes
import threading
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from convladder import PAPER, REPORT, ConvProblem
from convladder.core.reference import compare, random_arrays
from convladder.cpu import microkernel
from convladder.cpu.isa import Isa, host_isa
from convladder.cpu.simd import blocking
from convladder.cpu.simd.blocking import LAYOUT, Tile, plan, tile_for, tiles

from ..conftest import ODD_PROBLEMS
from ..python import python
from ..sampling import sampled

AVX512, AVX2 = Isa("AVX-512", 512, 32, True), Isa("AVX2", 256, 16, True)
AVX, SSE2 = Isa("AVX", 256, 16, False), Isa("SSE2", 128, 16, False)
NEON = Isa("NEON", 128, 32, True)
ALL_ISA = (AVX512, AVX2, AVX, SSE2, NEON)
# Few channels, vectors in blocks of one to four with and without a tail; many tiles in a row, rows
# shorter than a tile, padding on all sides, a batch that tiles run across; groups of one block and
# of several, with tails; dilation in both directions.
SHAPES = [
    "2x5x40x3,3x3x4,p1",
    "3x4x5x2,3x3x64,s1,p1",
    "1x23x2,1x5x33",
    "2x6x6x3,2x2x70,s2x1,p2",
    "9x9x1,3x3x150,s1,p4",
    "5x1x1x7,1x1x100",
    "2x5x9x12,3x3x20,s1,p1,g4",
    "5x6x6,2x3x222,s2x1,p1x2,d2x3,g3",
    "7x9x3,3x3x70,s1x2,p2,d1x2",
]


def values_of(problem, size, threads):
    x, w = random_arrays(problem, seed=3)
    y = microkernel.convolve(x, microkernel.pack(w, problem, size), problem, size, threads)
    return compare(y, x, w, problem)


# --- whole convolutions -------------------------------------------------------------------------


@pytest.mark.parametrize("shape", sampled(SHAPES, 5, str))
@pytest.mark.parametrize("isa", [AVX512, AVX2, NEON], ids=lambda isa: isa.name)
def test_tiles_of_every_width_agree_with_the_oracle(isa, shape):
    problem = ConvProblem.parse(shape)
    # One size of tile a width: each takes a second to compile.
    size = Tile(6, 4 if isa.registers == 32 else 2, isa.lanes)
    for threads in (1, 3):
        assert not (agreement := values_of(problem, size, threads)).reason, agreement.reason


WAYS = [*product((4, 8, 16), ODD_PROBLEMS[::3], ("bias", "added", "relu", "all"))]


@pytest.mark.parametrize("lanes, problem, what", sampled(WAYS, 14, "{0[0]} {0[1]} {0[2]}".format))
def test_what_follows_is_done_on_the_way_out(lanes, problem, what):
    """As in passes of their own; the last vector has channels that are not, and NaN stays."""
    x, w = random_arrays(problem)
    x[0, 0, 0, 0] = np.nan
    size = Tile(6, 2, lanes)
    packed = microkernel.pack(w, problem, size)
    plain = microkernel.convolve(x, packed, problem, size, 1)
    rng = np.random.default_rng(5)
    bias = rng.standard_normal(problem.k_c, np.float32)
    added = rng.standard_normal(problem.output_shape, np.float32)
    after = {
        "bias": microkernel.Epilogue(bias=bias),
        "added": microkernel.Epilogue(added=added),
        "relu": microkernel.Epilogue(relu=True),
        "all": microkernel.Epilogue(bias, added, True),
    }[what]
    expected = plain.astype(np.float64)
    expected += 0 if after.bias is None else bias
    expected += 0 if after.added is None else added
    expected = np.maximum(expected, 0) if after.relu else expected
    for threads in (1, 3):
        room = np.full(plain.size + 64, np.nan, np.float32)
        y = room[32:-32].reshape(plain.shape)
        assert microkernel.convolve(x, packed, problem, size, threads, y, after) is y
        np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5 * np.nanmax(abs(plain)))
        assert np.isnan(room[:32]).all() and np.isnan(room[-32:]).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_every_piece_is_done_once_and_a_slow_threads_by_others(threads):
    import numba

    from convladder.cpu.simd import work_stealing as spread

    if numba.get_num_threads() < threads:
        pytest.skip("needs two cores")
    pieces = 1 if threads == 1 else threads * spread.PIECES
    done, all_others = [], threading.Event()

    @ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * (2 + spread.ARGUMENTS))
    def share(piece, of, *numbers):
        assert numbers == tuple(range(spread.ARGUMENTS))
        done.append((piece, of))
        if len(done) == pieces:
            all_others.set()
        if piece == 0:  # as slow as can be: until the rest of its part has been taken over
            done.append(("all others", all_others.wait(timeout=20)))

    address = ctypes.cast(share, ctypes.c_void_p).value
    spread.run(address, spread.counters(threads), np.arange(spread.ARGUMENTS))
    assert ("all others", True) in done
    done.remove(("all others", True))
    assert sorted(done) == [(piece, pieces) for piece in range(pieces)]


@pytest.mark.parametrize("shape", ["6x7x5,3x3x150,s1,p1", "6x7x6,3x3x300,s1,p1,g2"])
def test_panels_of_channels_smaller_than_the_problem(shape, monkeypatch):
    """Weights beyond the cache are taken a few blocks at a time."""
    from convladder.cpu.simd import macrokernel

    monkeypatch.setattr(blocking, "WEIGHTS_IN_CACHE", 1)
    problem, size = ConvProblem.parse(shape), Tile(6, 4, 16)
    layout, _ = plan.__wrapped__(problem, size, 1)
    assert layout.view(LAYOUT)[0]["panel"] == 1 and layout.view(LAYOUT)[0]["blocks"] == 3
    monkeypatch.setattr(macrokernel, "plan", plan.__wrapped__)
    monkeypatch.setattr(macrokernel, "planned", macrokernel.planned.__wrapped__)
    assert values_of(problem, size, 2).ok


# --- blocking -----------------------------------------------------------------------------------


@pytest.mark.parametrize("isa", ALL_ISA, ids=lambda isa: isa.name)
def test_sums_weights_and_the_input_fit_into_the_registers(isa):
    for problem in [*PAPER.values(), REPORT, *ODD_PROBLEMS]:
        size = tile_for(problem, isa)
        assert size.pixels * size.vectors + size.vectors + 1 <= isa.registers
        assert size.vectors <= -(-problem.k_c // size.lanes) * 2
        assert size.lanes <= isa.lanes


@pytest.mark.parametrize(
    ("isa", "shape", "size"),
    [
        (AVX512, "56x56x64,3x3x64", Tile(6, 4, 16)),
        (AVX512, "56x56x64,3x3x32", Tile(14, 2, 16)),
        (AVX512, "7x7x500,3x3x512", Tile(14, 2, 16)),  # weights beyond the cache
        (AVX512, "7x7x512,3x3x512", Tile(8, 2, 16)),  # and pixels that share sets of the first one
        (AVX512, "7x7x512,3x3x512,s2,g32", Tile(8, 1, 16)),
        (AVX512, "7x7x256,3x3x512,s2", Tile(8, 2, 16)),
        (AVX512, "28x28x64,3x3x512", Tile(14, 2, 16)),  # those of four vectors would fit, not all
        (AVX512, "224x224x64,7x7x64,s2", Tile(14, 2, 16)),  # they fit, but leave no room
        (AVX512, "28x28x1,5x5x8", Tile(14, 1, 8)),  # half a vector of channels
        (AVX512, "28x28x1,5x5x9", Tile(14, 1, 16)),
        (AVX2, "56x56x64,3x3x64", Tile(6, 2, 8)),
        (NEON, "56x56x64,3x3x64", Tile(6, 4, 4)),
        (NEON, "56x56x64,3x3x1", Tile(14, 1, 4)),
    ],
)
def test_the_tile_follows_from_the_problem_and_the_machine(isa, shape, size):
    problem = ConvProblem.parse(shape)
    larger = replace(problem, i_n=3, i_h=problem.i_h + 400, i_w=problem.i_w + 400)
    assert tile_for(problem, isa) == size == tile_for(larger, isa), "packed weights serve both"


def test_weights_of_problems_that_follow_count_too():
    """The 36 products of Winograd's F(4,3): each has little, all have more than the cache."""
    problem = ConvProblem(1, 1, 49, 128, 1, 1, 128)
    assert tile_for(problem, AVX512) == Tile(6, 4, 16)
    assert tile_for(problem, AVX512, 36) == Tile(14, 2, 16)


def test_more_and_smaller_tiles_where_threads_would_wait():
    assert tiles(25, 14, panels=16, threads=1) == 2
    assert tiles(25, 14, panels=16, threads=2) == 2  # 32 pieces are shared out already
    assert tiles(25, 14, panels=1, threads=8) == 8
    assert tiles(3, 14, panels=1, threads=8) == 3
    # Three would share out best (16 rounds of 4 pixels, 64), but each tile costs its start.
    assert tiles(12, 14, panels=16, threads=3) == 2
    problem = ConvProblem.parse("1x1x64,1x1x512")  # where pixels do not suffice, channels are split
    layouts = [plan(problem, Tile(6, 4, 16), threads)[0].view(LAYOUT)[0] for threads in (1, 8)]
    assert [layout["panel"] for layout in layouts] == [2, 1]


# --- held to less, and kept on disk -------------------------------------------------------------

PROGRAM = """
from convladder import ConvProblem, get_method
from convladder.cpu.simd import macrokernel
from convladder.cpu.simd.blocking import tile_for
from convladder.cpu.isa import host_isa
from convladder.core.reference import compare, random_arrays
problem = ConvProblem.parse("2x6x9x3,3x3x4,s1,p1")
x, w = random_arrays(problem)
assert compare(get_method("microkernel")(x, w, problem), x, w, problem).ok
size = tile_for(problem, host_isa())
tiles = macrokernel.tiles(size.lanes, False)._kept
hits = [code.cache_hits for code in (macrokernel.compiled(), tiles[0])]
print(host_isa().name, size.lanes, *hits)
"""


@pytest.mark.weekly
def test_numba_can_be_held_to_the_oldest_processor_and_keeps_the_code(tmp_path, monkeypatch):
    """All is compiled anew: five seconds."""
    monkeypatch.delenv("NUMBA_CPU_FEATURES", raising=False)
    held = {"NUMBA_CPU_NAME": "generic", "NUMBA_CACHE_DIR": str(tmp_path)}
    name = "NEON" if host_isa().name == "NEON" else "SSE2"
    for hits in (0, 1):
        done = python("-c", PROGRAM, **held)
        assert done.stdout.split() == [name, "4", str(hits), str(hits)], done.stderr
