"""What a small kernel does to a photograph."""

from __future__ import annotations

import numpy as np

from ...convolve import conv2d
from .ink import ink, lettering
from .style import BLUE, ORANGE, Picture, figure

FILTERS = {
    "vertical edges": [[1, 0, -1], [2, 0, -2], [1, 0, -1]],
    "horizontal edges": [[1, 2, 1], [0, 0, 0], [-1, -2, -1]],
    "blur": [[1, 2, 1], [2, 4, 2], [1, 2, 1]],
    "sharpen": [[0, -1, 0], [-1, 5, -1], [0, -1, 0]],
}
_DIVISORS = {"blur": 16}


def kernel_of(name: str) -> np.ndarray:
    """Return `w[3,3]` in float32 of one of `FILTERS`."""
    return np.array(FILTERS[name], np.float32) / np.float32(_DIVISORS.get(name, 1))


def filtered_picture(image: np.ndarray, name: str, stride: int) -> Picture:
    """Draw `image[i_h,i_w,1]`, the 3×3 kernel `name`, and the image convolved with it, in a row."""
    kernel = kernel_of(name)
    y = conv2d(image[None], kernel.reshape(3, 3, 1, 1), stride=stride)[0, :, :, 0]
    fig, (before, middle, after) = figure(8.2, 3.4, ncols=3, width_ratios=[1, 0.55, 1])
    before.imshow(image[..., 0], cmap="gray", vmin=0, vmax=1)
    before.set_title(f"image, {image.shape[0]} × {image.shape[1]}")
    largest = np.abs(kernel).max()
    shown = middle.imshow(kernel, cmap="PuOr_r", vmin=-largest, vmax=largest)
    for (row, column), value in np.ndenumerate(np.array(FILTERS[name])):
        over = f"/{_DIVISORS[name]}" if name in _DIVISORS else ""
        middle.text(
            column,
            row,
            f"{value}{over}",
            ha="center",
            va="center",
            color=ink(shown.to_rgba(kernel[row, column])),
        )
    middle.set_title("kernel, 3 × 3")
    edges = "edges" in name
    span = np.abs(y).max() if edges else 1
    after.imshow(y, cmap="PuOr_r" if edges else "gray", vmin=-span if edges else 0, vmax=span)
    after.set_title(f"output, {y.shape[0]} × {y.shape[1]}")
    for ax in (before, middle, after):
        ax.set_xticks([])
        ax.set_yticks([])
        ax.grid(False)
    middle.annotate(
        "∗",
        (-0.28, 0.5),
        xycoords="axes fraction",
        ha="center",
        va="center",
        color=BLUE,
        fontsize=18,
    )
    middle.annotate(
        "=",
        (1.28, 0.5),
        xycoords="axes fraction",
        ha="center",
        va="center",
        color=lettering(ORANGE),
        fontsize=18,
    )
    return Picture(
        fig,
        f"A {image.shape[0]} by {image.shape[1]} photograph, the 3 by 3 kernel for {name}, and "
        f"their convolution with stride {stride}: {y.shape[0]} by {y.shape[1]} values.",
    )
