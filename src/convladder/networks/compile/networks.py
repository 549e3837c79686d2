"""The networks that chapter 15 compiles, built in Python; their `.onnx` files lie in `models/`.

Maps are `[n,c,h,w]` and weights `[k_c,i_c,k_h,k_w]`, as ONNX has them: to turn them is a pass's
work.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..lenet import weights as lenet_weights
from .graph import Graph, Node, Tensor

MODELS = Path(__file__).parent / "models"


class Builder:
    """Adds nodes one after the other; each method returns the name of what its node makes."""

    def __init__(self, name: str, inputs: dict[str, Tensor], seed: int = 0):
        self.name, self.inputs = name, inputs
        self.nodes: list[Node] = []
        self.constants: dict[str, np.ndarray] = {}
        self.rng = np.random.default_rng(seed)

    def add(self, op: str, name: str, *inputs: str, **attributes: object) -> str:
        """Add one node of operator `op` that makes `name`."""
        self.nodes.append(Node(op, inputs, name, attributes))
        return name

    def constant(self, name: str, array: np.ndarray) -> str:
        """Add a constant, float32."""
        self.constants[name] = np.ascontiguousarray(array, np.float32)
        return name

    def random(self, name: str, *shape: int, spread: float = 1.0, mean: float = 0.0) -> str:
        """Add a constant of normally distributed values."""
        return self.constant(name, self.rng.normal(mean, spread, shape))

    def conv(self, x: str, name: str, i_c: int, k_c: int, size: int = 3, *, stride: int = 1,
             group: int = 1) -> str:  # fmt: skip
        """Add a convolution without bias and the batch norm after it; padding keeps the size."""
        fan = i_c // group * size * size
        w = self.random(f"{name}.weight", k_c, i_c // group, size, size, spread=fan**-0.5)
        y = self.add("Conv", name, x, w, stride=(stride,) * 2, padding=(size // 2,) * 2,
                     group=group)  # fmt: skip
        vectors = [
            self.random(f"{name}.{part}", k_c, spread=0.1, mean=mean)
            for part, mean in (("gamma", 1.0), ("beta", 0.0), ("mean", 0.0))
        ]
        variance = self.constant(f"{name}.variance", self.rng.uniform(0.5, 1.5, k_c))
        return self.add("BatchNormalization", f"{name}.norm", y, *vectors, variance, epsilon=1e-5)

    def conv_relu(self, x: str, name: str, *sizes: int, **settings: int) -> str:
        """Add the same, cut off at zero."""
        return self.add("Relu", f"{name}.relu", self.conv(x, name, *sizes, **settings))

    def classify(self, x: str, features: int, classes: int) -> str:
        """Add the mean of each map, then one product."""
        x = self.add("Flatten", "features", self.add("GlobalAveragePool", "means", x))
        w = self.random("classes.weight", features, classes, spread=features**-0.5)
        return self.add("Gemm", "logits", x, w, self.random("classes.bias", classes, spread=0.1))

    def graph(self, *outputs: str) -> Graph:
        """Return the finished graph."""
        return Graph(self.name, self.inputs, outputs, tuple(self.nodes), self.constants)


def lenet(batch: int = 1) -> Graph:
    """Build LeNet-5 with the weights that ship: `pixels`, bytes `[n,1,28,28]`, to `labels[n]`."""
    w = lenet_weights()
    b = Builder("lenet", {"pixels": Tensor((batch, 1, 28, 28), "uint8")})
    x = b.add("Cast", "values", "pixels")
    x = b.add("Div", "scaled", x, b.constant("white", np.array([255.0])))
    for name in ("conv1", "conv2"):
        weight = b.constant(f"{name}.weight", getattr(w, name).transpose(3, 2, 0, 1))
        bias = b.constant(f"{name}.bias", getattr(w, f"{name}_bias"))
        x = b.add("Conv", name, x, weight, bias, stride=(1, 1), padding=(0, 0), group=1)
        x = b.add("Relu", f"{name}.relu", x)
        x = b.add("MaxPool", f"{name}.pool", x, kernel=(2, 2), stride=(2, 2))
    x = b.add("Flatten", "features", x)
    # Stored for [rows,columns,channels] flattened; ONNX flattens channels first.
    fc1 = w.fc1.reshape(120, 4, 4, 16).transpose(0, 3, 1, 2).reshape(120, 256)
    for name, weight in (("fc1", fc1), ("fc2", w.fc2), ("logits", w.fc3)):
        bias = w.fc3_bias if name == "logits" else getattr(w, f"{name}_bias")
        x = b.add("Gemm", name, x, b.constant(f"{name}.weight", weight.T),
                  b.constant(f"{name}.bias", bias))  # fmt: skip
        if name != "logits":
            x = b.add("Relu", f"{name}.relu", x)
    return b.graph(b.add("ArgMax", "labels", x))


def skip(batch: int = 1) -> Graph:
    """Build a small residual network, `x[n,3,32,32]` to `logits[n,10]`, by chance (seed 0).

    After He et al., "Deep Residual Learning" (CVPR 2016): three stages, of which two shrink the map
    and add it through a convolution of 1×1.
    """
    b = Builder("skip", {"x": Tensor((batch, 3, 32, 32))})
    x, i_c = b.conv_relu("x", "stem", 3, 16), 16
    for stage, (k_c, stride) in enumerate([(16, 1), (32, 2), (64, 2)], 1):
        y = b.conv_relu(x, f"a{stage}", i_c, k_c, stride=stride)
        y = b.conv(y, f"b{stage}", k_c, k_c)
        if stride > 1:
            x = b.conv(x, f"short{stage}", i_c, k_c, 1, stride=stride)
        x, i_c = b.add("Relu", f"out{stage}", b.add("Add", f"sum{stage}", y, x)), k_c
    return b.graph(b.classify(x, 64, 10))


def depthwise(batch: int = 1) -> Graph:
    """Build a small depthwise network, `x[n,3,32,32]` to `logits[n,10]`, by chance (seed 1).

    After Sandler et al., "MobileNetV2" (CVPR 2018): widen by 1×1, filter each channel alone, narrow
    by 1×1, and add the block's input where the shape stayed.
    """
    b = Builder("depthwise", {"x": Tensor((batch, 3, 32, 32))}, seed=1)
    x, i_c = b.conv_relu("x", "stem", 3, 16, stride=2), 16
    for block, (k_c, stride) in enumerate([(16, 1), (24, 2), (24, 1)], 1):
        wide = 4 * i_c
        y = b.conv_relu(x, f"widen{block}", i_c, wide, 1)
        y = b.conv_relu(y, f"filter{block}", wide, wide, stride=stride, group=wide)
        y = b.conv(y, f"narrow{block}", wide, k_c, 1)
        x = b.add("Add", f"sum{block}", y, x) if (i_c, stride) == (k_c, 1) else y
        i_c = k_c
    return b.graph(b.classify(x, 24, 10))


NETWORKS: dict[str, Callable[[int], Graph]] = {
    "lenet": lenet, "skip": skip, "depthwise": depthwise,
}  # fmt: skip
