"""The first thing that a learner runs: ten thousand digits, read while one looks."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from ..plots.first_look import digits_picture
from ..plots.style import Picture


def first_look() -> Picture:
    """Read MNIST's 10,000 test images by matrix products, and time what six loops in Python need
    for the convolutions of one of them. Seconds on any machine.
    """
    from ... import lenet
    from ...convolve import conv2d

    images, labels = lenet.images(), lenet.labels()
    session = lenet.get_rung("lowered").session(images)
    begun = perf_counter()
    read = session.run()
    seconds = perf_counter() - begun
    right = int((read == labels).sum())
    one = images[:1, ..., np.newaxis].astype(np.float32) / np.float32(255)
    weights = lenet.weights()
    begun = perf_counter()
    maps = conv2d(one, weights.conv1, method="loops")
    conv2d(np.ascontiguousarray(maps[:, ::2, ::2]), weights.conv2, method="loops")
    loops = (perf_counter() - begun) * len(images)
    return digits_picture(images, read, right, seconds, loops)
