"""Chapters 01, 03 and 10: which values of an image a matrix copies, and which it only names."""

from __future__ import annotations

import numpy as np

from ...replay import Replay, Scene


class _Toy:
    """An image and a kernel of whole numbers, their windows, and sums on their way."""

    def __init__(self, image: np.ndarray, kernel: np.ndarray, title: str) -> None:
        self.pixels, self.weights = _whole(image), _whole(kernel)
        (self.i_h, self.i_w), (self.k_h, self.k_w) = image.shape, kernel.shape
        self.o_h, self.o_w = self.i_h - self.k_h + 1, self.i_w - self.k_w + 1
        self.count, self.size = self.o_h * self.o_w, kernel.size
        self.scene = Scene(title)
        self.image = self.scene.array("image", *image.shape, values=self.pixels)
        self.copied = self.multiplied = self.total = 0
        self.compared: dict[str, int] = {}

    def window(self, at: int) -> list[int]:
        """Return the pixels of a window, row by row."""
        h, v = divmod(at, self.o_w)
        return [(h + a) * self.i_w + v + b for a in range(self.k_h) for b in range(self.k_w)]

    @property
    def tally(self) -> dict[str, int]:
        counted = {"values copied": self.copied, "multiplications": self.multiplied}
        return {"pixels": len(self.pixels)} | counted | self.compared

    def multiply(self, pixel: int, k: int) -> str:
        """Add a product to the sum, which begins at weight 0, and return it in words."""
        self.multiplied += 1
        value, weight = self.pixels[pixel], self.weights[k]
        self.total = (self.total if k else 0) + value * weight
        return f"{value} · {weight}. The sum is now {self.total}.".replace("-", "−")


def _whole(array: np.ndarray) -> list[int]:
    return [int(value) for value in array.ravel()]


def _im2col(image: np.ndarray, kernel: np.ndarray) -> Scene:
    toy = _Toy(image, kernel, "im2col: each window becomes a row, each row one product")
    scene, size = toy.scene, toy.size
    weights = scene.array("kernel, laid out in a line", 1, size, values=toy.weights)
    cells, blank = toy.count * size, [""]
    matrix = scene.array("matrix: a window in each row", toy.count, size, values=blank * cells,
                         under=True)  # fmt: skip
    output = scene.array("output", toy.count, 1, values=blank * toy.count)
    rows = [range(at * size, at * size + size) for at in range(toy.count)]

    def marks(at: int) -> list:
        return [(toy.image, toy.window(at), f"window {at}"), (matrix, rows[at], "")]

    for at in range(toy.count):
        for cell, pixel in zip(rows[at], toy.window(at)):
            toy.copied += 1
            write = [(matrix, cell, None, [toy.pixels[pixel]])]
            say = f"Copy window {at} into row {at}."
            scene.step(say, toy.tally, read=[(toy.image, pixel)], write=write, marks=marks(at))
    for at in range(toy.count):
        for k, pixel in enumerate(toy.window(at)):
            say = f"Row {at} times the kernel: {toy.multiply(pixel, k)}"
            read = [(matrix, rows[at][k]), (weights, k)]
            write = [(output, at, None, [toy.total])]
            scene.step(say, toy.tally, read=read, write=write, marks=marks(at))
    return scene


def im2col_replay(image: np.ndarray, kernel: np.ndarray) -> Replay:
    """Play im2col of `image[i_h,i_w]`: each window is copied to a row, then rows meet weights."""
    scene = _im2col(image, kernel)
    return Replay(
        scene,
        alt="Each window of a small image is copied into a row of a matrix. Then each row is "
        f"multiplied by the {kernel.size} weights, and its sum is one output.",
        opens_at=scene.turns * 3 // 10 + 2,
        pace=350,
    )


