"""Collectives and four cuts of one network on all GPUs of this host: predicted, judged, timed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from convladder.bench.metadata import gpu_metadata
from convladder.bench.records import today
from convladder.bench.records.several_gpus import gains
from convladder.core.progress import Progress, report_progress
from convladder.core.reference import conv2d_float64
from convladder.measure.cuda.gpu_info import require_gpu
from convladder.networks.scale import cost, strategies
from convladder.networks.scale.network import Network, photo_network
from convladder.networks.scale.sharding import COLLECTIVES, collective_bytes

from .cuts import CUTS, Layers
from .group import Group, run

FOLDER = "several-gpus"

LARGE = 256 << 20  # bytes of one message that tells the bandwidth
TRIPS = 50  # of a tiny message, there and back
ALLOWED = {"float32": 1e-3, "float16": 2.0**-4}  # error over the mean: a wrong row is off by it all


@dataclass(frozen=True)
class RunSizes:
    """The sizes to run: arrays of so many bytes, and `photos` of `side` × `side` for a network.

    `methods`: each with the type of its maps. One that this GPU cannot run is left out.
    """

    arrays: tuple[int, ...] = tuple(4096 * 4**n for n in range(9))  # 4 KiB to 256 MiB
    photos: int = 256
    side: int = 224
    methods: tuple[tuple[str, str], ...] = (
        ("gpu_implicit_gemm", "float32"),
        ("gpu_wgmma", "float16"),
    )


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return the record of 1, 2, 4, … GPUs of this host, and of all of them.

    Raises `RuntimeError` for fewer than two GPUs, or where a result is wrong; `ImportError` without
    torch.
    """
    require_gpu("collectives are timed between several")
    import torch

    found = torch.cuda.device_count()
    if found < 2:
        raise RuntimeError(f"{found} GPU here; this record needs two or more")
    counts = [2**n for n in range(found.bit_length()) if 2**n < found]
    return compared([*counts, found], progress=progress)


def compared(
    counts: Sequence[int],
    sizes: RunSizes = RunSizes(),
    backend: str = "nccl",
    progress: Progress = report_progress,
) -> dict[str, object]:
    """Return the record of so many processes, 1 first: the others are predicted from it.

    "layers": seconds of each layer on one GPU, by type of value. "collectives" and "cuts": "what",
    "gpus", "bytes" or "type", what was "predicted", and "seconds" of each run. "errors" of the
    cuts, over `ALLOWED`.
    """
    results = {}
    for count in counts:
        progress(f"{count} GPU{'s' * (count > 1)}")
        results[count] = run(_program, count, sizes, backend=backend)[0]
    alone, between = results[counts[0]], cost.Link(**results[counts[1]]["link"])
    return {
        **_metadata(backend),
        "links": _topology(),
        "sizes": asdict(sizes),
        "link": asdict(between),
        "layers": alone["layers"],
        "collectives": [
            {
                "what": what,
                "gpus": count,
                "bytes": size,
                "predicted": collective_seconds(what, size, count, between),
                "seconds": seconds,
            }
            for count in counts
            for what, size, seconds in results[count]["collectives"]
        ],
        "cuts": [
            {
                "what": what,
                "type": kind,
                "gpus": count,
                "predicted": asdict(
                    predicted(what, kind, sizes, count, alone["layers"][kind], between)
                ),
                "seconds": seconds,
            }
            for count in counts
            for what, kind, seconds in results[count]["cuts"]
        ],
        "errors": {count: results[count]["errors"] for count in counts},
    }


def _metadata(backend: str) -> dict[str, Any]:
    """The metadata of processes that PyTorch joins: of GPUs by "nccl"; of others the day."""
    if backend != "nccl":
        return {"date": today()}
    import torch

    return gpu_metadata(nccl=".".join(map(str, torch.cuda.nccl.version())))


def collective_seconds(what: str, size: float, count: int, link: cost.Link) -> float:
    """Return the seconds that chapter 18's model gives: a ring's messages and its bytes."""
    rounds = (count - 1) * (2 if what == "all-reduce" else 1)
    return link.seconds(collective_bytes(what, size, count), rounds)


def predicted(
    what: str, kind: str, sizes: RunSizes, count: int, layers: Sequence[float], link: cost.Link
) -> cost.Prediction:
    """Predict a cut from each layer's seconds on one GPU, and from the link between two.

    It is the model of a team of workers; rank 0's own part does not travel.
    """
    link = replace(link, bandwidth=link.bandwidth * cost.VALUE / np.dtype(kind).itemsize)
    rates = cost.Rates(tuple(t / sizes.photos for t in layers), link, link, link)
    way = partial(cost.by_rows, exchange=True) if what == "rows" else strategies.CUTS[what].predict
    found = way(photo_network(sizes.side).problems, sizes.photos, rates, count)
    others = (count - 1) / count
    return replace(found, send=found.send * others, collect=found.collect * others)


