"""The 2:4 pattern, as learners make it: lab 14, exercise 5."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception


def largest_and_smallest(w):
    """Keep the largest and the smallest of each four, with their signs."""
    fours = w.reshape(-1, 4, w.shape[1])
    kept = np.zeros_like(fours)
    for place in (fours.argmax(axis=1), fours.argmin(axis=1)):
        place = place[:, np.newaxis]
        np.put_along_axis(kept, place, np.take_along_axis(fours, place, 1), 1)
    return kept.reshape(w.shape)


def smallest_once(w):
    """Put 0 for the smallest of each four, and for that again."""
    fours = w.reshape(-1, 4, w.shape[1]).copy()
    np.put_along_axis(fours, np.abs(fours).argmin(axis=1)[:, np.newaxis], 0, 1)
    return fours.reshape(w.shape)


def same_for_all_outputs(w, size=np.sum):
    fours = w.reshape(-1, 4, w.shape[1])
    order = np.argsort(-size(np.abs(fours), axis=2), axis=1, kind="stable")[:, :2]
    kept = np.zeros_like(fours)
    np.put_along_axis(
        kept, order[:, :, np.newaxis], np.take_along_axis(fours, order[:, :, np.newaxis], 1), 1
    )
    return kept.reshape(w.shape)


MORE = (
    Misconception(
        "the largest and the smallest",
        largest_and_smallest,
        symptom="Of each four you keep the largest and the smallest, with their signs.",
        concept="That is right where the largest two in size have different signs. Two positive "
        "weights may both be larger than any negative one.",
        line="The first two of `np.argsort(-np.abs(fours), axis=1, kind='stable')` stay.",
    ),
    Misconception(
        "the same two for all outputs",
        same_for_all_outputs,
        choices={"size": (np.max,)},
        symptom="With one output you are right; with more, the same inputs stay for all outputs.",
        concept="Each output has a sum of its own, and its own two of four.",
        line="Sort along axis 1 of `[fours, 4, outputs]`, with the outputs' axis kept.",
    ),
)
