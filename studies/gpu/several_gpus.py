"""Inference cut over several GPUs: rates measured first, times predicted, then measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from statistics import median

import numpy as np

from convladder.bench.metadata import group_metadata
from convladder.core.problem import ConvProblem
from convladder.core.progress import Progress, report_progress
from convladder.core.reference import compare
from convladder.networks.lenet.reference import judge
from convladder.networks.scale import cost
from convladder.networks.scale.gpus.group import Group, run
from convladder.networks.scale.gpus.images import Digits, Photos
from convladder.networks.scale.gpus.layer import RandomWeights, pixels
from convladder.networks.scale.gpus.rows import forward, worst
from convladder.networks.scale.partition import bands
from convladder.teach.plots.scale_out import several_gpus_rows as rows

FOLDER = "scale"
LARGE = 256 << 20  # bytes of one message that tells the bandwidth
TRIPS = 50  # of a tiny message, there and back


@dataclass(frozen=True)
class Sizes:
    """What is run: digits (two sizes), a batch that lies on one GPU, layers of an image on all."""

    digits: tuple[int, ...] = (10_000, 640_000)
    rung: str = "one_kernel"
    photos: ConvProblem = ConvProblem(256, 112, 112, 64, 3, 3, 128)  # cv8 of the paper
    image: ConvProblem = ConvProblem(1, 4096, 4096, 64, 3, 3, 64, padding=1)
    layers: int = 4
    methods: tuple[tuple[str, str], ...] = (
        ("gpu_implicit_gemm", "float32"),
        ("gpu_wgmma", "float16"),
    )


def measure(
    counts: Sequence[int] | None = None,
    sizes: Sizes = Sizes(),
    backend: str = "nccl",
    progress: Progress = report_progress,
) -> dict[str, object]:
    """Return the record, on 1, 2 and 4 GPUs of this host, or `counts`.

    Raises `RuntimeError` for fewer than two GPUs, or where a result is wrong: it is not timed.
    """
    import torch

    if counts is None:
        counts = [n for n in (1, 2, 4, 8) if n <= torch.cuda.device_count()]
    if len(counts) < 2:
        raise RuntimeError(f"{torch.cuda.device_count()} GPU here; this record needs two or more")
    results = {}
    for count in counts:
        progress(f"{count} GPU{'s' * (count > 1)}")
        results[count] = run(_program, count, sizes, backend=backend)[0]
    alone, pair = results[counts[0]], results[counts[1]]
    link = cost.Link(**pair["link"])
    runs = []
    for count in counts:
        for name, seconds in results[count]["runs"].items():
            prediction = _predict(name, sizes, count, alone, link)
            runs.append(
                {"what": name, "gpus": count, "predicted": asdict(prediction), "seconds": seconds}
            )
    return {
        **group_metadata(backend),
        "sizes": {
            "digits": list(sizes.digits),
            "rung": sizes.rung,
            "photos": str(sizes.photos),
            "image": str(sizes.image),
            "layers": sizes.layers,
        },
        "link": asdict(link),
        "broadcast_seconds": {count: results[count]["broadcast"] for count in counts},
        "errors": {count: results[count]["errors"] for count in counts},
        "runs": runs,
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each kind of work and number of GPUs: predicted, measured, gained."""
    for label, gpus, predicted, seconds, gain in rows(record):
        yield (
            f"{label:<36}{gpus:>3}{1e3 * predicted:>12.3f} ms predicted"
            f"{1e3 * median(seconds):>12.3f} ms{gain:>8.2f} times as fast as one alone"
        )


