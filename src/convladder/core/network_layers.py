"""Layers of known networks, for one image."""

from .problem import ConvProblem

# The 3×3 layers of stride 1 of ResNet-50 (He et al., arXiv 1512.03385), and VGG's first large one.
RESNET: dict[str, ConvProblem] = {
    f"{size}×{size}×{channels}": ConvProblem(1, size, size, channels, 3, 3, channels, padding=1)
    for size, channels in [(56, 64), (28, 128), (14, 256), (7, 512), (224, 64)]
}


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

# Two residual blocks of fully connected layers: (makes, operator, reads), in the order of steps.
RESIDUAL_BLOCKS = (
    ("a", "matmul", ("x", "w")), ("b", "relu", ("a",)), ("c", "matmul", ("b", "w")),
    ("d", "relu", ("c",)), ("e", "matmul", ("d", "w")), ("f", "add", ("e", "b")),
    ("g", "relu", ("f",)), ("h", "matmul", ("g", "w")), ("i", "relu", ("h",)),
    ("j", "matmul", ("i", "w")), ("k", "add", ("j", "g")), ("l", "relu", ("k",)),
    ("y", "matmul", ("l", "v")),
)  # fmt: skip
