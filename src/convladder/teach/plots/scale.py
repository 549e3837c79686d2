"""Work cut over workers, drawn: who has what, who waits, what was predicted and what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...problem import ConvProblem
from ...scale import cost, photo_network
from ...scale.cut import bands, needed, shares
from ...scale.pipeline import schedule, stages
from .ink import ink
from .labels import label_points
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, YELLOW, Picture, figure

COLOURS = (BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, "#8C6D46", "#999999")
SENT = {"send": SKY, "compute": BLUE, "exchange": ORANGE, "collect": GREEN}
IMAGES, LAYERS = 4, 3  # of the drawing


def ways_picture(workers: int = 2) -> Picture:
    """Draw the four ways: four images through three layers, a colour for each worker."""
    fig, axes = figure(8.6, 3.1, ncols=4)
    names = ("by images", "by rows", "by channels", "by layers")
    moves = (
        "images out, results back",
        "edge rows, each layer",
        "all maps to all, each layer",
        "one map, to the next",
    )
    for ax, name, move in zip(axes, names, moves):
        for image in range(IMAGES):
            for layer in range(LAYERS):
                _map(ax, name, image, layer, workers)
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


def _map(ax: Axes, name: str, image: int, layer: int, workers: int) -> None:
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
        parts = [
            (
                x + 0.09 * (workers - 1 - n),
                y - 0.0 + 0.09 * n,
                side - 0.09 * (workers - 1),
                side - 0.09 * (workers - 1),
                n,
            )
            for n in range(workers)
        ]
    for left, top, width, height, owner in parts:
        ax.add_patch(
            Rectangle(
                (left, top),
                width,
                height,
                facecolor=COLOURS[owner % len(COLOURS)],
                edgecolor="white",
                linewidth=1,
            )
        )


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
            y = level + 0.36 * (worker % 2)
            ax.add_patch(Rectangle((first, y), last - first, 0.32, facecolor=colour, alpha=0.3))
            ax.add_patch(Rectangle((own.start, y), len(own), 0.32, facecolor=colour))
            total += (last - first) if level else 0
    again = total - 48 * layers
    ax.set(xlim=(-0.5, 48.5), ylim=(layers + 1, -0.2), xlabel="row of the map")
    ax.set_yticks(
        [level + 0.35 for level in range(layers + 1)],
        ["image", *(f"layer {n + 1}" for n in range(layers))],
        color="black",
    )
    ax.tick_params(axis="y", length=0)
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


def pipeline_picture(
    stages_seconds: Sequence[float] = (1.0, 1.0), batches: int = 4, move: float = 0.0
) -> Picture:
    """Draw who works on which batch when; the pale rest is the bubble."""
    spans = schedule(stages_seconds, batches, move)
    end, busy = spans[-1][-1][1], batches * sum(stages_seconds)
    fig, ax = figure(7.8, 1.2 + 0.45 * len(stages_seconds))
    for worker, row in enumerate(spans):
        ax.barh(worker, end, height=0.72, color=PALE)
        for batch, (begin, stop) in enumerate(row):
            ax.barh(
                worker,
                stop - begin,
                left=begin,
                height=0.72,
                edgecolor="white",
                color=COLOURS[worker % len(COLOURS)],
            )
            if (stop - begin) > end / 40:
                ax.text(
                    (begin + stop) / 2,
                    worker,
                    str(batch + 1),
                    ha="center",
                    va="center",
                    color=ink(COLOURS[worker % len(COLOURS)]),
                    fontsize=8,
                )
    ax.set_yticks(range(len(spans)), [f"worker {n}" for n in range(len(spans))], color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    works = batches * stages_seconds[0]
    ax.set(xlim=(0, end), xlabel=f"time (the first stage works for {works:g})")
    ax.set_title(f"{busy / end:.2f} times one worker; {1 - busy / end / len(spans):.0%} is waiting")
    return Picture(
        fig,
        f"{len(spans)} stages and {batches} batch{'es' * (batches > 1)}: done at "
        f"{end:g}, where one worker needs {busy:g}.",
    )


def bubbles_picture(workers: int = 2, batches: int = 4, slowest: int = 100) -> Picture:
    """Draw a pipeline of equal stages, but for the last,
    which takes `slowest` percent of theirs.
    """
    seconds = [4.0 / batches] * workers
    seconds[-1] *= slowest / 100
    return pipeline_picture(seconds, batches)


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
        ax.annotate(
            f"{ratio:.2f}",
            (max(middle, high), row + 0.18),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    ax.set_yticks(range(len(names)), names, color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
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
        name: [alone / way(problems, images, rates, count).seconds for count in range(1, most + 1)]
        for name, way in cost.WAYS.items()
    }


def speedup_picture(
    images: int = 64, bandwidth: str = "1 GB/s", latency: str = "1 ms", faster: int = 1
) -> Picture:
    """Draw `predicted_speedups` as curves."""
    curves = predicted_speedups(images, bandwidth, latency, faster)
    fig, ax = figure(7.6, 4.0)
    most = len(next(iter(curves.values())))
    xs = range(1, most + 1)
    ax.plot(xs, xs, color=GREY, linestyle=":", linewidth=1.2)
    ax.axhline(1, color=GREY, linewidth=0.8)
    labels = []
    for (name, curve), colour in zip(curves.items(), (BLUE, GREEN, PINK, ORANGE)):
        ax.plot(xs, curve, "o-", color=colour, markersize=3.5)
        labels.append((most, curve[-1], f"by {name}"))
    highest = max(max(curve) for curve in curves.values())
    ax.set(
        xlabel="workers",
        ylabel="predicted speed-up",
        xlim=(0.8, most * 1.22),
        ylim=(0, min(most, max(2, 1.15 * highest))),
    )
    ax.set_xticks(range(1, most + 1, 3))
    ax.grid(True)
    label_points(ax, labels, fontsize=8.5)
    photos = f"{images} photo{'s' * (images > 1)}"
    ax.set_title(f"{photos}, links of {bandwidth} and {latency}")
    return Picture(
        fig,
        f"Predicted speed-up over 1 to {most} workers of the four ways, for "
        f"{photos} and links of {bandwidth} and {latency}.",
    )


def gain_curve_picture(points: Sequence[tuple[int, float, float]], what: str) -> Picture:
    """Draw (size, predicted, measured) speed-ups of two workers over one process, on a log axis."""
    fig, ax = figure(7.0, 3.3)
    sizes = [size for size, *_ in points]
    ax.axhline(1, color=GREY, linewidth=0.9)
    ax.axhline(2, color=GREY, linewidth=0.9, linestyle=":")
    ax.plot(sizes, [p for _, p, _ in points], "--", color=ORANGE)
    ax.plot(sizes, [m for *_, m in points], "o-", color=BLUE)
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()
    ax.set(
        xlabel=what,
        ylabel="times as fast as one process",
        xlim=(sizes[0] / 1.3, sizes[-1] * 3),
        ylim=(0, None),
    )
    label_points(
        ax,
        [(sizes[-1], points[-1][1], "predicted"), (sizes[-1], points[-1][2], "measured")],
        fontsize=8.5,
    )
    return Picture(
        fig, f"Speed-up of two workers over one process, predicted and measured, over {what}."
    )
