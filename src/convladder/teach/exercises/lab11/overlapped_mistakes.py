"""Usual mistakes with copies beside kernels, with their hints: lab 11, exercise 4."""

from __future__ import annotations

from ...grading.exercise import Misconception
from . import overlapped_wrong as wrong

MORE = [
    Misconception(
        "neighbours on one stream",
        wrong.neighbours_together,
        symptom="Some neighbouring chunks wait for one another: the copy of the second begins only "
        "when the labels of the first are back.",
        concept="Steps of one stream run one after the other, whichever engines are free.",
        line="Neighbouring chunks on different streams, all of them: `number % 4`.",
        choices={
            "stream": (
                lambda number: number // 3,
                lambda number: number // 4,
                lambda number: min(number, 1),
                lambda number: min(number, 2),
                lambda number: min(number, 3),
            )
        },
    ),
    Misconception(
        "all labels last",
        wrong.labels_last,
        symptom="Labels come back late: on its stream, a chunk's copy back stands behind the "
        "kernels of later chunks.",
        concept="A stream keeps its order. A step waits for all that was put there before it, "
        "whichever chunk that belongs to.",
        line="`gpu.download` right behind its chunk's kernel.",
        choices={"streams": (2, 4)},
    ),
    Misconception(
        "a stream for two kinds",
        wrong.two_kinds_together,
        symptom="The next kernel begins only when the labels before it are back.",
        concept="What shares a stream never runs side by side: kernels and copies back that do "
        "take turns.",
        line="A stream for each chunk, `number % 4`; or one for each of the three kinds, with "
        "`after` between them.",
    ),
    Misconception(
        "copies up and kernels on one stream",
        lambda gpu, chunks: wrong.two_kinds_together(gpu, chunks, kernels=0),
        symptom="The next copy begins only when the kernel before it is done.",
        concept="What shares a stream never runs side by side: copies and kernels that do take "
        "turns.",
        line="A stream for each chunk, `number % 4`, is enough.",
    ),
    Misconception(
        "a wait in the loop",
        wrong.wait_within,
        symptom="Somewhere in your loop the host waits, and meanwhile no queue gets anything.",
        concept="A stream keeps its order by itself: a kernel waits for its copy without the host.",
        line="One `gpu.wait()`, after the loop.",
        choices={"behind": (None, "upload", "kernel"), "streams": (2, 3, 4, 100)},
    ),
    Misconception(
        "labels before their kernel",
        wrong.no_kernel,
        symptom="Labels are to be copied back, and no kernel that makes them stands before that.",
        concept="A kernel makes the labels. Before it there is nothing to bring back.",
        line="`gpu.kernel(chunk, stream)`, and `gpu.download(chunk, stream)` behind it.",
        choices={"turned": (True,)},
    ),
]
