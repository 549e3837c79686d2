"""An exercise, the first of lab 99."""

from convladder.exercises.exercise import Exercise, Misconception, edit


def twice(n):
    return 2 * n


EXERCISE = Exercise(
    name="twice",
    lab=99,
    task="Return twice a number.",
    solution=twice,
    cases=lambda rng: [(3,), (int(rng.integers(5, 100)),)],
    mend="`2 * n`",
    misconceptions=[
        Misconception(
            "squared",
            edit("2 * n", "n * n"),
            "It is right for 0 and 2 only.",
            "Twice a number is the number and itself again.",
        )
    ],
)
