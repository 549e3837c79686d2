"""Lab 11, exercise 6: a plan of one's own, against the package's."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.copy_engines import Costs, Linear, RehearsalGpu
from ....exercises.draws import whole
from . import plans
from .plan_mistakes import MORE
from .plans import CHUNKS, STREAMS, WAVE, plan_of

IMAGES = 10_000
BYTES = 4 * 784  # of an image in float32
PER_US = 53_700  # bytes that the wire of an H200's host brings in a µs
# A call of the host, a copy's and a kernel's own beginning, a wave of blocks: rounded from records.
COSTS = Costs(
    upload=Linear(2, BYTES, PER_US),
    kernel=Linear(3, 28, wave=WAVE),
    download=Linear(2, 1, PER_US),
    issue=3.4,
)


my_plan = plan_of(CHUNKS, STREAMS)


def rehearsal(images=IMAGES):
    """Return the GPU that the check hands over, with the package's time as its budget."""
    gpu = RehearsalGpu(COSTS, images)
    my_plan(gpu, images)
    return RehearsalGpu(COSTS, images, gpu.seconds)


EXERCISE = Exercise(
    name="my_plan",
    lab=11,
    reference=my_plan,
    calls_allowed=("convladder.teach.mocks.copy_engines",),
    task="Cut 10,000 images into chunks and put them on streams, as fast as the package or faster.",
    cases=lambda rng: [
        (rehearsal(images), images) for images in (IMAGES, whole(rng, 9_900, 9_999))
    ],
    misconceptions=[
        Misconception(
            "all at once",
            plan_of(1, 1),
            symptom="The kernels begin when the last image is there.",
            concept="What is not cut cannot overlap.",
            line="Several chunks on at least two streams: five to ten equal ones, say.",
        ),
        Misconception(
            "chunks on one stream",
            plans.on_one_stream,
            symptom="Chunks, but still one after the other.",
            concept="A stream keeps its order, so a copy waits for the kernel before it; with "
            "`after` it does so on two streams as well.",
            line="Neighbouring chunks on different streams, and no `after` between chunks.",
            choices={
                "chunks": (2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20),
                "size": (None, WAVE, 2000, 2500, 3000, 4224),
            },
        ),
        Misconception(
            "too many chunks",
            plans.many,
            symptom="Your chunks are many and small: what each copy and kernel costs by itself "
            "adds up.",
            concept="A copy has a beginning of 2 µs, a kernel one of 3 and at least one wave of "
            "28, and each chunk costs the host three calls.",
            line="Fewer and larger ones: five to ten equal chunks.",
            choices={"size": (50, 64, 100, 128, 200, 250, 256, 400, 500, 512)},
        ),
        Misconception(
            "a large last chunk",
            plan_of(plans.large_last, 2),
            symptom="When the last copy is there, most of the arithmetic is still to be done.",
            concept="The last chunk's kernel has no copy to hide behind.",
            line="Make the *last* chunk the small one: a wave, 2,112 images.",
        ),
        Misconception(
            "waiting for each",
            plans.waits,
            symptom="The host waits for a chunk before it issues the next.",
            concept="Then no queue ever holds more than one chunk.",
            line="One `gpu.wait()`, at the end.",
            choices={"chunks": (0, 2, 3, 4, 5, 6, 8, 20)},
        ),
        Misconception(
            "images lost",
            plan_of(plans.lost, STREAMS),
            symptom="Fewer labels come back than there are images.",
            concept="Chunks of one size, the last one too, can leave images behind.",
            line="Let the last chunk end at `images`.",
        ),
        Misconception(
            "a small first chunk",
            plan_of(plans.small_first, STREAMS),
            symptom="The chunk that goes first is the smaller one: when the last image arrives, "
            "most of the arithmetic is still to come.",
            concept="A small first chunk starts the kernels early, but copies take longer than "
            "kernels here, so that they would have waited anyway. What counts is what "
            "is left at the end.",
            line="Let the *last* chunk be the small one, a wave of 2,112 images.",
        ),
        Misconception(
            "images sent twice",
            plan_of(plans.overlapping, STREAMS),
            symptom="Some images travel twice, and the wire is what takes longest.",
            concept="Chunks that share images move more bytes. A convolution of one image needs "
            "no neighbour.",
            line="Each chunk begins where the one before ends.",
        ),
        Misconception(
            "kind after kind",
            plans.by_kind,
            symptom="All copies are issued before the first kernel.",
            concept="A stream keeps its order: a kernel waits for every copy that stands before "
            "it on its stream.",
            line="Chunk by chunk: copy, kernel, copy back, then the next.",
            choices={"chunks": (5, 8, CHUNKS, 12), "streams": (1, 2, 3, 4)},
        ),
        Misconception(
            "a stream for each kind",
            plans.a_stream_for_each_kind,
            symptom="A kernel is put where nothing orders it after its images' copy.",
            concept="Streams know nothing of each other.",
            line="All three steps of a chunk on one stream, and the next chunk on another: "
            "`number % 3`.",
            choices={"chunks": (0, 2, 4, 5, 8, CHUNKS, 20), "first": (0, 1)},
        ),
        Misconception(
            "no wait",
            plans.never_waits,
            symptom="You come back while the GPU is still at work.",
            concept="Every call only puts a note into a queue.",
            line="`return gpu.wait()`",
        ),
        Misconception(
            "nothing comes back",
            plans.nothing_back,
            symptom="All is computed, and no label is on the host.",
            concept="What a kernel makes stays in the GPU's memory.",
            line="`gpu.download(chunk, stream)` behind each kernel.",
        ),
        Misconception(
            "beyond the last image",
            plans.beyond_the_images,
            symptom="Your last chunk ends after the last image.",
            concept="There are `images` of them, not always 10,000, and chunks of a rounded size "
            "need not end where the images do.",
            line="`min(end, images)` where the last chunk ends, or `images` itself.",
            choices={
                "chunks": (3, 6, 8, 9, 11, 12),
                "size": (None, 500, 1000, 2000, WAVE, 2500),
                "last": (None, WAVE, 2000),
            },
        ),
        Misconception(
            "few equal chunks",
            plans.few,
            symptom="When the last image is there, the kernel of a whole large chunk is still to "
            "come.",
            concept="The last chunk's kernel has no copy to hide behind, and with more than 2,112 "
            "images it takes several waves.",
            line="Chunks need not be equal: make the last one small, a wave of 2,112 images.",
            choices={"chunks": (3, 4), "streams": (2, 3)},
        ),
        Misconception(
            "a last chunk of two waves",
            plans.last_of_two_waves,
            symptom="Two chunks, the last one smaller: well, but its kernel still takes two waves "
            "or more.",
            concept="A wave is 2,112 images and takes 28 µs, also where it is not full. The last "
            "chunk's kernel has no copy to hide behind.",
            line="`images - 2112` for the edge: one wave for the end.",
            choices={"last": (2200, 2400, 3000, 3333, 4000, 4096, 4224)},
        ),
        Misconception(
            "a small last chunk on the same stream",
            plans.two_on_one_stream,
            symptom="The last chunk's copy begins only when the first chunk's labels are back.",
            concept="A stream does one step after the other, whichever chunk they belong to; so do "
            "two, where `after` lets one wait for the other.",
            line="A stream for each chunk's three calls, nothing between the two, and a wave, "
            "2,112 images, for the last.",
            choices={"last": (1000, 1056, 1500, 2000)},
        ),
        Misconception(
            "whole chunks only",
            plans.whole_chunks,
            symptom="Fewer labels come back than there are images: the last ones are in no chunk.",
            concept="Whole chunks, counted with `//` or a `range` that ends too soon, leave a "
            "rest.",
            line="One more chunk, from where the last whole one ends to `images`.",
            choices={
                "size": (
                    64,
                    100,
                    128,
                    256,
                    500,
                    512,
                    1000,
                    1024,
                    2000,
                    2048,
                    2500,
                    3000,
                    4096,
                    4224,
                    5000,
                )
            },
        ),
        *MORE,
    ],
)
