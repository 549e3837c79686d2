"""The layers on which lab 02's counts are tried: (image, kernel, stride, padding)."""

from ..draws import as_pairs, layer


def layers(rng):
    """Return layers, of which one is drawn."""
    return [
        ((4, 4, 1), (3, 3, 1), (1, 1), (0, 0)),
        ((5, 4, 2), (4, 2, 1), (1, 1), (2, 1)),
        ((12, 18, 3), (3, 5, 4), (2, 3), (1, 2)),  # strides that don't divide evenly
        as_pairs(layer(rng, 240, 1)),
        ((28, 28, 256), (3, 3, 512), (1, 1), (1, 1)),
    ]


def fits(image, kernel, stride, padding, *_):
    """Return whether the kernel has a place on the padded image."""
    return min(*image, *kernel, *stride) > 0 and all(
        i + 2 * p >= k for i, k, p in zip(image, kernel, padding)
    )
