"""Lab 13, exercise 6: a plan of your own, against the package's."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit
from ..mocks.copy_engines import Costs, Duration, RehearsalGpu, equal_chunks

IMAGES = 10_000
BYTES = 4 * 784  # of an image in float32
PER_US = 53_700  # bytes that the wire of an H200's host brings in a µs
WAVE = 132 * 16  # images that one_kernel's blocks have at a time, one block a multiprocessor
CHUNKS, STREAMS = 10, 3  # of the package's rung one_kernel_floats
# A call of the host, a copy's and a kernel's own beginning, a wave of blocks: rounded from records.
COSTS = Costs(
    upload=Duration(2, BYTES / PER_US),
    kernel=Duration(3, 28, WAVE),
    download=Duration(2, 1 / PER_US),
    issue=3.4,
)


def plan_of(chunks, streams):
    """Return a plan of equal chunks on streams in turn."""

    def plan(gpu, images):
        return put(gpu, equal_chunks(images, chunks), streams)

    return plan


def put(gpu, parts, streams):
    for number, part in enumerate(parts):
        gpu.upload(part, number % streams)
        gpu.kernel(part, number % streams)
        gpu.download(part, number % streams)
    return gpu.wait()


def my_plan(gpu, images):
    edges = [0, max(0, images - 2112), images]
    for number, chunk in enumerate(zip(edges[:-1], edges[1:], strict=True)):
        gpu.upload(chunk, number)
        gpu.kernel(chunk, number)
        gpu.download(chunk, number)
    return gpu.wait()


def rehearsal(fill, images):
    """The GPU that the check hands over, with the package's time as its budget."""
    gpu = RehearsalGpu(COSTS, images)
    plan_of(CHUNKS, STREAMS)(gpu, images)
    return RehearsalGpu(COSTS, images, gpu.seconds), images


STEPS = """        gpu.upload(chunk, number)
        gpu.kernel(chunk, number)
        gpu.download(chunk, number)
"""
EDGES = "[0, max(0, images - 2112), images]"

EXERCISE = Exercise(
    name="my_plan",
    lab=13,
    task="Cut 10,000 images into chunks and put them on streams, as fast as the package or faster.",
    solution=my_plan,
    cases=lambda rng: [(IMAGES,), (whole(rng, 9_900, 9_999),)],
    inputs=rehearsal,
    valid=lambda images: images >= 9_000,
    mend="Two chunks, the last one a wave of 2,112 images, each with its three steps on a stream "
    "of its own; one `gpu.wait()` at the end",
    misconceptions=[
        Misconception(
            "all at once",
            edit(EDGES, "[0, images]"),
            "The kernel begins when the last image has arrived.",
            "With chunks, kernels run while later images are still on their way.",
        ),
        Misconception(
            "one stream for all chunks",
            [
                edit(STEPS, STEPS.replace("number", "0")),
                lambda gpu, images: put(gpu, equal_chunks(images, CHUNKS), 1),
            ],
            "There are chunks, but they run one after the other.",
            "Steps of one stream run in order. Neighbouring chunks need different streams.",
        ),
        Misconception(
            "too many chunks",
            [
                lambda gpu, images: put(gpu, equal_chunks(images, 20), STREAMS),
                lambda gpu, images: put(gpu, equal_chunks(images, 100), STREAMS),
            ],
            "Your chunks are many and small, and the start of each copy and kernel adds up.",
            "A copy begins with 2 µs, a kernel with 3 µs, and the host needs 3.4 µs per call.",
        ),
        Misconception(
            "a large last chunk",
            [
                lambda gpu, images: put(gpu, equal_chunks(images, 2), STREAMS),
                lambda gpu, images: put(gpu, equal_chunks(images, 3), STREAMS),
                edit(EDGES, "[0, images // 10, images]"),
            ],
            "When the last image arrives, a whole large chunk is still to be computed.",
            "Chunks don't have to be equal. Make the last one small.",
        ),
        Misconception(
            "a wait after each chunk",
            [
                edit(STEPS, STEPS + "        gpu.wait(number)\n"),
                edit(STEPS, STEPS + "        gpu.wait()\n"),
            ],
            "The host waits for a chunk before it issues the next one.",
            "Issue everything, and wait once at the end.",
        ),
    ],
)
