"""Lab 13, exercise 5: which mistake a measurement made."""

from statistics import median

from ..exercise import Exercise, Misconception, edit

FLOATS, SEVEN = 31.36e6, 7.84e6  # bytes
USUAL = [
    # seconds that the host read, run by run; of the device; bytes copied, seconds of it; bytes/s
    ([1.30e-3, 1.27e-3, 1.26e-3, 1.28e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([0.051e-3, 0.049e-3, 0.050e-3, 0.052e-3], 0.43e-3, FLOATS, 0.58e-3, 54e9),
    ([0.412, 1.31e-3, 1.27e-3, 1.30e-3, 1.28e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([2.83e-3, 2.80e-3, 2.81e-3, 2.80e-3], 2.6e-3, FLOATS, 2.0e-3, 54e9),
    # the first call compiled, and still nobody waited
    ([0.350, 0.051e-3, 0.050e-3, 0.050e-3], 0.12e-3, FLOATS, 0.58e-3, 54e9),
    # one run in the middle was disturbed
    ([1.29e-3, 1.27e-3, 9.80e-3, 1.28e-3, 1.27e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # the first reading alone is below the device's time
    ([0.05e-3, 1.31e-3, 1.29e-3, 1.30e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # runs that took longer than they should, since one copy is most of them
    ([0.620e-3, 0.611e-3, 0.612e-3], 0.60e-3, FLOATS, 0.57e-3, 54e9),
    ([3.1e-3, 1.40e-3, 1.41e-3], 1.2e-3, SEVEN, 0.60e-3, 54e9),
    ([2.5e-3, 2.4e-3, 2.4e-3], 2.3e-3, SEVEN, 0.40e-3, 54e9),
    ([0.90, 0.0004, 0.0004, 0.0090], 0.0005, FLOATS, 0.58e-3, 54e9),
    ([2.8e-3, 0.9e-3, 0.9e-3], 0.8e-3, FLOATS, 0.58e-3, 54e9),
    # more than twice the device's time, not twice the usual one; a copy somewhat slow
    ([2.7e-3, 1.40e-3, 1.39e-3, 1.41e-3], 1.05e-3, FLOATS, 0.80e-3, 54e9),
    # nobody waited but once; readings longer than the copy, and shorter than all the work
    ([1.50e-3, 0.70e-3, 0.70e-3, 0.71e-3, 0.9e-3], 0.80e-3, FLOATS, 0.58e-3, 54e9),
    # two runs were quicker than the one that the device's clock saw
    ([1.5e-3, 1.4e-3, 1.3e-3, 1.32e-3, 1.4e-3, 1.41e-3], 1.35e-3, FLOATS, 0.58e-3, 54e9),
    # in the middle of the list stands neither the shortest run nor the usual one
    ([1.03e-3, 1.00e-3, 1.29e-3, 1.30e-3, 1.31e-3, 1.02e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([1.9e-3, 1.30e-3, 2.9e-3, 0.9e-3, 1.31e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([2.8e-3, 1.60e-3, 1.28e-3, 1.61e-3, 1.29e-3, 1.27e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # of two readings in the middle, one is below the device's time
    ([1.2e-3, 0.9e-3, 1.3e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([1.2e-3, 0.9e-3, 1.1e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # copies at a third and at a twentieth of the wire's rate
    ([3.1e-3, 3.0e-3, 3.0e-3], 2.9e-3, FLOATS, 1.74e-3, 54e9),
    ([13.1e-3, 13.0e-3, 13.0e-3], 12.9e-3, FLOATS, 11.6e-3, 54e9),
    # with the first run among them the median is larger
    ([2.9e-3, 1.46e-3, 1.30e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
]
ON_EVERY_LIMIT = ([2.0, 1.0, 1.0], 1.0, 1.0, 1.0, 2.0)  # and beyond none


def mistake(read, device, copied, copy_seconds, wire):
    usual = median(read[1:])
    if usual < device:
        return "no wait"
    if read[0] > 2 * usual:
        return "first call"
    if copied / copy_seconds < wire / 2:
        return "pageable copy"
    return "none"


def cases(rng):
    """The usual ones on a machine that is the seed's, and in an order of its own."""

    def near(value):
        return value * float(rng.uniform(0.999, 1.001))

    faster, found = float(rng.uniform(0.5, 2)), []
    for read, device, copied, seconds, wire in USUAL:
        times = [near(each / faster) for each in read], near(device / faster)
        found.append((*times, copied, near(seconds / faster), near(wire * faster)))
    found.append(ON_EVERY_LIMIT)
    return [found[at] for at in (0, *(1 + rng.permutation(len(found) - 1)))]


WAIT = 'if usual < device:\n        return "no wait"\n    '
FIRST = 'if read[0] > 2 * usual:\n        return "first call"\n    '
COPY = 'if copied / copy_seconds < wire / 2:\n        return "pageable copy"\n    '

EXERCISE = Exercise(
    name="mistake",
    lab=13,
    task="Say which of three usual mistakes a measurement made, or that it made none.",
    solution=mistake,
    cases=cases,
    valid=lambda read, device, copied, copy_seconds, wire: (
        len(read) > 1 and min(*read, device, copied, copy_seconds, wire) > 0
    ),
    mend="`usual = median(read[1:])`, then in this order: `usual < device`, `read[0] > 2 * usual`, "
    "`copied / copy_seconds < wire / 2`",
    misconceptions=[
        Misconception(
            "no median of the readings",
            [
                edit("median(read[1:])", each)
                for each in (
                    "sum(read[1:]) / len(read[1:])",
                    "min(read[1:])",
                    "read[1:][len(read[1:]) // 2]",
                )
            ],
            "One slow or quick run changes your verdict.",
            "The median of the later readings ignores single runs that were disturbed.",
        ),
        Misconception(
            "the first reading among the usual ones",
            edit("median(read[1:])", "median(read)"),
            "The first reading changes what is usual.",
            "The first call may compile or load, so it's left out of the usual time.",
        ),
        Misconception(
            "a first call compared with the device's time",
            edit("read[0] > 2 * usual", "read[0] > 2 * device"),
            "You find first calls where all readings are long.",
            "A first call is slow compared with the later ones.",
        ),
        Misconception(
            "any slow run as a first call",
            edit("read[0] > 2 * usual", "max(read) > 2 * usual"),
            "A disturbance in the middle counts as a first call.",
            "Only `read[0]` is the first call.",
        ),
        Misconception(
            "a wrong order of the questions",
            [
                edit(WAIT + FIRST, FIRST + WAIT),
                edit(FIRST + COPY, COPY + FIRST),
            ],
            "Where two mistakes were made you name the wrong one.",
            "The exercise gives the order: a run that nobody waited for makes the other numbers "
            "meaningless.",
        ),
        Misconception(
            "a wrong criterion for the copy",
            [
                edit("copied / copy_seconds", "copied / device"),
                edit("copied / copy_seconds < wire / 2", "copy_seconds > device / 2"),
                edit("< wire / 2", "< wire"),
            ],
            "You take other copies for pageable, or miss pageable ones.",
            "A copy's rate is its bytes over its own time, and a copy made twice has less than "
            "half of the link's rate.",
        ),
    ],
)
