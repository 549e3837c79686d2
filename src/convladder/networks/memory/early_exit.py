"""LeNet-5 with a second way out: images that are easy to tell leave after the first block.

A head, one product and a softmax, looks at the maps of an early block; an image leaves there if
the largest probability reaches a threshold. Source of the idea: Teerapittayanon, McDanel & Kung,
"BranchyNet: Fast Inference via Early Exiting from Deep Neural Networks" (ICPR 2016).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from .. import lenet
from ..compress import network as nets
from ..lenet.digits import read_arrays

DATA = Path(__file__).parent / "data"
SIDES = {1: (12, 12, 6), 2: (4, 4, 16)}  # of the maps after each block that has a head


@dataclass(frozen=True, eq=False)
class Head:
    """`w[values,10]` and `bias[10]` on the flattened maps after `block`."""

    block: int
    w: np.ndarray
    bias: np.ndarray

    @property
    def macs(self) -> int:
        return self.w.size


@dataclass(frozen=True, eq=False)
class Exits:
    """The result of a run: a label for each image, and whether it left early."""

    labels: np.ndarray
    early: np.ndarray
    head: Head

    @property
    def share(self) -> float:
        """Return the share of the images that left early."""
        return float(self.early.mean())

    @property
    def macs(self) -> float:
        """Return the mean multiply-adds of an image: those that stay pay for the head as well."""
        before, behind = split_macs(self.head.block)
        return before + self.head.macs + (1 - self.share) * behind


@cache
def head(block: int = 1) -> Head:
    """Return the trained head after block 1 or 2; `training()` says how it was made. Raises
    `ValueError` for another block."""
    if block not in SIDES:
        raise ValueError(f"there is no head after block {block}; there are heads after 1 and 2")
    arrays = read_arrays(DATA / "exits.npz")
    return Head(block, arrays[f"w{block}"], arrays[f"bias{block}"])


def training() -> dict[str, object]:
    """Return how the heads were made: seed, versions, accuracy on the test images."""
    return json.loads((DATA / "exits.json").read_text("utf-8"))


def split_macs(block: int) -> tuple[int, int]:
    """Count multiply-adds of one image before the head after `block`, and behind it."""
    counts = nets.layer_macs(nets.network())
    return sum(counts[:block]), sum(counts[block:])


def features(images: np.ndarray, block: int) -> np.ndarray:
    """Return the maps after `block`, flattened `[count,values]`, of byte images `[count,28,28]`."""
    return nets.run(nets.network()[:block], nets.pixels(images))


def run(images: np.ndarray, threshold: float, block: int = 1) -> Exits:
    """Label byte images `[count,28,28]`: the head first, the rest of LeNet-5 for those in doubt.

    An image leaves early if the head gives some class a probability of `threshold` or more: 0 lets
    all leave, above 1 none. Images that stay are moved together, so that the rest is as dense as
    ever.
    """
    chosen = head(block)
    labels, early = np.empty(len(images), np.int64), np.empty(len(images), bool)
    for at in range(0, len(images), nets.BATCH):
        part = slice(at, at + nets.BATCH)
        x = features(images[part], block)
        likely = probabilities(x @ chosen.w + chosen.bias)
        labels[part], early[part] = likely.argmax(axis=1), likely.max(axis=1) >= threshold
        stay = np.flatnonzero(~early[part])
        if stay.size:
            maps = x[stay].reshape(stay.size, *SIDES[block])
            labels[at + stay] = nets.run(nets.network()[block:], maps).argmax(axis=1)
    return Exits(labels, early, chosen)


def probabilities(logits: np.ndarray) -> np.ndarray:
    """Compute the softmax of each row."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def accuracy(labels: np.ndarray) -> float:
    """Return the share of the test images, the first `len(labels)`, that are labelled right."""
    return float((labels == lenet.labels()[: len(labels)]).mean())
