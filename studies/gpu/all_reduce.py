"""Training's all-reduce between GPUs through NCCL: predicted from the link, judged, timed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np

from convladder.bench.metadata import group_metadata
from convladder.core.progress import Progress, report_progress
from convladder.networks.scale.cost import Link
from convladder.networks.scale.gpus.group import Group, run
from convladder.networks.scale.network import photo_network
from convladder.networks.scale.partition import shares
from convladder.networks.scale.sharding import all_reduce_bytes
from convladder.networks.scale.training import gradients

from .several_gpus import link

FOLDER = "all-reduce"
NETWORK = "this network"
MEBI = 1 << 20
RECEIVED = re.compile(r"Data Rx: (\d+) KiB")


@dataclass(frozen=True)
class Sizes:
    """What is added up: arrays of so many bytes, by name, and gradients of `photos` photos of
    `side` × `side` pixels. `counted`: bytes of the array whose traffic is counted, `times` over.
    """

    arrays: tuple[tuple[str, int], ...] = (
        ("4 bytes", 4),
        ("64 KiB", 1 << 16),
        ("1 MiB", MEBI),
        ("16 MiB", 16 * MEBI),
        ("ResNet-50", 102_400_000),
        ("512 MiB", 512 * MEBI),
    )
    photos: int = 8
    side: int = 56
    counted: int = 256 * MEBI
    times: int = 40


def measure(
    counts: Sequence[int] | None = None,
    sizes: Sizes = Sizes(),
    backend: str = "nccl",
    progress: Progress = report_progress,
) -> dict[str, object]:
    """Return the record of 2, 4 and 8 GPUs of this host, or `counts`.

    "runs": by what was added up and on how many GPUs, "bytes" of the array, "predicted" seconds
    and those of each run. "received": by how many GPUs, the bytes that rank 0 received for an
    array of `sizes.counted` as its NVLinks counted them, None where they do not say.
    Raises `RuntimeError` for fewer than two GPUs, or where a sum is wrong: it is not timed.
    """
    import torch

    if counts is None:
        counts = [n for n in (2, 4, 8) if n <= torch.cuda.device_count()]
    if not counts:
        raise RuntimeError(f"{torch.cuda.device_count()} GPU here; this record needs two or more")
    results = {}
    for count in counts:
        progress(f"{count} GPUs")
        results[count] = run(_program, count, sizes, backend=backend)[0]
    between = Link(**results[counts[0]]["link"])
    return {
        **group_metadata(backend),
        "link": results[counts[0]]["link"],
        "runs": [
            {
                "what": what,
                "gpus": count,
                "bytes": size,
                "seconds": seconds,
                "predicted": predicted(size, count, between),
            }
            for count in counts
            for what, (size, seconds) in results[count]["runs"].items()
        ],
        "counted": sizes.counted,
        "received": {count: results[count]["received"] for count in counts},
        "gradients": {
            "photos": sizes.photos,
            "side": sizes.side,
            "error": max(results[count]["error"] for count in counts),
        },
    }


def predicted(size: float, count: int, between: Link) -> float:
    """Return the seconds of chapter 18's model: two rounds of n − 1 messages, and their bytes."""
    return between.seconds(all_reduce_bytes(size, count), 2 * (count - 1))


def lines(record: Mapping) -> Iterator[str]:
    """Yield the link, then predicted and measured for each sum, then what was counted."""
    between = record["link"]
    yield (
        f"{between['bandwidth'] / 1e9:.0f} GB/s and {1e6 * between['latency']:.1f} µs between two"
    )
    for each in record["runs"]:
        yield (
            f"{each['what']:<14}{each['bytes']:>13,} bytes{each['gpus']:>3} GPUs"
            f"{1e3 * each['predicted']:>9.3f} ms predicted"
            f"{1e3 * median(each['seconds']):>9.3f} ms"
        )
    for count, received in record["received"].items():
        counted = "not counted" if received is None else f"{received:,.0f}"
        yield (
            f"received of {record['counted']:,} bytes, {count} GPUs: predicted "
            f"{all_reduce_bytes(record['counted'], int(count)):,.0f}, counted {counted}"
        )


def _program(group: Group, sizes: Sizes) -> dict[str, object]:
    """All that one process does; what rank 0 returns is kept."""
    runs = {}
    found = {"link": link(group), "error": _train(group, sizes, runs)}
    for name, size in sizes.arrays:
        array = _numbers(group, size // 4)
        group.all_reduce(array)
        _judge(name, group, array)
        runs[name] = size, group.seconds(partial(group.all_reduce, array), runs=15)
    return {**found, "runs": runs, "received": _received(group, sizes)}


def _numbers(group: Group, count: int):
    """Return whole numbers that differ from rank to rank, small enough to add up exactly."""
    import torch

    return (torch.arange(count, device=group.device) % 1009 * (group.rank + 1)).float()


def _judge(name: str, group: Group, array) -> None:
    import torch

    factor = sum(range(1, group.count + 1))
    right = (torch.arange(len(array), device=group.device) % 1009 * factor).float()
    if not torch.equal(array, right):
        raise RuntimeError(f"{name}: the sum on rank {group.rank} is wrong; nothing was timed")


def _train(group: Group, sizes: Sizes, runs: dict) -> float:
    """Add up the gradients of all ranks' shares of photos; return the error over the largest."""
    import torch

    network = photo_network(sizes.side)
    photos = np.random.default_rng(16).standard_normal(
        (sizes.photos, sizes.side, sizes.side, 3), dtype=np.float32
    )
    own = shares(len(photos), group.count)[group.rank]
    mine = torch.from_numpy(gradients(network, photos[own.start : own.stop])).to(group.device)
    shared = mine.clone()
    group.all_reduce(shared)
    whole = gradients(network, photos)
    error = float(np.abs(shared.cpu().numpy() - whole).max() / np.abs(whole).max())
    if not error < 1e-4:
        raise RuntimeError(f"the gradients' sum is wrong by {error:.1e} of the largest")
    runs[NETWORK] = whole.nbytes, group.seconds(partial(group.all_reduce, mine), runs=15)
    return error


def _received(group: Group, sizes: Sizes) -> float | None:
    """Return the bytes that rank 0's NVLinks receive for one array, None where none says."""
    array = group.empty((sizes.counted // 4,))
    array.zero_()
    group.synchronize()
    before = _counter(group)
    for _ in range(sizes.times):
        group.all_reduce(array)
    group.synchronize()
    after = _counter(group)
    if before is None or after is None or after <= before:
        return None
    return (after - before) / sizes.times


def _counter(group: Group) -> float | None:
    """Return the bytes that this process' GPU has received by NVLink, as its driver counts."""
    if not group.gpu:
        return None
    import cupy

    bus = cupy.cuda.Device(group.rank).pci_bus_id
    try:
        report = subprocess.run(
            ["nvidia-smi", "nvlink", "-gt", "d", "-i", bus],
            check=True,
            capture_output=True,
            text=True,
            timeout=20,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    links = RECEIVED.findall(report)
    return 1024.0 * sum(map(int, links)) if links else None
