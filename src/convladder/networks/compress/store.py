"""Networks that were trained elsewhere and ship with the package, small: integers and scales."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

from ..lenet.digits import read_arrays
from .grids import Grid
from .network import LABELS, Layer, layers
from .quantised import IMAGES, QuantisedLayer

DATA = Path(__file__).parent / "data"


def shipped() -> dict[str, dict]:
    """Return `{name: how it was trained}` of the networks that ship."""
    return json.loads((DATA / "trained.json").read_text("utf-8"))


@cache
def quantised_network(name: str) -> tuple[QuantisedLayer, ...]:
    """Load a network of quantisation-aware training, "qat8" for 8 bits. Unknown: `ValueError`."""
    arrays, made, x = _arrays(name, ("qat",)), [], IMAGES
    for layer in LABELS:
        q, y = arrays[f"{layer}_q"], None
        if f"{layer}_y" in arrays:
            scale, zero, high = arrays[f"{layer}_y"]
            y = Grid(np.float32(scale), np.int32(zero), 0, int(high))
        high = 2 ** (shipped()[name]["bits"] - 1) - 1
        w = Grid(arrays[f"{layer}_w"], np.int32(0), -high, high)
        made.append(
            QuantisedLayer(
                layer,
                q,
                arrays[f"{layer}_bias"],
                x,
                w,
                y,
                relu=layer != "fc3",
                pool=layer.startswith("conv"),
            )
        )
        x = y
    return tuple(made)


@cache
def float_network(name: str) -> tuple[Layer, ...]:
    """Load a float32 network, "student_..." or "pruned_...": see `shipped`; else `ValueError`."""
    arrays = _arrays(name, ("student", "pruned"))
    return layers([arrays[f"{layer}{part}"] for layer in LABELS for part in ("", "_bias")])


def _arrays(name: str, kinds: tuple[str, ...]) -> dict[str, np.ndarray]:
    names = [each for each in shipped() if each.startswith(kinds)]
    if name not in names:
        raise ValueError(f"no network {name!r} ships; there are {', '.join(names)}")
    return read_arrays(DATA / f"{name}.npz")
