"""Lab 11, exercise 1: activities into the rows of a profile's table."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from . import rows_wrong as wrong
from .rows_wrong import of_the_device, rows, summed, table


SMALL = [
    ("upload", "HtoD", 0, 40), ("kernel", "conv", 50, 80), ("call", "cudaLaunchKernel", 45, 48),
    ("kernel", "pool", 80, 85), ("kernel", "conv", 90, 140),
]  # fmt: skip
STREAMS = [
    ("upload", "HtoD", 0, 300), ("upload", "HtoD", 300, 610), ("kernel", "lenet", 305, 700),
    ("call", "cuLaunchKernel", 10, 15), ("kernel", "lenet", 615, 1000),
    ("download", "DtoH", 702, 712), ("call", "cudaStreamSynchronize", 20, 1020),
    ("kernel", "argmax", 690, 720), ("download", "DtoH", 1002, 1015),
    ("kernel", "argmax", 1001, 1031),  # as long as the one before
]  # fmt: skip


def _cases(rng):
    chance = []
    for number in range(40):
        start, length = int(rng.integers(0, 5000)), int(rng.integers(1, 900))
        kind, name = [
            ("kernel", "conv"),
            ("kernel", "pool"),
            ("upload", "HtoD"),
            ("call", "cudaMemcpyAsync"),
            ("kernel", "linear"),
        ][number % 5]
        chance.append((kind, name, start, start + length))
    return [
        (SMALL,),
        (STREAMS,),
        (chance,),
        ([("call", "cudaMalloc", 0, 9)],),
        (
            [
                ("kernel", "empty", 7, 7),
                ("call", "empty", 5, 6),
                ("kernel", "conv", 8, 2_500_020),  # longer than any guess
                ("kernel", "empty", 2_500_030, 2_500_033),
            ],
        ),
    ]


EXERCISE = Exercise(
    name="rows",
    lab=11,
    reference=rows,
    task="Turn a list of activities into the rows of a profile's table.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "the host's calls among them",
            lambda activities: table(activities, summed),
            symptom="Your table has rows for functions that the host called.",
            concept="The GPU's work and the host's calls are two tables: a call that waits for a "
            "kernel lasts as long as the kernel, and both in one table count it twice.",
            line='Leave out what is of kind `"call"`.',
        ),
        Misconception(
            "from the first to the last",
            lambda activities: table(
                of_the_device(activities), lambda g: max(e for _, e in g) - min(s for s, _ in g)
            ),
            symptom="Right for what was done once; else your time runs from the first beginning "
            "to the last end.",
            concept="Between two runs of one kernel others run, or nothing does. A row adds up "
            "what the kernel itself took.",
            line="Add `end - start` of each activity.",
        ),
        Misconception(
            "counted once where two overlap",
            lambda activities: table(of_the_device(activities), wrong.union),
            symptom="Right where one is done after the other; too short where two of a name "
            "overlap.",
            concept="A table adds up durations, also of what ran at the same time. That is why its "
            "total can be longer than the whole program. The union is the next exercise.",
            line="Add `end - start`, whatever else ran meanwhile.",
        ),
        Misconception(
            "the average",
            lambda activities: table(of_the_device(activities), lambda g: summed(g) / len(g)),
            symptom="Right for what was done once; else you are as many times too low as there "
            "were calls.",
            concept="The second value of a row is the time of all calls together.",
            line="Do not divide by the number of calls.",
        ),
        Misconception(
            "only the last one",
            wrong.last_only,
            symptom="Each of your rows has one call.",
            concept="A dictionary keeps one value for a name: what comes later replaces it.",
            line="Look up the row that is there, and add to it.",
        ),
        Misconception(
            "equal ones counted once",
            lambda activities: {
                name: (len(took), *map(float, (sum(took), min(took), max(took))))
                for name, group in wrong.by_name(of_the_device(activities)).items()
                for took in [{end - start for start, end in group}]
            },
            symptom="Right where all calls of a name differ in length; of two that are as long you "
            "count one.",
            concept="A set keeps each value once, and so do a dictionary's keys, or a list after "
            "`if took not in it`. Here two that are as long are two.",
            line="A list for each name that takes every length, or running sums.",
        ),
        Misconception(
            "microseconds",
            lambda activities: {
                name: (row[0], *(each / 1000 for each in row[1:]))
                for name, row in rows(activities).items()
            },
            symptom="Your times are a thousand times too short.",
            concept="A profile is a list of nanoseconds, and so is this table.",
            line="`end - start`, as it is.",
        ),
        Misconception(
            "kinds in place of names",
            wrong.kinds_for_names,
            symptom="Your rows are named after kinds, such as kernel and upload.",
            concept="All kernels are of one kind. The row that you would attack is one of them.",
            line="Group by the second value of each activity, its name.",
        ),
        Misconception(
            "the longest for the total",
            wrong.changed(lambda calls, total, least, most: (calls, most, least, most)),
            symptom="Right for what was done once; else your second value is the longest call, "
            "not all of them together.",
            concept="What a line of the table costs is the sum of its calls.",
            line="Second comes the sum of all: `total + took`.",
        ),
        Misconception(
            "shortest and longest exchanged",
            wrong.changed(lambda calls, total, least, most: (calls, total, most, least)),
            symptom="Right for what was done once; else your last two values have changed places.",
            concept="The order is calls, total, shortest, longest.",
            line="`min(...)` third, `max(...)` fourth.",
        ),
        Misconception(
            "the shortest begins at 0",
            wrong.from_zero,
            symptom="Your shortest is always 0.",
            concept="Nothing is shorter than 0, so a `min` with 0 in it never moves.",
            line="`min(shortest, took)`, begun with the first call's own `took`.",
        ),
        Misconception(
            "ends for times",
            wrong.changed(
                lambda calls, total, least, most: (calls, total + calls, least + 1, most + 1)
            ),
            symptom="Each activity is a nanosecond too long.",
            concept="From `start` to `end` it is `end - start`; both are moments, not steps "
            "that are counted.",
            line="`end - start`, and nothing more.",
        ),
        Misconception(
            "the copies left out",
            wrong.copies_out,
            symptom="Your table has kernels only.",
            concept="A copy is work of the GPU too, and often the longest line.",
            line='Leave out `"call"` alone.',
        ),
        Misconception(
            "a row anew after every other",
            wrong.neighbours_only,
            symptom="Right where a kernel's calls follow one another; else earlier calls are "
            "forgotten.",
            concept="The calls of one kernel are spread over the whole list.",
            line="Look the row up by its name, whatever came in between.",
        ),
        Misconception(
            "a list of rows",
            wrong.in_the_other_order,
            symptom="Your rows are a list.",
            concept="Asked for is a dictionary, so that a row is found by its name. Order is "
            "for whoever prints it.",
            line="`{name: (calls, total, shortest, longest)}`",
        ),
        Misconception(
            "no calls",
            wrong.changed(lambda calls, total, least, most: (total, least, most)),
            symptom="Your rows have three values.",
            concept="Eight calls of 1 µs are another matter than one of 8: the number of calls "
            "comes first.",
            line="`(calls, total, shortest, longest)`",
        ),
        Misconception(
            "kind and name together",
            lambda activities: {
                (kind, name): row
                for name, row in rows(activities).items()
                for kind in {each[0] for each in activities if each[1] == name}
            },
            symptom="Your keys are pairs of kind and name.",
            concept="A row is found by what was done: its name. The kind says only whether it is "
            "the GPU's.",
            line="`found[name]`, not `found[kind, name]`.",
        ),
        Misconception(
            "copies one way left out",
            lambda activities, kind="upload": rows(
                [each for each in activities if each[0] != kind]
            ),
            symptom="Your table lacks the copies of one direction, to the GPU or back.",
            concept="A copy either way is work of the GPU's engines.",
            line="Leave out calls, and nothing else.",
            choices={"kind": ("download",)},
        ),
        Misconception(
            "first and last for shortest and longest",
            wrong.in_order,
            symptom="Right where the first call is the shortest and the last one the longest; else"
            " your last two values are those of the first and the last one.",
            concept="Calls come in the order of time, not of their length.",
            line="`min(...)` and `max(...)` over all of them.",
        ),
        Misconception(
            "either shortest or longest",
            wrong.either,
            symptom="Your longest leaves out calls that were the shortest so far, the first one "
            "among them: of a single call it is 0.",
            concept="The first call of a name is its shortest *and* its longest till then.",
            line="Two tests, `if` and `if`, not `elif`; or `min` and `max`, both each time.",
        ),
        Misconception(
            "the last end for the longest",
            wrong.last_end,
            symptom="Your longest is a moment, not a length of time: when the last one ended.",
            concept="`end` counts from the start of the program, `end - start` from the "
            "activity's own.",
            line="`max(most, end - start)`.",
        ),
    ],
)
