"""Chapter 00: what a convolution does to an image, and digits that LeNet-5 reads."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from ...core.text import seconds_text
from ...functional import conv2d
from .shapes import write
from .style import BLUE, ORANGE, Picture, figure, ink, lettering

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
    over = f"/{_DIVISORS[name]}" if name in _DIVISORS else ""
    for (row, column), value in np.ndenumerate(np.array(FILTERS[name])):
        colour = ink(shown.to_rgba(kernel[row, column]))
        write(middle, f"{value}{over}", column, row, color=colour, fontsize=9.5)
    middle.set_title("kernel, 3 × 3")
    edges = "edges" in name
    span = np.abs(y).max() if edges else 1
    after.imshow(y, cmap="PuOr_r" if edges else "gray", vmin=-span if edges else 0, vmax=span)
    after.set_title(f"output, {y.shape[0]} × {y.shape[1]}")
    for ax in (before, middle, after):
        ax.set(xticks=[], yticks=[])
    for words, x, colour in (("∗", -0.28, BLUE), ("=", 1.28, lettering(ORANGE))):
        style = {"transform": middle.transAxes, "color": colour, "fontsize": 18}
        write(middle, words, x, 0.5, **style)
    return Picture(
        fig,
        f"A {image.shape[0]} by {image.shape[1]} photograph, the 3 by 3 kernel for {name}, and "
        f"their convolution with stride {stride}: {y.shape[0]} by {y.shape[1]} values.",
    )


COLUMNS, ROWS = 15, 3
SIDE = 38  # pixels from one digit to the next


def digits_picture(
    images: np.ndarray, read: np.ndarray, right: int, seconds: float, loops: float
) -> Picture:
    """Draw the first of `images[count,28,28]` with the labels `read`; below them the `seconds` that
    all took, beside those that Python's `loops` would take.
    """
    fig, (top, below) = figure(8, 2.9, nrows=2, height_ratios=[2.2, 1])
    few = COLUMNS * ROWS
    tiles = np.pad(images[:few], ((0, 0), (0, 0), (0, SIDE - 28)))
    tiles = tiles.reshape(ROWS, COLUMNS, 28, SIDE).swapaxes(1, 2)
    top.imshow(255 - tiles.reshape(28 * ROWS, SIDE * COLUMNS), cmap="gray", vmin=0, vmax=255)
    style = {"color": BLUE, "va": "bottom", "fontsize": 9, "fontweight": "bold"}
    for place, label in enumerate(read[:few]):
        row, column = divmod(place, COLUMNS)
        top.text(SIDE * column + 27, 28 * row + 25, str(label), **style)
    top.set_axis_off()
    said = (
        f"{len(images):,} digits read in {seconds_text(seconds)}, "
        f"{right / len(images):.1%} of them right"
    )
    top.set_title(f"{said} (blue: what was read)", loc="left")
    long = f"{loops / 60:.0f} minutes" if loops >= 120 else seconds_text(loops)
    below.barh([1, 0], [seconds, loops], color=[BLUE, "#999999"], height=0.7)
    below.set_yticks([1, 0], ["just now", "Python loops,\nscaled up from one"])
    below.set_xlim(0, 1.25 * loops)
    below.text(seconds, 1, f" {seconds_text(seconds)}", va="center")
    below.text(loops, 0, f" {long}", va="center")
    below.set_xticks([])
    for side in ("top", "right", "bottom"):
        below.spines[side].set_visible(False)
    return Picture(
        fig,
        f"{few} handwritten digits, each with the label that was read; below, a "
        f"bar for the time that all {len(images):,} took, and a far longer one for "
        "loops in Python.",
    )


def first_look() -> Picture:
    """Read MNIST's 10,000 test images by matrix products, and time what six loops in Python need
    for the convolutions of one of them. Seconds on any machine.
    """
    from ...networks import lenet

    images, labels = lenet.images(), lenet.labels()
    session = lenet.get_rung("lowered").session(images)
    begun = perf_counter()
    read = session.run()
    seconds = perf_counter() - begun
    right = int((read == labels).sum())
    one = images[:1, ..., np.newaxis].astype(np.float32) / np.float32(255)
    weights = lenet.weights()
    begun = perf_counter()
    maps = conv2d(one, weights.conv1, method="loops")
    conv2d(np.ascontiguousarray(maps[:, ::2, ::2]), weights.conv2, method="loops")
    loops = (perf_counter() - begun) * len(images)
    return digits_picture(images, read, right, seconds, loops)
