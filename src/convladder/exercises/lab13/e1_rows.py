"""Lab 13, exercise 1: activities into the rows of a profile's table."""

from ..exercise import Exercise, Misconception, edit

# (kind, name, start, end) in nanoseconds
SMALL = [
    ("upload", "HtoD", 0, 40),
    ("kernel", "conv", 50, 80),
    ("call", "cudaLaunchKernel", 45, 48),
    ("kernel", "pool", 80, 85),
    ("kernel", "conv", 90, 140),
]
STREAMS = [
    ("upload", "HtoD", 0, 300),
    ("upload", "HtoD", 300, 610),
    ("kernel", "lenet", 305, 700),
    ("call", "cuLaunchKernel", 10, 15),
    ("kernel", "lenet", 615, 1000),
    ("download", "DtoH", 702, 712),
    ("call", "cudaStreamSynchronize", 20, 1020),
    ("kernel", "argmax", 690, 720),
    ("download", "DtoH", 1002, 1015),
    ("kernel", "argmax", 1001, 1031),  # as long as the one before
]
EMPTY = [
    ("kernel", "empty", 7, 7),
    ("call", "empty", 5, 6),
    ("kernel", "conv", 8, 2_500_020),  # longer than any guess
    ("kernel", "empty", 2_500_030, 2_500_033),
]


def rows(activities):
    found = {}
    for kind, name, start, end in activities:
        if kind != "call":
            took = end - start
            calls, total, shortest, longest = found.get(name, (0, 0, took, took))
            found[name] = (calls + 1, total + took, min(shortest, took), max(longest, took))
    return found


def drawn(rng, count=40):
    kinds = [
        ("kernel", "conv"),
        ("kernel", "pool"),
        ("upload", "HtoD"),
        ("call", "cudaMemcpyAsync"),
        ("kernel", "linear"),
    ]
    starts, lengths = rng.integers(0, 5000, count).tolist(), rng.integers(1, 900, count).tolist()
    times = zip(starts, lengths, strict=True)
    return [(*kinds[i % 5], start, start + length) for i, (start, length) in enumerate(times)]


EXERCISE = Exercise(
    name="rows",
    lab=13,
    task="Turn a list of activities into the rows of a profile's table.",
    solution=rows,
    cases=lambda rng: [
        *((each,) for each in (SMALL, STREAMS, drawn(rng), [("call", "cudaMalloc", 0, 9)], EMPTY))
    ],
    valid=lambda activities: all(0 <= start <= end for _, _, start, end in activities),
    mend="`found[name] = (calls + 1, total + took, min(shortest, took), max(longest, took))` for "
    'everything that is no `"call"`, begun with `(0, 0, took, took)`',
    misconceptions=[
        Misconception(
            "the host's calls among the rows",
            edit('if kind != "call":', "if True:"),
            "Your table has rows for functions that the host called.",
            "A launch returns long before its kernel ends. The table is about the GPU's time.",
        ),
        Misconception(
            "kernels only",
            [
                edit('kind != "call"', 'kind == "kernel"'),
                edit('kind != "call"', 'kind in ("kernel", "upload")'),
            ],
            "Copies are missing, in one direction or in both.",
            "Copies take the GPU's time as well, often most of it.",
        ),
        Misconception(
            "the average in place of the sum",
            edit(
                "return found", "return {k: (n, t / n, a, b) for k, (n, t, a, b) in found.items()}"
            ),
            "Your second value is the average.",
            "The total says where the time goes. An average hides how often a kernel runs.",
        ),
        Misconception(
            "a constant first value",
            [
                edit("(0, 0, took, took)", "(0, 0, 0, took)"),
                edit("(0, 0, took, took)", "(0, 0, 1_000_000, 0)"),
            ],
            "The number of calls and the total are right. The shortest or the longest isn't.",
            "Begin with the first call's own time: any other number can be wrong.",
        ),
    ],
)
