"""The judge of all LeNet-5 methods: the network in float64, written apart from every one of them.

Convolutions are the course's own oracle, sums of shifted images; nothing is lowered or fused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...core import reference
from ...core.problem import ConvProblem
from ...cpu.threads import blas_alone
from .digits import images, labels, weights
from .network import CLASSES, CONV1, CONV2, Weights, check_images

CHUNK = 50  # images at a time: their float64 maps stay in the cache


def logits(pixels: np.ndarray, values: Weights) -> np.ndarray:
    """Compute float64 `[count,10]` of bytes `pixels[count,28,28]`: the largest is the label."""
    check_images(pixels)
    with blas_alone():  # its threads would wait longer than such small products take
        return np.concatenate(
            [
                _logits(pixels[first : first + CHUNK], values)
                for first in range(0, len(pixels), CHUNK)
            ]
        )


def _logits(pixels: np.ndarray, w: Weights) -> np.ndarray:
    count = len(pixels)
    x = pixels[..., np.newaxis] / 255.0
    x = _conv_relu_pool(x, w.conv1, w.conv1_bias, CONV1.with_batch(count))
    x = _conv_relu_pool(x, w.conv2, w.conv2_bias, CONV2.with_batch(count))
    x = np.maximum(x.reshape(count, -1) @ w.fc1.T.astype(np.float64) + w.fc1_bias, 0)
    x = np.maximum(x @ w.fc2.T.astype(np.float64) + w.fc2_bias, 0)
    return x @ w.fc3.T.astype(np.float64) + w.fc3_bias


def _conv_relu_pool(
    x: np.ndarray, w: np.ndarray, bias: np.ndarray, problem: ConvProblem
) -> np.ndarray:
    y = np.maximum(reference.conv2d_float64(x, w, problem) + bias, 0)
    return np.maximum(
        np.maximum(y[:, ::2, ::2], y[:, ::2, 1::2]), np.maximum(y[:, 1::2, ::2], y[:, 1::2, 1::2])
    )


@cache
def shipped_logits() -> np.ndarray:
    """Return `logits` of the 10,000 images and weights that ship, read-only; a second, once."""
    result = logits(images(), weights())
    result.flags.writeable = False
    return result


@dataclass(frozen=True)
class Judgement:
    """Whether labels are the reference's.

    `differ` images have another label than the reference; those `excused` have one whose reference
    logit lies closer to the best than the method's `precision`. `accuracy` is the share of images
    labelled as a human did. `reason` says in a sentence why it is not `ok`, else it is empty.
    """

    images: int
    differ: int
    excused: int
    accuracy: float
    precision: float
    reason: str

    @property
    def ok(self) -> bool:
        return not self.reason

    def __str__(self) -> str:
        if not self.ok:
            return self.reason
        excused = f", {self.excused} of them too close to call" if self.differ else ""
        return (
            f"{self.images:,} images, {self.accuracy:.2%} right, "
            f"{self.differ} labels differ from float64{excused}"
        )


def judge(
    predicted: np.ndarray,
    precision: float,
    pixels: np.ndarray | None = None,
    truth: np.ndarray | None = None,
    expected: np.ndarray | None = None,
) -> Judgement:
    """Judge `predicted[count]` labels of `pixels[count,28,28]` (default: the shipped images).

    `precision` is the distance of two logits below which a method may take one for the other.
    `truth[count]` are the human labels; those of the shipped images go with the default.
    `expected` are the `logits` of these pixels and the shipped weights, if they are there already.
    """
    whole = pixels is None
    if expected is None:
        expected = shipped_logits() if whole else logits(pixels, weights())
    truth = labels() if truth is None and whole else truth
    count = len(expected)
    wrong = _malformed(predicted, count)
    if wrong:
        return Judgement(count, count, 0, 0.0, precision, wrong)
    best = expected.argmax(axis=1)
    every = np.arange(count)
    behind = expected[every, best] - expected[every, predicted]  # 0 for the reference's own label
    other, wrong = predicted != best, behind >= precision
    accuracy = float("nan") if truth is None else float((predicted == truth).mean())
    differ, excused = int(other.sum()), int((other & ~wrong).sum())
    reason = ""
    if wrong.any():
        at, n = int(np.flatnonzero(wrong)[0]), int(wrong.sum())
        reason = (
            f"{n:,} of {count:,} labels {'is' if n == 1 else 'are'} wrong: "
            f"{'' if n == 1 else 'first, '}image {at} got "
            f"{predicted[at]}, whose logit lies {behind[at]:.2g} below that of {best[at]}"
        )
    return Judgement(count, differ, excused, accuracy, precision, reason)


def _malformed(predicted: np.ndarray, count: int) -> str:
    if predicted.shape != (count,) or predicted.dtype.kind not in "iu":
        return (
            f"labels are {predicted.dtype} of shape {predicted.shape}, not integers of shape "
            f"({count},)"
        )
    if predicted.min() < 0 or predicted.max() >= CLASSES:
        return f"labels run from {predicted.min()} to {predicted.max()}, not from 0 to 9"
    return ""
