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
            "exchanged parts",
            edit("serial + (1 - serial) / n", "(1 - serial) + serial / n"),
            "Half serial is right. Otherwise less serial work gives you a smaller speed-up.",
            "`serial` is the part that one thread does alone. The threads share the other part, "
            "`1 - serial`.",
        ),
        Misconception(
            "the time instead of the speed-up",
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
            "the serial part divided too",
            [edit(LAW, "n / (1 + serial)"), edit(LAW, "float(n)"), edit(LAW, "n * (1 - serial)")],
            "Work without a serial part is right. Your results grow with `n` without a limit.",
            "Speed-ups of parts don't add up, but times do. The serial part takes its time however "
            "many threads wait for it.",
        ),
        Misconception(
            "the limit of infinitely many threads",
            [
                edit(LAW, "1 / serial"),
                edit(LAW, "1 / serial if serial else float(n)"),
                edit(LAW, "1 / max(serial, 1 / n)"),
            ],
            "Your result depends on `n` too little.",
            "`1 / serial` is the limit for infinitely many threads. With `n` threads the other "
            "part still takes `(1 - serial) / n`, after the serial one.",
        ),
        Misconception(
            "brackets left out",
            edit(LAW, "1 / serial + (1 - serial) / n"),
            "Work without a serial part raises an exception, and other speed-ups are too large.",
            "`1 / serial + ...` divides before it adds. The whole new time belongs below the line.",
        ),
        Misconception(
            "the efficiency",
            edit(LAW, f"{LAW} / n"),
            "Every result is too small by the factor `n`.",
            "The speed-up divided by the number of threads is the efficiency, another figure.",
        ),
        Misconception(
            "the gain only",
            edit(LAW, f"{LAW} - 1"),
            "Every result is too small by 1.",
            "Twice as fast is a speed-up of 2, and a speed-up of 1 means no gain.",
        ),
    ],
)
