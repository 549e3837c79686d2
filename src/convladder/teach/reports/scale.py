"""Workers and GPUs in tables and pictures: what was predicted beside what was recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from statistics import median

import numpy as np

from ...bench import scale as cluster
from ...bench.scale import recorded
from ...measure import Comparison, compare
from ...measure.quick import smaller
from ...scale import WAYS, Network, Team
from ...scale.cost import CutTraffic, Rates
from ...text import bytes_text, mark_disturbed, seconds_text
from ..display.table import Table, table
from ..plots.style import BLUE, GREY, ORANGE, Picture, figure
from . import several_gpus
from .cpu import cpu_provenance

NAMES = {
    "digits": "LeNet-5, digits on the host",
    "photos": "cv8, batch on one GPU",
    "image": "one large image",
}
NOTHING = "no record comes with this copy; `convladder record --scale` makes one"
METHODS = {"gpu_implicit_gemm": "float32", "gpu_wgmma": "float16"}


def gpu_records() -> list[dict]:
    """Return records of several GPUs, the newest first; none if there are none."""
    return [record for record in recorded() if record.get("card")]


def cluster_records() -> list[dict]:
    """Return records of local workers, the newest first; none if there are none."""
    return [record for record in recorded() if "teams" in record]


def rates_table(rates: Rates) -> Table:
    """Return links and the cost of a task, in words."""
    links = (
        ("here to a worker", rates.put),
        ("a worker to here", rates.fetch),
        ("worker to worker", rates.peer),
    )
    rows = [
        (name, f"{1e3 * link.latency:.2f} ms", f"{link.bandwidth / 1e9:.2f} GB/s")
        for name, link in links
    ]
    return table(
        [*rows, ("a task, besides its work", f"{1e3 * rates.task:.2f} ms", "")],
        ("", "latency", "bandwidth"),
    )


def cuts_traffic_table(traffic: Mapping[str, CutTraffic]) -> Table:
    """Return bytes of each way, for one image."""
    return table(
        [
            (
                f"by {name}",
                bytes_text(t.sent),
                bytes_text(t.exchanged),
                bytes_text(t.collected),
                bytes_text(t.total),
            )
            for name, t in traffic.items()
        ],
        ("cut", "sent", "between workers", "collected", "together"),
    )


def several_gpus_table(what: str) -> Table:
    """Return predicted beside measured for one kind of work ("digits", "photos", "image"), the
    newest.

    Where no several GPUs have been recorded it says how to.
    """
    record = next(iter(gpu_records()), None)
    if record is None:
        return table([(NOTHING,)], ("several GPUs",))
    rows = []
    for name, count, predicted, seconds, gain in several_gpus.rows(record):
        if name.split(", ")[0] == what:
            alone = median(seconds) * gain
            rows.append(
                (
                    _name(name),
                    count,
                    f"{1e3 * predicted:.3f} ms",
                    f"{1e3 * median(seconds):.3f} ms",
                    f"{alone / predicted:.2f}",
                    f"{gain:.2f}",
                )
            )
    return table(
        rows,
        ("work", "GPUs", "predicted", "measured", "speed-up predicted", "measured"),
        caption=gpus_of(record),
    )


def several_gpus_gain(work: str, count: int) -> float:
    """Return how many times one GPU `count` of them were, the newest record of `work`.

    `work` is as `several_gpus_table` names it.

    NaN without a record. Raises `ValueError` for work that was not recorded on so many.
    """
    record = next(iter(gpu_records()), None)
    if record is None:
        return float("nan")
    gains = {(_name(name), at): gain for name, at, *_, gain in several_gpus.rows(record)}
    if (work, count) not in gains:
        raise ValueError(f"{work!r} on {count} GPUs was not recorded; there are {list(gains)}")
    return gains[work, count]


def gpus_of(record: Mapping) -> str:
    """Return which GPUs, how linked, when."""
    link = record["link"]
    return (
        f"{record['card']['gpu']}, {link['bandwidth'] / 1e9:.0f} GB/s and "
        f"{1e6 * link['latency']:.0f} µs between two through NCCL "
        f"{record['versions']['nccl']}, recorded {record['date']}"
    )


def several_gpus_picture() -> Picture:
    """Return speed-up over GPUs of all that was recorded: measured, and dashed what was predicted.

    Without a record, a sentence in its place.
    """
    record = next(iter(gpu_records()), None)
    if record is None:
        fig, ax = figure(8.6, 0.6)
        ax.text(0, 0.5, NOTHING)
        ax.set_axis_off()
        return Picture(fig, f"Several GPUs: {NOTHING}.")
    names = list(dict.fromkeys(run["what"] for run in record["runs"]))
    fig, axes = figure(
        8.6,
        2.5 * -(-len(names) // 3),
        nrows=-(-len(names) // 3),
        ncols=3,
        sharey=True,
        squeeze=False,
    )
    for ax, name in zip(axes.flat, names):
        runs = [run for run in record["runs"] if run["what"] == name]
        counts = [run["gpus"] for run in runs]
        first = median(runs[0]["seconds"])
        ax.plot(counts, counts, color=GREY, linestyle=":", linewidth=1)
        ax.plot(
            counts, [first / sum(run["predicted"].values()) for run in runs], "--", color=ORANGE
        )
        ax.plot(counts, [first / median(run["seconds"]) for run in runs], "o-", color=BLUE)
        ax.set_title(_name(name), fontsize=8.5)
        ax.set_xticks(counts)
        ax.grid(True)
    for ax in axes.flat[len(names) :]:
        ax.set_axis_off()
    for ax in axes[:, 0]:
        ax.set_ylabel("times one GPU")
    fig.suptitle(gpus_of(record), fontsize=9)
    fig.supxlabel("GPUs (blue: measured; dashed: predicted; dotted: every GPU counts)", fontsize=9)
    return Picture(
        fig, f"Speed-up over GPUs, predicted and measured, for {len(names)} kinds of work."
    )


def teams_table() -> Table:
    """Return the newest record of local workers: predicted and measured."""
    record = next(iter(cluster_records()), None)
    if record is None:
        return table([(NOTHING,)], ("workers of another machine",))
    rows = [
        (f"by {name}", workers, f"{predicted:.2f} s", f"{median(seconds):.2f} s", f"{gain:.2f}")
        for name, workers, predicted, seconds, gain in cluster.rows(record)
    ]
    return table(
        rows,
        ("cut", "workers", "predicted", "measured", "times as fast as alone"),
        caption=f"{record['images']} photos, {cpu_provenance(record)}",
    )


def cuts_leaderboard(
    mates: Team, network: Network, x: np.ndarray, yours: Callable | None = None
) -> tuple[Picture, Comparison]:
    """Draw a race of the package's cuts and `yours`, on a team, with this process alone.

    Returns the race as well, in which yours is "my_cut" and this process "this process alone".
    Raises `RuntimeError` if yours gives other values.
    """
    x = x[: smaller(len(x))]
    runs = {"this process alone": partial(network.forward, x)}
    runs |= {
        f"by {name}": partial(way, mates, network, x)
        for name, way in WAYS.items()
        if name != "channels"
    }
    if yours is not None:
        runs["my_cut"] = partial(yours, mates, network, x)
        if not np.allclose(runs["my_cut"](), network.forward(x), rtol=1e-4, atol=1e-4):
            raise RuntimeError("my_cut gives other values on the workers than here")
    race = compare(runs, budget=0.4, threads=1)
    times = race.timings
    fig, ax = figure(7.4, 0.9 + 0.42 * len(runs))
    for row, (name, timing) in enumerate(times.items()):
        ax.barh(
            row,
            1e3 * timing.median,
            height=0.6,
            color=ORANGE if name == "my_cut" else BLUE if row else GREY,
        )
        ax.annotate(
            mark_disturbed(seconds_text(timing.median), timing.disturbed),
            (1e3 * timing.median, row),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    ax.set_yticks(range(len(times)), times, color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.set_xlim(0, 1.2e3 * max(timing.median for timing in times.values()))
    ax.set_xlabel(f"ms for {len(x)} photos on {mates.count} workers (median)")
    return Picture(fig, f"Time of {', '.join(times)}."), race


def _name(what: str) -> str:
    kind, detail, *_ = what.split(", ")
    if kind == "digits":
        return f"LeNet-5, {int(detail):,} digits"
    return f"{NAMES[kind]}, {METHODS.get(detail, detail)}"
