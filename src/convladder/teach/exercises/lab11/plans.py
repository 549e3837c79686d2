"""Plans of chunks and streams, as learners make them: lab 11, exercise 6."""

from __future__ import annotations

from ....exercises.mocks.copy_engines import equal_chunks

WAVE = 132 * 16  # images that one_kernel's blocks have at a time, one block a multiprocessor
CHUNKS, STREAMS = 10, 3  # of the package's rung one_kernel_floats


def plan_of(chunks, streams):
    def plan(gpu, images):
        return put(
            gpu, chunks(images) if callable(chunks) else equal_chunks(images, chunks), streams
        )

    return plan


def put(gpu, parts, streams):
    for number, part in enumerate(parts):
        gpu.upload(part, number % streams)
        gpu.kernel(part, number % streams)
        gpu.download(part, number % streams)
    return gpu.wait()


def lost(images):
    size = images // CHUNKS - 1
    return [(i * size, (i + 1) * size) for i in range(CHUNKS)]


def parts_of(images, chunks):
    """Return so many equal chunks; of none, two whose last one is a wave."""
    edge = images - WAVE
    return equal_chunks(images, chunks) if chunks else [(0, edge), (edge, images)]


def on_one_stream(gpu, images, chunks=CHUNKS, size=None):
    """Put equal chunks on one stream, or chunks of one size and a smaller last one."""
    return put(
        gpu,
        parts_of(images, chunks)
        if size is None
        else [(at, min(at + size, images)) for at in range(0, images, size)],
        1,
    )


def waits(gpu, images, chunks=CHUNKS):
    for number, part in enumerate(parts_of(images, chunks)):
        gpu.upload(part, number % STREAMS)
        gpu.kernel(part, number % STREAMS)
        gpu.download(part, number % STREAMS)
        gpu.wait(number % STREAMS)
    return gpu.wait()


