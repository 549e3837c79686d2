"""A rung of the LeNet-5 ladder: NumPy in double precision."""

import numpy as np

from convladder.networks.lenet.network import Weights, check_images
from convladder.networks.lenet.reference import logits
from convladder.networks.lenet.rungs import rung


@rung(name="doubles", device="cpu", number=30)
class Doubles:
    """All images at once.

    What the oracle does: every sum in float64, so that no label is in doubt.
    """

    def __init__(self, images: np.ndarray, weights: Weights):
        check_images(images)
        self.images, self.weights = images, weights

    def run(self) -> np.ndarray:
        """Return labels `[count]`."""
        return logits(self.images, self.weights).argmax(axis=1)
