"""What the chapters reason about on paper: networks as shapes, and a machine as two numbers."""

from __future__ import annotations

from ...measure import Roofline
from ...problem import ConvProblem

# One middling core, in round numbers: for pictures that must look the same for every reader.
NOMINAL = Roofline(flops_per_s=100e9, bytes_per_s=20e9, threads=1)


def _vgg16() -> dict[str, ConvProblem]:
    layers, size, i_c = {}, 224, 3
    for block, (repeats, k_c) in enumerate([(2, 64), (2, 128), (3, 256), (3, 512), (3, 512)], 1):
        for repeat in range(1, repeats + 1):
            layers[f"conv{block}_{repeat}"] = ConvProblem(1, size, size, i_c, 3, 3, k_c, padding=1)
            i_c = k_c
        size //= 2  # the pooling after each block
    # A fully connected layer is a convolution whose kernel covers the whole image.
    layers["fc6"] = ConvProblem(1, size, size, i_c, size, size, 4096)
    layers["fc7"] = ConvProblem(1, 1, 1, 4096, 1, 1, 4096)
    layers["fc8"] = ConvProblem(1, 1, 1, 4096, 1, 1, 1000)
    return layers


# Simonyan & Zisserman, "Very Deep Convolutional Networks" (ICLR 2015), table 1, column D.
VGG16: dict[str, ConvProblem] = _vgg16()