def large_last(images):
    return [(0, images // 10), (images // 10, images)]


def small_first(images):
    return [
        (0, WAVE),
        *((begin, min(begin + 4 * WAVE, images)) for begin in range(WAVE, images, 4 * WAVE)),
    ]


def overlapping(images):
    size = -(-images // CHUNKS)
    return [(max(0, i * size - 50), min(images, (i + 1) * size)) for i in range(CHUNKS)]


def by_kind(gpu, images, chunks=CHUNKS, streams=STREAMS):
    parts = equal_chunks(images, chunks)
    for step in (gpu.upload, gpu.kernel, gpu.download):
        for number, part in enumerate(parts):
            step(part, number % streams)
    return gpu.wait()


def a_stream_for_each_kind(gpu, images, chunks=CHUNKS, first=0):
    for part in parts_of(images, chunks):
        gpu.upload(part, first)
        gpu.kernel(part, first + 1)
        gpu.download(part, first + 2)
    return gpu.wait()


def never_waits(gpu, images):
    for number, part in enumerate(equal_chunks(images, CHUNKS)):
        gpu.upload(part, number)
        gpu.kernel(part, number)
        gpu.download(part, number)
    return images


def nothing_back(gpu, images):
    for number, part in enumerate(equal_chunks(images, CHUNKS)):
        gpu.upload(part, number % STREAMS)
        gpu.kernel(part, number % STREAMS)
    return gpu.wait()


def beyond_the_images(gpu, images, chunks=7, size=None, last=None):
    """Make chunks of a rounded size; or, with `last`, two of 10,000 images."""
    size = size or -(-images // chunks)
    return put(
        gpu,
        [(0, 10_000 - last), (10_000 - last, 10_000)]
        if last
        else [(at, at + size) for at in range(0, images, size)],
        STREAMS,
    )


def many(gpu, images, size=None):
    if size is None:
        return put(gpu, equal_chunks(images, 100), STREAMS)
    return put(gpu, [(at, min(at + size, images)) for at in range(0, images, size)], STREAMS)


def few(gpu, images, chunks=2, streams=4):
    return put(gpu, equal_chunks(images, chunks), streams)


def more_than_pay(gpu, images, chunks=11):
    return put(gpu, equal_chunks(images, chunks), STREAMS)


def whole_chunks(gpu, images, size=WAVE):
    return put(gpu, [(at * size, (at + 1) * size) for at in range(images // size)], STREAMS)


def last_of_two_waves(gpu, images, last=None):
    """Make the last of two chunks a quarter, or `last` images."""
    edge = images - (last or images // 4)
    return put(gpu, [(0, edge), (edge, images)], 2)


def two_on_one_stream(gpu, images, last=WAVE):
    return put(gpu, [(0, images - last), (images - last, images)], 1)


def last_takes_the_rest(gpu, images, size=WAVE):
    """Make whole chunks of one size, and let the last one have what is left as well."""
    edges = [*range(0, images // size * size, size), images]
    return put(gpu, list(zip(edges[:-1], edges[1:])), STREAMS)


def tiny_last(gpu, images, last=100):
    return put(gpu, [(0, images - last), (images - last, images)], 2)


def one_image_short(gpu, images, chunks=CHUNKS):
    """Let each chunk end before its last image."""
    return put(gpu, [(first, end - 1) for first, end in parts_of(images, chunks)], STREAMS)


def last_one_stays(gpu, images, chunks=CHUNKS):
    """Bring back all chunks but the last."""
    parts = parts_of(images, chunks)
    for number, part in enumerate(parts):
        gpu.upload(part, number)
        gpu.kernel(part, number)
        if number:
            gpu.download(parts[number - 1], number - 1)
    return gpu.wait()


def own_way_back(gpu, images, chunks=CHUNKS, back=99):
    for number, part in enumerate(parts_of(images, chunks)):
        gpu.upload(part, number % STREAMS)
        gpu.kernel(part, number % STREAMS)
        gpu.download(part, back)
    return gpu.wait()


def all_copies_first(gpu, images, chunks=CHUNKS, waits=False, whole=False):
    """Let the kernels wait for every copy, by the host or by `after`; whole: one kernel for all."""
    parts = parts_of(images, chunks)
    for number, part in enumerate(parts):
        gpu.upload(part, 0)
    if waits:
        gpu.wait()
    for number, part in enumerate([(0, images)] if whole else parts):
        if not waits:
            gpu.after(number + 1, 0)
        gpu.kernel(part, number + 1)
        gpu.download(part, number + 1)
    return gpu.wait()


def kernel_first(gpu, images, chunks=CHUNKS):
    for number, part in enumerate(parts_of(images, chunks)):
        gpu.kernel(part, number)
        gpu.upload(part, number)
        gpu.download(part, number)
    return gpu.wait()


def no_kernel(gpu, images, chunks=CHUNKS, turned=False):
    """Bring chunks back without a kernel, or before it."""
    for number, part in enumerate(parts_of(images, chunks)):
        gpu.upload(part, number)
        gpu.download(part, number)
        if turned:
            gpu.kernel(part, number)
    return gpu.wait()


def after_once(gpu, images, chunks=CHUNKS):
    parts = parts_of(images, chunks)
    for number, part in enumerate(parts):
        gpu.upload(part, 0)
        if number == 0:
            gpu.after(1, 0)
        gpu.kernel(part, 1)
        if number == 0:
            gpu.after(2, 1)
        gpu.download(part, 2)
    return gpu.wait()


def after_turned_round(gpu, images, chunks=CHUNKS):
    for part in parts_of(images, chunks):
        gpu.upload(part, 0)
        gpu.after(0, 1)
        gpu.kernel(part, 1)
        gpu.after(1, 2)
        gpu.download(part, 2)
    return gpu.wait()


def counted(gpu, images, chunks=CHUNKS):
    put(gpu, parts_of(images, chunks), STREAMS)
    return chunks or 2
