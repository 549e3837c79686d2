"""The output channels of a convolution as images."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib import colormaps

from .style import Picture, figure

SHADES = 32  # as many as an eye tells apart here; the picture's file shrinks by nearly half


def maps_picture(photo: np.ndarray, maps: Mapping[str, np.ndarray]) -> Picture:
    """Draw `photo[i_h,i_w,3 or 1]` within [0, 1], and beside it each of `maps[o_h,o_w]` by its
    name.

    Maps with negative values are shown with zero in white, orange below and violet above; others
    from black, for zero, to white, for their largest value.
    """
    fig, axes = figure(1.75 * (1 + len(maps)), 2.3, ncols=1 + len(maps))
    grey = {"cmap": colormaps["gray"].resampled(SHADES), "vmin": 0}
    signs = colormaps["PuOr"].resampled(SHADES + 1)  # an odd number: zero has a shade of its own
    axes[0].imshow(photo, vmax=1, **grey)
    axes[0].set_title(f"photo\n{photo.shape[0]} × {photo.shape[1]}", fontsize=9)
    for ax, (name, values) in zip(axes[1:], maps.items(), strict=True):
        span = float(np.abs(values).max()) or 1.0
        signed = values.min() < 0
        ax.imshow(values, **({"cmap": signs, "vmin": -span} if signed else grey), vmax=span)
        ax.set_title(f"{name}\n{values.shape[0]} × {values.shape[1]}", fontsize=9)
    for ax in axes:
        ax.axis("off")
    return Picture(
        fig,
        f"A photograph and {len(maps)} filtered image{'s' * (len(maps) > 1)} of "
        f"it: {', '.join(maps)}.",
    )
