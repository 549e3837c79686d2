"""Chapter 18: work split over processes and GPUs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median

import numpy as np
from matplotlib.axes import Axes

from ...bench import scale as cluster
from ...bench.records import load_records
from ...bench.records.several_gpus import gains
from ...core.problem import ConvProblem
from ...core.text import bytes_text, count_text, seconds_text
from ...measure import Comparison, compare
from ...measure.quick import smaller
from ...networks.scale import COLLECTIVES, CUTS, Network, Team, cost, photo_network
from ...networks.scale.cost import CutTraffic, Rates
from ...networks.scale.partition import bands, needed, shares
from ...networks.scale.pipeline import schedule, stages
from ..table import Table, table
from .axes import behind, name_rows
from .common import race_picture
from .provenance import cpu_provenance, gpus_provenance
from .shapes import box
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, YELLOW, Picture, figure
from .threads import scaling_picture

COLOURS = (BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, "#8C6D46", "#999999")
SENT = {"send": SKY, "compute": BLUE, "exchange": ORANGE, "collect": GREEN}
IMAGES, LAYERS = 4, 3  # of the drawing
MOVES = {
    "by images": "images out, results back",
    "by rows": "edge rows, each layer",
    "by channels": "all maps to all, each layer",
    "by layers": "one map, to the next",
}


def ways_picture(workers: int = 2) -> Picture:
    """Draw the four ways: four images through three layers, a colour for each worker."""
    fig, axes = figure(8.6, 3.1, ncols=4)
    for ax, (name, move) in zip(axes, MOVES.items()):
        for image, layer in np.ndindex(IMAGES, LAYERS):
            _draw_map(ax, name, image, layer, workers)
        ax.set(xlim=(-0.15, LAYERS + 0.1), ylim=(IMAGES + 0.35, -0.15), aspect="equal")
        ax.set_axis_off()
        ax.set_title(name)
        ax.text(LAYERS / 2, IMAGES + 0.15, f"moves: {move}", ha="center", va="top", fontsize=8)
    return Picture(
        fig,
        f"Four images through three layers, coloured by which of {workers} workers "
        "computes what: whole images; bands of rows; some channels of each map; "
        "whole layers.",
    )


def _draw_map(ax: Axes, name: str, image: int, layer: int, workers: int) -> None:
    x, y, side = layer, image, 0.82
    if name == "by images":
        owner = next(n for n, share in enumerate(shares(IMAGES, workers)) if image in share)
        parts = [(x, y, side, side, owner)]
    elif name == "by layers":
        owner = next(n for n, run in enumerate(stages([1] * LAYERS, workers)) if layer in run)
        parts = [(x, y, side, side, owner)]
    elif name == "by rows":
        parts = [(x, y + side * n / workers, side, side / workers, n) for n in range(workers)]
    else:  # channels lie one behind the other
        small = side - 0.09 * (workers - 1)
        parts = [
            (x + 0.09 * (workers - 1 - n), y + 0.09 * n, small, small, n) for n in range(workers)
        ]
    for *place, owner in parts:
        box(ax, *place, COLOURS[owner % len(COLOURS)], edgecolor="white", linewidth=1)


def bands_picture(
    workers: int = 2, layers: int = 4, kernel: int = 3, halos: str = "computed twice"
) -> Picture:
    """Draw rows of every map that each worker computes, of an image of 48 rows; pale:
    by two of them.
    """
    problem = ConvProblem(1, 48, 48, 1, kernel, kernel, 1, 1, kernel // 2)
    fig, ax = figure(7.6, 1.3 + 0.42 * (layers + 1))
    total = 0
    cut = [
        needed([problem] * layers, share.start, share.stop)
        for share in shares(problem.o_h, workers)
    ]
    for level in range(layers + 1):
        for worker, pieces in enumerate(cut):
            if level == 0:
                first, last = pieces[0].first, pieces[0].last
            else:
                first, last = pieces[level - 1].begin, pieces[level - 1].stop
            own = shares(48, workers)[worker]
            if halos == "exchanged":
                first, last = own.start, own.stop
                if level == 0:
                    piece = bands(problem, workers)[worker]
                    first, last = piece.first, piece.last
            colour = COLOURS[worker % len(COLOURS)]
            y = level - 0.34 + 0.36 * (worker % 2)
            box(ax, first, y, last - first, 0.32, colour, alpha=0.3)
            box(ax, own.start, y, len(own), 0.32, colour)
            total += (last - first) if level else 0
    again = total - 48 * layers
    ax.set(xlim=(-0.5, 48.5), ylim=(layers + 0.5, -0.5), xlabel="row of the map")
    name_rows(ax, ["image", *(f"layer {n + 1}" for n in range(layers))], inverted=False)
    messages = 2 * (workers - 1) * (layers - 1) if halos == "exchanged" else 0
    ax.set_title(
        f"{again} rows computed twice ({again / (48 * layers):.0%}), "
        f"{messages} messages between neighbours"
    )
    return Picture(
        fig,
        f"{workers} workers, {layers} layers of {kernel} by {kernel}, halos "
        f"{halos}: {again} rows are computed twice, {messages} messages go between "
        "neighbours.",
    )


def bubbles_picture(workers: int = 2, batches: int = 4, slowest: int = 100) -> Picture:
    """Draw who works on which batch when, in a pipeline of equal stages, but for the last, which
    takes `slowest` percent of theirs; the pale rest is the bubble.
    """
    seconds = [4.0 / batches] * workers
    seconds[-1] *= slowest / 100
    spans = schedule(seconds, batches)
    end, busy = spans[-1][-1][1], batches * sum(seconds)
    fig, ax = figure(7.8, 1.2 + 0.45 * workers)
    for worker, row in enumerate(spans):
        ax.barh(worker, end, height=0.72, color=PALE)
        for batch, (begin, stop) in enumerate(row):
            words = str(batch + 1) if stop - begin > end / 40 else ""
            place, colour = (begin, worker - 0.36, stop - begin, 0.72), COLOURS[worker]
            box(ax, *place, colour, words, edgecolor="white")
    name_rows(ax, [f"worker {n}" for n in range(workers)])
    works = batches * seconds[0]
    ax.set(xlim=(0, end), xlabel=f"time (the first stage works for {works:g})")
    ax.set_title(
        f"{busy / end:.2f} times one worker's speed; {1 - busy / end / len(spans):.0%} is waiting"
    )
    return Picture(
        fig,
        f"{len(spans)} stages and {batches} batch{'es' * (batches > 1)}: done at "
        f"{end:g}, where one worker needs {busy:g}.",
    )


def cuts_race_picture(race: Mapping, images: int, where: str = "") -> Picture:
    """Draw, of each way, what was predicted, by parts, and the median of what it took."""
    runs = race["runs"]
    fig, ax = figure(8.0, 1.5 + 0.52 * (len(runs) + 1))
    alone = float(np.median(race["alone"]))
    names = ["this process alone", *runs]
    ax.barh(0, alone * 1e3, height=0.3, color=GREY)
    for row, run in enumerate(runs.values(), start=1):
        left = 0.0
        for part, colour in SENT.items():
            width = 1e3 * run["predicted"][part]
            ax.barh(row - 0.18, width, left=left, height=0.3, color=colour)
            left += width
        low, middle, high = 1e3 * np.percentile(run["seconds"], (25, 50, 75))
        ax.barh(row + 0.18, middle, height=0.3, color="#BBBBBB")
        ax.plot([low, high], [row + 0.18] * 2, color="black", linewidth=1)
        ratio = float(np.median(np.divide(race["alone"], run["seconds"])))
        behind(ax, f"{ratio:.2f}", max(middle, high), row + 0.18)
    name_rows(ax, names)
    for part, colour in SENT.items():
        ax.barh(-9, 0, color=colour, label=part)
    ax.barh(-9, 0, color="#BBBBBB", label="measured")
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlabel(f"ms for {images} photos; numbers: times as fast as alone{where}")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=5, fontsize=8.5)
    return Picture(
        fig,
        f"Predicted parts and measured time of {', '.join(runs)} on "
        f"{race['workers']} workers, beside this process alone.",
    )


BANDWIDTHS = {"100 MB/s": 1e8, "1 GB/s": 1e9, "10 GB/s": 1e10, "400 GB/s": 4e11}
LATENCIES = {"10 ms": 1e-2, "1 ms": 1e-3, "100 µs": 1e-4, "10 µs": 1e-5}
MODEL_SECONDS = 0.02  # of the photo network for one image, on a worker of the model


def predicted_speedups(
    images: int, bandwidth: str, latency: str, faster: int = 1, most: int = 16
) -> dict[str, list[float]]:
    """Return speed-ups of 1 to `most` workers, each `faster` times the model's: by way,
    over one with no links.
    """
    network = photo_network()
    problems, link = network.problems, cost.Link(LATENCIES[latency], BANDWIDTHS[bandwidth])
    seconds = [MODEL_SECONDS / faster * p.flops / network.flops for p in problems]
    rates = cost.Rates(tuple(seconds), link, link, link)
    alone = images * sum(seconds)
    return {
        name: [
            alone / cut.predict(problems, images, rates, count).seconds
            for count in range(1, most + 1)
        ]
        for name, cut in CUTS.items()
    }


def speedup_picture(
    images: int = 64, bandwidth: str = "1 GB/s", latency: str = "1 ms", faster: int = 1
) -> Picture:
    """Draw `predicted_speedups` as curves."""
    predicted = predicted_speedups(images, bandwidth, latency, faster)
    curves = {f"by {name}": dict(enumerate(gains, start=1)) for name, gains in predicted.items()}
    top = 1.1 * max(1.5, *(max(gains) for gains in predicted.values()))
    drawn = scaling_picture(curves, what="predicted speed-up", top=top, unit="worker")
    links = f"{count_text(images, 'photo')}, links of {bandwidth} and {latency}"
    drawn.figure.axes[0].set_title(links)
    most = len(curves["by images"])
    alt = f"Predicted speed-up over 1 to {most} workers of the four ways, for {links}."
    return Picture(drawn.figure, alt)


NAMES = {
    "digits": "LeNet-5, digits on the host",
    "photos": "cv8, batch on one GPU",
    "image": "one large image",
}
METHODS = {"gpu_implicit_gemm": "float32", "gpu_wgmma": "float16"}


def rates_table(rates: Rates) -> Table:
    """Return links and the cost of a task, in words."""
    names = ("here to a worker", "a worker to here", "worker to worker")
    rows = [
        (name, f"{1e3 * link.latency:.2f} ms", f"{link.bandwidth / 1e9:.2f} GB/s")
        for name, link in zip(names, (rates.put, rates.fetch, rates.peer))
    ]
    rows.append(("a task's overhead", f"{1e3 * rates.task:.2f} ms", ""))
    return table(rows, ("", "latency", "bandwidth"))


def cuts_traffic_table(traffic: Mapping[str, CutTraffic]) -> Table:
    """Return bytes of each way, for one image."""
    rows = [
        (f"by {name}", *map(bytes_text, (t.sent, t.exchanged, t.collected, t.total)))
        for name, t in traffic.items()
    ]
    return table(rows, ("cut", "sent", "between workers", "collected", "total"))


def several_gpus_table() -> Table:
    """Return how many times as fast as one several GPUs were, of all that was recorded, as forecast
    and as measured.
    """
    record = next(record for record in load_records("scale") if "card" in record)
    counts = sorted({run["gpus"] for run in record["runs"]})
    rows = []
    for name in dict.fromkeys(run["what"] for run in record["runs"]):
        runs = {run["gpus"]: run for run in record["runs"] if run["what"] == name}
        first, row = median(runs[counts[0]]["seconds"]), [_workload_text(name)]
        for count in counts[1:]:
            forecast, took = sum(runs[count]["predicted"].values()), median(runs[count]["seconds"])
            row += [f"{first / forecast:.2f}", f"{first / took:.2f}"]
        rows.append(row)
    columns = [f"{n} GPUs, {how}" for n in counts[1:] for how in ("forecast", "measured")]
    return table(rows, ("times as fast as one", *columns), caption=gpus_provenance(record))


def teams_table() -> Table:
    """Return the newest record of local workers: predicted and measured."""
    record = next(record for record in load_records("scale") if "teams" in record)
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
        f"by {name}": partial(cut.run, mates, network, x)
        for name, cut in CUTS.items()
        if "channels" not in name
    }
    if yours is not None:
        runs["my_cut"] = partial(yours, mates, network, x)
        if not np.allclose(runs["my_cut"](), network.forward(x), rtol=1e-4, atol=1e-4):
            raise RuntimeError("my_cut gives other values on the workers than here")
    race = compare(runs, budget=0.4, threads=1)
    return race_picture(race, "this process alone"), race


def _workload_text(what: str) -> str:
    kind, detail, *_ = what.split(", ")
    if kind == "digits":
        return f"LeNet-5, {int(detail):,} digits"
    return f"{NAMES[kind]}, {METHODS.get(detail, detail)}"


def collectives_table(run: Mapping, sizes: Sequence[int]) -> Table:
    """Return a row for each of `sizes` in bytes and number of GPUs: each collective's seconds,
    predicted and measured.
    """
    columns = ["array", "GPUs"]
    columns += [f"{name}{what}" for name in COLLECTIVES for what in (", model", ", measured")]
    found = {(each["bytes"], each["gpus"], each["what"]): each for each in run["collectives"]}
    rows = []
    for count in dict.fromkeys(each["gpus"] for each in run["collectives"]):
        for size in sizes:
            row = [bytes_text(size), count]
            for name in COLLECTIVES:
                each = found[size, count, name]
                row += [seconds_text(each["predicted"]), seconds_text(median(each["seconds"]))]
            rows.append(row)
    return table(rows, columns, caption=gpus_provenance(run))


def gpu_cuts_table(run: Mapping) -> Table:
    """Return a row for each cut, type of value and number of GPUs: speed-up over one GPU."""
    columns = ["cut", "type", "GPUs", "model", "measured", "speed-up by the model", "measured"]
    rows = []
    for each, gain in gains(run):
        model, took = sum(each["predicted"].values()), median(each["seconds"])
        times = f"{1e3 * model:.2f} ms", f"{1e3 * took:.2f} ms"
        faster = f"{gain * took / model:.2f}", f"{gain:.2f}"
        rows.append((f"by {each['what']}", each["type"], each["gpus"], *times, *faster))
    return table(rows, columns, caption=f"{run['sizes']['photos']} photos, {gpus_provenance(run)}")
