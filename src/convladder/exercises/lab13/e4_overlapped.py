"""Lab 13, exercise 4: copies and kernels on streams, so that they overlap."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit
from ..mocks.copy_engines import Costs, Duration, RehearsalGpu, equal_chunks

# Images of a chunk -> µs. A chunk's kernel and download take longer than the next one's upload,
# so that two streams are too few; the last case's kernels are the longest part.
WIRE = Costs(Duration(0, 1 / 5), Duration(4, 0.14), Duration(2, 1 / 16))
SLOW = Costs(Duration(0, 1 / 8), Duration(4, 0.3), Duration(2, 1 / 16))
COSTS = {"wire": WIRE, "slow": SLOW}


def overlapped(gpu, chunks):
    for number, chunk in enumerate(chunks):
        stream = number % 4
        gpu.upload(chunk, stream)
        gpu.kernel(chunk, stream)
        gpu.download(chunk, stream)
    return gpu.wait()


def rehearsal(fill, costs, count, images):
    """A GPU with the solution's time as its budget, and so many chunks of so many images."""
    chunks = equal_chunks(images * count, count)
    gpu = RehearsalGpu(COSTS[costs], images * count)
    overlapped(gpu, chunks)
    return RehearsalGpu(COSTS[costs], images * count, gpu.seconds), chunks


STEPS = """        gpu.upload(chunk, stream)
        gpu.kernel(chunk, stream)
        gpu.download(chunk, stream)
"""
LOOP = f"""    for number, chunk in enumerate(chunks):
        stream = number % 4
{STEPS}"""

EXERCISE = Exercise(
    name="overlapped",
    lab=13,
    task="Put copies and kernels on streams, so that each copy hides behind other chunks' kernels.",
    solution=overlapped,
    # Chunks' first images as numbers of streams: all differ in the first case, none in the second.
    cases=lambda rng: [
        ("wire", 2, 6 * whole(rng, 14, 19) + 1),
        ("wire", 6, 96),
        ("slow", whole(rng, 7, 10), whole(rng, 85, 115)),
    ],
    inputs=rehearsal,
    valid=lambda costs, count, images: costs in COSTS and count > 1 and images > 0,
    mend="Chunk by chunk `upload`, `kernel`, `download` on stream `number % 3`; one `gpu.wait()` "
    "after the loop",
    misconceptions=[
        Misconception(
            "steps in a single line",
            edit("number % 4", "0"),
            "Nothing overlaps.",
            "Steps of one stream run in order, and so does a step `after` another. Only others can "
            "overlap.",
        ),
        Misconception(
            "two streams",
            [edit("number % 4", "number % 2"), edit("number % 4", "chunk[0] % 4")],
            "Something overlaps, but the copy engine is idle now and then.",
            "A chunk's kernel and download take longer than the next upload, so a third chunk must "
            "be on its way.",
        ),
        Misconception(
            "a stream for each kind of step",
            edit(
                STEPS,
                "        gpu.upload(chunk, 0)\n        gpu.kernel(chunk, 1)\n"
                "        gpu.download(chunk, 2)\n",
            ),
            "A kernel may begin before its images have arrived.",
            "Nothing orders steps of different streams. Put a chunk's three steps on one stream, "
            "or call `gpu.after`.",
        ),
        Misconception(
            "a wait in the loop",
            [
                edit(STEPS, STEPS + "        gpu.wait(stream)\n"),
                edit(STEPS, STEPS + "        gpu.wait()\n"),
            ],
            "The host waits inside the loop, and meanwhile nothing new is issued.",
            "Issue everything first. One `gpu.wait()` at the end is enough.",
        ),
        Misconception(
            "all copies before all kernels",
            edit(
                LOOP,
                "    for step in (gpu.upload, gpu.kernel, gpu.download):\n"
                "        for number, chunk in enumerate(chunks):\n"
                "            step(chunk, number % 4)\n",
            ),
            "All copies are issued before the first kernel, which holds streams up.",
            "Go chunk by chunk: its copy, its kernel, its copy back.",
        ),
        Misconception(
            "no wait",
            edit("return gpu.wait()", "return sum(end - start for start, end in chunks)"),
            "You return before the GPU is done.",
            "Calls on streams only issue work. `gpu.wait()` waits for it.",
        ),
    ],
)
