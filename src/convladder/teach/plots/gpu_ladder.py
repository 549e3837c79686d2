"""Chapter 07's times: steps beside their predictions, and the ladder that they add up to."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.ticker import FuncFormatter, NullLocator

from ...cuda import Report
from ...cuda.memory_model import ceiling
from ...text import rate_text, seconds_text
from ..reports.steps import ABSENT
from .style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure

COLOURS, NAMES = (BLUE, GREEN), ("blue", "green")  # of GPUs: a page has room for two


def gpu_times_picture(
    predicted: Mapping[str, float], runs: Mapping[str, Mapping[str, float]], what: str
) -> Picture:
    """Draw times over that of the first of `predicted`: as predicted from counts, and on GPUs.

    predicted: step -> times as long as the first. runs: label -> step -> seconds.
    """
    runs = dict(list(runs.items())[: len(COLOURS)])
    base = next(iter(predicted))
    bars = 1 + len(runs)
    fig, ax = figure(8.2, 1.1 + 0.24 * (bars + 0.5) * len(predicted))
    longest = 0.0
    for row, (step, guess) in enumerate(predicted.items()):
        entries = [(guess, PALE, f"{guess:.2f} predicted" if row else "predicted: 1")]
        for results, colour in zip(runs.values(), COLOURS):
            ratio = results[step] / results[base]
            entries.append((ratio, colour, f"{ratio:.2f}, {seconds_text(results[step])}"))
        for place, (value, colour, text) in enumerate(entries):
            y = row + (place - (bars - 1) / 2) * 0.8 / bars
            ax.barh(
                y,
                value,
                height=0.74 / bars,
                color=colour,
                edgecolor=GREY if colour == PALE else "none",
                linewidth=0.7,
            )
            ax.annotate(
                text, (value, y), (5, 0), textcoords="offset points", va="center", fontsize=8.5
            )
            longest = max(longest, value)
    ax.set_yticks(range(len(predicted)), list(predicted), color="black")
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    whose = "; ".join(f"{name}: {label}" for name, label in zip(NAMES, runs))
    ax.set(
        xlim=(0, 1.3 * longest),
        xlabel=f"time over that of {base!r}\n{whose or 'no GPU has been timed'}",
    )
    ax.set_title(what)
    return Picture(
        fig,
        f"{what}: times over that of {base}, as predicted from counts"
        f"{' and as measured' if runs else ''}, for {', '.join(predicted)}.",
    )


def gpu_ladder_picture(
    reports: Mapping[str, Report],
    macs: int,
    runs: Mapping[str, Mapping[str, float]],
    peaks: Mapping[str, float],
    flops: int,
    layer: str,
) -> Picture:
    """Draw share of the peak on the left, with each rung's ceiling; sectors on the right.

    reports: of each rung, on a launch of `macs` multiply-adds. runs: label -> rung -> seconds for
    `flops`; peaks: label -> FLOP/s. Without runs only the ceilings are drawn.
    """
    runs = dict(list(runs.items())[: len(COLOURS)])
    fig, (speed, traffic) = figure(
        9.0, 1.2 + 0.62 * len(reports), ncols=2, sharey=True, width_ratios=(3, 2)
    )
    bars = max(1, len(runs))
    highest = 0.0
    for row, (name, report) in enumerate(reports.items()):
        most = 100 * ceiling(report, macs).share
        for place, ((label, results), colour) in enumerate(zip(runs.items(), COLOURS)):
            rate = flops / results[name]
            share = 100 * rate / peaks[label]
            y = row + (place - (bars - 1) / 2) * 0.7 / bars
            speed.barh(y, share, height=0.62 / bars, color=colour)
            near = f"{share:.1f} %  ·  {rate_text(rate)}  ·  {seconds_text(results[name])}"
            speed.annotate(
                near,
                (max(share, most), y),
                (6, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
            )
            highest = max(highest, share)
        speed.plot([most, most], [row - 0.4, row + 0.4], color=ORANGE, linewidth=2)
        if not runs:
            speed.annotate(
                f"at most {most:.0f} %",
                (most, row),
                (6, 0),
                va="center",
                textcoords="offset points",
                fontsize=8.5,
            )
        sectors = 1000 * report.sectors / macs
        traffic.barh(row, sectors - 0.3, left=0.3, height=0.62, color=GREY)
        traffic.annotate(
            f"{sectors:,.3g}" if sectors < 100 else f"{sectors:,.0f}",
            (sectors, row),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    speed.set(
        xlim=(0, 178), xlabel="share of the multiply-add peak; orange: the ceiling of the counts"
    )
    speed.set_xticks([0, 25, 50, 75, 100], ["0", "25 %", "50 %", "75 %", "100 %"])
    speed.spines.bottom.set_bounds(0, 100)
    speed.set_yticks(range(len(reports)), list(reports), color="black")
    speed.invert_yaxis()
    speed.tick_params(axis="y", length=0)
    speed.set_title(f"{layer}: {', '.join(runs)}" if runs else f"{layer}: not timed yet")
    traffic.set(xscale="log", xlim=(0.3, 9000), xlabel="sectors for 1,000 MACs (log scale)")
    traffic.set_xticks([1, 10, 100, 1000])
    traffic.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    traffic.xaxis.set_minor_locator(NullLocator())
    traffic.tick_params(axis="y", length=0)
    where = f" on {', '.join(runs)}" if runs else ""
    return Picture(
        fig,
        f"The GPU ladder, {', '.join(reports)}: share of the multiply-add peak"
        f"{where} with each rung's ceiling, and sectors of global memory for "
        f"1,000 multiply-adds.{'' if runs else ' ' + ABSENT}",
    )
