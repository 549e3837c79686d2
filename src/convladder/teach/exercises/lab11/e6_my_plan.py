"""Lab 11, exercise 6: a plan of one's own, against the package's."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ...mocks.copy_engines import Costs, Linear, RehearsalGpu, equal_chunks
from ..draws import whole

IMAGES = 10_000
BYTES = 4 * 784  # of an image in float32
PER_US = 53_700  # bytes that the wire of an H200's host brings in a µs
WAVE = 132 * 16  # images that one_kernel's blocks have at a time, one block a multiprocessor
# A call of the host, a copy's and a kernel's own beginning, a wave of blocks: rounded from records.
COSTS = Costs(
    upload=Linear(2, BYTES, PER_US), kernel=Linear(3, 28, wave=WAVE),
    download=Linear(2, 1, PER_US), issue=3.4)
CHUNKS, STREAMS = 10, 3  # of the package's rung one_kernel_floats


def plan_of(chunks, streams):
    def plan(gpu, images):
        return _put(gpu, chunks(images) if callable(chunks) else equal_chunks(images, chunks),
                    streams)
    return plan


def _put(gpu, parts, streams):
    for number, part in enumerate(parts):
        gpu.upload(part, number % streams)
        gpu.kernel(part, number % streams)
        gpu.download(part, number % streams)
    return gpu.wait()


my_plan = plan_of(CHUNKS, STREAMS)


def _lost(images):
    size = images // CHUNKS - 1
    return [(i * size, (i + 1) * size) for i in range(CHUNKS)]


def _waits(gpu, images):
    for number, part in enumerate(equal_chunks(images, CHUNKS)):
        gpu.upload(part, number % STREAMS)
        gpu.kernel(part, number % STREAMS)
        gpu.download(part, number % STREAMS)
        gpu.wait(number % STREAMS)
    return gpu.wait()


def _large_last(images):
    return [(0, images // 10), (images // 10, images)]


def _small_first(images):
    return [(0, WAVE), *((begin, min(begin + 4 * WAVE, images))
                         for begin in range(WAVE, images, 4 * WAVE))]


def _overlapping(images):
    size = -(-images // CHUNKS)
    return [(max(0, i * size - 50), min(images, (i + 1) * size)) for i in range(CHUNKS)]


def _by_kind(gpu, images):
    parts = equal_chunks(images, CHUNKS)
    for step in (gpu.upload, gpu.kernel, gpu.download):
        for number, part in enumerate(parts):
            step(part, number % STREAMS)
    return gpu.wait()


def _a_stream_for_each_kind(gpu, images):
    for part in equal_chunks(images, CHUNKS):
        gpu.upload(part, 0)
        gpu.kernel(part, 1)
        gpu.download(part, 2)
    return gpu.wait()


def _never_waits(gpu, images):
    for number, part in enumerate(equal_chunks(images, CHUNKS)):
        gpu.upload(part, number)
        gpu.kernel(part, number)
        gpu.download(part, number)
    return images


def _nothing_back(gpu, images):
    for number, part in enumerate(equal_chunks(images, CHUNKS)):
        gpu.upload(part, number % STREAMS)
        gpu.kernel(part, number % STREAMS)
    return gpu.wait()


def _beyond_the_images(gpu, images):
    size = -(-images // 7)
    return _put(gpu, [(i * size, (i + 1) * size) for i in range(7)], STREAMS)


def rehearsal(images=IMAGES):
    """Return the GPU that the check hands over, with the package's time as its budget."""
    gpu = RehearsalGpu(COSTS, images)
    my_plan(gpu, images)
    return RehearsalGpu(COSTS, images, gpu.seconds)


def _many(gpu, images, size=None):
    if size is None:
        return _put(gpu, equal_chunks(images, 100), STREAMS)
    return _put(gpu, [(at, min(at + size, images)) for at in range(0, images, size)], STREAMS)


def _few(gpu, images, chunks=2, streams=4):
    return _put(gpu, equal_chunks(images, chunks), streams)


