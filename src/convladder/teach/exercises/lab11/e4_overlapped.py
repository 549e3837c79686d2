"""Lab 11, exercise 4: copies and kernels on streams, so that they overlap."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.copy_engines import Costs, Linear, RehearsalGpu, equal_chunks
from ....exercises.draws import whole
from . import overlapped_wrong as wrong
from .overlapped_mistakes import MORE

# Images of a chunk -> µs. A chunk's kernel and its way back take longer than the next one's way
# there, so that two streams are too few; the last case's kernels are the longest part.
WIRE = Costs(Linear(0, 1, 5), Linear(4, 0.14), Linear(2, 1, 16))
SLOW = Costs(Linear(0, 1, 8), Linear(4, 0.3), Linear(2, 1, 16))


overlapped = wrong.in_turn(4)


def _budget(costs, chunks):
    gpu = RehearsalGpu(costs, chunks[-1][1])
    overlapped(gpu, chunks)
    return gpu.seconds


def _case(costs, number, images=100):
    chunks = equal_chunks(images * number, number)
    return RehearsalGpu(costs, images * number, _budget(costs, chunks)), chunks


EXERCISE = Exercise(
    name="overlapped",
    lab=11,
    reference=overlapped,
    calls_allowed=("convladder.teach.mocks.copy_engines",),
    task="Put copies and kernels on streams, so that each copy hides behind other chunks' kernels.",
    # Chunks' first images as numbers of streams: all differ in the first case, none in the second.
    cases=lambda rng: [
        _case(WIRE, 2, 6 * whole(rng, 14, 19) + 1),
        _case(WIRE, 6, 96),
        _case(SLOW, whole(rng, 7, 10), whole(rng, 85, 115)),
    ],
    misconceptions=[
        Misconception(
            "one stream for all",
            wrong.one_stream,
            symptom="Nothing runs beside anything.",
            concept="Steps of one stream run one after the other, whichever engines are free; so "
            "do those of several streams, if each waits for the one before by `after`.",
            line="Chunk by chunk, neighbouring ones on different streams, `number % 4`, and no "
            "`after`.",
            choices={"first": (1, 2), "then": (0, 1)},
        ),
        Misconception(
            "two streams",
            wrong.in_turn(2),
            symptom="Something overlaps, but the copy engine stands idle now and then.",
            concept="As with two streams, the third chunk's copy waits until the first chunk is "
            "all the way back. Three things are under way at once: a copy up, a kernel, a "
            "copy back.",
            line="Three streams at least, and nothing that lets a chunk wait for another.",
        ),
        Misconception(
            "a stream by the first image",
            wrong.by_first_image,
            symptom="Your streams follow the numbers of the chunks' images: where chunks of one "
            "size divide by your number of streams, nothing runs beside anything.",
            concept="A chunk's first image is a multiple of the chunk's size, and so is its end. "
            "Take a stream by its remainder, and for some sizes that is one for all.",
            line="`for number, chunk in enumerate(chunks)`: the stream is `number % 4`.",
            choices={"streams": (2, 4)},
        ),
        Misconception(
            "a stream for each kind",
            wrong.by_kind,
            symptom="A kernel is put where nothing orders it after its images' copy.",
            concept="Streams know nothing of each other. Either a chunk's three steps share a "
            "stream, or `after` says what waits for what.",
            line="All three steps of a chunk on one stream, and the next chunk on another: "
            "`number % 4`.",
            choices={"first": (1,)},
        ),
        Misconception(
            "waiting after each chunk",
            wrong.waits_for_each,
            symptom="One thing at a time: the host waits after each chunk.",
            concept="While the host waits it issues nothing: the next chunk's copy is not even in "
            "a queue.",
            line="One `gpu.wait()`, after the loop: what it returns counts all labels so far.",
            choices={"summed": (True,)},
        ),
        Misconception(
            "all copies first",
            wrong.all_copies_first,
            symptom="No kernel runs beside a copy to the GPU.",
            concept="A kernel needs the images of its own chunk, and no others. A wait for all "
            "that is on a stream *so far* is one for every copy that stands there.",
            line="Chunk by chunk: `upload`, `kernel`, `download` on stream `number % 4`, and no "
            "wait before the end.",
            choices={"waits": (True,)},
        ),
        Misconception(
            "kind after kind",
            wrong.kind_after_kind,
            symptom="The order of issue holds a stream up.",
            concept="A stream keeps its order: a kernel waits for every copy that was put there "
            "before it, another chunk's too.",
            line="Go chunk by chunk: copy, kernel, copy back, then the next.",
            choices={"streams": (2, 4)},
        ),
        *MORE,
        Misconception(
            "no wait",
            wrong.no_wait,
            symptom="You return before the GPU is done.",
            concept="All of these calls only put something into a queue.",
            line="`return gpu.wait()`.",
            choices={"gives": (lambda chunks: None, len)},
        ),
        Misconception(
            "a wait for one stream only",
            wrong.last_stream_only,
            symptom="You wait for one stream, and count its labels.",
            concept="One stream, whichever it is, says nothing of the others: the chunk that was "
            "issued last need not be the last to be done.",
            line="`gpu.wait()` without a stream waits for all.",
            choices={"streams": (3, 4, 100), "first": (False, True)},
        ),
        Misconception(
            "nothing comes back",
            wrong.nothing_back,
            symptom="All is computed, and no label is on the host.",
            concept="A kernel's results stay in the GPU's memory.",
            line="`gpu.download(chunk, stream)` behind the kernel.",
        ),
        Misconception(
            "kernel before its copy",
            wrong.kernel_before_its_copy,
            symptom="A kernel is put in the queue, and no copy of its images before it.",
            concept="A stream does its steps in the order in which they were put there.",
            line="`upload`, `kernel`, `download`.",
        ),
        Misconception(
            "chunks counted",
            wrong.counted_before_the_wait,
            symptom="You return the number of chunks.",
            concept="The caller wants to know how many *images* have labels.",
            line="`return gpu.wait()`, which counts them.",
        ),
        Misconception(
            "last chunk forgotten",
            wrong.last_chunk_forgotten,
            symptom="The last chunk is never sent.",
            concept="All chunks have images in them.",
            line="`for number, chunk in enumerate(chunks)`, to the end.",
        ),
        Misconception(
            "first chunk forgotten",
            lambda gpu, chunks: wrong.in_turn(4)(gpu, chunks[1:]),
            symptom="The first chunk is never sent.",
            concept="The first chunk is one like the others.",
            line="`for number, chunk in enumerate(chunks)`, from the first on.",
        ),
        Misconception(
            "last chunk not brought back",
            wrong.last_labels_forgotten,
            symptom="The last chunk is sent and computed, and its labels never come back.",
            concept="Where each turn brings back the chunk before, one is left when the loop is "
            "over.",
            line="`gpu.download` of the last chunk behind the loop, or each chunk's own behind its "
            "kernel.",
        ),
        Misconception(
            "`after` turned round",
            wrong.after_turned_round,
            symptom="You make each copy wait for kernels, where kernels should wait for copies.",
            concept="`after(stream, other)`: the *first* one waits. A kernel's stream waits for "
            "the stream of its copy.",
            line="`gpu.after(kernels, copies)` behind the upload, `gpu.after(back, kernels)` "
            "behind the kernel; or all three steps of a chunk on stream `number % 4`.",
        ),
        Misconception(
            "`after` once for all",
            wrong.after_once,
            symptom="Your first chunk is ordered, the others are not.",
            concept="`after` waits for what is on the other stream *so far*. What is put there "
            "later it does not know.",
            line="Call `after` for each chunk, behind its copy and behind its kernel; or put all "
            "three of its steps on stream `number % 4`.",
        ),
        Misconception(
            "the way back on a stream of its own",
            wrong.own_way_back,
            symptom="The copy back is on a stream where nothing says that the kernel is done.",
            concept="A stream knows of its own steps, and of those that `after` made it wait for.",
            line="`gpu.download(chunk, stream)` on the stream of the chunk's kernel; or a stream "
            "for copies back alone, and `gpu.after` before each of them.",
            choices={"back": (50, 10, 9, 1, 2, 3, 4, -1, 100, 1000)},
        ),
        Misconception(
            "waiting after each round",
            wrong.wait_for_each_round,
            symptom="Several things run at a time, and now and then everything stands still until"
            " the last of them is done.",
            concept="While the host waits for all streams it issues nothing. A stream that is "
            "free gets nothing to do.",
            line="One `gpu.wait()`, after the loop: a stream keeps its order by itself.",
            choices={"streams": (2, 3)},
        ),
    ],
)
