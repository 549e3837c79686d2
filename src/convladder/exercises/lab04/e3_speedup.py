"""Lab 04, exercise 3: Amdahl's law."""

from ..draws import real, whole
from ..exercise import Exercise, Misconception, edit


def speedup(serial, n):
    return 1 / (serial + (1 - serial) / n)


LAW = "1 / (serial + (1 - serial) / n)"

EXERCISE = Exercise(
    name="speedup",
    lab=4,
    task="How many times faster are n threads than one, if a part of the work stays serial?",
    solution=speedup,
    cases=lambda rng: [
        *[(0.2, 2), (0.5, 4), (0.0, 8), (1.0, 8)],
        (real(rng, 0.02, 0.3), whole(rng, 3, 1000)),
        (0.3, 1),
    ],
    valid=lambda serial, n: 0 <= serial <= 1 and n >= 1,
    mend=f"`{LAW}`: the old time is 1, and the new time is the sum of both parts",
    misconceptions=[
        Misconception(
            "the two parts exchanged",
            edit("serial + (1 - serial) / n", "(1 - serial) + serial / n"),
            "Half serial is right. Otherwise less serial work gives you a smaller speed-up.",
            "`serial` is the part that one thread does alone. The threads share the other part, "
            "`1 - serial`.",
        ),
        Misconception(
            "the time in place of the speed-up",
            edit(LAW, "serial + (1 - serial) / n"),
            "Your results fall as threads are added.",
            "You return the new time as a fraction of the old one. The speed-up is old time over "
            "new time.",
        ),
        Misconception(
            "Gustafson's law",
            edit(LAW, "serial + (1 - serial) * n"),
            "With many threads your results pass the limit `1 / serial`.",
            "Gustafson's law lets the work grow with the threads. Amdahl's law asks about the same "
            "amount of work.",
        ),
        Misconception(
            "brackets left out",
            edit(LAW, "1 / serial + (1 - serial) / n"),
            "Work without a serial part raises an exception, and other speed-ups are too large.",
            "`1 / serial + ...` divides before it adds. The whole new time belongs below the line.",
        ),
    ],
)