def lines(record: Mapping) -> Iterator[str]:
    """Yield the link, then predicted and measured for each collective and each cut."""
    link = record["link"]
    yield f"{link['bandwidth'] / 1e9:.0f} GB/s and {1e6 * link['latency']:.1f} µs between two"
    for each in record["collectives"]:
        yield (
            f"{each['what']:<16}{each['bytes']:>12,} bytes{each['gpus']:>3} GPUs"
            f"{1e6 * each['predicted']:>11.1f} µs predicted"
            f"{1e6 * median(each['seconds']):>11.1f} µs"
        )
    for each, gain in gains(record):
        yield (
            f"by {each['what']:<22}{each['type']:<9}{each['gpus']:>3} GPUs"
            f"{1e3 * sum(each['predicted'].values()):>10.3f} ms predicted"
            f"{1e3 * median(each['seconds']):>10.3f} ms{gain:>7.2f} times as fast as one"
        )


def _program(group: Group, sizes: RunSizes) -> dict[str, Any]:
    """All that one process does; what rank 0 returns is kept."""
    found: dict[str, Any] = {
        "link": None,
        "collectives": [],
        "cuts": [],
        "layers": {},
        "errors": {},
    }
    if group.count > 1:
        found["link"] = link(group)
        for what in COLLECTIVES:
            for size in sizes.arrays:
                step = collective(what, group, size)
                found["collectives"].append((what, size, group.seconds(step, runs=15)))
    network = photo_network(sizes.side)
    for method, kind in sizes.methods:
        _cut(group, network, sizes, method, kind, found)
    return found


def collective(what: str, group: Group, size: int) -> Callable[[], object]:
    """Return a call of one collective on an array of `size` bytes, whose result was judged.

    Raises `RuntimeError` if this process has another result than it should.
    """
    import torch
    import torch.distributed as dist

    count = -(-size // (4 * group.count)) * group.count  # float32s, in equal pieces
    numbers = (torch.arange(count, device=group.device) % 1009).float()
    piece = count // group.count
    own = slice(group.rank * piece, (group.rank + 1) * piece)
    factor = sum(range(1, group.count + 1))
    mine = numbers * (group.rank + 1)  # whole numbers, which add up exactly
    if what == "all-reduce":
        room, right = mine.clone(), numbers * factor
        step = partial(dist.all_reduce, room)
    elif what == "reduce-scatter":
        room, right = group.empty((piece,)), numbers[own] * factor
        step = partial(dist.reduce_scatter_tensor, room, mine)
    else:
        room, right = group.empty((count,)), numbers
        step = partial(dist.all_gather_into_tensor, room, numbers[own].clone())
    step()
    if not torch.equal(room, right):
        raise RuntimeError(f"{what} of {size:,} bytes is wrong on rank {group.rank}")
    room.zero_()  # a sum that is summed again and again would overflow
    return step


def _cut(
    group: Group, network: Network, sizes: RunSizes, method: str, kind: str, found: dict
) -> None:
    """Judge each cut's result beside that of rank 0 alone, and time it, into `found`."""
    import torch

    try:
        layers = Layers(network, sizes.photos, method, getattr(torch, kind), group)
    except ValueError:
        if method == sizes.methods[0][0]:
            raise
        return
    x, right = None, None
    if group.rank == 0:
        drawn = np.random.default_rng(0).standard_normal(
            (sizes.photos, *network.problems[0].input_shape[1:]), dtype=np.float32
        )
        x = torch.from_numpy(drawn).to(group.device, layers.dtype)
        right = layers.all(x)
        _judge("one GPU", kind, right[:1], _float64(network, x[:1]))
    errors = found["errors"].setdefault(kind, {})
    for name, cut in CUTS.items():
        y = cut(group, layers, x)
        if group.rank == 0:
            errors[name] = _judge(f"the cut by {name}", kind, y, right)
        del y
        if group.count > 1 or name == "images":
            found["cuts"].append((name, kind, group.seconds(partial(cut, group, layers, x))))
    if group.count == 1:
        found["layers"][kind] = _layer_seconds(group, layers, x)
    _free(group)


def _float64(network: Network, x):
    """Return the network's result for some images in float64, as a torch tensor."""
    import torch

    y = x.double().cpu().numpy()
    for problem, w in zip(network.problems, network.weights):
        y = np.maximum(conv2d_float64(y, w, problem.with_batch(len(y))), 0)
    return torch.from_numpy(y).to(x.device)


def _judge(what: str, kind: str, y, right) -> float:
    """Return the largest error over what is allowed. Raises `RuntimeError` above 1."""
    error = float((y.double() - right.double()).abs().max() / right.double().mean())
    error /= ALLOWED[kind]
    if not error <= 1:
        raise RuntimeError(f"{what}, {kind}: {error:.2g} times the error that is allowed")
    return error


def _layer_seconds(group: Group, layers: Layers, x) -> list[float]:
    seconds = []
    for layer in range(len(layers.problems)):
        step = partial(layers.run, layer, x)
        seconds.append(median(group.seconds(step)))
        x = step()
    return seconds


def _free(group: Group) -> None:
    """Hand back the last method's memory, for the next."""
    if group.gpu:
        import cupy
        import torch

        group.synchronize()
        cupy.get_default_memory_pool().free_all_blocks()
        torch.cuda.empty_cache()


def link(group: Group) -> dict[str, float]:
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


def _topology() -> list[str] | None:
    """Return the links between this host's GPUs as its driver draws them; None without one."""
    try:
        drawn = subprocess.run(
            ["nvidia-smi", "topo", "-m"], check=True, capture_output=True, text=True, timeout=20
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    plain = re.sub(r"\x1b\[\d*m", "", drawn)  # it underlines its heading
    return [line.rstrip() for line in plain.splitlines() if "GPU" in line]
