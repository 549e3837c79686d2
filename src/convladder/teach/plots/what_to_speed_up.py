"""What attacking one line of a profile would gain: two bars of time, before and after."""

from __future__ import annotations

from ...measure.cuda.profile import Profile
from ...text import seconds_text
from .style import GREY, ORANGE, PALE, SKY, Picture, figure

SLACK = 1.15  # of the table's sum over the wall clock: a profiler slows what it watches
HOST = "the host, and gaps"


def after(profile: Profile, line: int, factor: float) -> float:
    """Return seconds of the program if line `line` of the device's table, from 1, took a
    `factor`-th.

    Raises `ValueError` where there is no such line, or lines overlap, so that this cannot be told.
    """
    if not 1 <= line <= len(profile.device):
        raise ValueError(f"the table has lines 1 to {len(profile.device)}, and no {line}")
    wall, total = profile.wall[1], profile.device_seconds
    if total > SLACK * wall:
        raise ValueError(
            f"the lines add up to {seconds_text(total)}, and the program takes "
            f"{seconds_text(wall)}: they overlap, so that a line's seconds are not the program's"
        )
    seconds = profile.device[line - 1].seconds / profile.runs
    return max(wall, total) - seconds + seconds / factor


def attack_picture(profile: Profile, line: int, factor: float, title: str) -> Picture:
    """Draw the program's time by lines of its table,
    and again with one line `factor` times as fast.
    """
    then, now = after(profile, line, factor), max(profile.wall[1], profile.device_seconds)
    fig, ax = figure(8.6, 2.3)
    for row, quicker in enumerate((False, True)):
        left = 0.0
        parts = [
            (r.name, r.seconds / profile.runs, number == line)
            for number, r in enumerate(profile.device, start=1)
        ]
        parts.append((HOST, now - profile.device_seconds, False))
        for name, seconds, chosen in parts:
            width = 1e3 * (seconds / factor if quicker and chosen else seconds)
            colour = ORANGE if chosen else PALE if name == HOST else SKY
            ax.barh(row, width, left=left, height=0.62, color=colour, edgecolor="white")
            short = name.partition("(")[0].replace("[CUDA memcpy ", "").strip("]")
            if width > 1e3 * now * 0.011 * len(short):
                ax.text(left + width / 2, row, short, ha="center", va="center", fontsize=8)
            left += width
    ax.set_yticks([0, 1], [f"now {seconds_text(now)}", f"then {seconds_text(then)}"], color="black")
    ax.tick_params(axis="y", length=0)
    ax.spines.bottom.set_color(GREY)
    ax.set(
        xlim=(0, 1e3 * now * 1.01),
        ylim=(1.5, -0.5),
        xlabel=f"ms; orange: line {line}, blue: the other lines",
    )
    ax.set_title(f"{title}: line {line}, {factor:g} times as fast: {now / then:.2f} times in all")
    return Picture(
        fig,
        f"{title}: two bars of time by lines of the profile, now and with line "
        f"{line} {factor:g} times as fast.",
    )
