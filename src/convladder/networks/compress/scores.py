"""Every technique on one network, in the same three figures: bytes, operations, accuracy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...core.progress import report_progress
from .. import lenet
from . import network as nets
from . import quantised, store
from .blocks import MXFP4_BLOCK, NVFP4_BLOCK, mxfp4, nvfp4
from .executor import accuracy
from .half import float16_bytes, through_float16
from .lowrank import low_rank
from .network import Network, with_weights
from .pruned import (
    GROUP,
    by_channel,
    by_magnitude,
    sparse_bytes,
    two_of_four,
    two_of_four_bytes,
)
from .quantised import QuantisedNetwork
from .rounding import weight_bytes, weight_only

CALIBRATION = 2000  # of the test images, without their labels: training images do not ship


@dataclass(frozen=True)
class Score:
    """`bytes` of the weights as stored, `macs` of one image that must be done, `accuracy` on the
    10,000 digits (a share). `arithmetic` says in what the multiply-adds are."""

    name: str
    bytes: int
    macs: int
    accuracy: float
    arithmetic: str = "float32"


@dataclass(frozen=True, eq=False)
class CompressedNetwork:
    """A technique's product: the network itself, and the parts of a `Score` that need no images."""

    network: Network | QuantisedNetwork
    bytes: int
    macs: int
    arithmetic: str = "float32"

    @property
    def in_integers(self) -> bool:
        return self.arithmetic != "float32"


def technique(name: str) -> Score:
    """Return the score of one of `TECHNIQUES`. Raises `ValueError` that lists them for another."""
    report_progress(name)
    made = build(name)
    return Score(name, made.bytes, made.macs, accuracy(made.network), made.arithmetic)


def build(name: str) -> CompressedNetwork:
    """Build the network of one of `TECHNIQUES`; errors as above."""
    if name not in TECHNIQUES:
        raise ValueError(f"there is no technique {name!r}; there are {', '.join(TECHNIQUES)}")
    return TECHNIQUES[name](name)


def _float(change: Callable[[Network], Network], size: Callable, operations: Callable = nets.macs):
    def built(name: str) -> CompressedNetwork:
        layers = change(nets.network())
        return CompressedNetwork(layers, size(layers), operations(layers))

    return built


def _ptq(bits: int, method: str):
    def built(name: str) -> CompressedNetwork:
        layers = nets.network()
        found = quantised.ranges(layers, lenet.images()[:CALIBRATION], method, bits)
        return _integers(quantised.quantise(layers, found, bits=bits))

    return built


def _qat(name: str) -> CompressedNetwork:
    return _integers(store.quantised_network(name))


def _integers(network: QuantisedNetwork) -> CompressedNetwork:
    arithmetic = f"int{network[0].w.bits}"
    return CompressedNetwork(network, quantised.bytes_of(network), lenet.MACS, arithmetic)


def _trained(size: Callable, operations: Callable = nets.macs):
    def built(name: str) -> CompressedNetwork:
        layers = store.float_network(name)
        return CompressedNetwork(layers, size(layers), operations(layers))

    return built


def _weights_alone(bits: int, group: int, *, scale: int = 2, rounded: Callable | None = None):
    """Weights of `bits`, a scale of so many bytes for each `group`; float32 arithmetic."""

    def change(layers: Network) -> Network:
        if rounded is None:
            return weight_only(layers, bits, group=group)
        return with_weights(layers, lambda layer: rounded(layer.w))

    return _float(change, lambda layers: weight_bytes(layers, bits, group, scale))


def _dense_bytes(layers: Network) -> int:
    return 4 * nets.params(layers)


def _half_of_most(layers: Network) -> int:
    """Multiply-adds if those of layers in 2:4 are halved."""
    return sum(
        macs if layer.w[..., 0].size % GROUP else macs // 2
        for layer, macs in zip(layers, nets.layer_macs(layers), strict=True)
    )


TECHNIQUES: dict[str, Callable[[str], CompressedNetwork]] = {
    "float32": _float(lambda layers: layers, _dense_bytes),
    "float16 storage": _float(through_float16, float16_bytes),
    "int8, per channel": _ptq(8, "percentile"),
    "int4, per channel": _ptq(4, "entropy"),
    "int3, per channel": _ptq(3, "entropy"),
    "int2, per channel": _ptq(2, "entropy"),
    "int4 weights, groups of 32": _weights_alone(4, 32),
    "MXFP4 weights": _weights_alone(4, MXFP4_BLOCK, scale=1, rounded=mxfp4),
    "NVFP4 weights": _weights_alone(4, NVFP4_BLOCK, scale=1, rounded=nvfp4),
    **dict.fromkeys(("qat8", "qat4", "qat3", "qat2"), _qat),
    "half of the weights": _float(lambda layers: by_magnitude(layers, 0.5), sparse_bytes),
    "a tenth of the weights": _float(lambda layers: by_magnitude(layers, 0.9), sparse_bytes),
    "pruned_tenth": _trained(sparse_bytes),
    "2:4": _float(two_of_four, two_of_four_bytes, _half_of_most),
    "pruned_two_of_four": _trained(two_of_four_bytes, _half_of_most),
    "a quarter fewer channels": _float(lambda layers: by_channel(layers, 0.25), _dense_bytes),
    "pruned_channels": _trained(_dense_bytes),
    "low rank, 90 % of the energy": _float(lambda layers: low_rank(layers, 0.9), _dense_bytes),
    **dict.fromkeys(
        ("student_alone", "student_distilled", "student_few", "student_told"),
        _trained(_dense_bytes),
    ),
}
