"""What a chip's counters say of one launch: which part was busy, and what warps waited for."""

from __future__ import annotations

from collections.abc import Mapping

from ...text import seconds_text
from ..reports.counters import WAITS
from .style import GREY, ORANGE, PALE, SKY, Picture, figure

SHARES = {
    "occupancy": "places for warps",
    "issue": "issue slots",
    "fma_pipe": "multiply-adds",
    "dram_share": "memory",
}
WORK = ("issue", "fma_pipe", "dram_share")  # the parts that do something; a taken place does not


def counters_picture(label: str, seen: Mapping[str, float]) -> Picture:
    """Draw a launch's shares in percent, the busiest part marked, and for each reason how many
    warps waited for it, on average, whenever an instruction was issued.

    seen: a launch of `convladder.measure.profile_records`, under "counters".
    """
    busiest = max(WORK, key=seen.__getitem__)
    fig, (left, right) = figure(8.6, 2.2, ncols=2)
    for row, name in enumerate(SHARES):
        colour = GREY if name not in WORK else ORANGE if name == busiest else SKY
        left.barh(row, 100, height=0.62, color="none", edgecolor=PALE)
        left.barh(row, seen[name], height=0.62, color=colour)
        left.text(seen[name] + 2, row, f"{seen[name]:.0f} %", va="center", fontsize=9)
    left.set_yticks(range(len(SHARES)), SHARES.values(), color="black")
    left.set(xlim=(0, 115), ylim=(len(SHARES) - 0.5, -0.5), xlabel="% of what there is")
    waits = [seen.get(name, 0) for name in WAITS]
    most = max(waits)
    for row, waiting in enumerate(waits):
        right.barh(row, waiting, height=0.62, color=ORANGE if waiting == most > 0 else SKY)
        right.text(waiting + 0.02 * most, row, f"{waiting:.2g}", va="center", fontsize=9)
    right.set_yticks(range(len(WAITS)), WAITS.values(), color="black")
    right.set(
        xlim=(0, 1.15 * most or 1),
        ylim=(len(WAITS) - 0.5, -0.5),
        xlabel="warps that wait, per instruction",
    )
    for ax in (left, right):
        ax.tick_params(axis="y", length=0)
        ax.spines.bottom.set_color(GREY)
    left.set_title("the chip's parts")
    right.set_title("what warps wait for")
    fig.suptitle(f"{label}, {seconds_text(seen['seconds'])}")
    waited = max(WAITS, key=lambda name: seen.get(name, 0))
    return Picture(
        fig,
        f"{label}: the busiest part, {SHARES[busiest]}; what warps wait for most, {WAITS[waited]}.",
    )
