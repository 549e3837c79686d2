"""A forecast for each way to cut a network, from a few rates that are measured beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.problem import ConvProblem
from .partition import bands, check_pairs, needed, shares
from .pipeline import schedule, stages
from .sharding import all_reduce_bytes

VALUE = 4  # bytes of a float32


@dataclass(frozen=True)
class Link:
    """A way for messages: `latency` in seconds for one of them, `bandwidth` in bytes per second."""

    latency: float
    bandwidth: float

    def seconds(self, size: float, messages: int = 1) -> float:
        """Return the seconds for `size` bytes in so many messages, one after the other."""
        return messages * self.latency + size / self.bandwidth


@dataclass(frozen=True)
class Rates:
    """Measured rates of workers: the time of each layer for one image on one of them, and links.

    `put`, `fetch`: between whoever has the images and a worker. `peer`: between workers, the task
    that asks for the value included. `task`: seconds that a task costs besides its work.
    """

    layers: tuple[float, ...]
    put: Link
    fetch: Link
    peer: Link
    task: float = 0.0


@dataclass(frozen=True)
class Prediction:
    """Seconds by what they go into: images sent, workers' work and exchange, results collected."""

    send: float
    compute: float
    exchange: float
    collect: float

    @property
    def seconds(self) -> float:
        """Return the seconds of all of it."""
        return self.send + self.compute + self.exchange + self.collect


def image_bytes(problem: ConvProblem) -> int:
    """Return the bytes of one image that a layer takes."""
    return VALUE * problem.i_h * problem.i_w * problem.i_c


def map_bytes(problem: ConvProblem) -> int:
    """Return the bytes of what a layer makes of one image."""
    return VALUE * problem.o_h * problem.o_w * problem.k_c


def by_images(
    problems: Sequence[ConvProblem], images: int, rates: Rates, workers: int
) -> Prediction:
    """Predict shares of images: the largest computes longest, they are sent one after the other."""
    cut = shares(images, workers)
    return Prediction(
        rates.put.seconds(images * image_bytes(problems[0]), len(cut)),
        rates.task + max(map(len, cut)) * sum(rates.layers),
        0.0,
        rates.fetch.seconds(images * map_bytes(problems[-1]), len(cut)),
    )


def by_rows(
    problems: Sequence[ConvProblem], images: int, rates: Rates, workers: int, exchange: bool = False
) -> Prediction:
    """Predict bands: halos travel before every layer (`exchange`), or are computed twice."""
    last = problems[-1]
    if not exchange:
        cut = [needed(problems, rows.start, rows.stop) for rows in shares(last.o_h, workers)]
        longest = max(
            sum(t * piece.rows / p.o_h for t, p, piece in zip(rates.layers, problems, pieces))
            for pieces in cut
        )
        sent, wait = sum(pieces[0].last - pieces[0].first for pieces in cut), 0.0
        count = len(cut)
    else:
        layers = [bands(p, workers) for p in problems]
        sent, count = sum(piece.last - piece.first for piece in layers[0]), len(layers[0])
        longest = sum(
            t * max(piece.rows for piece in pieces) / p.o_h
            for t, p, pieces in zip(rates.layers, problems, layers)
        )
        wait = sum(
            _halo_seconds(p, before, pieces, images, rates)
            for p, before, pieces in zip(problems[1:], layers, layers[1:])
        )
    row = image_bytes(problems[0]) / problems[0].i_h
    return Prediction(
        rates.put.seconds(images * sent * row, count),
        rates.task + images * longest,
        wait,
        rates.fetch.seconds(images * map_bytes(last), min(workers, last.o_h)),
    )


def _halo_seconds(
    problem: ConvProblem, before: Sequence, pieces: Sequence, images: int, rates: Rates
) -> float:
    """Until the worker with the most neighbours has its edge rows; all do so side by side."""
    row = image_bytes(problem) / problem.i_h
    waits = [0.0]
    for own, piece in zip(before, pieces):
        above, below = max(0, own.begin - piece.first), max(0, piece.last - own.stop)
        messages = (above > 0) + (below > 0)
        if messages:
            waits.append(rates.task + rates.peer.seconds(images * (above + below) * row, messages))
    return max(waits)


