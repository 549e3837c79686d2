"""Copies and kernels on streams, right and as learners put them there: lab 11, exercise 4."""

from __future__ import annotations

KINDS = "upload", "kernel", "download"


def in_turn(streams):
    def plan(gpu, chunks):
        for number, chunk in enumerate(chunks):
            stream = number % streams
            gpu.upload(chunk, stream)
            gpu.kernel(chunk, stream)
            gpu.download(chunk, stream)
        return gpu.wait()

    return plan


def by_first_image(gpu, chunks, streams=3):
    """Take each chunk's stream from the number of its first image."""
    for chunk in chunks:
        for kind in KINDS:
            getattr(gpu, kind)(chunk, chunk[0] % streams)
    return gpu.wait()


def one_stream(gpu, chunks, first=3, then=0):
    """Put all on one stream: the `first` steps of each chunk, those of all before the others.

    Of the others, `then` of each chunk again.
    """
    for kinds in (KINDS[:first], KINDS[first : first + then], KINDS[first + then :]):
        for chunk in chunks if kinds else ():
            for kind in kinds:
                getattr(gpu, kind)(chunk, 0)
    return gpu.wait()


def by_kind(gpu, chunks, first=0):
    for chunk in chunks:
        gpu.upload(chunk, first)
        gpu.kernel(chunk, first + 1)
        gpu.download(chunk, first + 2)
    return gpu.wait()


def waits_for_each(gpu, chunks, summed=False):
    total = 0
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number)
        gpu.kernel(chunk, number)
        gpu.download(chunk, number)
        done = gpu.wait()
        total += done
    return total if summed else done


def all_copies_first(gpu, chunks, waits=False):
    """Let each kernel wait for every copy, by `after` or by the host."""
    for chunk in chunks:
        gpu.upload(chunk, 0)
    if waits:
        gpu.wait()
    for number, chunk in enumerate(chunks):
        if not waits:
            gpu.after(number + 1, 0)
        gpu.kernel(chunk, number + 1)
        gpu.download(chunk, number + 1)
    return gpu.wait()


def kind_after_kind(gpu, chunks, streams=3):
    for step in (gpu.upload, gpu.kernel, gpu.download):
        for number, chunk in enumerate(chunks):
            step(chunk, number % streams)
    return gpu.wait()


def put(gpu, chunks, stream):
    """Put each chunk on `stream(number)`."""
    for number, chunk in enumerate(chunks):
        for kind in KINDS:
            getattr(gpu, kind)(chunk, stream(number))


def no_wait(gpu, chunks, gives=lambda chunks: chunks[-1][1]):
    put(gpu, chunks, lambda number: number)
    return gives(chunks)


def last_stream_only(gpu, chunks, streams=100, first=False):
    put(gpu, chunks, lambda number: number % streams)
    return gpu.wait(0 if first else (len(chunks) - 1) % streams)


def neighbours_together(gpu, chunks, stream=lambda number: number // 2):
    put(gpu, chunks, stream)
    return gpu.wait()


def labels_last(gpu, chunks, streams=3):
    """Issue all copies back behind the last kernel."""
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number % streams)
        gpu.kernel(chunk, number % streams)
    for number, chunk in enumerate(chunks):
        gpu.download(chunk, number % streams)
    return gpu.wait()


def two_kinds_together(gpu, chunks, kernels=1):
    """Put copies up on stream 0, copies back on 1, and kernels on one of the two."""
    for chunk in chunks:
        gpu.upload(chunk, 0)
        if kernels:
            gpu.after(1, 0)
        gpu.kernel(chunk, kernels)
        if not kernels:
            gpu.after(1, 0)
        gpu.download(chunk, 1)
    return gpu.wait()


def wait_within(gpu, chunks, behind="kernel", streams=100):
    """Let the host wait for each chunk's stream, before the chunk or behind one of its steps."""
    for number, chunk in enumerate(chunks):
        stream = number % streams
        if behind is None and number >= streams:
            gpu.wait(stream)
        for kind in KINDS:
            getattr(gpu, kind)(chunk, stream)
            if kind == behind:
                gpu.wait(stream)
    return gpu.wait()


def no_kernel(gpu, chunks, turned=False):
    """Bring chunks back without a kernel, or before it."""
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number)
        gpu.download(chunk, number)
        if turned:
            gpu.kernel(chunk, number)
    return gpu.wait()


def nothing_back(gpu, chunks):
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number)
        gpu.kernel(chunk, number)
    return gpu.wait()


def kernel_before_its_copy(gpu, chunks):
    for number, chunk in enumerate(chunks):
        gpu.kernel(chunk, number)
        gpu.upload(chunk, number)
        gpu.download(chunk, number)
    return gpu.wait()


def counted_before_the_wait(gpu, chunks):
    in_turn(4)(gpu, chunks)
    return len(chunks)


def last_chunk_forgotten(gpu, chunks):
    return in_turn(4)(gpu, chunks[:-1])


def last_labels_forgotten(gpu, chunks):
    """Bring back the chunk before in each turn, and the last one never."""
    before = None
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number % 3)
        gpu.kernel(chunk, number % 3)
        if before is not None:
            gpu.download(before, (number - 1) % 3)
        before = chunk
    return gpu.wait()


def after_turned_round(gpu, chunks):
    for chunk in chunks:
        gpu.upload(chunk, 0)
        gpu.after(0, 1)
        gpu.kernel(chunk, 1)
        gpu.after(1, 2)
        gpu.download(chunk, 2)
    return gpu.wait()


def after_once(gpu, chunks):
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, 0)
        if number == 0:
            gpu.after(1, 0)
        gpu.kernel(chunk, 1)
        if number == 0:
            gpu.after(2, 1)
        gpu.download(chunk, 2)
    return gpu.wait()


def own_way_back(gpu, chunks, back=99):
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number % 3)
        gpu.kernel(chunk, number % 3)
        gpu.download(chunk, back)
    return gpu.wait()


def wait_for_each_round(gpu, chunks, streams=4):
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number % streams)
        gpu.kernel(chunk, number % streams)
        gpu.download(chunk, number % streams)
        if number % streams == streams - 1:
            gpu.wait()
    return gpu.wait()
