"""Lab 16, exercise 3: shares for workers of different speed."""

from __future__ import annotations

from math import ceil, floor

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import real, whole
from . import uneven_wrong as wrong


def uneven(images, rates):
    counts = [0] * len(rates)
    for _ in range(images):
        ends = [(count + 1) / rate for count, rate in zip(counts, rates)]
        counts[ends.index(min(ends))] += 1
    return tuple(counts)


def _equal(images, rates):
    size, extra = divmod(images, len(rates))
    return tuple(size + (i < extra) for i in range(len(rates)))


def _down(images, rates):
    return [int(images * rate // sum(rates)) for rate in rates]


def _half_up(share):
    return int(share + 0.5)


ROUNDINGS = {"rounding": (round, _half_up, ceil)}


def _rest_to(which):
    def wrong(images, rates, rounding=floor):
        counts = [rounding(images * rate / sum(rates)) for rate in rates]
        counts[which(rates)] += images - sum(counts)
        return tuple(counts)

    return wrong


def _rest_in_turn(order):
    """Settle what rounding leaves with one worker after the other, an image each."""

    def wrong(images, rates, rounding=floor):
        counts = [rounding(images * rate / sum(rates)) for rate in rates]
        left = images - sum(counts)
        for i in order(rates)[: abs(left)]:
            counts[i] += 1 if left > 0 else -1
        return tuple(counts)

    return wrong


def _largest_remainder(images, rates):
    counts = _down(images, rates)
    rest = [images * rate / sum(rates) - count for rate, count in zip(rates, counts)]
    for i in sorted(range(len(rates)), key=lambda i: -rest[i])[: images - sum(counts)]:
        counts[i] += 1
    return tuple(counts)


def _first_free(images, rates):
    counts = [0] * len(rates)
    for _ in range(images):
        ends = [count / rate for count, rate in zip(counts, rates)]
        counts[ends.index(min(ends))] += 1
    return tuple(counts)


def _in_order(images, rates, turned=-1):
    """Prefer the fastest of equal ones (or, turned by 1, the slowest)."""
    order = sorted(range(len(rates)), key=lambda i: turned * rates[i])
    counts = dict(zip(order, uneven(images, [rates[i] for i in order])))
    return tuple(counts[i] for i in range(len(rates)))


def _farthest_below(images, rates):
    """Give each image to the worker with the most for `2 * count + 1`, as seats are given."""
    counts = [0] * len(rates)
    for _ in range(images):
        most = [rate / (2 * count + 1) for count, rate in zip(counts, rates)]
        counts[most.index(max(most))] += 1
    return tuple(counts)


EXERCISE = Exercise(
    name="uneven",
    lab=16,
    reference=uneven,
    task="How many of the images each worker gets, so that the last to finish is as early as can "
    "be.",
    cases=lambda rng: [
        (4, (1.0, 3.0)),
        (2, (1.0, 2.0)),
        (10, (1.0, 1.0, 1.0, 1.0)),
        (7, (3.0, 2.0)),
        (11, (2.0, 5.0, 1.0)),
        (2, (1.0, 4.0, 1.0)),
        (6, (5.0, 2.0)),
        (5, (1.0, 10.0)),
        (whole(rng, 80, 200), (real(rng, 8, 12), real(rng, 5, 8), real(rng, 2, 5))),
    ],
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "equal shares",
            _equal,
            symptom="Everybody gets the same, but for an image, whatever they can do.",
            concept="All wait for the last one. A worker that is three times as fast should have "
            "about three times as much.",
            line="Look at when each would be *done* with one more: `(count + 1) / rate`.",
        ),
        Misconception(
            "remainder lost",
            lambda images, rates: tuple(_down(images, rates)),
            symptom="Your shares add up to less than there is.",
            concept="Rounding each share down leaves some images to nobody.",
            line="`sum(counts)` must be `images`: hand out what is left one by one, each to the "
            "least `(count + 1) / rate`.",
        ),
        Misconception(
            "rounded each by itself",
            lambda images, rates: tuple(round(images * rate / sum(rates)) for rate in rates),
            symptom="Your shares do not always add up to what there is.",
            concept="Shares that are rounded one by one may be one too many or too few together.",
            line="Hand out whole images one by one, each to the worker with the least `(count + "
            "1) / rate`.",
        ),
        Misconception(
            "remainder to the last",
            _rest_to(lambda rates: -1),
            choices=ROUNDINGS,
            symptom="The sum is right. What rounding leaves over, or takes too much, is settled "
            "with the last worker, and that may be the slowest.",
            concept="An image more delays a worker by `1 / rate`: give it to the one who is done "
            "with it first.",
            line="Round down; then each image that is left goes to the worker with the least "
            "`(count + 1) / rate`.",
        ),
        Misconception(
            "remainder to the fastest",
            _rest_to(lambda rates: rates.index(max(rates))),
            choices=ROUNDINGS,
            symptom="The sum is right. What rounding leaves over, or takes too much, is settled "
            "with the fastest worker alone.",
            concept="After one or two more images the fastest is no longer the first to be done.",
            line="Round down, then ask anew for every image that is left: who has the least "
            "`(count + 1) / rate`?",
        ),
        Misconception(
            "remainder to the slowest",
            _rest_to(lambda rates: rates.index(min(rates))),
            choices=ROUNDINGS,
            symptom="The sum is right. What rounding leaves over, or takes too much, is settled "
            "with the slowest worker alone.",
            concept="The slowest needs the longest for an image more.",
            line="Round down, then hand out what is left one by one, each time to the least "
            "`(count + 1) / rate`.",
        ),
        Misconception(
            "remainder from behind",
            _rest_in_turn(lambda rates: range(len(rates))[::-1]),
            symptom="The sum is right. Above their shares rounded down, the last workers have "
            "an image more each.",
            concept="The last ones may be the slow ones: nobody has asked when they would be done.",
            line="For each image that is left: who has the least `(count + 1) / rate`?",
        ),
        Misconception(
            "remainder to the fastest, one each",
            _rest_in_turn(lambda rates: sorted(range(len(rates)), key=lambda i: -rates[i])),
            symptom="The sum is right. Above their shares rounded down, the fastest workers have "
            "an image more each.",
            concept="With one image more a fast worker may be done later than a slower one.",
            line="Compare `(count + 1) / rate`, not the rates, and anew for each image.",
        ),
        Misconception(
            "remainder from the front",
            _rest_in_turn(lambda rates: range(len(rates))),
            symptom="The sum is right. Above their shares rounded down, the first workers have an "
            "image more each.",
            concept="Where a worker stands says nothing of when it is done.",
            line="For each image that is left: the worker with the least `(count + 1) / rate`, "
            "the first only where two are equal.",
        ),
        Misconception(
            "largest remainder",
            _largest_remainder,
            symptom="The sum is right. Above their shares rounded down, those have an image more "
            "whose shares lost most by that.",
            concept="That is fair, as for seats in a parliament, and not the quickest: a slow "
            "worker needs long for an image, however small the rest that it lost.",
            line="Compare when each would be done: `(count + 1) / rate`.",
        ),
        Misconception(
            "rounded up",
            lambda images, rates: tuple(-int(-images * rate // sum(rates)) for rate in rates),
            symptom="Your shares add up to more than there is.",
            concept="Some images would be computed twice, or do not exist.",
            line="`sum(counts)` must be `images`: round down, then hand out the rest one by one, "
            "each to the least `(count + 1) / rate`.",
        ),
        Misconception(
            "first free",
            _first_free,
            symptom="Each image goes to the worker who is free first, not to the one who would be "
            "*done* with it first.",
            concept="A slow worker who is free now may still be the last: what counts is when it "
            "has done this image too.",
            line="Compare when each would be done with this image too: `(count + 1) / rate`.",
        ),
        Misconception(
            "ties to the last",
            lambda images, rates: tuple(uneven(images, rates[::-1])[::-1]),
            symptom="Right but where two workers would be done at the same time.",
            concept="Of equal ones the first in `rates` gets the image: so there is one right "
            "answer.",
            line="From the front, with `<` in a loop of your own, not `<=`; `min` and `index` find "
            "the first. Images taken off again are taken off the last of equal ones.",
        ),
        Misconception(
            "seconds for rates",
            lambda images, rates: uneven(images, [1 / r for r in rates]),
            symptom="The slow ones get the most.",
            concept="`rates` are images a second: the larger, the faster.",
            line="Divide by the rate.",
        ),
        Misconception(
            "everything to the fastest",
            lambda images, rates: tuple(
                images * (i == rates.index(max(rates))) for i in range(len(rates))
            ),
            symptom="All images go to one worker.",
            concept="The others could have done some of them meanwhile.",
            line="For each image: who would be *done* first with it?",
        ),
        Misconception(
            "by turns",
            lambda images, rates: tuple(
                len(range(i, images, len(rates))) for i in range(len(rates))
            )[::-1],
            symptom="Everybody gets as many, the last ones an image more, whatever they can do.",
            concept="Dealt out in turns, images do not come to those who are quick: who is three "
            "times as fast should have about three turns.",
            line="Compare `(count + 1) / rate`.",
        ),
        Misconception(
            "seconds, not images",
            lambda images, rates: tuple(
                count / rate for count, rate in zip(uneven(images, rates), rates)
            ),
            symptom="You return when each worker is done.",
            concept="Asked for is how many images each gets.",
            line="Return the counts.",
        ),
        Misconception(
            "ties to the fastest",
            _in_order,
            symptom="Right but where two workers would be done at the same time: there the faster "
            "one, which has more images already, gets this one too.",
            concept="Of equal ones the worker that comes first in `rates` gets the image.",
            line="Compare nothing but `(count + 1) / rate`, in the order given.",
        ),
        Misconception(
            "ties to the slower",
            lambda images, rates: _in_order(images, rates, turned=1),
            symptom="Right but where two workers would be done at the same time: there the slower "
            "one, which has fewer images, gets this one.",
            concept="Of equal ones the worker that comes first in `rates` gets the image, however "
            "many it has.",
            line="Go by `(count + 1) / rate` alone, and from the front.",
        ),
        Misconception(
            "remainder to the first",
            _rest_to(lambda rates: 0),
            choices=ROUNDINGS,
            symptom="The sum is right. What rounding leaves over, or takes too much, is settled "
            "with the first worker alone.",
            concept="The first worker is like any other: what is left may cost it the most time.",
            line="Round down, then ask for each image left who would be done with it first.",
        ),
        Misconception(
            "in the order of speed",
            lambda images, rates: uneven(images, sorted(rates, reverse=True)),
            symptom="The shares are right, but in the order of the workers' speed.",
            concept="Share number i is for worker number i of `rates`.",
            line="Do not sort `rates`; or sort places, and put each share back where it belongs.",
        ),
        Misconception(
            "farthest below its share",
            _farthest_below,
            symptom="The sum is right. Some images go to a slower worker where a faster one "
            "should have them.",
            concept="To round to the nearest, or to look who is farthest below its share, is fair, "
            "and not the quickest. What counts is who is *done* first with one image "
            "more.",
            line="`(count + 1) / rate`, the least.",
        ),
    ],
)