def by_channels(
    problems: Sequence[ConvProblem], images: int, rates: Rates, workers: int
) -> Prediction:
    """Predict shares of filters, of all channels each: images to everyone, maps from all to all."""
    slowest = sum(
        t * len(shares(p.k_c, workers)[0]) / p.k_c for t, p in zip(rates.layers, problems)
    )
    wait = 0.0
    for p in problems[:-1]:
        own = len(shares(p.k_c, workers)[-1]) / p.k_c if p.k_c >= workers else 0.0
        if workers > 1:
            wait += rates.task + rates.peer.seconds(images * map_bytes(p) * (1 - own), workers - 1)
    return Prediction(
        rates.put.seconds(workers * images * image_bytes(problems[0]), workers),
        rates.task + images * slowest,
        wait,
        rates.fetch.seconds(
            images * map_bytes(problems[-1]), len(shares(problems[-1].k_c, workers))
        ),
    )


def alternating(
    problems: Sequence[ConvProblem], images: int, rates: Rates, workers: int
) -> Prediction:
    """Predict pairs of layers: the first cut by its filters, the second by its channels.

    An all-reduce of the second's partial sums ends each pair, but for the last, whose sums are
    collected. Raises `ValueError` for an odd number of layers.
    """
    check_pairs(len(problems))
    slowest = sum(
        t * len(shares(p.k_c, workers)[0]) / p.k_c
        for t, p in zip(rates.layers, [p for p in problems[::2] for _ in range(2)])
    )
    wait = 0.0
    if workers > 1:
        for p in problems[1:-1:2]:
            size = all_reduce_bytes(images * map_bytes(p), workers)
            wait += 2 * rates.task + rates.peer.seconds(size, 2 * (workers - 1))
    return Prediction(
        rates.put.seconds(workers * images * image_bytes(problems[0]), workers),
        rates.task + images * slowest,
        wait,
        rates.fetch.seconds(workers * images * map_bytes(problems[-1]), workers),
    )


def by_layers(
    problems: Sequence[ConvProblem], images: int, rates: Rates, workers: int, batches: int = 8
) -> Prediction:
    """Predict a pipeline of `batches`. What is not its slowest stage at work waits: `exchange`."""
    runs = stages(rates.layers, workers)
    batches = min(batches, images)
    size = images / batches
    busy = [rates.task + size * sum(rates.layers[run.start : run.stop]) for run in runs]
    widest = max((map_bytes(problems[run.stop - 1]) for run in runs[:-1]), default=0)
    move = rates.peer.seconds(size * widest) if len(runs) > 1 else 0.0
    first = rates.put.seconds(size * image_bytes(problems[0]))
    spans = schedule([first, *busy], batches, move if len(runs) > 1 else 0.0)
    end = spans[-1][-1][1]
    most = batches * max(busy)
    return Prediction(
        first,
        most,
        max(0.0, end - first - most),
        rates.fetch.seconds(images * map_bytes(problems[-1]), batches),
    )


@dataclass(frozen=True)
class CutTraffic:
    """Bytes for one image of many: from who has it to workers, between all workers, and back."""

    sent: int
    exchanged: int
    collected: int

    @property
    def total(self) -> int:
        """Return the bytes of all of them."""
        return self.sent + self.exchanged + self.collected


def traffic(problems: Sequence[ConvProblem], workers: int) -> dict[str, CutTraffic]:
    """Return the traffic of each cut, by its name; rows with halos that are exchanged."""
    first, last = problems[0], problems[-1]
    image, result = image_bytes(first), map_bytes(last)
    cut = [bands(p, workers) for p in problems]
    rows = sum(piece.last - piece.first for piece in cut[0])
    halos = sum(
        (max(0, own.begin - piece.first) + max(0, piece.last - own.stop)) * image_bytes(p) // p.i_h
        for p, before, here in zip(problems[1:], cut, cut[1:])
        for own, piece in zip(before, here)
    )
    maps = sum(map_bytes(p) for p in problems[:-1])
    runs = stages([p.macs for p in problems], workers)
    return {
        "images": CutTraffic(image, 0, result),
        "rows": CutTraffic(rows * image // first.i_h, halos, result),
        "channels": CutTraffic(workers * image, (workers - 1) * maps, result),
        "alternating channels": CutTraffic(
            workers * image,
            2 * (workers - 1) * sum(map(map_bytes, problems[1:-1:2])),
            workers * result,
        ),
        "layers": CutTraffic(
            image, sum(map_bytes(problems[run.stop - 1]) for run in runs[:-1]), result
        ),
    }