def _whole_chunks(gpu, images, size=WAVE):
    return _put(gpu, [(at * size, (at + 1) * size) for at in range(images // size)], STREAMS)


def _last_of_two_waves(gpu, images, last=None):
    """Make the last of two chunks a quarter, or `last` images."""
    edge = images - (last or images // 4)
    return _put(gpu, [(0, edge), (edge, images)], 2)


def _two_on_one_stream(gpu, images, last=WAVE):
    return _put(gpu, [(0, images - last), (images - last, images)], 1)


EXERCISE = Exercise(
    name="my_plan", lab=11, reference=my_plan,
    calls_allowed=("convladder.teach.mocks.copy_engines",),
    task="Cut 10,000 images into chunks and put them on streams, as fast as the package or faster.",
    cases=lambda rng: [(rehearsal(images), images)
                       for images in (IMAGES, whole(rng, 9_900, 9_999))],
    misconceptions=[
        Misconception(
            "all at once", plan_of(1, 1),
            symptom="The kernels begin when the last image is there.",
            concept="What is not cut cannot overlap.",
            line="Several chunks, on at least two streams."),
        Misconception(
            "chunks on one stream", plan_of(CHUNKS, 1),
            symptom="Chunks, but still one after the other.",
            concept="A stream keeps its order, so a copy waits for the kernel before it; with "
                    "`after` it does so on two streams as well.",
            line="Neighbouring chunks on different streams, and no `after` between chunks."),
        Misconception(
            "too many chunks", _many,
            symptom="Your chunks are many and small: what each copy and kernel costs by itself "
                    "adds up.",
            concept="A copy has a beginning of 2 µs, a kernel one of 3 and at least one wave of "
                    "28, and each chunk costs the host three calls.",
            line="Chunks whose way there takes longer than their kernel, and no smaller.",
            choices={"size": (50, 64, 100, 128, 200, 250, 256, 400, 500, 512)}),
        Misconception(
            "a large last chunk", plan_of(_large_last, 2),
            symptom="When the last copy is there, most of the arithmetic is still to be done.",
            concept="The last chunk's kernel has no copy to hide behind.",
            line="The *last* chunk is the one to make small."),
        Misconception(
            "waiting for each", _waits,
            symptom="The host waits for a chunk before it issues the next.",
            concept="Then no queue ever holds more than one chunk.",
            line="One `gpu.wait()`, at the end."),
        Misconception(
            "images lost", plan_of(_lost, STREAMS),
            symptom="Fewer labels come back than there are images.",
            concept="Chunks of one size, the last one too, can leave images behind.",
            line="Let the last chunk end at `images`."),
        Misconception(
            "a small first chunk", plan_of(_small_first, STREAMS),
            symptom="Your first chunk is small and the last one is large: when the last image "
                    "arrives, most of its arithmetic is still to come.",
            concept="A small first chunk starts the kernels early, but copies take longer than "
                    "kernels here, so that they would have waited anyway. What counts is what "
                    "is left at the end.",
            line="Make the *last* chunk small: at most one wave, 2,112 images."),
        Misconception(
            "images sent twice", plan_of(_overlapping, STREAMS),
            symptom="Some images travel twice, and the wire is what takes longest.",
            concept="Chunks that share images move more bytes. A convolution of one image needs "
                    "no neighbour.",
            line="Each chunk begins where the one before ends."),
        Misconception(
            "kind after kind", _by_kind,
            symptom="All copies are issued before the first kernel.",
            concept="A stream keeps its order: a kernel waits for every copy that stands before "
                    "it on its stream.",
            line="Chunk by chunk: copy, kernel, copy back, then the next."),
        Misconception(
            "a stream for each kind", _a_stream_for_each_kind,
            symptom="A kernel is put where nothing orders it after its images' copy.",
            concept="Streams know nothing of each other.",
            line="All three steps of a chunk on one stream, or `gpu.after(stream, other)`."),
        Misconception(
            "no wait", _never_waits,
            symptom="You come back while the GPU is still at work.",
            concept="Every call only puts a note into a queue.",
            line="`return gpu.wait()`"),
        Misconception(
            "nothing comes back", _nothing_back,
            symptom="All is computed, and no label is on the host.",
            concept="What a kernel makes stays in the GPU's memory.",
            line="`gpu.download(chunk, stream)` behind each kernel."),
        Misconception(
            "beyond the last image", _beyond_the_images,
            symptom="Your last chunk ends after the last image, where `images` does not divide "
                    "evenly.",
            concept="Chunks of a rounded size need not end where the images do.",
            line="`min(end, images)`"),
        Misconception(
            "few equal chunks", _few,
            symptom="When the last image is there, the kernel of a whole large chunk is still to "
                    "come.",
            concept="Equal chunks make the last one as large as the others. Nothing hides its "
                    "kernel.",
            line="Chunks need not be equal: make the last one small, at most one wave.",
            choices={"chunks": (3, 4), "streams": (2, 3)}),
        Misconception(
            "a last chunk of two waves", _last_of_two_waves,
            symptom="Two chunks, the last one smaller: well, but its kernel still takes two waves "
                    "or more.",
            concept="A wave is 2,112 images and takes 28 µs, also where it is not full. The last "
                    "chunk's kernel has no copy to hide behind.",
            line="`images - 2112` for the edge: one wave for the end.",
            choices={"last": (2200, 2400, 3000, 3333, 4000, 4096, 4224)}),
        Misconception(
            "a small last chunk on the same stream", _two_on_one_stream,
            symptom="The last chunk's copy begins only when the first chunk's labels are back.",
            concept="A stream does one step after the other, whichever chunk they belong to; so do "
                    "two, where `after` lets one wait for the other.",
            line="A stream for each chunk's three calls, and nothing between the two.",
            choices={"last": (1000, 1056, 1500, 2000)}),
        Misconception(
            "whole chunks only", _whole_chunks,
            symptom="Fewer labels come back than there are images: the last ones are in no chunk.",
            concept="Whole chunks, counted with `//` or a `range` that ends too soon, leave a "
                    "rest.",
            line="One more chunk, from where the last whole one ends to `images`.",
            choices={"size": (64, 100, 128, 256, 500, 512, 1000, 1024, 2000, 2048, 2500, 3000,
                              4096, 4224, 5000)}),
    ],
)
