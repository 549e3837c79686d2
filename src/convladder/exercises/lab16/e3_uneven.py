"""Lab 16, exercise 3: shares for workers of different speeds."""

from ..draws import real, whole
from ..exercise import Exercise, Misconception, edit


def uneven(images, rates):
    counts = [0] * len(rates)
    for _ in range(images):
        ends = [(count + 1) / rate for count, rate in zip(counts, rates)]
        counts[ends.index(min(ends))] += 1
    return tuple(counts)


def rounded(whole_part, rest):
    """Return an answer that rounds each share by itself, and gives `rest` to somebody."""

    def answer(images, rates):
        counts = [whole_part(images * rate / sum(rates)) for rate in rates]
        rest(counts, images - sum(counts), rates)
        return tuple(counts)

    return answer


def to_one(chosen):
    def rest(counts, left, rates):
        counts[chosen(rates)] += left

    return rest


def one_each(order):
    def rest(counts, left, rates):
        for i in order(range(len(rates)), rates)[:left]:
            counts[i] += 1

    return rest


def by_lost_fraction(images, rates):
    exact = [images * rate / sum(rates) for rate in rates]
    counts = [int(each) for each in exact]
    lost = sorted(range(len(rates)), key=lambda i: counts[i] - exact[i])
    for i in lost[: images - sum(counts)]:
        counts[i] += 1
    return tuple(counts)


ENDS = "(count + 1) / rate"

EXERCISE = Exercise(
    name="uneven",
    lab=16,
    task="How many of the images each worker gets, so that the last to finish is as early as can "
    "be.",
    solution=uneven,
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
    mend="For each image the worker with the least `(count + 1) / rate`, the first of equals",
    misconceptions=[
        Misconception(
            "equal shares",
            [edit(ENDS, "count + 1"), edit(ENDS, "-rates.index(rate) + 1e6 * count")],
            "Every worker gets as many, whatever its speed.",
            "The slowest worker decides when all is done, so fast ones get more.",
        ),
        Misconception(
            "shares rounded one by one",
            [
                rounded(round, lambda *_: None),
                rounded(int, lambda *_: None),
                rounded(lambda share: -int(-share // 1), lambda *_: None),
            ],
            "Your shares don't always add up to the images.",
            "Rounding each share by itself loses images, or invents some.",
        ),
        Misconception(
            "all the rest to one worker",
            [
                rounded(int, to_one(lambda rates: len(rates) - 1)),
                rounded(int, to_one(lambda rates: 0)),
                rounded(int, to_one(lambda rates: rates.index(max(rates)))),
            ],
            "The sum is right, but one worker gets all that rounding left over.",
            "Each image that is left over goes to whoever would be done with it first.",
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
        Misconception(
            "seconds in place of rates",
            edit(ENDS, "(count + 1) * rate"),
            "The slow workers get the most.",
            "A rate is images per second, so the time is the images over the rate.",
        ),
        Misconception(
            "everything to the fastest",
            edit("ends.index(min(ends))", "rates.index(max(rates))"),
            "All images go to one worker.",
            "The others would be idle. An image goes to whoever is done with it first.",
        ),
        Misconception(
            "ties to the last worker",
            edit("ends.index(min(ends))", "len(ends) - 1 - ends[::-1].index(min(ends))"),
            "Right except where two workers would be done at the same time.",
            "The exercise gives a tie to the first of them.",
        ),
        Misconception(
            "fractions of images",
            lambda images, rates: tuple(images * rate / sum(rates) for rate in rates),
            "Your shares are fractions of images.",
            "An image is computed by one worker.",
        ),
    ],
)
