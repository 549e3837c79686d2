"""Lab 10, exercise 3: what a faster line of the table does for the whole program."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception


def predicted(wall, device, name, factor):
    return wall - device[name] + device[name] / factor


def _share(device, name):
    return device[name] / sum(device.values())


RTX_2060 = {"Linear": 0.3525, "Conv": 0.2262, "MaxPool": 0.072233, "HtoD": 0.013746,
            "DtoH": 0.0076724}
BATCHED = {"Linear": 0.024829, "Conv": 0.018744, "HtoD": 0.0082652, "MaxPool": 0.0011606}
CASES = [
    (10.0, {"conv": 4.0, "copy": 1.0}, "conv", 2.0),
    (10.0, {"conv": 4.0, "copy": 1.0}, "copy", 4.0),
    (6.3073, RTX_2060, "Linear", 8.0),
    (0.0540, BATCHED, "Conv", 1.83),
    (0.0540, BATCHED, "Linear", 6.4),
    (1.5, {"conv": 0.5}, "conv", 0.5),
]

EXERCISE = Exercise(
    name="predicted", lab=10, reference=predicted,
    task="Predict a program's time when one line of its profile gets faster.",
    cases=lambda rng: [(wall, dict(device), name, factor) for wall, device, name, factor in CASES],
    misconceptions=[
        Misconception(
            "the table's share of the wall clock",
            lambda wall, device, name, factor: wall * (
                1 - _share(device, name) + _share(device, name) / factor),
            symptom="You are too hopeful wherever the GPU's table is shorter than the program.",
            concept="The first column is a share of what the GPU did. In the first program "
                    "on the RTX 2060 that is 0.67 s of 6.31: half of the table is a twentieth of "
                    "the program.",
            line="Take the line's own seconds from the wall clock, not its share."),
        Misconception(
            "the host forgotten",
            lambda wall, device, name, factor: sum(device.values()) - device[name] + (
                device[name] / factor),
            symptom="Your times are shorter than what the program already takes elsewhere.",
            concept="Launches, waits and everything else on the host stay as they are.",
            line="Begin with `wall`, not with the sum of the table."),
        Misconception(
            "everything faster", lambda wall, device, name, factor: wall / factor,
            symptom="The whole program gets faster with you.",
            concept="Only one line does; the rest is Amdahl's serial part.",
            line="Divide `device[name]` by the factor, and nothing else."),
        Misconception(
            "the line gone", lambda wall, device, name, factor: wall - device[name],
            symptom="You give the limit, which no factor reaches.",
            concept="With a factor of 2, half of the line is still there.",
            line="Add `device[name] / factor` again."),
        Misconception(
            "how many times as fast",
            lambda wall, device, name, factor: wall / predicted(wall, device, name, factor),
            symptom="You return the quotient of the two times.",
            concept="What is asked is the time after the change, in seconds.",
            line="Return the new time itself."),
        Misconception(
            "what is left taken off", lambda wall, device, name, factor: wall - (
                device[name] / factor),
            symptom="Right for a factor of 2, and for no other.",
            concept="Half gone is half left. A line four times as fast loses three quarters.",
            line="Take off the old seconds, add the new ones."),
        Misconception(
            "times the factor", lambda wall, device, name, factor: wall - device[name] + (
                device[name] * factor),
            symptom="Your program gets slower.",
            concept="Twice as fast is half the time.",
            line="`device[name] / factor`."),
        Misconception(
            "only the line's new time",
            lambda wall, device, name, factor: device[name] / factor,
            symptom="You return what the line takes, and the program does more.",
            concept="The other lines and the host still take what they took.",
            line="`wall - device[name] + ...`"),
    ],
)
