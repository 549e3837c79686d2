"""LeNet-5 as in the RTX 2060 ladder: two convolutions, each with ReLU and 2×2 max-pool, then three
products (docs/sources.md).

    28×28×1 → conv 5×5 → 24×24×6 → pool → 12×12×6 → conv 5×5 → 8×8×16 → pool → 4×4×16
    256 → 120 → 84 → 10

ReLU follows all layers but the last. A pixel is its byte over 255. Convolution weights are
`[k_h,k_w,i_c,k_c]` as everywhere in the course; those of a fully connected layer are
`[outputs,inputs]`, as PyTorch and that ladder store them. The 256 inputs of the first are
`[4,4,16]` flattened: rows, columns, channels.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ...core.problem import ConvProblem

SIDE = 28
CLASSES = 10
CONV1 = ConvProblem(1, 28, 28, 1, 5, 5, 6)
CONV2 = ConvProblem(1, 12, 12, 6, 5, 5, 16)
FULL = ((120, 256), (84, 120), (10, 84))  # outputs, inputs
MACS = CONV1.macs + CONV2.macs + sum(o * i for o, i in FULL)  # of one image: 281,640
SHAPES = {
    "conv1": CONV1.kernel_shape,
    "conv1_bias": (6,),
    "conv2": CONV2.kernel_shape,
    "conv2_bias": (16,),
    "fc1": FULL[0],
    "fc1_bias": (120,),
    "fc2": FULL[1],
    "fc2_bias": (84,),
    "fc3": FULL[2],
    "fc3_bias": (10,),
}


@dataclass(frozen=True, eq=False)
class Weights:
    """The ten float32 arrays of the network, shapes as in `SHAPES`.

    Raises `TypeError` or `ValueError` that names the array that does not match.
    """

    conv1: np.ndarray
    conv1_bias: np.ndarray
    conv2: np.ndarray
    conv2_bias: np.ndarray
    fc1: np.ndarray
    fc1_bias: np.ndarray
    fc2: np.ndarray
    fc2_bias: np.ndarray
    fc3: np.ndarray
    fc3_bias: np.ndarray

    def __post_init__(self) -> None:
        for name, shape in SHAPES.items():
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.dtype != np.float32:
                kind = getattr(array, "dtype", type(array).__name__)
                raise TypeError(f"weights {name} are {kind}; LeNet-5 here takes float32 arrays")
            if array.shape != shape:
                raise ValueError(
                    f"weights {name} have shape {array.shape}, not {shape}: they are "
                    "of another network, or in another order of axes"
                )
            if not np.isfinite(array).all():
                raise ValueError(f"weights {name} hold NaN or infinity; train or load them again")
            if not array.flags.c_contiguous:
                raise ValueError(
                    f"weights {name} are a strided view; pass np.ascontiguousarray(...)"
                )

    def __iter__(self):
        """The arrays in the order of the layers, each followed by its bias."""
        return iter(getattr(self, field.name) for field in fields(self))


def check_images(images: np.ndarray) -> None:
    """Raise `TypeError` or `ValueError` unless `images` are bytes `[count,28,28]`, C-contiguous.

    `count` is any number from 1.
    """
    if not isinstance(images, np.ndarray) or isinstance(images, np.ma.MaskedArray):
        raise TypeError(
            f"images are a {type(images).__name__}, not a plain NumPy array; pass uint8 "
            "[count, 28, 28]"
        )
    if images.ndim != 3 or images.shape[1:] != (SIDE, SIDE):
        raise ValueError(f"images have shape {images.shape}; LeNet-5 takes [count, 28, 28]")
    if images.dtype != np.uint8:
        span = f", from {images.min()} to {images.max()}" if images.size else ""
        raise TypeError(
            f"images are {images.dtype}{span}; pass the bytes themselves, uint8 from 0 "
            "to 255: each method scales them by itself"
        )
    if len(images) == 0:
        raise ValueError("images hold no image: shape (0, 28, 28); pass at least one")
    if not images.flags.c_contiguous:
        raise ValueError("images are a strided view; pass np.ascontiguousarray(images)")