def _predict(name: str, sizes: Sizes, count: int, alone: dict, link: cost.Link) -> cost.Prediction:
    """From what one GPU did alone, and from the link between two."""
    what, detail = name.split(", ", 1)
    whole = median(alone["runs"][name])
    if what == "digits":
        images = int(detail)
        share = -(-images // count)
        labels = link.seconds(images - share, count - 1)
        return cost.Prediction(0.0, _digits_seconds(share, sizes, alone), 0.0, labels)
    value = 2 if detail.endswith("float16") else 4
    if what == "photos":
        p = sizes.photos
        share = -(-p.i_n // count)
        out, back = (
            (p.i_n - share) * size(p) * value / cost.VALUE
            for size in (cost.image_bytes, cost.map_bytes)
        )
        return cost.Prediction(
            link.seconds(out, count - 1), whole * share / p.i_n, 0.0, link.seconds(back, count - 1)
        )
    p, nothing = sizes.image, cost.Link(0.0, float("inf"))
    peer = cost.Link(link.latency, link.bandwidth * cost.VALUE / value)
    rates = cost.Rates((whole / sizes.layers,) * sizes.layers, nothing, nothing, peer)
    cut = cost.by_rows([p] * sizes.layers, 1, rates, count, exchange=True)
    # Each process begins with its own rows alone, so that the first layer has edges to fetch too.
    return replace(cut, exchange=cut.exchange * sizes.layers / (sizes.layers - 1))


def _digits_seconds(share: int, sizes: Sizes, alone: dict) -> float:
    """Of so many digits on one GPU: on the line through the sizes that it was measured with."""
    times = [median(alone["runs"][f"digits, {count}"]) for count in sizes.digits]
    slope, start = np.polyfit(sizes.digits, times, 1)
    return float(start + slope * share)


def _program(group: Group, sizes: Sizes) -> dict[str, object]:
    """All that one process does; what rank 0 returns is kept."""
    runs, errors = {}, {}
    result = {
        "link": link(group) if group.count > 1 else None,
        "broadcast": median(_broadcast(group)),
    }
    for count in sizes.digits:
        digits = Digits(group, count, sizes.rung)
        digits.run()
        if group.rank == 0:
            _judge(digits.answers())
        runs[f"digits, {count}"] = group.seconds(digits.run, runs=15)
        del digits
    for method, dtype in sizes.methods:
        name = f"photos, {method}, {dtype}"
        photos = Photos(group, sizes.photos, method, _dtype(dtype))
        photos.run()
        if group.rank == 0:
            errors[name] = _check(photos)
        runs[name] = group.seconds(photos.run)
        del photos
        _free(group)
    for method, dtype in sizes.methods:
        name = f"image, {method}, {dtype}"
        cut = bands(sizes.image, group.count)[group.rank]
        x = pixels(
            cut.begin, cut.stop, sizes.image.i_w, sizes.image.i_c, group.device, _dtype(dtype)
        )
        step = partial(forward, group, x, sizes.image, sizes.layers, method)
        errors[name] = worst(group, step(), sizes.image, sizes.layers)
        if errors[name] > 1:
            raise RuntimeError(
                f"{name} on {group.count} GPUs is wrong at a cut of rank "
                f"{group.rank}: {errors[name]:.2g} times the error allowed"
            )
        runs[name] = group.seconds(step, runs=5)
        del x, step
        _free(group)
    return {**result, "runs": runs, "errors": errors}


def _dtype(name: str):
    import torch

    return getattr(torch, name)


def _free(group: Group) -> None:
    """Memory of the last step, for the next."""
    if group.gpu:
        import cupy
        import torch

        group.synchronize()
        cupy.get_default_memory_pool().free_all_blocks()
        torch.cuda.empty_cache()


def link(group: Group) -> dict[str, float] | None:
    """Time messages from rank 0 to rank 1: half of a way there and back, and one large array."""
    import torch

    tiny = group.empty((1,), torch.uint8)
    large = group.empty((LARGE,), torch.uint8)

    def trips() -> None:
        for _ in range(TRIPS):
            _move(group, tiny, 0, 1)
            _move(group, tiny, 1, 0)

    latency = min(group.seconds(trips)) / TRIPS / 2
    whole = min(group.seconds(lambda: _move(group, large, 0, 1)))
    return {"latency": latency, "bandwidth": LARGE / (whole - latency)}


def _move(group: Group, array, source: int, target: int) -> None:
    group.swap(
        [(array, target)] if group.rank == source else [],
        [(array, source)] if group.rank == target else [],
    )


def _broadcast(group: Group) -> list[float]:
    """Seconds for as many bytes as LeNet-5's weights have."""
    from convladder.networks.lenet import weights

    array = group.empty((sum(a.size for a in weights()),))
    return group.seconds(lambda: group.broadcast(array))


def _judge(labels: np.ndarray) -> None:
    from convladder.networks.lenet import images

    whole = len(images())
    for begin in range(0, len(labels), whole):
        part = labels[begin : begin + whole]
        verdict = judge(part, 1e-3, *(() if len(part) == whole else (images()[: len(part)],)))
        if not verdict.ok:
            raise RuntimeError(f"labels from {begin:,} on: {verdict.reason}")


def _check(photos: Photos) -> float:
    """The error of the first and the last image over what float32 or float16 may do."""
    p = photos.problem.with_batch(1)
    w, errors = RandomWeights(1).array(p), []
    for image in (0, photos.problem.i_n - 1):
        x, y = (array[image : image + 1].float().cpu().numpy() for array in (photos.x, photos.y))
        agreement = compare(y, x, w, p)
        limit = agreement.limit if photos.x.element_size() == 4 else 4 * 2.0**-11
        if not agreement.error <= limit:
            raise RuntimeError(f"image {image}: error {agreement.error:.1e} is above {limit:.1e}")
        errors.append(agreement.error / limit)
    return float(max(errors))
