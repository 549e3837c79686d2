"""A model of a GPU with streams: two copy engines, one for kernels, and a host that issues.

It computes nothing and only keeps time, so that a plan of copies and kernels can be seen and judged
on any machine. It raises `Race` for a step that nothing orders after what it needs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...core.text import count_text, runs_text
from ...measure.cuda.profile import Activity

KINDS = ("upload", "kernel", "download")
SLACK = 1e-6  # of a budget: rounding


class Race(Exception):
    """Nothing orders a step after the step that it needs."""


@dataclass(frozen=True)
class Duration:
    """Microseconds for so many images: `fixed`, and `each` for every `wave` of them that begins."""

    fixed: float
    each: float
    wave: int = 1

    def __call__(self, images: int) -> float:
        return self.fixed + self.each * -(-images // self.wave)


@dataclass(frozen=True)
class Costs:
    """Microseconds of the GPU for a chunk of so many images, and of the host for each call.

    pinned: whether the host's memory is page-locked. If not, a copy blocks the host until it ends.
    """

    upload: Callable[[int], float]
    kernel: Callable[[int], float]
    download: Callable[[int], float]
    issue: float = 1.0
    pinned: bool = True


@dataclass
class EngineTask:
    """A copy or a kernel: `issued` by the host, and `start`ed when its engine gets to it."""

    kind: str
    chunk: tuple[int, int]
    stream: int
    issued: float
    duration: float
    after: frozenset[int]  # numbers of the steps that it waits for, which wait for others in turn
    start: float | None = None

    @property
    def end(self) -> float:
        """Return when it ends. Only a step that has a start has an end."""
        return self.start + self.duration


class RehearsalGpu:
    """Takes `upload`, `kernel`, `download` of chunks on numbered streams, then `wait()`.

    Steps of one stream run in order. Steps of two streams run in any order unless `after` says so.
    Each kind has one engine, which does one step at a time, and takes what is ready first. A chunk
    is a pair (first image, the one behind its last). `seconds` is the host's clock, in
    microseconds.

    budget: the most microseconds that a check accepts, None for any.
    """

    def __init__(self, costs: Costs, images: int, budget: float | None = None) -> None:
        self.costs, self.images, self.budget = costs, images, budget
        self.seconds = 0.0
        self._steps: list[EngineTask] = []
        self._last: dict[int, frozenset[int]] = {}  # what a stream's next step waits for
        self._known: set[int] = set()  # steps of which the host knows that they are done
        self._calls: list[tuple[str, float, float]] = []  # of the host: (name, start, end)

    def upload(self, chunk: Sequence[int], stream: int) -> None:
        """Copy a chunk's images to the GPU."""
        self._put("upload", chunk, stream, None)

    def kernel(self, chunk: Sequence[int], stream: int) -> None:
        """Compute a chunk's labels. Raises `Race` where its images may not be there."""
        self._put("kernel", chunk, stream, "upload")

    def download(self, chunk: Sequence[int], stream: int) -> None:
        """Copy a chunk's labels back. Raises `Race` where they may not be computed."""
        self._put("download", chunk, stream, "kernel")

    def after(self, stream: int, other: int) -> None:
        """Make later steps of `stream` wait for all steps that are on `other` so far."""
        self._last[stream] = self._waits_for(stream) | self._waits_for(other)

    def wait(self, stream: int | None = None) -> int:
        """Let the host wait for a stream, or for all, and return how many images have labels."""
        self._run()
        everything = range(len(self._steps))
        self._known |= self._reached(everything if stream is None else self._waits_for(stream))
        begin = self.seconds
        self.seconds = max([begin, *(self._steps[n].end for n in self._known)])
        self._calls.append(("wait", begin, self.seconds))
        return len(self._labelled())

    def timeline(self) -> list[Activity]:
        """Return all calls and steps as activities, in nanoseconds, for `timeline_picture`."""
        self._run()
        calls = [Activity("call", name, _ns(start), _ns(end)) for name, start, end in self._calls]
        for step in self._steps:
            name = f"images {step.chunk[0]} to {step.chunk[1] - 1}"
            times = _ns(step.start), _ns(step.end)
            calls.append(Activity(step.kind, name, *times, step.stream + 1))
        return calls

    def objection(self) -> str | None:
        """Return the check's objection to a plan that does less than it should, or takes longer."""
        if not self._steps:
            return "did not put anything on the GPU that it was handed."
        if len(self._known) < len(self._steps):
            return (
                "came back while the GPU was still at work: unless it waits for all streams at "
                "the end, labels may not be there."
            )
        if self.budget is None:
            return None
        if missing := set(range(self.images)) - self._labelled():
            return (
                f"has labels for {self.images - len(missing):,} of {self.images:,} images: none "
                f"for {runs_text(sorted(missing), 'image')}{self._how_far(missing)}."
            )
        if self.seconds > self.budget * (1 + SLACK):
            return (
                f"has all labels on the host, but takes {self.seconds - self.budget:.3g} µs more "
                f"than the {self.budget:.1f} that are allowed. {self._where_time_goes()}"
            )
        return None

    def _how_far(self, missing: set[int]) -> str:
        """Say how far the images without a label have come, where all came equally far."""
        sent, computed = (missing & _images(kind, self._steps) for kind in KINDS[:2])
        if computed == missing:
            return ", computed and never copied back"
        if sent == missing and not computed:
            return ", copied to the GPU and never computed"
        return "" if sent else ", never copied to the GPU"

    def _where_time_goes(self) -> str:
        """Say which steps alone take too long; else how long the copies up stand still."""
        for kind, name in (("kernel", "kernels"), ("upload", "copies to the GPU")):
            steps = [step.duration for step in self._steps if step.kind == kind]
            if sum(steps) > self.budget * (1 + SLACK):
                return (
                    f"Its {name}, {len(steps)} in all, take {sum(steps):.1f} µs by themselves, "
                    "whatever runs beside them."
                )
        up = [step for step in self._steps if step.kind == "upload"]
        end = max(step.end for step in up)
        idle = end - min(step.start for step in up) - sum(step.duration for step in up)
        return (
            f"The last image is on the GPU after {end:.1f} µs, in which the copies, {len(up)} "
            f"in all, stood still for {idle:.1f} µs; {self.seconds - end:.1f} µs follow."
        )

    def _labelled(self) -> set[int]:
        """Return the images whose labels are back, as far as the host knows."""
        return _images("download", [self._steps[n] for n in self._known])

    def _waits_for(self, stream: int) -> frozenset[int]:
        return self._last.get(stream, frozenset())

    def _reached(self, numbers: Iterable[int]) -> set[int]:
        """Return these steps and all that they wait for."""
        found, open_ = set(), list(numbers)
        while open_:
            number = open_.pop()
            if number not in found:
                found.add(number)
                open_ += self._steps[number].after
        return found

    def _put(self, kind: str, chunk: Sequence[int], stream: int, needs: str | None) -> None:
        first, end = chunk
        if not 0 <= first < end <= self.images:
            raise ValueError(
                f"chunk {chunk!r}: there are images 0 to {self.images}, and a chunk "
                "is a pair (first, end) of them"
            )
        before = self._waits_for(stream)
        if needs:
            done = [self._steps[n] for n in self._reached(before) | self._known]
            if missing := sorted(set(range(first, end)) - _images(needs, done)):
                of = "that chunk" if len(missing) == end - first else runs_text(missing, "image")
                raise Race(
                    f"the {kind} of chunk {(first, end)} on stream {stream} comes after no {needs} "
                    f"of {of}: nothing says that it is done by then"
                )
        elif kind == "upload":
            others = set(range(len(self._steps))) - self._reached(before) - self._known
            twice = _images(kind, [self._steps[n] for n in others]) & set(range(first, end))
            if twice:
                raise Race(
                    f"the upload of chunk {(first, end)} on stream {stream} writes "
                    f"{runs_text(sorted(twice), 'image')} once more: nothing says that the steps "
                    "that need the first copy are done by then"
                )
        begin = self.seconds
        self.seconds += self.costs.issue
        duration = getattr(self.costs, kind)(end - first)
        step = EngineTask(kind, (first, end), stream, self.seconds, duration, before)
        self._last[stream] = frozenset({len(self._steps)})
        self._steps.append(step)
        if kind != "kernel" and not self.costs.pinned:
            self._run()
            self.seconds = max(self.seconds, step.end)
        self._calls.append((kind, begin, self.seconds))

    def _run(self) -> None:
        """Give each step that has none its start: of those that could start, the first one next."""
        free = dict.fromkeys(KINDS, 0.0)  # when each engine is
        for step in self._steps:
            if step.start is not None:
                free[step.kind] = max(free[step.kind], step.end)
        waiting = [step for step in self._steps if step.start is None]
        while waiting:
            ready = []
            for at, step in enumerate(waiting):
                before = [self._steps[n] for n in step.after]
                if all(each.start is not None for each in before):
                    ends = [each.end for each in before]
                    ready.append((max([step.issued, free[step.kind], *ends]), at))
            start, at = min(ready)
            step = waiting.pop(at)
            step.start = start
            free[step.kind] = step.end

    def __deepcopy__(self, memo: dict) -> RehearsalGpu:
        return RehearsalGpu(self.costs, self.images, self.budget)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RehearsalGpu) and (self.costs, self.images) == (
            other.costs,
            other.images,
        )

    def __repr__(self) -> str:
        return f"a GPU for {count_text(self.images, 'image')}"


def _images(kind: str, steps: Sequence[EngineTask]) -> set[int]:
    return {image for step in steps if step.kind == kind for image in range(*step.chunk)}


def _ns(micros: float) -> int:
    return round(1e3 * micros)


def equal_chunks(images: int, number: int) -> list[tuple[int, int]]:
    """Return `number` chunks, equal to within one image."""
    edges = [images * part // number for part in range(number + 1)]
    return list(itertools.pairwise(edges))
