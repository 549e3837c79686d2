"""Lab 11, exercise 3: what a faster kernel does for a program that its host may hold up."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import real
from . import predicted_wrong as wrong


def predicted(steps, issue, name, factor):
    return wrong.ends(wrong.faster(steps, name, factor), issue)


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
USUAL = [
    (TOY, 3.0, "conv", 2.0),
    (TOY, 3.0, "conv", 10.0),
    (SMALL, 4.0, "linear", 3.0),
    (MIXED, 3.0, "conv", 4.0),
    (MIXED, 3.0, "relu", 2.0),
    (LATE, 5.0, "scale", 5.0),
    (MIXED, 0.0, "linear", 2.0),
    (TOY, 1.0, "conv", 0.5),
    (LIKE, 1.0, "conv", 2.0),
]


def _cases(rng):
    drawn = [(name, real(rng, 0.5, 12)) for name, _ in MIXED]
    cases = [*USUAL, (drawn, real(rng, 2, 4), "conv", real(rng, 2, 5))]
    return [(list(steps), *rest) for steps, *rest in cases]


EXERCISE = Exercise(
    name="predicted",
    lab=11,
    reference=predicted,
    task="Predict a program's time when one kernel gets faster and the host does not.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "the host forgotten",
            wrong.total(lambda gpu, host, issue: gpu),
            symptom="You add up what the GPU does. It has to be told first, step by step.",
            concept="A step cannot begin before its call has come back. However quick your "
            "kernels get, the program is not done before the host has issued the last.",
            line="`begin = max(called, done)`, with `called` growing by `issue` at every step.",
        ),
        Misconception(
            "only the first call",
            wrong.total(lambda gpu, host, issue: gpu + issue),
            symptom="Right where every call but the first is hidden; too hopeful where the GPU "
            "waits for a later one.",
            concept="The first call is always seen. A later one hides behind the step before it "
            "only if that step lasts long enough.",
            line="Compare for each step when its call is back and when the GPU is free.",
        ),
        Misconception(
            "calls and steps one after the other",
            wrong.total(lambda gpu, host, issue: gpu + host),
            symptom="Your time is that of all calls and of all steps together.",
            concept="A launch comes back at once: the host issues the next step while the GPU is "
            "still at work.",
            line="A step begins at `max(called, done)`, with a clock of its own for each.",
        ),
        Misconception(
            "the longer of two totals",
            wrong.total(lambda gpu, host, issue: max(gpu, host)),
            symptom="Your time is the longer of the host's total and the GPU's. Where calls "
            "take time, both are too short.",
            concept="The GPU cannot begin before the first call is back, and the last step begins "
            "after the last call. And who waits for whom can change on the way.",
            line="Go through the steps one by one, with two clocks.",
        ),
        Misconception(
            "the longer total and a call",
            wrong.total(lambda gpu, host, issue: max(gpu, host) + issue),
            symptom="Right where the GPU, once it has begun, never waits for a call, and is "
            "longer at work than all calls take.",
            concept="The larger of two totals, and a call before it, does not see *when* the GPU "
            "waits; and after the last call there is a kernel, not another call.",
            line="Two clocks in one loop: `called += issue`, then "
            "`done = max(called, done) + seconds`.",
        ),
        Misconception(
            "the longer of each pair",
            wrong.longer_of_each,
            symptom="Your time is as if each step took the longer one of call and kernel.",
            concept="The first kernel comes *after* its call. And while a long kernel runs, the "
            "host issues several steps, whose calls are then no longer seen.",
            choices={"calls": (1,)},
            line="Keep the host's clock and the GPU's apart, from the first step to the last.",
        ),
        Misconception(
            "what the GPU saves",
            wrong.old_time_less_the_gain,
            symptom="Right where the GPU is never idle once it has begun, before the change and "
            "after it; where it waits for the host, you take off more than is won.",
            concept="Time that a kernel no longer needs is saved only if the next step is already "
            "there. Else the GPU waits, and nothing is won.",
            line="Run through the steps again with the new times; do not subtract from the old.",
        ),
        Misconception(
            "begins with the call",
            wrong.timed(first=0),
            symptom="You are one call too early, wherever calls take time.",
            concept="A step is in the queue when its call has *come back*.",
            line="Step `number` begins at `(number + 1) * issue` or later: the first at `issue`, "
            "not at 0.",
        ),
        Misconception(
            "the first of its name",
            lambda steps, issue, name, factor, last=False: float(
                wrong.ends(wrong.first_of_its_name(steps, name, factor, last), issue)
            ),
            symptom="Right where the kernel runs once; else only one of its runs changes with you.",
            concept="A kernel is a line of the profile with many calls, and all of them change.",
            line="Test the name of every step.",
            choices={"last": (True,)},
        ),
        Misconception(
            "names that begin or end with it",
            wrong.names_beside,
            symptom="With you a kernel gets faster whose name only begins, or ends, like the one "
            "that is meant.",
            concept="`conv2` and `deconv` are other kernels than `conv`.",
            line="`each == name`, the name as a whole.",
            choices={"ends_with": (True,)},
        ),
        Misconception(
            "everything faster",
            wrong.timed(lambda steps, name, factor: [seconds / factor for _, seconds in steps]),
            symptom="With you all kernels change.",
            concept="The others stay as they are, and so does the host.",
            line="`seconds / factor if each == name else seconds`",
        ),
        Misconception(
            "names that contain it",
            wrong.names_within,
            symptom="Right where no kernel's name contains the other's; else both get faster.",
            concept="`conv` is a part of `conv2`, which is another kernel. `in` between two "
            "strings, or `find`, asks only for a part.",
            line="`each == name`: the whole name.",
            choices={"turned": (True,)},
        ),
        Misconception(
            "each name once",
            wrong.each_name_once,
            symptom="Right where all names differ; else of several steps of one name one is left.",
            concept="A dictionary has one place for a name, and a later step takes it over.",
            line="`for each, seconds in steps`: a list of pairs as it is.",
        ),
        Misconception(
            "whole numbers only",
            wrong.timed(
                lambda steps, name, factor: [
                    seconds // factor if each == name else seconds for each, seconds in steps
                ]
            ),
            symptom="Right where the quotient is a whole number; else the kernel comes out too "
            "short.",
            concept="`//` and `int` round down. Times have fractions.",
            line="`seconds / factor`, as it is.",
        ),
        Misconception(
            "one more than the factor",
            wrong.timed(
                lambda steps, name, factor: [
                    seconds / (1 + factor) if each == name else seconds for each, seconds in steps
                ]
            ),
            symptom="Your kernel gets `1 + factor` times as fast.",
            concept="Twice as fast is a factor of 2: half the time.",
            line="`seconds / factor`, with nothing added.",
        ),
        Misconception(
            "a call for each name",
            wrong.a_call_for_each_name,
            symptom="Right where each name comes once, or calls are never waited for; else you let "
            "a kernel's later steps begin without a call of their own.",
            concept="Every step is a launch, also of a kernel that ran before.",
            line="`called += issue` in every turn of the loop.",
        ),
        Misconception(
            "the calls faster too",
            wrong.calls_faster_too,
            symptom="Calls change with you as well: you are wrong where the GPU waits for them, "
            "for the first one too.",
            concept="To launch a short kernel takes as long as to launch a long one.",
            line="`called += issue`, whichever step it is.",
            choices={"of_all": (True,)},
        ),
        Misconception(
            "times the factor",
            wrong.timed(
                lambda steps, name, factor: [
                    seconds * factor if each == name else seconds for each, seconds in steps
                ]
            ),
            symptom="Where the kernel gets faster, your program gets slower.",
            concept="Twice as fast is half the time.",
            line="Divide by the factor.",
        ),
        Misconception(
            "the kernel gone",
            wrong.timed(
                lambda steps, name, factor: [
                    0.0 if each == name else seconds for each, seconds in steps
                ]
            ),
            symptom="You give the limit, which no factor reaches.",
            concept="With a factor of 2 half of the kernel is still there.",
            line="`seconds / factor`, not 0.",
        ),
        Misconception(
            "how many times as fast",
            lambda steps, issue, name, factor: (
                wrong.ends([seconds for _, seconds in steps], issue)
                / predicted(steps, issue, name, factor)
            ),
            symptom="You return the quotient of the two times.",
            concept="What is asked is the time after the change.",
            line="Return the new time itself.",
        ),
        Misconception(
            "all but the first of its name",
            wrong.timed(wrong.all_but_the_first),
            symptom="The first of the steps that change takes as long as before.",
            concept="The kernel got faster, and with it every call of it.",
            line="Divide wherever the step's name is `name`.",
        ),
        Misconception(
            "two totals and a beginning",
            lambda steps, issue, name, factor, last=False: float(
                max(
                    sum(wrong.faster(steps, name, factor)) + issue,
                    len(steps) * issue + last * wrong.faster(steps, name, factor)[-1],
                )
            ),
            symptom="Your time is the longer of two totals, the host's and the GPU's. Somewhere "
            "the GPU waits for the host and is then busy again: totals do not see that.",
            concept="Who waits for whom changes from step to step. A GPU that waited for a call "
            "early on does not get that time back.",
            line="Two clocks, step by step: `done = max(called, done) + seconds`.",
            choices={"last": (True,)},
        ),
        Misconception(
            "Amdahl's law",
            wrong.amdahl,
            symptom="Your time is the old one, changed by the kernel's share of all steps.",
            concept="Amdahl's law asks for the share of the whole time, in which the GPU also "
            "waits for calls. And where it waits, a quicker kernel may save nothing.",
            line="Run through the steps again with the new times.",
        ),
        Misconception(
            "the host one step ahead",
            wrong.host_waits_for_the_begin,
            symptom="Your time is as if the host issued a step only when the one before it has "
            "begun.",
            concept="The host waits for nothing: it may be many calls ahead of the GPU.",
            line="`called += issue`, whatever the GPU does.",
        ),
        Misconception(
            "what is saved, not what is left",
            wrong.timed(
                lambda steps, name, factor: [
                    seconds * (1 - 1 / factor) if each == name else seconds
                    for each, seconds in steps
                ]
            ),
            symptom="Twice as fast is right with you; a larger factor leaves *more* of the kernel.",
            concept="`1 - 1 / factor` is the share that is saved. What is left is `1 / factor`.",
            line="`seconds / factor`.",
        ),
        Misconception(
            "the later of call and end",
            wrong.end_or_call,
            symptom="You take the later of a step's call and the end of the one before *with* "
            "this step in it.",
            concept="A step takes its time after its call, too: it begins when both are there, "
            "and then it runs.",
            line="`done = max(called, done) + seconds`.",
        ),
    ],
)
