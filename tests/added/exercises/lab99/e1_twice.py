"""An exercise, the first of lab 99."""

from convladder.teach.grading.exercise import Exercise, Misconception


def twice(n):
    return 2 * n


EXERCISE = Exercise(
    name="twice",
    lab=99,
    reference=twice,
    task="Return twice a number.",
    cases=lambda rng: [(3,), (int(rng.integers(5, 100)),)],
    misconceptions=[
        Misconception(
            "squared",
            lambda n: n * n,
            symptom="It is right for 0 and 2 only.",
            concept="Twice a number is the number and itself again.",
            line="Add, do not multiply.",
        ),
    ],
)
