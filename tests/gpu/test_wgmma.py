"""The float16 kernel on Hopper: its weights, its plans and what they take of a multiprocessor."""

import numpy as np
import pytest

from convladder import PAPER, ConvProblem
from convladder.bench import conv_gpu
from convladder.bench.records import load_records
from convladder.gpu import wgmma
from convladder.gpu.tensor_map import unmapped
from convladder.gpu.tile_choice import H200
from convladder.gpu.wgmma_choice import (
    DEPTH,
    TILES,
    GroupPlan,
    choose,
    plans,
    predicted_seconds,
    vector,
)
from studies.gpu.conv_record import HALF_LAYERS

cuda = pytest.importorskip("convladder.cuda")
SHARED = 227 * 1024  # bytes that a block can have; 228 KiB are there, 1 taken by each block
LAYERS = {**PAPER, **HALF_LAYERS}


def unpacked(packed):
    """Return `w[window, k_c]` from what `prepare` made, by the rule that wgmma reads by."""
    made = np.zeros((packed.shape[0] * DEPTH, packed.shape[1]), np.float16)
    for slice_, rows in enumerate(packed.reshape(*packed.shape[:2], 8, 8)):
        for n, chunks in enumerate(rows):
            for place, chunk in enumerate(chunks):
                k = slice_ * DEPTH + (place ^ n % 8) * 8
                made[k : k + 8, n] = chunk
    return made


@pytest.mark.parametrize("text", ["9x9x3,3x3x5", "9x9x24,3x5x19"])
def test_weights_lie_as_shared_memory_wants_them(text):
    p = ConvProblem.parse(text)
    w = np.random.default_rng(0).standard_normal(p.kernel_shape).astype(np.float32)
    packed = wgmma.prepare(cuda.to_device(w), p).get()
    made = unpacked(packed.reshape(-(-p.window // DEPTH), -(-p.k_c // 8) * 8, DEPTH))
    flat = w.reshape(p.window, p.k_c).astype(np.float16)
    assert (made[: p.window, : p.k_c] == flat).all()
    assert not made[p.window :].any() and not made[:, p.k_c :].any()


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_tiles_fit_the_chip(tile):
    assert tile.pixels % (64 * tile.groups) == 0 and tile.channels in (32, 64, 128, 256)
    assert tile.stages >= 3 and tile.blocks * (tile.groups + 2) * 128 <= 2048
    assert tile.blocks * (GroupPlan(tile, 1).shared_bytes + 1024) <= SHARED + 1024
    for split in (2, 4, 8):
        assert GroupPlan(tile, split).shared_bytes <= SHARED and tile.pixels % split == 0


@pytest.mark.parametrize("name, batch", [(name, batch) for name in LAYERS for batch in (1, 32)])
def test_the_choice_suits_the_layer(name, batch):
    p = LAYERS[name].with_batch(batch)
    plan = choose(p, H200)
    assert plan.tile.channels <= 64 or p.k_c > plan.tile.channels // 2
    assert plan.split == 1 or p.window > DEPTH * plan.split
    assert plan.split == {("cv12", 1): 8, ("cv8", 32): 1}.get((name, batch), plan.split)
    every = plans(p, H200)
    assert predicted_seconds(p, plan, H200) == min(predicted_seconds(p, o, H200) for o in every)


def test_who_fetches():
    shapes = "9x9x64,3x3x8", "9x9x96,3x3x8", "9x9x3,3x3x8", "99x99x64,3x3x8,s9"
    assert [vector(ConvProblem.parse(text)) for text in shapes] == [64, 8, 1, 8]
    assert "stride=(9, 9)" in unmapped(ConvProblem.parse("99x99x64,3x3x8,s9"))
    assert "127 pixels" in unmapped(ConvProblem.parse("150x150x64,128x3x8"))


@pytest.mark.parametrize("record", [r for r in load_records("conv-gpu") if "half" in r])
def test_the_model_expects_what_the_record_shows(record):
    """Within 10 % on average; memory, which it leaves out, holds up a layer of 64 MB by more."""
    off = []
    for run in [*record["runs"], *record["half"]]:
        for layer in run["layers"].values():
            p = ConvProblem.parse(layer["problem"])
            expected = predicted_seconds(p, choose(p, H200), H200)
            off.append(abs(np.log(expected / conv_gpu.seconds(layer, conv_gpu.HALF))))
    assert np.mean(off) < 0.1 and max(off) < 0.5
