"""Lab 10, exercise 6: a plan of one's own, against the package's."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ...mocks.copy_engines import Costs, RehearsalGpu, equal_chunks

IMAGES = 10_000
BYTES = 4 * 784  # of an image in float32
PER_US = 53_700  # bytes that the wire of an H200's host brings in a µs
WAVE = 132 * 16  # images that one_kernel's blocks have at a time, one block a multiprocessor
# A call of the host, a copy's and a kernel's own beginning, a wave of blocks: rounded from records.
COSTS = Costs(
    upload=lambda n: 2 + n * BYTES / PER_US, kernel=lambda n: 3 + 28 * -(-n // WAVE),
    download=lambda n: 2 + n / PER_US, issue=3.4)  # fmt: skip
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


def rehearsal(images=IMAGES):
    """Return the GPU that the check hands over, with the package's time as its budget."""
    gpu = RehearsalGpu(COSTS, images)
    my_plan(gpu, images)
    return RehearsalGpu(COSTS, images, gpu.seconds)


EXERCISE = Exercise(
    name="my_plan", lab=10, reference=my_plan,
    calls_allowed=("convladder.teach.mocks.copy_engines",),
    task="Cut 10,000 images into chunks and put them on streams, as fast as the package or faster.",
    cases=lambda rng: [(rehearsal(images), images) for images in (IMAGES, 9_999)],
    misconceptions=[
        Misconception(
            "all at once", plan_of(1, 1),
            symptom="The kernels begin when the last image is there.",
            concept="What is not cut cannot overlap.",
            line="Several chunks, on at least two streams."),
        Misconception(
            "chunks on one stream", plan_of(CHUNKS, 1),
            symptom="Chunks, but still one after the other.",
            concept="A stream keeps its order, so a copy waits for the kernel before it.",
            line="Neighbouring chunks on different streams."),
        Misconception(
            "too many chunks", plan_of(100, STREAMS),
            symptom="You cut so finely that what each copy and kernel costs by itself adds up.",
            concept="A copy has a beginning of 2 µs, a kernel one of 3 and at least one wave of "
                    "28, and each chunk costs the host three calls.",
            line="Chunks whose way there takes longer than their kernel, and no smaller."),
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
            concept="Chunks of a rounded size leave a remainder.",
            line="Let the last chunk end at `images`."),
    ],
)
