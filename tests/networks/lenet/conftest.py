"""What tests of rungs share: fresh memory that is never right by chance, other weights."""

from contextlib import suppress

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.lenet.network import Weights
from convladder.networks.lenet.reference import logits
from convladder.networks.lenet.rungs import rungs


@pytest.fixture(scope="session")
def compiled() -> None:
    """Numba has compiled every rung: it would take the np.empty below for one of its functions.

    A rung that fails here fails again in its own tests, and in no others.
    """
    for rung in rungs("cpu"):
        with suppress(Exception):
            rung.run(lenet.images()[:1])


@pytest.fixture
def poisoned_buffers(poison):
    """Fresh memory is full of NaN, or of 255, which is no label."""
    poison(lambda array: array.fill(np.nan if array.dtype.kind == "f" else 255))


def behind(predicted: np.ndarray, images: np.ndarray, weights: Weights) -> float:
    """How far the worst label's reference logit lies below the best one's."""
    expected = logits(images, weights)
    return float((expected.max(axis=1) - expected[np.arange(len(images)), predicted]).max())
