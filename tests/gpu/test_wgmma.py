"""The float16 kernel on Hopper: its weights, its plans and what they take of a multiprocessor."""

import numpy as np
import pytest

from convladder import PAPER, ConvProblem
from convladder.bench.conv_gpu import HALF
from convladder.bench.records import load_records
from convladder.bench.records.conv_gpu import seconds_of
from convladder.core.reference import conv2d_float64, random_arrays
from convladder.gpu import wgmma
from convladder.gpu.tensor_map import unmapped
from convladder.gpu.tile_choice import H200
from convladder.gpu.wgmma_choice import (
    DEPTH,
    TILES,
    GroupPlan,
    choose,
    images,
    plans,
    predicted_seconds,
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


SHAPES = ["2x9x8x3,3x3x5", "2x8x9x5,4x3x6,s2x3,p3x1", "7x9x21,1x1x3,s2x1,p1", "9x9x24,3x5x19"]
SHAPES += ["5x7x40,3x1x9,p1", "5x4x72,2x2x7"]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("text", SHAPES)
def test_every_image_has_the_same_result(text, dtype):
    """With the weights as they lie for it, in float64 and so without any rounding of its own."""
    p = ConvProblem.parse(text)
    x, w = (array.astype(np.float16).astype(dtype) for array in random_arrays(p))
    right = conv2d_float64(x, w, p)
    for image in images(p):
        plan = next(plan for plan in plans(p, H200) if plan.image == image)
        inner, read = plan.inner, cuda.to_device(x)
        if image != p:
            read = wgmma.lower(read, p, image)
        packed = wgmma.prepare(cuda.to_device(w), p, plan).get()
        weights = unpacked(packed)
        assert not weights[inner.window :].any() and not weights[:, p.k_c :].any()
        weights = weights[: inner.window, : p.k_c].reshape(inner.kernel_shape)
        spare = (*[(0, 0)] * 3, (0, inner.i_c - image.i_c))
        y = conv2d_float64(np.pad(read.get(), spare), weights, inner)
        assert np.allclose(y, right, rtol=1e-12, atol=1e-12)


def test_where_another_image_is_written():
    stem = ConvProblem.parse("32x224x224x3,7x7x64,s2,p3")
    image = choose(stem, H200).image
    assert (image.input_shape, image.k_w, image.stride) == ((32, 224, 112, 32), 1, (2, 1))
    p = ConvProblem.parse("99x99x5,3x3x8,s9")
    assert choose(p, H200).image == p


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_tiles_fit_the_chip(tile):
    whole, *parts = (GroupPlan(tile, split, PAPER["cv9"], 64) for split in (1, 2, 4, 8))
    assert tile.pixels % (64 * tile.groups) == 0 and tile.channels in (32, 64, 96, 128, 192, 256)
    assert tile.stages >= 3 and tile.blocks * (tile.groups + 2) * 128 <= 2048
    assert tile.blocks * (whole.shared_bytes + 1024) <= SHARED + 1024
    for plan in parts:
        assert plan.shared_bytes <= SHARED and tile.pixels % plan.split == 0


@pytest.mark.parametrize("name, batch", [(name, batch) for name in LAYERS for batch in (1, 32)])
def test_the_choice_suits_the_layer(name, batch):
    p = LAYERS[name].with_batch(batch)
    plan = choose(p, H200)
    assert plan.tile.channels <= 64 or p.k_c > plan.tile.channels // 2
    assert plan.split == 1 or plan.inner.window > DEPTH * plan.split
    assert plan.split == {("cv12", 1): 8, ("cv8", 32): 1}.get((name, batch), plan.split)
    every = plans(p, H200)
    assert predicted_seconds(p, plan, H200) == min(predicted_seconds(p, o, H200) for o in every)


def test_who_fetches():
    """64 channels a copy, or 32 where that saves a copy of zeros; threads where few are real."""
    expected = {
        "9x9x64,3x3x8": 64,
        "9x9x48,3x3x8": 64,
        "9x9x96,3x3x8": 32,
        "9x9x24,3x3x8": 8,
        "9x9x3,3x3x8": 1,
        "99x99x64,3x3x8,s9": 8,
    }
    assert {text: choose(ConvProblem.parse(text), H200).wide for text in expected} == expected
    assert "stride=(9, 9)" in unmapped(ConvProblem.parse("99x99x64,3x3x8,s9"))


@pytest.mark.parametrize("record", [r for r in load_records("conv-gpu") if "half" in r])
def test_the_model_expects_what_the_record_shows(record):
    """Within 10 % on average."""
    off = []
    for run in [*record["runs"], *record["half"]]:
        for layer in run["layers"].values():
            p = ConvProblem.parse(layer["problem"])
            shown = seconds_of(layer, HALF)
            off.append(abs(np.log(predicted_seconds(p, choose(p, H200), H200) / shown)))
    assert np.mean(off) < 0.1 and max(off) < 0.5
