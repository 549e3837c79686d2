"""Lab 18, exercise 3: shares for workers of different speeds."""

import numpy as np

from ..draws import real, whole
from ..exercise import Exercise, Misconception, edit


def uneven(images, rates):
    counts = [0] * len(rates)
    for _ in range(images):
        ends = [(count + 1) / rate for count, rate in zip(counts, rates)]
        counts[ends.index(min(ends))] += 1
    return tuple(counts)


def rest_to(lucky):
    def shared(images, rates):
        counts = [int(images * rate / sum(rates)) for rate in rates]
        counts[lucky(rates)] += images - sum(counts)
        return tuple(counts)

    return shared


def by_lost_fraction(images, rates):
    exact = [images * rate / sum(rates) for rate in rates]
    counts = [int(each) for each in exact]
    lost = sorted(range(len(rates)), key=lambda i: counts[i] - exact[i])
    for i in lost[: images - sum(counts)]:
        counts[i] += 1
    return tuple(counts)


def accept(images, rates, counts):
    """Accept any shares after which the last worker is done as early as possible."""
    whole_numbers = isinstance(counts, tuple | list | np.ndarray) and all(
        isinstance(each, int | np.integer) and each >= 0 for each in counts
    )
    if not whole_numbers or len(counts) != len(rates):
        return f"The result should be a whole number for each worker, {len(rates)} in all."
    counts = tuple(map(int, counts))
    if sum(counts) != images:
        return f"Your shares {counts} add up to {sum(counts)} images, not {images}."
    done, best = (
        max(n / rate for n, rate in zip(each, rates)) for each in (counts, uneven(images, rates))
    )
    if done > best * (1 + 1e-9):
        return (
            f"With shares {counts} the last worker is done after {done:.4g} s, and "
            f"{best:.4g} s are possible."
        )
    return None


ENDS = "(count + 1) / rate"

EXERCISE = Exercise(
    name="uneven",
    lab=18,
    task="Share images among workers so that the last one is done as early as possible.",
    solution=uneven,
    accept=accept,
    cases=lambda rng: [
        (4, [1.0, 3.0]),
        (2, [1.0, 2.0]),
        (10, [1.0, 1.0, 1.0, 1.0]),
        (7, [3.0, 2.0]),
        (11, [2.0, 5.0, 1.0]),
        (2, [1.0, 4.0, 1.0]),
        (6, [5.0, 2.0]),
        (5, [1.0, 10.0]),
        (whole(rng, 80, 200), [real(rng, 8, 12), real(rng, 5, 8), real(rng, 2, 5)]),
    ],
    inputs=lambda fill, images, rates: (images, tuple(rates)),
    valid=lambda images, rates: len(rates) > 0 and min(rates) > 0,
    mend="For each image the worker with the least `(count + 1) / rate`",
    misconceptions=[
        Misconception(
            "equal shares",
            edit(ENDS, "count + 1"),
            "Every worker gets the same number, whatever its speed.",
            "The slowest worker decides when all is done, so fast ones get more.",
        ),
        Misconception(
            "separately rounded shares",
            [
                lambda images, rates: tuple(round(images * rate / sum(rates)) for rate in rates),
                lambda images, rates: tuple(int(images * rate / sum(rates)) for rate in rates),
            ],
            "Your shares don't always add up to the images.",
            "Rounding each share by itself loses images, or invents some.",
        ),
        Misconception(
            "the rest for one worker",
            [rest_to(lambda rates: -1), rest_to(lambda rates: rates.index(max(rates)))],
            "The sum is right, but one worker gets all images that rounding left over.",
            "Each remaining image goes to the worker that would finish it first.",
        ),
        Misconception(
            "the largest remainder",
            by_lost_fraction,
            "The sum is right, but an image goes to a worker that takes too long for it.",
            "Remainders minimise rounding, not time. Compare when each worker would be done.",
        ),
        Misconception(
            "the worker that is free first",
            edit(ENDS, "count / rate"),
            "An image can go to a slow worker that is free, though a fast one would be done "
            "earlier.",
            "Compare when each worker would be done with one image more, `(count + 1) / rate`.",
        ),
    ],
)
