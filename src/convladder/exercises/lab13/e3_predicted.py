"""Lab 13, exercise 3: what a faster kernel does for a program that its host may hold up."""

from ..draws import real
from ..exercise import Exercise, Misconception, edit

# (name, microseconds) of each step
TOY = [("conv", 10.0), ("pool", 2.0), ("conv", 10.0)]
SMALL = [("linear", 1.5)] * 6
MIXED = [
    ("conv", 9.0),
    ("relu", 1.0),
    ("pool", 1.0),
    ("conv", 12.0),
    ("relu", 1.0),
    ("pool", 1.0),
    ("linear", 2.0),
    ("linear", 6.0),
    ("softmax", 1.0),
]
LIKE = [("conv", 8.0), ("conv2", 6.0), ("deconv", 4.0), ("con", 2.0)]  # names within names
LATE = [("scale", 0.5), ("scale", 0.5), ("scale", 0.5), ("conv", 40.0), ("scale", 0.5)]


def predicted(steps, issue, name, factor):
    called = done = 0.0
    for each, seconds in steps:
        called += issue
        done = max(called, done) + (seconds / factor if each == name else seconds)
    return done


BEGIN = "max(called, done)"
STEP = "(seconds / factor if each == name else seconds)"

EXERCISE = Exercise(
    name="predicted",
    lab=13,
    task="Predict a program's time when one kernel gets faster and the host does not.",
    solution=predicted,
    cases=lambda rng: [
        (TOY, 3.0, "conv", 2.0),
        (TOY, 3.0, "conv", 10.0),
        (SMALL, 4.0, "linear", 3.0),
        (MIXED, 3.0, "conv", 4.0),
        (MIXED, 3.0, "relu", 2.0),
        (LATE, 5.0, "scale", 5.0),
        (MIXED, 0.0, "linear", 2.0),
        (TOY, 1.0, "conv", 0.5),
        (LIKE, 1.0, "conv", 2.0),
        ([(n, real(rng, 0.5, 12)) for n, _ in MIXED], real(rng, 2, 4), "conv", real(rng, 2, 5)),
    ],
    valid=lambda steps, issue, name, factor: (
        factor > 0 and issue >= 0 and all(seconds >= 0 for _, seconds in steps)
    ),
    mend="Each step: `called += issue`, then `done = max(called, done) + seconds`, with "
    "`seconds / factor` where `each == name`",
    misconceptions=[
        Misconception(
            "no host",
            edit(BEGIN, "done"),
            "You add up what the GPU does, as if every step were issued already.",
            "A step can't begin before the host has issued it.",
        ),
        Misconception(
            "calls and steps one after the other",
            edit(BEGIN, "issue + done"),
            "Your time is that of all calls and all steps together.",
            "The host issues the next step while the GPU works.",
        ),
        Misconception(
            "the longer of two totals",
            edit(
                "    called = done",
                "    total = sum(s / factor if n == name else s "
                "for n, s in steps)\n    return max(len(steps) * issue, total)\n"
                "    called = done",
            ),
            "Your time is the longer of the host's total and the GPU's.",
            "The two take turns in holding each other up. Only a walk through the steps shows it.",
        ),
        Misconception(
            "the longer of each pair",
            edit(f"{BEGIN} + {STEP}", f"done + max(issue, {STEP})"),
            "Each step takes the longer of its call and its kernel.",
            "A host that is ahead has issued several steps before: keep its clock apart.",
        ),
        Misconception(
            "a first step without its call",
            edit(
                "        called += issue\n        done = ",
                "        done = ",
                STEP,
                STEP + "\n        called += issue",
            ),
            "Your time is one call too early.",
            "The first step too has to be issued before it begins.",
        ),
        Misconception(
            "the wrong kernels faster",
            [
                edit("each == name", "name in each"),
                edit(STEP, "seconds / factor"),
            ],
            "Other kernels get faster as well.",
            "Only steps whose name equals `name` change.",
        ),
    ],
)
