"""Products of rounded matrices: what they cost on tensor cores, and how exact they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.ticker import NullLocator

from ...exercises.mocks.tensor_cores import TensorCores
from ...number_formats import TF32, halves
from .labels import label_points, power_text
from .style import BLUE, GREY, ORANGE, Picture, figure

Product = Callable[[np.ndarray, np.ndarray, TensorCores], np.ndarray]


def three_tf32(a: np.ndarray, b: np.ndarray, multiply: TensorCores) -> np.ndarray:
    """Return `a @ b` as 3xTF32 makes it: six units."""
    (a_large, a_small), (b_large, b_small) = halves(a, TF32.fraction), halves(b, TF32.fraction)
    return (
        multiply(a_small, b_large, "TF32")
        + multiply(a_large, b_small, "TF32")
        + multiply(a_large, b_large, "TF32")
    )


WAYS: Mapping[str, Product] = {
    "bfloat16": lambda a, b, multiply: multiply(a, b, "bfloat16"),
    "float16": lambda a, b, multiply: multiply(a, b, "float16"),
    "TF32": lambda a, b, multiply: multiply(a, b, "TF32"),
    "3xTF32": three_tf32,
}


def product_board(yours: Product, seed: int = 0) -> Picture:
    """Draw units across and worst error up, of each way and of `yours`, on random matrices.

    The error is over the sum of |a·b|, for a[64,512] and b[512,48].
    """
    rng = np.random.default_rng(seed)
    a, b = (rng.standard_normal(shape, dtype=np.float32) for shape in ((64, 512), (512, 48)))
    right, room = a.astype(np.float64) @ b, abs(a).astype(np.float64) @ abs(b)

    def error(product: np.ndarray) -> float:
        return float((abs(product - right) / room).max())

    points = {}
    for name, way in {**WAYS, "yours": yours}.items():
        multiply = TensorCores()
        points[name] = (error(way(a, b, multiply)), multiply.units)
    fig, ax = figure(7.6, 3.8)
    for name, (worst, units) in points.items():
        mine = name == "yours"
        ax.semilogy(
            units,
            worst,
            "D" if mine else "o",
            color=ORANGE if mine else BLUE,
            markersize=9 if mine else 7,
        )
    processor = error(a @ b)
    ax.axhline(processor, color=GREY, linestyle="--", linewidth=1)
    ax.set(
        xlim=(0, 10),
        ylim=(processor / 4, 1e-2),
        xlabel="units: a float16 product of this size is 1, a TF32 product 2",
        ylabel="worst error, over the sum of |a·b|",
    )
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(power_text)
    ax.grid(True)
    ax.text(
        9.9,
        processor,
        "float32, on this processor",
        ha="right",
        va="bottom",
        fontsize=8,
        color=GREY,
    )
    label_points(
        ax,
        [
            (units, worst, f"{name}: {units} unit{'s' * (units > 1)}")
            for name, (worst, units) in points.items()
        ],
        fontsize=8.5,
    )
    listed = ", ".join(f"{name} {units}" for name, (_, units) in points.items())
    return Picture(fig, f"Products of rounded matrices by cost and error; units: {listed}.")
