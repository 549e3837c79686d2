"""A stack of layers along one axis: what a tile of outputs needs of each map."""

from __future__ import annotations

from matplotlib.patches import Rectangle

from ...memory.halo import Slide, sizes, spans
from .ink import lettering
from .style import BLUE, GREY, ORANGE, PALE, YELLOW, Picture, figure

PIXELS = 40  # of the image, along the axis


def stack_picture(layers: int = 3, kernel: int = 3, tile: int = 4, stride: int = 1,
                  at: int = 2) -> Picture:  # fmt: skip
    """Draw maps of `layers` equal layers, the image at the bottom; tile number `at` of the last
    map.

    Padding keeps the size (with a stride of 1). Blue is what lies under the tile, yellow the halo,
    the dashed squares zeros beyond the edge.
    """
    slides = [Slide(kernel, stride, kernel // 2)] * layers
    from_image = sizes(slides, PIXELS)
    begin = min(at * tile, max(0, from_image[-1] - tile))
    end = min(begin + tile, from_image[-1])
    needed = spans(slides, PIXELS, begin, end)
    fig, ax = figure(7.6, 0.9 + 0.44 * len(needed))
    right = max(size * stride**level for level, size in enumerate(from_image))
    for level, (size, span) in enumerate(zip(from_image, needed)):
        scale = stride**level  # an output stands above the middle of its window
        under = begin * stride ** (layers - level), end * stride ** (layers - level)
        for pixel in range(size):
            colour = PALE
            if span.begin <= pixel < span.end:
                colour = BLUE if under[0] <= pixel < under[1] else YELLOW
            ax.add_patch(
                Rectangle((pixel * scale + 0.06, 1.25 * level), scale - 0.12, 0.9, facecolor=colour)
            )
        if span.before:
            for zero in range(span.before):
                ax.add_patch(
                    Rectangle(
                        (-(zero + 1) * scale + 0.06, 1.25 * level),
                        scale - 0.12,
                        0.9,
                        facecolor="none",
                        edgecolor=GREY,
                        linestyle=":",
                    )
                )
        name = "image" if level == 0 else f"map {level}"
        ax.text(
            right + 1,
            1.25 * level + 0.45,
            f"{name}: {span.size} of {size}",
            va="center",
            color=lettering(ORANGE) if level == 0 else "black",
        )
    left = max(span.before * stride**level for level, span in enumerate(needed))
    ax.set(xlim=(-max(left, 1.25 * kernel) - 1, right + 13), ylim=(-0.3, 1.25 * len(needed)))
    ax.set_axis_off()
    one = end - begin == 1
    ax.set_title(
        f"{end - begin} {'output needs' if one else 'outputs need'} {needed[0].size} pixels"
    )
    who = f"output {begin} needs" if one else f"outputs {begin} to {end - 1} need"
    counts = ", ".join(str(span.size) for span in reversed(needed))
    return Picture(
        fig,
        f"{layers} layer{'s' * (layers > 1)} with windows of {kernel} and stride "
        f"{stride}: {who}, from the last map down to the image, {counts} values "
        "of a row.",
    )
