"""Lab 11, exercise 5: which mistake a measurement made."""

from __future__ import annotations

from ...grading.exercise import Exercise
from . import mistake_wrong as wrong
from .mistake_questions import QUESTIONS
from .mistake_readings import READINGS


def mistake(read, device, copied, copy_seconds, wire):
    return wrong.asked(read, device, copied, copy_seconds, wire)


MEGA = 1e6
FLOATS = 31.36 * MEGA
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
    # many runs that took longer than they should, since one copy is most of them
    ([0.620e-3, 0.611e-3, 0.612e-3], 0.60e-3, FLOATS, 0.57e-3, 54e9),
    ([3.1e-3, 1.40e-3, 1.41e-3], 1.2e-3, 7.84 * MEGA, 0.60e-3, 54e9),
    ([2.5e-3, 2.4e-3, 2.4e-3], 2.3e-3, 7.84 * MEGA, 0.40e-3, 54e9),
    ([0.90, 0.0004, 0.0004, 0.0090], 0.0005, FLOATS, 0.58e-3, 54e9),
    ([2.8e-3, 0.9e-3, 0.9e-3], 0.8e-3, FLOATS, 0.58e-3, 54e9),
    # more than twice the device's time, not twice the usual one; a copy somewhat slow
    ([2.7e-3, 1.40e-3, 1.39e-3, 1.41e-3], 1.05e-3, FLOATS, 0.80e-3, 54e9),
    # nobody waited but once; the readings are longer than the copy, and shorter than all the work
    ([1.50e-3, 0.70e-3, 0.70e-3, 0.71e-3, 0.9e-3], 0.80e-3, FLOATS, 0.58e-3, 54e9),
    # two runs were quicker than the one that the device's clock saw
    ([1.5e-3, 1.4e-3, 1.3e-3, 1.32e-3, 1.4e-3, 1.41e-3], 1.35e-3, FLOATS, 0.58e-3, 54e9),
    # in the middle of the list stands neither the shortest run nor the usual one
    ([1.03e-3, 1.00e-3, 1.29e-3, 1.30e-3, 1.31e-3, 1.02e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([1.9e-3, 1.30e-3, 2.9e-3, 0.9e-3, 1.31e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([2.8e-3, 1.60e-3, 1.28e-3, 1.61e-3, 1.29e-3, 1.27e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # a copy at a third of the wire's rate
    ([3.1e-3, 3.0e-3, 3.0e-3], 2.9e-3, FLOATS, 1.74e-3, 54e9),
    # a copy at a twentieth of the wire's rate
    ([13.1e-3, 13.0e-3, 13.0e-3], 12.9e-3, FLOATS, 11.6e-3, 54e9),
    # with the first run among them the median is larger
    ([2.9e-3, 1.46e-3, 1.30e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
]


def _cases(rng):
    """Return the usual ones on a machine that is the seed's, and in an order of its own."""

    def near(value):
        return value * float(rng.uniform(0.999, 1.001))

    cases, faster = [], float(rng.uniform(0.5, 2))
    for read, device, copied, seconds, wire in USUAL:
        cases.append(
            (
                [near(each / faster) for each in read],
                near(device / faster),
                copied,
                near(seconds / faster),
                near(wire * faster),
            )
        )
    cases.append(([2.0, 1.0, 1.0], 1.0, 1.0, 1.0, 2.0))  # on every limit, and beyond none
    return [cases[at] for at in (0, *(1 + rng.permutation(len(cases) - 1)))]


EXERCISE = Exercise(
    name="mistake",
    lab=11,
    reference=mistake,
    task="Say which of three usual mistakes a measurement made, or that it made none.",
    cases=_cases,
    misconceptions=READINGS + QUESTIONS,
)
