"""Work done by several threads at once, timed as one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError
from time import perf_counter

from .cpu_share import Section
from .machine_lock import machine_lock, shared_folder
from .quick import fewer, quick
from .timing import Sample, lock_name, sample_of

Span = tuple[float, float, float, float | None]  # start, end, processor time, share received


def best_seconds(work: Callable[[int], object], threads: int, repeats: int) -> Sample:
    """Return the shortest time in which threads 0 to `threads`-1 all did `work(thread)`.

    Each repeat begins when all are ready, and lasts from the first start to the last end. The
    best of them is taken: a limit is what the machine can do when nothing disturbs it. Where
    others disturbed every repeat, there are once more as many. `work` must let go of the
    interpreter's lock, else threads wait for one another. The first error in it ends the work of
    all, and passes through.
    """
    barrier, errors = Barrier(threads), []

    def member(thread: int) -> list[Span]:
        spans = []
        try:
            for _ in range(fewer(repeats)):
                barrier.wait()
                section, start = Section(1), perf_counter()
                work(thread)
                end, received = perf_counter(), section.end()
                spans.append((start, end, received.busy, received.share))
        except BrokenBarrierError:
            pass  # another's error
        except BaseException as error:
            errors.append(error)
            barrier.abort()  # else the others would wait for this one for ever
        return spans

    with machine_lock(lock_name(threads)) as late, ThreadPoolExecutor(threads) as pool:
        found: list[Sample] = []
        for _ in range(1 if quick() else 2):
            members = list(pool.map(member, range(threads)))
            if errors:
                raise errors[0]
            found += [_sample(spans, late) for spans in zip(*members, strict=True)]
            if not all(each.disturbed for each in found):
                break
    return min(found, key=lambda each: each.seconds)._replace(
        disturbed=all(each.disturbed for each in found)
    )


def _sample(spans: tuple[Span, ...], late: bool) -> Sample:
    """Return the time of a repeat, from what each of its threads says."""
    share = min((share for *_, share in spans if share is not None), default=None)
    if len(spans) == 1 and shared_folder():  # its own clock, which others cannot slow down
        return Sample(spans[0][2], share, clock="thread")
    seconds = max(end for _, end, *_ in spans) - min(start for start, *_ in spans)
    return sample_of(seconds, share, late)
