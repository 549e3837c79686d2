"""Lab 04, exercise 3: Amdahl's law."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import real, whole


def speedup(serial, n):
    return 1 / (serial + (1 - serial) / n)


EXERCISE = Exercise(
    name="speedup",
    lab=4,
    reference=speedup,
    task="How many times faster is it on n threads, if a part of the work stays serial?",
    cases=lambda rng: [
        (0.2, 2),
        (0.5, 4),
        (0.0, 8),
        (1.0, 8),
        (real(rng, 0.02, 0.3), whole(rng, 3, 1000)),
        (0.3, 1),
    ],
    misconceptions=[
        Misconception(
            "parts exchanged",
            lambda serial, n: 1 / ((1 - serial) + serial / n),
            symptom="With half of the work serial you are right; the less is serial, the less you "
            "gain: that is upside down.",
            concept="`serial` is the part that only one thread does. The other part, "
            "`1 - serial`, is what n threads share.",
            line="Exchange `serial` and `1 - serial`.",
        ),
        Misconception(
            "time, not speed-up",
            lambda serial, n: serial + (1 - serial) / n,
            symptom="Your answers fall as threads are added, unless everything is serial.",
            concept="You computed the time that is left, as a part of the time on one thread. "
            "A speed-up is old time over new time.",
            line="Return `1 / (...)` of it.",
        ),
        Misconception(
            "Gustafson's law",
            lambda serial, n: serial + (1 - serial) * n,
            symptom="With many threads your answers pass the limit `1 / serial`.",
            concept="The mean of 1 and n, weighted by the parts, is Gustafson's law: there the "
            "work grows with the threads. Amdahl asks about the same work: then the serial "
            "part alone takes `serial` of the time, however many threads there are.",
            line="Add the times of both parts, `serial + (1 - serial) / n`, and divide 1 by that.",
        ),
        Misconception(
            "all of it shared",
            lambda serial, n: float(n),
            symptom="You return n, whatever the serial part.",
            concept="Only `1 - serial` of the work is divided by n.",
            line="Add what is not divided: `serial + (1 - serial) / n`, and divide 1 by that.",
        ),
        Misconception(
            "parallel part times n",
            lambda serial, n: (1 - serial) * n,
            symptom="With nothing serial you are right; with everything serial you get 0: "
            "infinitely slow.",
            concept="Speed-ups of parts do not add up; times do. Add the times of both parts, and "
            "take the quotient at the end.",
            line="The new time is `serial + (1 - serial) / n`; divide 1 by it.",
        ),
        Misconception(
            "serial part divided too",
            lambda serial, n: n / (1 + serial),
            symptom="Right with nothing serial; with everything serial you still return half of n.",
            concept="The serial part takes as long on n threads as on one.",
            line="Only `(1 - serial)` stands over `n`: `serial + (1 - serial) / n`, and 1 is "
            "divided by that sum.",
        ),
        Misconception(
            "serial part shared",
            lambda serial, n: 1 / (serial + (1 - serial / n)),
            symptom="With one thread you are right; with more you never pass 1.",
            concept="It is the other part, `1 - serial`, that the threads share.",
            line="`serial + (1 - serial) / n`: `n` stands under all of `1 - serial`, which takes "
            "brackets.",
        ),
        Misconception(
            "in percent",
            lambda serial, n: 100 / (serial + (1 - serial) / n),
            symptom="Your answers are 100 times too large.",
            concept="A speed-up of 2 means: half of the time. It has no unit and is no percentage.",
            line="Old time over new time as it is: no factor of 100, before or behind.",
        ),
        Misconception(
            "one thread too many",
            lambda serial, n: 1 / (serial + (1 - serial) / (n + 1)),
            symptom="On one thread you find a gain already, unless everything is serial.",
            concept="The thread that waits for the others does no work: n threads are n workers.",
            line="Divide by `n`, not by `n + 1`.",
        ),
        Misconception(
            "all of the work shared, and the serial part again",
            lambda serial, n: 1 / (serial + 1 / n),
            symptom="Right with nothing serial; elsewhere too small, and with everything serial "
            "below 1.",
            concept="Your new time is `serial + 1 / n`. The two parts add up to 1: what is serial "
            "is not shared as well.",
            line="1 over `serial + (1 - serial) / n`, the new time.",
        ),
        Misconception(
            "serial part on every thread",
            lambda serial, n: 1 / (serial * n + (1 - serial) / n),
            symptom="Right with nothing serial; with a serial part, many threads come out slower "
            "than one.",
            concept="The serial part is done once, by one thread, while the others wait.",
            line="`serial + (1 - serial) / n`: `serial` counts once, however large `n` is.",
        ),
        Misconception(
            "one thread kept for the serial part",
            lambda serial, n: 1.0 if n == 1 else 1 / max(serial, (1 - serial) / (n - 1)),
            symptom="On one thread you are right. On more, your two parts run at the same time.",
            concept="The serial part is what the others wait for: they begin behind it, and then "
            "all `n` threads share the rest. So the two times add up.",
            line="`serial + (1 - serial) / n`: a sum in place of `max`, and `n`, not `n - 1`.",
        ),
        Misconception(
            "serial part taken for percent",
            lambda serial, n: speedup(serial / 100, n),
            symptom="You divide the serial part by 100, and find too much of a gain.",
            concept="`serial` is a share from 0 to 1 already: 0.2 is a fifth.",
            line="`serial` as it is.",
        ),
        Misconception(
            "one thread too few",
            lambda serial, n: 1 / (serial + (1 - serial) / (n - 1 if n > 1 else 1)),
            symptom="You share the parallel part among one thread less than there are.",
            concept="While the parallel part runs there is nothing serial to do: all `n` threads "
            "share it.",
            line="`(1 - serial) / n`, not `n - 1`.",
        ),
        Misconception(
            "no end where nothing is serial",
            lambda serial, n: speedup(serial, n) if serial else float("inf"),
            symptom="Right with a serial part. With none you return infinity.",
            concept="Without a serial part there is no limit as threads are added. But `n` threads "
            "are still no more than `n` times as fast.",
            line="No case of its own for `serial == 0`: the formula gives `n` there.",
        ),
        Misconception(
            "no time for the serial part",
            lambda serial, n, at_one=1.0: n / (1 - serial) if serial < 1 else at_one,
            choices={"at_one": (float("inf"),)},
            symptom="Right with nothing serial. With a serial part you find more of a gain than "
            "there are threads.",
            concept="The serial part takes its time too, however many threads wait for it.",
            line="`serial + (1 - serial) / n` is the new time, of both parts: 1 over that.",
        ),
        Misconception(
            "efficiency",
            lambda serial, n: 1 / (serial + (1 - serial) / n) / n,
            symptom="Every answer is too small by the factor `n`: none is above 1.",
            concept="The speed-up over the number of threads is the efficiency, another figure. "
            "`1 / (serial * n + 1 - serial)` is the same.",
            line="`1 / (serial + (1 - serial) / n)`: `n` divides the parallel part of the new "
            "time, and nothing else is multiplied or divided by it.",
        ),
        Misconception(
            "the limit only",
            lambda serial, n, careful=False: float(n) if careful and not serial else 1 / serial,
            choices={"careful": (True,)},
            symptom="You return `1 / serial`, what infinitely many threads would reach.",
            concept="With n threads the parallel part still takes `(1 - serial) / n`.",
            line="Add `(1 - serial) / n` to what you divide by, in brackets, and with `/`: `//` "
            "makes 0 of it.",
        ),
        Misconception(
            "the smaller of two limits",
            lambda serial, n, careful=False: n if careful and not serial else min(n, 1 / serial),
            choices={"careful": (True,)},
            symptom="You return n or `1 / serial`, whichever is less.",
            concept="One part comes after the other: `serial` of the time, then "
            "`(1 - serial) / n` of it.",
            line="Add both times, and divide 1 by the sum.",
        ),
        Misconception(
            "brackets forgotten",
            lambda serial, n, careful=False: (
                (1.0 if careful and not serial else 1 / serial) + (1 - serial) / n
            ),
            choices={"careful": (True,)},
            symptom="With a serial part your speed-up is never below `1 / serial`, the limit of "
            "infinitely many threads.",
            concept="`1 / serial + ...` divides before it adds.",
            line="Brackets around the new time: `1 / (serial + (1 - serial) / n)`.",
        ),
        Misconception(
            "what is gained on top",
            lambda serial, n: 1 / (serial + (1 - serial) / n) - 1,
            symptom="All your answers are one too small: no gain is 0 with you.",
            concept="Twice as fast is a speed-up of 2, and 1 means no gain at all.",
            line="Old time over new time, and no 1 taken off. (`(old - new) / new` takes it off, "
            "too.)",
        ),
        Misconception(
            "time that is saved",
            lambda serial, n: 1 - (serial + (1 - serial) / n),
            symptom="You return the share of the time that is saved.",
            concept="A speed-up is a quotient: old time over new time.",
            line="`1 / (serial + (1 - serial) / n)`: divide 1 by the new time.",
        ),
        Misconception(
            "all divided by n",
            lambda serial, n: n * 1.0 / (serial * n + 1 - serial + serial / n),
            symptom="Right with nothing serial; elsewhere too low, most on few threads.",
            concept="The new time has two terms, the serial one and the shared one. You have a "
            "third.",
            line="`1 / (serial + (1 - serial) / n)`, and nothing else.",
        ),
        Misconception(
            "rounded to whole numbers",
            lambda serial, n, whole=int: float(whole(speedup(serial, n))),
            symptom="You return whole numbers.",
            concept="A speed-up of 1.9 is nearly 2, and `//` or `int` makes 1 of it: they drop "
            "what is behind the point. `round` drops it too, to the nearest.",
            line="Divide with `/`, and round nothing.",
            choices={"whole": (round,)},
        ),
    ],
)
