"""Methods of the GPU beside cuDNN: a layer's times and bytes, or the ratios on many layers."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from ...bench.conv_gpu import rival_seconds, seconds
from ...bench.libraries import RIVALS
from ...text import bytes_text, rate_text, seconds_text
from .labels import label_points
from .style import BLUE, GREEN, GREY, ORANGE, Picture, figure


def cudnn_layer_picture(name: str, layer: Mapping, where: str) -> Picture:
    """Draw one layer of a record's run: times in a graph and bytes allocated, a row an entry.

    layer: as `bench.conv_gpu.as_record` writes it. where: machine and date, for the title.
    """
    names = list(layer["entries"])
    fig, (time, memory) = figure(
        9.0, 1.3 + 0.34 * len(names), ncols=2, sharey=True, width_ratios=(3, 1)
    )
    medians = [seconds(layer, who) for who in names]
    low = min(medians) / 2
    for row, (who, median) in enumerate(zip(names, medians)):
        time.barh(row, median - low, left=low, height=0.62, color=_colour(who))
        time.annotate(
            f"{seconds_text(median)}  ·  {rate_text(layer['flops'] / median)}",
            (median, row),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
        peak = layer["entries"][who]["peak"]
        memory.barh(row, peak / 2**20, height=0.62, color=_colour(who))
        memory.annotate(
            bytes_text(peak),
            (peak / 2**20, row),
            (5, 0),
            va="center",
            textcoords="offset points",
            fontsize=8.5,
        )
    time.set(
        xscale="log",
        xlim=(low, max(medians) * (max(medians) / low) ** 0.7),
        xlabel="time in a graph's replay (log scale)",
        title=f"{name}: {where}",
    )
    time.xaxis.set_major_locator(LogLocator(subs=(1.0,)))
    time.xaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds_text(value)))
    time.xaxis.set_minor_locator(NullLocator())
    time.set_yticks(range(len(names)), names, color="black")
    time.invert_yaxis()
    most = max(entry["peak"] for entry in layer["entries"].values()) / 2**20
    memory.set(xlim=(0, 1.9 * most), xlabel="MiB, its result included", title="Allocated")
    memory.xaxis.set_major_locator(MaxNLocator(3))
    for ax in (time, memory):
        ax.tick_params(axis="y", length=0)
    return Picture(fig, f"{layer['problem']}: time and device memory of {', '.join(names)}.")


def cudnn_layers_picture(run: Mapping, where: str) -> Picture:
    """Draw many layers of a run: how many times longer cuDNN takes in the method's own precision.

    A row a method, a point a layer, the geometric mean as a bar; right of 1 the method is faster.
    Raises ValueError where cuDNN did not take part.
    """
    from ...bench.rounds import geometric_mean

    layers = run["layers"]
    if not all(any(_is_cudnn(who) for who in layer["entries"]) for layer in layers.values()):
        raise ValueError("cuDNN did not take part: there is nothing to compare the methods with")
    names = list(
        dict.fromkeys(
            who for layer in layers.values() for who in layer["entries"] if not _is_cudnn(who)
        )
    )
    fig, ax = figure(9.0, 1.4 + 0.62 * len(names))
    marks = []
    for row, who in enumerate(names):
        precision = RIVALS.get(who, "float32")
        ratios = {
            name: rival_seconds(layer, precision) / own
            for name, layer in layers.items()
            if (own := seconds(layer, who)) is not None
        }
        ax.plot(
            list(ratios.values()),
            [row] * len(ratios),
            "o",
            color=_colour(who),
            alpha=0.65,
            markersize=7,
            clip_on=False,
        )
        mean = geometric_mean(list(ratios.values()))
        ax.plot([mean, mean], [row - 0.3, row + 0.3], color="black", linewidth=2)
        least, most = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
        marks += [(ratios[each], row, each) for each in dict.fromkeys((least, most))]
        ax.annotate(f"{mean:.2f}", (mean, row - 0.36), ha="center", va="bottom", fontsize=8.5)
    ax.axvline(1, color=GREY, linewidth=1)
    ax.set(
        xscale="log",
        ylim=(len(names) - 0.4, -0.8),
        xlabel="cuDNN's time over the method's, a point a layer (log scale); black: geometric "
        "mean\nblue: float32, green: TF32, orange: float16, against cuDNN in the same",
        title=f"{run['batch']} image{'s' * (run['batch'] > 1)}: {where}",
    )
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_yticks(range(len(names)), names, color="black")
    ax.tick_params(axis="y", length=0)
    label_points(ax, marks, fontsize=7.5)
    return Picture(
        fig,
        f"cuDNN's time over each method's on {', '.join(layers)}, "
        f"{run['batch']} image(s): {', '.join(names)}.",
    )


def _is_cudnn(name: str) -> bool:
    return name.startswith("cudnn")


def _colour(name: str) -> str:
    """Return grey for cuDNN, orange for what rounds to less than float32, blue for the rest."""
    if _is_cudnn(name):
        return GREY
    return {"float16": ORANGE, "tf32": GREEN}.get(RIVALS.get(name), BLUE)
