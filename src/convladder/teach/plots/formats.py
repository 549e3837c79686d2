"""Number formats: their bits, and error against speed for all ways to multiply."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import LogLocator, NullLocator

from ...bench.libraries import HALF_INPUTS
from ..models.formats import FORMATS
from ..reports.method_map import method_label
from .ink import lettering
from .labels import power_text
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, YELLOW, Picture, figure

PARTS = ((PINK, "sign"), (GREEN, "exponent"), (BLUE, "fraction"))
# What a method multiplies with; others multiply float32.
WAYS = {
    "gpu_cutlass_tf32": "TF32",
    "cudnn tf32 NHWC": "TF32",
    "gpu_cutlass_3xtf32": "3xTF32",
    **dict.fromkeys((*HALF_INPUTS, "cudnn float16 NHWC"), "float16 stored"),
}
ROOM = 11  # points between slanting labels
COLOURS = {
    "float32": GREY,
    "3xTF32": GREEN,
    "TF32": BLUE,
    "float16 stored": ORANGE,
    "float16": YELLOW,
    "bfloat16": PINK,
}


def bits_picture() -> Picture:
    """Draw a row of squares for each format: sign, exponent, fraction, and bits that lie unused."""
    fig, ax = figure(8.8, 0.55 + 0.42 * len(FORMATS))
    for row, f in enumerate(FORMATS):
        at = 0
        for (colour, _), width in zip(PARTS, (1, f.exponent, f.fraction)):
            for _ in range(width):
                ax.add_patch(Rectangle((at, row + 0.15), 0.94, 0.7, color=colour))
                at += 1
        for spare in range(at, f.stored):
            ax.add_patch(Rectangle((spare, row + 0.15), 0.94, 0.7, color=PALE))
        ax.text(-0.4, row + 0.5, f.name, ha="right", va="center")
        ax.text(
            32.6,
            row + 0.5,
            f"rounds by {f.roundoff:.0e}, to {f.largest:.1e}",
            va="center",
            fontsize=9,
        )
    for (colour, name), x in zip(PARTS, (0, 3, 14)):
        ax.text(x, -0.1, name, color=lettering(colour), fontsize=9, va="bottom", weight="bold")
    ax.set(xlim=(-4.6, 45), ylim=(len(FORMATS), -0.75))
    ax.set_axis_off()
    return Picture(
        fig,
        "; ".join(
            f"{f.name}: 1 sign, {f.exponent} exponent and {f.fraction} "
            f"fraction bits, {f.stored} stored"
            for f in FORMATS
        )
        + ".",
    )


def error_speed_picture(
    speeds: Mapping[str, float],
    errors: Mapping[str, float],
    computed: Mapping[str, float],
    what: str,
) -> Picture:
    """Draw a point for each method: FLOP/s across, recorded error up. Lines: errors computed here,
    one for those that cannot be told apart.

    speeds, errors: by the record's names. computed: by `formats.errors`' names.
    """
    fig, ax = figure(8.8, 5.0)
    alike = _together(computed)
    for ways, error in alike:
        ax.axhline(error, color=COLOURS[ways[0]], linewidth=1, linestyle="--", zorder=0)
    for name, speed in speeds.items():
        way = WAYS.get(name, "float32")
        cudnn = name.startswith("cudnn")
        ax.loglog(
            speed / 1e12,
            errors[name],
            "s" if cudnn else "o",
            color=COLOURS[way],
            markerfacecolor="white" if cudnn else COLOURS[way],
            markersize=7,
        )
    fastest = max(speeds.values()) / 1e12
    right = 3.5 * fastest
    ax.set(
        xlim=(min(speeds.values()) / 1e12 / 1.5, right),
        xlabel="TFLOP/s (log scale)",
        ylabel="worst error over the sum of |x·w|",
    )
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.xaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(power_text)
    ax.set_ylim(
        min(*errors.values(), *computed.values()) / 3, 4 * max(*errors.values(), *computed.values())
    )
    ax.set_title(what, fontsize=10)
    for ways, error in alike:
        ax.annotate(
            " and ".join(ways),
            (right, error),
            (-3, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=8,
            color=lettering(COLOURS[ways[0]]),
        )
    for group in (True, False):
        _slanted(
            ax,
            [
                (speeds[name] / 1e12, errors[name], method_label(name))
                for name in speeds
                if (WAYS.get(name) == "TF32") == group
            ],
            below=group,
        )
    return Picture(
        fig,
        f"Error against speed for {len(speeds)} methods, {what}; dashed: the "
        f"errors of {', '.join(computed)} as computed by rounding in NumPy.",
        colours=64,
    )


def _slanted(ax: Axes, points: list[tuple[float, float, str]], below: bool) -> None:
    """Write labels of neighbouring points, each slanting away from its own: up, or `below`.

    One that has no room beside the label to its left goes below.
    """
    last = -ROOM
    for x, y, text in sorted(points):
        at = ax.transData.transform((x, y))[0] * 72 / ax.figure.dpi
        down = below or at - last < ROOM
        last = last if down else at
        ax.annotate(
            text,
            (x, y),
            (4, -5 if down else 5),
            textcoords="offset points",
            fontsize=8,
            rotation=-45 if down else 45,
            rotation_mode="anchor",
            va="center",
            path_effects=[withStroke(linewidth=2, foreground="white")],
        )


def _together(computed: Mapping[str, float]) -> list[tuple[list[str], float]]:
    """Return names whose errors cannot be told apart in a picture, and the error of the first."""
    groups: list[tuple[list[str], float]] = []
    for name, error in sorted(computed.items(), key=lambda item: item[1]):
        if groups and error < 1.2 * groups[-1][1]:
            groups[-1][0].append(name)
        else:
            groups.append(([name], error))
    return groups
