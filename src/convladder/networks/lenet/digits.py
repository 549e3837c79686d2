"""Data that ships with the package: MNIST's 10,000 test images, their labels, trained weights.

Source and licence of each are in `data/README.md`.
"""

from __future__ import annotations

import json
import lzma
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ...core.machine_error import MachineError
from .network import Weights

DATA = Path(__file__).parent / "data"
UNSIGNED_BYTES = 0x08  # IDX's code for the type of its values


def read_idx(content: bytes) -> np.ndarray:
    """Read the array of an IDX file of bytes, MNIST's format. Raises `ValueError` for others.

    Two zero bytes, the type, the number of axes, each axis' length as big-endian int32, the values.
    """
    if len(content) < 4 or content[:3] != bytes((0, 0, UNSIGNED_BYTES)):
        raise ValueError(
            f"not an IDX file of bytes: it begins with {content[:4].hex(' ')}, not "
            "00 00 08; unpack it first if it is compressed"
        )
    axes = content[3]
    if len(content) < 4 + 4 * axes:
        raise ValueError(f"an IDX file ends within its header, of {axes} axes; fetch it again")
    shape = tuple(int(n) for n in np.frombuffer(content, ">i4", axes, offset=4))
    values = np.frombuffer(content, np.uint8, offset=4 + 4 * axes)
    if values.size != np.prod(shape):
        raise ValueError(f"an IDX file for {shape} values holds {values.size}; fetch it again")
    return values.reshape(shape)


@cache
def images() -> np.ndarray:
    """Return MNIST's test images, uint8 `[10000,28,28]`, read-only; 0 is the background."""
    return _undamaged(DATA / "t10k-images-idx3-ubyte.xz", _unpacked)


@cache
def labels() -> np.ndarray:
    """Return the digit on each test image, uint8 `[10000]`, read-only."""
    return _undamaged(DATA / "t10k-labels-idx1-ubyte.xz", _unpacked)


@cache
def weights() -> Weights:
    """Return the trained weights of all methods, read-only; `training()` says how they came."""
    return Weights(**read_arrays(DATA / "weights.npz"))


def read_arrays(file: Path) -> dict[str, np.ndarray]:
    """Read the arrays of a network that ships, read-only, as all share them; halves as float32."""
    read = {
        k: v.astype(np.float32) if v.dtype == "f2" else v
        for k, v in _undamaged(file, _arrays).items()
    }
    for array in read.values():
        array.flags.writeable = False
    return read


def _unpacked(file: Path) -> np.ndarray:
    return read_idx(lzma.decompress(file.read_bytes()))


def _arrays(file: Path) -> dict[str, np.ndarray]:
    with file.open("rb") as opened, np.load(opened) as arrays:
        return dict(arrays)


def _undamaged(file: Path, read: Callable) -> Any:
    """Return `read(file)`. Raises `MachineError`, which names it, for one that is damaged."""
    try:
        return read(file)
    except (lzma.LZMAError, zlib.error, BadZipFile, EOFError, ValueError) as error:
        raise MachineError(
            f"{file} is damaged ({error}); install convladder anew, or bring the file of a clone "
            f"back by `git checkout -- {file.name}` in its folder"
        ) from None


def training() -> dict[str, object]:
    """Return how the weights were made: seed, versions, accuracy on the test images."""
    return json.loads((DATA / "weights.json").read_text("utf-8"))
