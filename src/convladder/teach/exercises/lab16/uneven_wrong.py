"""Images shared among unequal workers, as learners share them: lab 16, exercise 3."""

from __future__ import annotations

from ...grading.exercise import Misconception


def one_each_first(images, rates):
    """Give everybody an image, then each further one to whoever is done first with it."""
    each = int(images >= len(rates))
    counts = [each] * len(rates)
    for _ in range(images - sum(counts)):
        done = [(count + 1) / rate for count, rate in zip(counts, rates)]
        counts[done.index(min(done))] += 1
    return tuple(counts)


def as_long_as_there_are(images, rates):
    """Round each share up, as long as there are images."""
    counts, left = [], images
    for rate in rates:
        counts.append(min(left, -int(-images * rate // sum(rates))))
        left -= counts[-1]
    return tuple(counts)


MORE = (
    Misconception(
        "rounded up, as long as there are",
        as_long_as_there_are,
        symptom="The sum is right, and the last workers pay for what was rounded up before them.",
        concept="Rounded up, the first shares take what belongs to the last ones.",
        line="For each image: the worker with the least `(count + 1) / rate`.",
    ),
    Misconception(
        "one for each first",
        one_each_first,
        symptom="Where there are enough images everybody gets one with you, also a worker who "
        "needs longer for it than the others for all the rest.",
        concept="A slow worker may be of no use at all: with no image nobody waits for it.",
        line="Begin with zeros, and ask for the first image too who would be done first.",
    ),
    Misconception(
        "shares in fractions",
        lambda images, rates: tuple(images * rate / sum(rates) for rate in rates),
        symptom="Your shares are fractions of images.",
        concept="An image goes to one worker, whole.",
        line="Whole images, one after the other: each to the worker with the least `(count + 1) "
        "/ rate`.",
    ),
)
