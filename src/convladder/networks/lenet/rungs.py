"""Every way to label the images, in the order of the ladder.

A rung is one decorated class in a file of its own under `cpu/` or `gpu/`; tests, tables and the
command line all walk `rungs()`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from .digits import weights as shipped_weights
from .network import Weights, check_images

_PACKAGES = ("cpu", "gpu")
_FOUND: dict[str, LenetRung] = {}
FLOAT32 = 1e-3  # precision of float32 methods, in logits: a hundred times what was seen


class Session(Protocol):
    """Images and weights made ready for one rung; what a timing of `run` leaves out.

    The images lie in host memory as the rung wants them: bytes or float32, pinned or not. On a
    GPU, room for everything is there and kernels are compiled.
    """

    def run(self) -> np.ndarray:
        """Return integer labels `[count]` on the host, from the images on the host."""


@dataclass(frozen=True)
class LenetRung:
    """One rung: its device, and how it is opened.

    `precision` is the distance of two logits below which it may take one for the other.
    `emulated`: a GPU's rung that the emulator can run.
    """

    name: str
    device: str
    number: int
    precision: float
    emulated: bool
    open: type[Any]  # (images, weights) -> Session

    def session(self, images: np.ndarray, weights: Weights | None = None) -> Session:
        """Return a session for bytes `images[count,28,28]`; `weights` default to those that ship.

        Raises `TypeError` or `ValueError` for images that are no such bytes.
        """
        check_images(images)
        return self.open(images, shipped_weights() if weights is None else weights)

    def run(self, images: np.ndarray, weights: Weights | None = None) -> np.ndarray:
        """Return labels `[count]` of bytes `images[count,28,28]`, preparation and all."""
        return self.session(images, weights).run()


def rung(
    *,
    name: str,
    device: str,
    number: int,
    precision: float = FLOAT32,
    emulated: bool = True,
) -> Callable:
    """Enter a class `(images, weights) -> Session` in the ladder; `number` orders a device's."""

    def enter(session: type) -> type:
        if name in _FOUND and _FOUND[name].open.__module__ != session.__module__:
            raise ValueError(f"two rungs are named {name!r}; rename that of {session.__module__}")
        _FOUND[name] = LenetRung(name, device, number, precision, emulated, session)
        return session

    return enter


@cache
def _discover() -> None:
    for package in _PACKAGES:
        home = importlib.import_module(f"{__package__}.{package}")
        for module in pkgutil.iter_modules(home.__path__, f"{home.__name__}."):
            importlib.import_module(module.name)


def rungs(device: str | None = None) -> list[LenetRung]:
    """Return all rungs, the processor's before the GPU's, or those of one device ("cpu", "gpu").

    Raises `ValueError` for any other device.
    """
    _discover()
    if device not in (None, *_PACKAGES):
        raise ValueError(f"no rung runs on device {device!r}; there is {', '.join(_PACKAGES)}")
    found = sorted(_FOUND.values(), key=lambda r: (_PACKAGES.index(r.device), r.number))
    return [r for r in found if device in (None, r.device)]


def get_rung(name: str) -> LenetRung:
    """Return the rung of that name. Raises `ValueError` that lists the names for another one."""
    _discover()
    if name not in _FOUND:
        raise ValueError(
            f"there is no rung {name!r}; there are " + ", ".join(r.name for r in rungs())
        )
    return _FOUND[name]
