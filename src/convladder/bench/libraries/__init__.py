"""The libraries to stand beside: one type for a library's way, one set-up of each library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

LIBRARIES = {"torch": ("torch",), "onnxruntime": ("onnxruntime", "onnx")}  # and what each needs


@dataclass(frozen=True)
class Library:
    """One way to let a library do it: `run()` computes, `answer()` is the result to judge.

    What it takes is laid out beforehand, in the library's own order, and not timed. `package`:
    the library's name; a library may have several ways. `result()` gives the answer in our own
    layout where `run()` does not. `device_seconds()`: what a GPU needs for its own work, by its
    own clock; None on a processor.
    """

    name: str
    package: str
    run: Callable[[], object]
    result: Callable[[], np.ndarray] | None = None
    device_seconds: Callable[[], float] | None = None

    def answer(self) -> np.ndarray:
        """Compute once, and return what is judged."""
        return self.run() if self.result is None else self.result()


def missing() -> list[str]:
    """Return the names of the libraries that are not installed."""
    return [
        library
        for library, packages in LIBRARIES.items()
        if any(find_spec(package) is None for package in packages)
    ]
