"""Usual mistakes in a plan of one's own, with their hints: lab 11, exercise 6."""

from __future__ import annotations

from ...grading.exercise import Misconception
from . import plans

SOME = {"chunks": (0, 2, 4, 5, 8, 20)}

MORE = [
    Misconception(
        "more chunks than pay",
        plans.more_than_pay,
        symptom="The copies never stand still, but there are more of them than pay: each begins "
        "with 2 µs.",
        concept="With more chunks the last kernel gets no shorter: a wave takes 28 µs, also where "
        "it is not full. Only the copies' beginnings add up.",
        line="Fewer and larger chunks: from five to ten equal ones.",
        choices={"chunks": (12, 13, 14, 15, 16, 18, 20)},
    ),
    Misconception(
        "a last chunk that is too small",
        plans.tiny_last,
        symptom="When the last image is there, the kernel of the large chunk before it is still "
        "at work, and the last one's has to wait.",
        concept="There is one engine for kernels. The smaller the last chunk, the sooner its copy "
        "is done, and the more is left of the kernel before.",
        line="`images - 2112` for the edge: that chunk's copy takes longer than the kernel of "
        "those before it.",
        choices={
            "last": (
                1,
                10,
                16,
                20,
                32,
                50,
                64,
                128,
                132,
                200,
                250,
                256,
                300,
                400,
                500,
                512,
                600,
                700,
                750,
                800,
                1000,
                1024,
                1056,
                1200,
                1250,
                1500,
                1600,
            )
        },
    ),
    Misconception(
        "a last chunk with the rest",
        plans.last_takes_the_rest,
        symptom="No chunk is larger than the last one, which has what is left over as well, and "
        "its kernel takes more than a wave.",
        concept="The last chunk's kernel has no copy to hide behind. What is left over does less "
        "harm in the first chunk, or in one of its own.",
        line="Count chunks from the end: the last one of 2,112 images, a wave.",
        choices={"size": (1250, 2000, 2500, 3000)},
    ),
    Misconception(
        "an image short",
        plans.one_image_short,
        symptom="At the end of each chunk an image is in none.",
        concept="A chunk is `(first, end)`: its second number is the first image that is *not* in "
        "it.",
        line="A chunk ends with the number that the next one begins with.",
        choices=SOME,
    ),
    Misconception(
        "the last chunk not brought back",
        plans.last_one_stays,
        symptom="The labels of the last chunk never come back.",
        concept="Where each turn brings back the chunk before, one is left when the loop is over.",
        line="`gpu.download` for every chunk, the last one too.",
        choices=SOME,
    ),
    Misconception(
        "all copies first",
        plans.all_copies_first,
        symptom="No kernel begins before the last image is there.",
        concept="A kernel needs the images of its own chunk, and no others. The rest may still be "
        "on its way.",
        line="Chunk by chunk: copy, kernel, copy back on stream `number % 3`, with no wait in "
        "between.",
        choices={
            "chunks": (0, 2, 3, 4, 5, 8, plans.CHUNKS, 20),
            "waits": (False, True),
            "whole": (False, True),
        },
    ),
    Misconception(
        "kernel before its copy",
        plans.kernel_first,
        symptom="A kernel is put in a queue, and no copy of its images stands before it.",
        concept="A stream does its steps in the order in which they were put there.",
        line="`upload`, `kernel`, `download`, on one stream.",
        choices=SOME,
    ),
    Misconception(
        "labels before their kernel",
        plans.no_kernel,
        symptom="Labels are to be copied back, and no kernel that makes them stands before that.",
        concept="A kernel makes the labels. Before it there is nothing to bring back.",
        line="`gpu.kernel(chunk, stream)`, and `gpu.download(chunk, stream)` behind it.",
        choices={**SOME, "turned": (False, True)},
    ),
    Misconception(
        "the way back on a stream of its own",
        plans.own_way_back,
        symptom="The copy back is on a stream where nothing says that the kernel is done.",
        concept="A stream knows of its own steps, and of those that `after` made it wait for.",
        line="`gpu.download(chunk, stream)` on the stream of the chunk's kernel; or a stream for "
        "copies back alone, and `gpu.after` before each of them.",
        choices={
            "chunks": (0, 2, 4, 5, 8, plans.CHUNKS, 20),
            "back": (-1, 1, 2, 3, 4, 9, 10, 50, 99, 100),
        },
    ),
    Misconception(
        "`after` once for all",
        plans.after_once,
        symptom="Your first chunk is ordered, the next one is not.",
        concept="`after` waits for what is on the other stream *so far*. What is put there later "
        "it does not know.",
        line="Call `after` for each chunk, behind its copy and behind its kernel; "
        "or put all three of its steps on stream `number % 3`.",
        choices=SOME,
    ),
    Misconception(
        "`after` turned round",
        plans.after_turned_round,
        symptom="You make a copy wait for kernels, where kernels should wait for copies.",
        concept="`after(stream, other)`: the *first* one waits. A kernel's stream waits for the "
        "stream of its copy.",
        line="`gpu.after(kernels, copies)` behind the upload, `gpu.after(back, "
        "kernels)` behind the kernel; or all three steps of a chunk on stream "
        "`number % 3`.",
        choices=SOME,
    ),
    Misconception(
        "chunks counted",
        plans.counted,
        symptom="You return the number of chunks.",
        concept="The caller wants to know how many *images* have labels.",
        line="`return gpu.wait()`, which counts them.",
        choices=SOME,
    ),
]