def implicit_replay(image: np.ndarray, kernel: np.ndarray) -> Replay:
    """Play im2col of `image[i_h,i_w]` beside a product that reads the image in its place."""
    toy = _Toy(image, kernel, "implicit GEMM: the matrix is asked for, and the image answers")
    scene, size = toy.scene, toy.size
    weights = scene.array("kernel, laid out in a line", 1, size, values=toy.weights)
    matrix = scene.array("A: nobody writes it", toy.count, size, values=[""] * (toy.count * size),
                         under=True)  # fmt: skip
    output = scene.array("output", toy.count, 1, values=[""] * toy.count)
    for at in range(toy.count):
        for k, pixel in enumerate(toy.window(at)):
            row, column = divmod(pixel, toy.i_w)
            say = f"A[{at}, {k}] is image[{row}, {column}]: {toy.multiply(pixel, k)}"
            scene.step(
                say, toy.tally, read=[(toy.image, pixel), (weights, k)],
                write=[(output, at, None, [toy.total])],
                marks=[(toy.image, pixel, ""), (matrix, at * size + k, f"A[{at}, {k}]")],
            )  # fmt: skip
    return Replay(
        scene,
        _im2col(image, kernel),
        alt="On the left, each value of the matrix A is read from the image when it is needed, and "
        "nothing is copied. On the right, im2col copies all windows before its first product. The "
        "left side is done when the right side begins to multiply.",
        opens_at=scene.turns * 2 // 3,
        pace=350,
    )


def mec_replay(image: np.ndarray, kernel: np.ndarray) -> Replay:
    """Play MEC on `image[i_h,i_w]`: each strip becomes a row of L, then slices of L give rows."""
    toy = _Toy(image, kernel, "MEC: each strip becomes a row of L, each output row is a slice of L")
    toy.compared = {"im2col would copy": toy.count * toy.size}
    scene, wide = toy.scene, toy.i_h * toy.k_w
    lowered = scene.array(f"L: {toy.o_w} strips", toy.o_w, wide, values=[""] * (toy.o_w * wide))
    output = scene.array("output", toy.o_h, toy.o_w, values=[""] * toy.count)
    for v in range(toy.o_w):
        strip = [h * toy.i_w + v + b for h in range(toy.i_h) for b in range(toy.k_w)]
        row = range(v * wide, v * wide + wide)
        for first in range(0, wide, toy.k_w):
            toy.copied += toy.k_w
            pixels = strip[first : first + toy.k_w]
            values = [toy.pixels[pixel] for pixel in pixels]
            scene.step(
                f"Copy strip {v} into row {v} of L, one image row after the other.",
                toy.tally, read=[(toy.image, pixels)],
                write=[(lowered, row[first : first + toy.k_w], None, values)],
                marks=[(toy.image, strip, f"strip {v}"), (lowered, row, "")],
            )  # fmt: skip
    for h in range(toy.o_h):
        begin = h * toy.k_w
        part = [v * wide + begin + k for v in range(toy.o_w) for k in range(toy.size)]
        for v in range(toy.o_w):
            for k, pixel in enumerate(toy.window(h * toy.o_w + v)):
                toy.multiply(pixel, k)
            cells = part[v * toy.size : (v + 1) * toy.size]
            scene.step(
                f"Output row {h} needs columns {begin} to {begin + toy.size - 1} of L: a slice, "
                "not a copy.",
                toy.tally, read=[(lowered, cells)], turns=3,
                write=[(output, h * toy.o_w + v, None, [toy.total])],
                marks=[(lowered, part, f"partition {h}"), (output, h * toy.o_w + v, "")],
            )  # fmt: skip
    return Replay(
        scene,
        alt=f"Each of the {toy.o_w} strips of a {toy.i_h}×{toy.i_w} image is copied into a row of "
        "L. Then overlapping slices of L, one per output row, are multiplied by the kernel: "
        f"{toy.copied} values copied, where im2col copies {toy.count * toy.size}.",
        opens_at=toy.o_w * toy.i_h + 3 * toy.o_w + 1,
        pace=350,
    )
