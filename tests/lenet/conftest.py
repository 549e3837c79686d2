"""What tests of rungs share: fresh memory that is never right by chance, other weights."""

import numpy as np
import pytest

from convladder import lenet
from convladder.lenet.network import SHAPES, Weights
from convladder.lenet.reference import logits
from convladder.lenet.rungs import rungs


@pytest.fixture(scope="session")
def compiled() -> None:
    """Numba has done its work: it would take the np.empty below for a function of its own."""
    for rung in rungs("cpu"):
        rung.run(lenet.images()[:1])


@pytest.fixture(autouse=True)
def poisoned_buffers(compiled, poison):
    """Fresh memory is full of NaN, or of 255, which is no label."""
    poison(lambda array: array.fill(np.nan if array.dtype.kind == "f" else 255))


@pytest.fixture(scope="session")
def other_weights(noise) -> Weights:
    """Weights by chance, under which labels depend on every layer."""
    rng = np.random.default_rng(1)
    arrays = {
        name: rng.normal(0, 0.1 if name.endswith("bias") else np.prod(shape[:-1]) ** -0.5, shape)
        .astype(np.float32) for name, shape in SHAPES.items()
    }  # fmt: skip
    for name, array in arrays.items():  # the last of everything is easily left out: let it count
        if name.startswith("fc") and array.ndim == 2:
            array[:, -1] *= 8
        elif array.ndim == 4:
            array[-1, -1] *= 3
    # Without its mean, no digit is the answer to everything.
    arrays["fc3_bias"] -= logits(noise, Weights(**arrays)).mean(axis=0).astype(np.float32)
    return Weights(**arrays)


def behind(predicted: np.ndarray, images: np.ndarray, weights: Weights) -> float:
    """How far the worst label's reference logit lies below the best one's."""
    expected = logits(images, weights)
    return float((expected.max(axis=1) - expected[np.arange(len(images)), predicted]).max())


@pytest.fixture(scope="session")
def noise() -> np.ndarray:
    """100 images of which no two pixels are alike, and 55 real ones."""
    random = np.random.default_rng(2).integers(0, 256, (100, 28, 28), np.uint8)
    return np.concatenate([random, lenet.images()[:55]])
