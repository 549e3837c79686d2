"""Lab 04, exercise 2: a lowering, shared by the threads of a pool."""

from __future__ import annotations

from ....cpu.im2col import padded_bytes
from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.thread_pool import RehearsalPool
from . import lower_wrong as wrong
from .layers import (
    CUTS,
    MORE_THAN_ONE,
    PADDED,
    PHOTO,
    PROBLEM,
    REHEARSAL,
    STRIDED,
    TOY,
    chunks_of,
    image,
    remainder_lost,
    submit_and_wait,
)
from .strips import SHARED, strips_shared

TASK = 4096  # bytes of Python objects for a task: one for each strip of each image may be


def lower_in_threads(x, problem, n, pool):
    return wrong.lower_with(chunks_of, wrong.write, submit_and_wait)(x, problem, n, pool)


def _lowering_case(rng, p, n):
    return image(rng, p), p, n, RehearsalPool(n, min(n, p.o_w))


WAIT = "Keep the futures in a list: `futures = [pool.submit(...) for ...]`, then `result()` of each"

EXERCISE = Exercise(
    name="lower_in_threads",
    lab=4,
    reference=lower_in_threads,
    contiguous=True,
    task="Lower along the width with n threads, each writing strips of its own into one L.",
    calls_allowed=PROBLEM + REHEARSAL,
    use=strips_shared,
    workspace=lambda x, problem, n, pool: padded_bytes(problem) + TASK * problem.i_n * problem.o_w,
    cases=lambda rng: [
        _lowering_case(rng, p, n)
        for p, n in ((TOY, 2), (STRIDED, 2), (PADDED, 3), (STRIDED, 5), (PHOTO, 3))
    ],
    misconceptions=[
        Misconception(
            "nobody waits",
            wrong.lower_with(chunks_of, wrong.write, wrong.never_wait),
            symptom="You return `L` before anything need be written into it: nobody waits for the "
            "tasks.",
            concept="`submit` puts a task in a queue and comes back at once. With a real pool "
            "some tasks may have finished by luck; nothing promises it.",
            line=f"{WAIT}, before you return `L`. (`pool.map` waits when you go through what it "
            "returns.)",
        ),
        Misconception(
            "no task for the pool",
            wrong.lower_with(chunks_of, wrong.write, wrong.alone),
            symptom="Your own thread lowered everything (or threads of a pool that you made "
            "yourself): the pool that you were given had nothing to do.",
            concept="Threads cost time to start, so a program makes one pool and hands it on. "
            "What shares its threads is whatever is submitted to it.",
            line="`pool.submit(strips, begin, stop)` for each chunk, in place of calling "
            "`strips`; and when all are submitted, `result()` of each.",
        ),
        Misconception(
            "waits in the loop",
            wrong.lower_with(chunks_of, wrong.write, wrong.wait_in_the_loop),
            symptom="When you waited for the first time, a single task was in the queue: it runs, "
            "and all other threads have nothing to do.",
            concept="`result()` waits. Called for each task before the next is submitted, it makes "
            "one thread of many. So does a single task that does everything.",
            line="Two loops: the first submits every chunk, the second waits for every future.",
        ),
        Misconception(
            "fewer tasks than threads",
            wrong.fewer_tasks,
            choices={"alone": (True,)},
            symptom="You gave the pool fewer tasks than it has threads, and than there are strips.",
            concept="A thread of the pool that gets no task has nothing to do, even if your own "
            "thread takes a chunk meanwhile.",
            line="`pool.submit(strips, begin, stop)` for every chunk of `split(problem.o_w, n)`, "
            "the first and the last one too.",
        ),
        Misconception(
            "called, not submitted",
            wrong.lower_with(chunks_of, wrong.write, wrong.call_at_once),
            symptom="You called your function yourself and submitted what it returned.",
            concept="`pool.submit(strips(begin, stop))` runs `strips` in your own thread, then "
            "hands its result, `None`, to the pool. The pool wants the function and its "
            "arguments apart.",
            line="`pool.submit(strips, begin, stop)`.",
        ),
        Misconception(
            "the loop's last values",
            wrong.lower_with(chunks_of, wrong.write, wrong.bind_late),
            choices=CUTS,
            symptom="Only the last chunk is written; the others are NaN.",
            concept="That is what comes of a `lambda`, or a function inside, that looks the loop's "
            "variable up when it *runs*: by then the loop has moved on, and all tasks do the "
            "last chunk. Or each task was handed the last chunk to begin with.",
            line="Hand each task the values of its own chunk when you submit: "
            "`def strips(begin, stop):`, and `pool.submit(strips, begin, stop)`.",
        ),
        Misconception(
            "remainder lost",
            wrong.lower_with(remainder_lost, wrong.write, submit_and_wait),
            symptom="Where strips are left over, the last ones are NaN.",
            concept="`o_w // n` strips for each of n threads leaves `o_w % n` strips to nobody.",
            line="Use your `split(problem.o_w, n)`.",
        ),
        Misconception(
            "last strip of each chunk",
            wrong.lower_with(chunks_of, wrong.write_all_but_last, submit_and_wait),
            choices=MORE_THAN_ONE,
            symptom="In each chunk the last strip is NaN.",
            concept="`stop` is the first strip that is not in the chunk, and `range` leaves it out "
            "already.",
            line="`for w in range(begin, stop)`, with no `- 1`.",
        ),
        Misconception(
            "every chunk from strip 0",
            wrong.lower_with(chunks_of, wrong.write_from_the_first_strip, submit_and_wait),
            choices=CUTS,
            symptom="The first chunk is right, the others repeat it.",
            concept="Strip `w` begins at image column `s_w * w`, counted over the whole image, "
            "whichever thread writes it.",
            line="Count `w` from `begin`, not from 0, where you slice the image.",
        ),
        Misconception(
            "stride inside the chunk",
            wrong.lower_with(chunks_of, wrong.write_without_stride, submit_and_wait),
            choices=CUTS,
            symptom="With a horizontal stride of 1 all is right; else only the first strip of each "
            "chunk is.",
            concept="Each strip begins `s_w` columns after the one before, within a chunk too.",
            line="The strip begins at `problem.s_w * w`.",
        ),
        Misconception(
            SHARED,
            wrong.lower_with(lambda strips, n: [(0, strips)] * n, wrong.write, submit_and_wait),
            symptom="The values are right, but some strips are lowered by several tasks, or all "
            "of them by one.",
            concept="Threads are faster only if each does a part. If all do everything, they take "
            "as long as one alone, and write over one another meanwhile.",
            line="Submit a chunk of `split(problem.o_w, n)` to each task, and loop over "
            "`range(begin, stop)` within it.",
        ),
        Misconception(
            "parts joined afterwards",
            wrong.join_parts,
            choices=CUTS,
            symptom="The values are right, but for a moment all strips exist twice.",
            concept="Parts that are joined by `np.concatenate` exist beside what is made of them, "
            "and so does an `L` beside its copy. Threads share memory: each can write its "
            "strips into the one `L` at once, and nobody is in anybody's way.",
            line="Write `L[:, w] = ...` inside the task, and return this `L` itself at the end: "
            "nothing is joined, and nothing copied.",
        ),
        Misconception(
            "a padded image for each task",
            wrong.padded_in_each,
            choices={"copies": (2, 4)},
            symptom="The values are right, in the bytes of several padded images.",
            concept="One padded image serves all tasks, which only read it. Each task that pads "
            "for itself makes one more. (And one in float64 takes as much as two.)",
            line="`padded` as the stub makes it: once, before the first `submit`.",
        ),
        Misconception(
            "rows not padded",
            wrong.rows_unpadded,
            symptom="Your `L` is as high as the image, not as the padded image.",
            concept="A partition is a view and cannot add zeros later, so they must lie in `L`.",
            line="Leave the first two lines of the stub as they are: they pad, and make `L`.",
        ),
        Misconception(
            "stop included",
            wrong.lower_with(chunks_of, wrong.stop_included, submit_and_wait),
            choices=CUTS,
            symptom="A task of yours writes a strip behind the last one of `L`.",
            concept="There are `o_w` strips, numbered 0 to `o_w - 1`, and a chunk's `stop` is not "
            "one of its own. A loop that goes on to it, or more strips shared out than there "
            "are, runs out of `L`.",
            line="`range(begin, stop)`, with no `+ 1`, of chunks of `split(problem.o_w, n)`.",
        ),
        Misconception(
            "rows shared, not strips",
            wrong.rows_for_strips,
            symptom="Strips are missing where the padded image has fewer rows than there are "
            "strips; where it has more, your tasks run out of `L`.",
            concept="What is shared among the threads are strips, and there are `o_w` of them.",
            line="`split(problem.o_w, n)`, not `padded_h`, `i_h` or `o_h`.",
        ),
        Misconception(
            "images shared, not strips",
            wrong.images_for_strips,
            symptom="A batch of one image is a single task with you, and all threads but one have "
            "nothing to do.",
            concept="Images can be lowered apart, but there may be fewer of them than threads, "
            "often just one. Each image has `o_w` strips: share those, for all images of "
            "the batch at once.",
            line="`split(problem.o_w, n)`, and `L[:, w] = ...` for the strips of a chunk.",
            choices={"chunks": (wrong.image_by_image,)},
        ),
        Misconception(
            "more threads than strips",
            wrong.no_first_strip,
            symptom="You are right where there are strips for every thread. With more threads than "
            "strips some chunks are empty, and your code asks one for its first strip, or "
            "steps by 0.",
            concept="A chunk without a strip needs no task: of 5 threads and 3 strips, 3 threads "
            "have work.",
            line="Your `split(problem.o_w, n)` gives `min(o_w, n)` chunks, and none is empty.",
            choices={"items": ("list", "step")},
        ),
        Misconception(
            "float64",
            wrong.in_float64,
            symptom="Your `L` is float64.",
            concept="The stub makes `L` in float32. Made without a dtype, or put together from "
            "other arrays, it is another one.",
            line="Make `L` as the stub does, write into it, and return it.",
        ),
        Misconception(
            "waits for some of them",
            wrong.lower_with(chunks_of, wrong.write, wrong.wait_for_the_last),
            symptom="You do not wait for all of your tasks, and return while others may still be "
            "at work.",
            concept="Tasks end in any order: that one of them is done, the last one too, says "
            "nothing of the others.",
            line="`for future in futures: future.result()`.",
        ),
        Misconception(
            "strips returned, not written",
            wrong.lower_with(chunks_of, lambda *_: None, submit_and_wait),
            symptom="All of `L` is NaN: no task of yours writes into it.",
            concept="A task writes the strips that its loop comes to: there are none between "
            "`stop` and `begin`, or between a number and itself. What it returns, or "
            "writes into another array, nobody puts into `L` for you. One that raises "
            "writes nothing, and only whoever asks for its `result()` learns of it.",
            line="`for w in range(begin, stop)`, and `L[:, w] = padded[:, :, ...]` in it; "
            "`pool.submit(strips, begin, stop)`, in this order.",
        ),
    ],
)
