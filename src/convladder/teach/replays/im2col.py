"""Chapter 01: a window becomes a row, and a row becomes a sum."""

from __future__ import annotations

import numpy as np

from ...replay import Replay, Scene


def im2col_replay(image: np.ndarray, kernel: np.ndarray) -> Replay:
    """Play im2col of `image[i_h,i_w]`: each window is copied to a row, then rows meet weights."""
    (i_h, i_w), (k_h, k_w) = image.shape, kernel.shape
    o_h, o_w = i_h - k_h + 1, i_w - k_w + 1
    windows, size = o_h * o_w, k_h * k_w
    scene = Scene("im2col: each window becomes a row, each row one product")
    pixels = scene.array("image", i_h, i_w, values=_numbers(image))
    weights = scene.array("kernel, laid out in a line", 1, size, values=_numbers(kernel))
    matrix = scene.array(
        "matrix: a window in each row", windows, size, values=[""] * (windows * size), under=True
    )
    output = scene.array("output", windows, 1, values=[""] * windows)
    copied = multiplied = 0

    def tally() -> dict[str, int]:
        return {"values copied": copied, "multiplications": multiplied}

    def inside(window: int) -> list[int]:
        h, v = divmod(window, o_w)
        return [(h + a) * i_w + v + b for a in range(k_h) for b in range(k_w)]

    def row(window: int) -> range:
        return range(window * size, window * size + size)

    for window in range(windows):
        for k, pixel in enumerate(inside(window)):
            copied += 1
            scene.step(
                f"Copy window {window} into row {window}.",
                tally(),
                read=[(pixels, pixel)],
                write=[(matrix, row(window)[k], None, [_numbers(image)[pixel]])],
                marks=[(pixels, inside(window), f"window {window}"), (matrix, row(window), "")],
            )
    for window in range(windows):
        total = 0
        for k, pixel in enumerate(inside(window)):
            multiplied += 1
            value, weight = _numbers(image)[pixel], _numbers(kernel)[k]
            total += value * weight
            shown = f"{value} · {weight}. The sum is now {total}.".replace("-", "−")
            scene.step(
                f"Row {window} times the kernel: {shown}",
                tally(),
                read=[(matrix, row(window)[k]), (weights, k)],
                write=[(output, window, None, [total])],
                marks=[(pixels, inside(window), f"window {window}"), (matrix, row(window), "")],
            )
    return Replay(
        scene,
        alt=f"Each of the {windows} windows of a {i_h}×{i_w} image is copied into a row of a "
        f"matrix. Then each row is multiplied by the {size} weights, and its sum is one output.",
        opens_at=(windows // 2 * size) + size // 2 + 1,
        pace=350,
    )


def _numbers(array: np.ndarray) -> list[int]:
    return [int(value) for value in array.ravel()]
