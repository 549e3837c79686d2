"""A model of a GPU with streams: two copy engines, one for kernels, and a host that issues.

It computes nothing and only keeps time, so that a plan of copies and kernels can be seen and judged
on any machine. What nothing orders it notices as a race.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.text import runs_text
from ...measure.cuda.profile import Activity

KINDS = ("upload", "kernel", "download")
SLACK = 1e-6  # of a budget: rounding


class Race(Exception):
    """Something was put where nothing orders it after what it needs."""


@dataclass(frozen=True)
class Linear:
    """A cost that grows with images: `begin + waves · times / over`, a wave being `wave` of them.

    Unlike a lambda it can be sent to another process.
    """

    begin: float
    times: float
    over: float = 1
    wave: int = 1

    def __call__(self, images: int) -> float:
        return self.begin + -(-images // self.wave) * self.times / self.over


@dataclass(frozen=True)
class Costs:
    """Microseconds: of the host for each call, and of the GPU for a chunk of so many images.

    `pinned`: whether the host's memory is page-locked; if not, a copy holds the host up till it is
    done.
    """

    upload: Callable[[int], float]
    kernel: Callable[[int], float]
    download: Callable[[int], float]
    issue: float = 1.0
    pinned: bool = True


@dataclass
class _Step:
    kind: str
    chunk: Any
    stream: int
    issued: float
    duration: float
    before: frozenset[int]  # the last of those that it waits for, which wait for all others
    start: float | None = None

    @property
    def end(self) -> float:
        return self.start + self.duration


@dataclass
class RehearsalGpu:
    """Takes `upload`, `kernel`, `download` of chunks on numbered streams, then `wait()`.

    Steps of one stream run in order; of two streams, in any order unless `after` says so. Each kind
    has one engine, which does one step at a time, and takes what is ready first. A chunk is a pair
    of whole numbers, its first image and the one behind its last. `budget`: the most microseconds
    that a check accepts, None for any.
    """

    costs: Costs
    images: int
    budget: float | None = None
    seconds: float = field(default=0.0, init=False)  # of the host's clock, in µs
    _steps: list[_Step] = field(default_factory=list, init=False)
    _last: dict[int, frozenset[int]] = field(default_factory=dict, init=False)  # all on a stream
    _tips: dict[int, frozenset[int]] = field(default_factory=dict, init=False)  # the last of them
    _known: frozenset[int] = field(default=frozenset(), init=False)
    _calls: list[tuple[str, float, float]] = field(default_factory=list, init=False)
    _waited: int = field(default=0, init=False)
    _orders: list[tuple[int, int]] = field(default_factory=list, init=False)  # (waits, for whom)

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
        """Make what is put on `stream` from now on wait for all that is on `other` so far."""
        self._orders.append((stream, other))
        for of in (self._last, self._tips):
            of[stream] = of.get(stream, frozenset()) | of.get(other, frozenset())

    def wait(self, stream: int | None = None) -> int:
        """Let the host wait for a stream, or for all;
        return how many images have their labels by then.
        """
        self._run()
        known = (
            frozenset(range(len(self._steps)))
            if stream is None
            else self._last.get(stream, frozenset())
        )
        self._known |= known
        begin = self.seconds
        self.seconds = max([begin, *(self._steps[n].end for n in known)])
        self._calls.append(("wait", begin, self.seconds))
        self._waited = len(self._known)
        return self._labelled()

    def timeline(self) -> list[Activity]:
        """Return all of it as activities, in nanoseconds, for `timeline_picture`."""
        self._run()
        return [
            *(Activity("call", name, round(1e3 * a), round(1e3 * b)) for name, a, b in self._calls),
            *(Activity(step.kind, f"images {step.chunk[0]} to {step.chunk[1] - 1}",
                       round(1e3 * step.start), round(1e3 * step.end), step.stream + 1)
              for step in self._steps),
        ]  # fmt: skip

    def objection(self) -> str | None:
        """Return what a check says of a plan that does less than it should, or takes longer."""
        if not self._steps:
            return "did not put anything on the GPU that it was handed."
        if self._waited < len(self._steps):
            return (
                "came back while the GPU was still at work: unless it waits for all streams at "
                "the end, labels may not be there."
            )
        if self.budget is not None and (labels := self._labelled()) < self.images:
            return f"has labels for {labels:,} of {self.images:,} images{self._without()}."
        if self.budget is not None and self.seconds > self.budget * (1 + SLACK):
            return (
                f"has all labels on the host, but takes {self.seconds:.1f} µs, and at most "
                f"{self.budget:.1f} µs are allowed. {self._where_time_goes()}"
            )
        return None

    def _without(self) -> str:
        """Say which images have no label, where some have one, and how far these have come."""
        known = self._labels()
        missing = [image for image in range(self.images) if image not in known]
        sent, computed = (
            len(_images(kind, self._steps).intersection(missing)) for kind in KINDS[:2]
        )
        they_are, them = ("It is", "it") if len(missing) == 1 else ("They are", "them")
        far = (
            "computed, and never copied back"
            if computed == len(missing)
            else f"copied to the GPU, and no kernel computes {them}"
            if sent == len(missing) and not computed
            else "never copied to the GPU"
            if not sent
            else ""
        )
        runs = f": none for {runs_text(missing, 'image')}" if known else ""
        return f"{runs}. {they_are} {far}" if far else runs

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

    def _labelled(self) -> int:
        """Return images whose labels are back, each counted once, in however many chunks it was."""
        return len(self._labels())

    def _labels(self) -> set[int]:
        return _images("download", [self._steps[n] for n in self._known])

    def _put(self, kind: str, chunk: Sequence[int], stream: int, needs: str | None) -> None:
        first, end = chunk
        if not 0 <= first < end <= self.images:
            raise ValueError(
                f"chunk {chunk!r}: there are images 0 to {self.images}, and a chunk "
                "is a pair (first, end) of them"
            )
        chunk = (first, end)
        before = self._last.get(stream, frozenset()) | self._known
        done = _images(needs, [self._steps[n] for n in before]) if needs else range(first, end)
        if missing := [image for image in range(first, end) if image not in done]:
            of = "that chunk" if len(missing) == end - first else runs_text(missing, "image")
            raise Race(
                f"the {kind} of chunk {chunk} on stream {stream} comes after no {needs} of "
                f"{of}: nothing says that it is done by then{self._turned_round(stream)}"
            )
        duration = getattr(self.costs, kind)(end - first)
        begin = self.seconds
        self.seconds += self.costs.issue  # the host has waited for what is known, if anything is
        number = len(self._steps)
        tips = self._tips.get(stream, frozenset())
        self._steps.append(_Step(kind, chunk, stream, self.seconds, duration, tips))
        self._last[stream], self._tips[stream] = before | {number}, frozenset({number})
        if kind != "kernel" and not self.costs.pinned:
            self._run()
            self.seconds = max(self.seconds, self._steps[number].end)
        self._calls.append((kind, begin, self.seconds))

    def _turned_round(self, stream: int) -> str:
        """Say which stream waits for this one, where this one waits for none."""
        waits = [who for who, other in self._orders if other == stream]
        if not waits or any(who == stream for who, _ in self._orders):
            return ""
        return (
            f". `after({waits[0]}, {stream})` makes stream {waits[0]} wait for stream "
            f"{stream}, not the other way round"
        )

    def _run(self) -> None:
        """Give each step that has none its start: of those that could start, the first one next."""
        free = {
            kind: max(
                [0.0, *(s.end for s in self._steps if s.kind == kind and s.start is not None)]
            )
            for kind in KINDS
        }
        waiting = [n for n, step in enumerate(self._steps) if step.start is None]
        while waiting:
            ready = []
            for n in waiting:
                step = self._steps[n]
                if all(self._steps[m].start is not None for m in step.before):
                    ends = [self._steps[m].end for m in step.before]
                    ready.append((max([step.issued, free[step.kind], *ends]), n))
            start, n = min(ready)
            self._steps[n].start = start
            free[self._steps[n].kind] = self._steps[n].end
            waiting.remove(n)

    def __deepcopy__(self, memo: dict) -> RehearsalGpu:
        return RehearsalGpu(self.costs, self.images, self.budget)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RehearsalGpu) and (self.costs, self.images) == (
            other.costs,
            other.images,
        )

    def __repr__(self) -> str:
        return f"a GPU for {self.images:,} images"


def _images(kind: str, steps: Sequence[_Step]) -> set[int]:
    return {image for step in steps if step.kind == kind for image in range(*step.chunk)}


def equal_chunks(images: int, number: int) -> list[tuple[int, int]]:
    """Return `number` chunks, equal to within one image."""
    edges = [images * part // number for part in range(number + 1)]
    return list(itertools.pairwise(edges))
