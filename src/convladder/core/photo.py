"""The photograph that the chapters convolve."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

LUMINANCE = (0.299, 0.587, 0.114)  # how bright red, green and blue look (ITU-R BT.601)


def photo(size: int = 224, grey: bool = False) -> np.ndarray:
    """Return Rear Admiral Grace Hopper: float32 [size, size, 3] or [size, size, 1], in [0, 1].

    A square is cut from the picture (public domain, U.S. Navy; it comes with matplotlib) and
    made smaller, never stretched. Raises ValueError for a size beyond the square's.
    """
    from PIL import Image

    matplotlib = Path(find_spec("matplotlib").origin).parent  # not imported: a check needs it not
    with Image.open(matplotlib / "mpl-data/sample_data/grace_hopper.jpg") as picture:
        side = min(picture.size)
        if not 1 <= size <= side:
            raise ValueError(f"size is {size}: the photograph has from 1 to {side} pixels per side")
        square = picture.convert("RGB").crop((0, 0, side, side))  # from the top, where she looks
        pixels = np.asarray(square.resize((size, size), Image.Resampling.BOX), dtype=np.float32)
    pixels = pixels / np.float32(255)
    return pixels @ np.array(LUMINANCE, np.float32)[:, None] if grey else pixels
