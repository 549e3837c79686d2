"""LeNet-5 on the 10,000 test images of MNIST: one network, a ladder of methods, each judged.

`images()`, `labels()` and `weights()` ship with the package; see `data/README.md`.
"""

from .digits import images, labels, training, weights
from .network import MACS, Weights, check_images
from .reference import Judgement, judge, logits

__all__ = [
    "MACS",
    "Judgement",
    "Weights",
    "check_images",
    "images",
    "judge",
    "labels",
    "logits",
    "training",
    "weights",
]
