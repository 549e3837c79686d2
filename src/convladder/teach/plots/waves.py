"""Blocks over the multiprocessors, wave by wave; tiles by the model and by the clock."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...gpu.tile_choice import TILES, plans, predicted_cycles
from ...gpu.waves import plan_with, waves
from ...problem import ConvProblem
from ...text import seconds_text
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

TILES_BY_NAME = {tile.name: tile for tile in TILES}
CLOCK = 1.98e9  # Hz, of an H200 at work
MOST = 48  # waves drawn


def waves_picture(
    layer: str = "cv5", batch: int = 32, tile: str = TILES[-1].name, split: int = 1
) -> Picture:
    """Draw a layer's blocks on an H200: a column a multiprocessor, a row a wave,
    blue where it works, and the darker, the more blocks it has.
    """
    problem = ConvProblem.parse(layer).with_batch(batch)
    plan = plan_with(problem, TILES_BY_NAME[tile], split)
    w = waves(problem, plan)
    held = np.full((w.number, w.multiprocessors), float(w.each))
    last = w.blocks - (w.number - 1) * w.places
    held[-1] = [max(0, -(-(last - sm) // w.multiprocessors)) for sm in range(w.multiprocessors)]
    shown = held[-MOST:]
    fig, ax = figure(8.8, 1.5 + 0.2 * min(len(shown), 14))
    works = np.where(shown > 0, 0.4 + 0.6 * shown / w.each, 0)  # one block, too, is to be seen
    ax.pcolormesh(
        np.arange(w.multiprocessors + 1),
        np.arange(len(shown) + 1),
        works,
        cmap="Blues",
        vmin=-0.1,
        vmax=1.25,
        edgecolors="white",
        linewidth=0.3,
    )
    ax.set_ylim(len(shown), 0)
    ax.set_yticks(
        [0.5, len(shown) - 0.5] if len(shown) > 1 else [0.5],
        [w.number - len(shown) + 1, w.number] if len(shown) > 1 else [1],
    )
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    micro = predicted_cycles(problem, plan) / CLOCK
    parts = f", the window in {split} parts" if split > 1 else ""
    ax.set_title(
        f"{layer}, batch {batch}, {tile}{parts}: {w.blocks:,} blocks for {w.places} places"
    )
    ax.set(
        xlabel=f"multiprocessor ({w.each} blocks on each at a time)\n"
        f"{w.number:,} wave{'s' * (w.number > 1)}, {w.share:.0%} of the places taken, "
        f"{w.idle} multiprocessors idle in the last; the model says "
        f"{seconds_text(micro)}",
        ylabel="wave",
    )
    return Picture(
        fig,
        f"{layer}, batch {batch}, tiles of {tile}{parts}: {w.blocks:,} blocks on "
        f"{w.multiprocessors} multiprocessors of {w.each} places, {w.number:,} "
        f"wave{'s' * (w.number > 1)}, {w.share:.0%} of the places taken, "
        f"{w.idle} idle in the last.",
    )


def sweep_picture(entry: Mapping, where: str) -> Picture:
    """Draw every tile on one layer: the model's time, and the time recorded at `where`.

    entry: of `bench.ablation`'s record, under "tiles".
    """
    problem = ConvProblem.parse(entry["problem"])
    rows = []
    for plan in plans(problem):
        if plan.split == 1 and plan.tile.name in entry["seconds"]:
            rows.append(
                (
                    plan.tile.name,
                    predicted_cycles(problem, plan) / CLOCK,
                    entry["seconds"][plan.tile.name],
                    waves(problem, plan),
                )
            )
    fig, ax = figure(8.8, 0.95 + 0.5 * len(rows))
    fastest = min(measured for _, _, measured, _ in rows)
    for y, (_, model, measured, w) in enumerate(rows):
        ax.barh(y - 0.19, model * 1e6, height=0.34, color=PALE, edgecolor=GREY, linewidth=0.7)
        ax.barh(
            y + 0.19, measured * 1e6, height=0.34, color=ORANGE if measured == fastest else BLUE
        )
        ax.annotate(
            f"model {seconds_text(model)}: {w.number:,} wave{'s' * (w.number > 1)}, "
            f"{w.share:.0%} taken",
            (model * 1e6, y - 0.19),
            (5, 0),
            va="center",
            textcoords="offset points",
            fontsize=8,
        )
        ax.annotate(
            seconds_text(measured),
            (measured * 1e6, y + 0.19),
            (5, 0),
            va="center",
            textcoords="offset points",
            fontsize=8,
        )
    ax.set_yticks(range(len(rows)), [row[0] for row in rows], color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.set(
        xlim=(0, 1.5 * 1e6 * max(max(row[1:3]) for row in rows)),
        xlabel=f"microseconds; pale: the model, blue: {where}, orange: the fastest",
    )
    ax.set_title(f"{entry['layer']}, batch {entry['batch']}: six tiles")
    return Picture(
        fig,
        f"{entry['layer']}, batch {entry['batch']}: the time of "
        f"{len(rows)} tiles by the model and as recorded, {where}.",
        colours=64,
    )
