"""Every technique on one network, in the same three figures: bytes, operations, accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .. import lenet
from . import network as nets
from . import quantised, store
from .half import float16_bytes, through_float16
from .lowrank import low_rank
from .network import Network
from .pruned import (
    GROUP,
    by_channel,
    by_magnitude,
    sparse_bytes,
    two_of_four,
    two_of_four_bytes,
)

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


def scores() -> Iterator[Score]:
    """One after the other, some seconds in all; float32 comes first."""
    return (technique(name) for name in TECHNIQUES)


def technique(name: str) -> Score:
    """The score of one of `TECHNIQUES`. An unknown name raises `ValueError` that lists them."""
    if name not in TECHNIQUES:
        raise ValueError(f"there is no technique {name!r}; there are {', '.join(TECHNIQUES)}")
    return TECHNIQUES[name](name)


def _float(change: Callable[[Network], Network], size: Callable, operations: Callable = nets.macs):
    def score(name: str) -> Score:
        layers = change(nets.network())
        return Score(name, size(layers), operations(layers), nets.float_accuracy(layers))

    return score


def _ptq(bits: int, method: str, **how: bool):
    def score(name: str) -> Score:
        layers = nets.network()
        found = quantised.ranges(layers, lenet.images()[:CALIBRATION], method, bits)
        return _integers(name, quantised.quantise(layers, found, bits=bits, **how))

    return score


def _qat(name: str) -> Score:
    return _integers(name, store.quantised_network(name))


def _integers(name: str, network: quantised.QuantisedNetwork) -> Score:
    share = quantised.accuracy(network)
    macs = nets.macs(nets.network())
    return Score(name, quantised.bytes_of(network), macs, share, f"int{network[0].w.bits}")


def _trained(size: Callable, operations: Callable = nets.macs):
    def score(name: str) -> Score:
        layers = store.float_network(name)
        return Score(name, size(layers), operations(layers), nets.float_accuracy(layers))

    return score


def _dense_bytes(layers: Network) -> int:
    return 4 * nets.params(layers)


def _half_of_most(layers: Network) -> int:
    """Multiply-adds if those of layers in 2:4 are halved."""
    return sum(
        macs if layer.w[..., 0].size % GROUP else macs // 2
        for layer, macs in zip(layers, nets.layer_macs(layers), strict=True)
    )


TECHNIQUES: dict[str, Callable[[str], Score]] = {
    "float32": _float(lambda layers: layers, _dense_bytes),
    "float16 storage": _float(through_float16, float16_bytes),
    "int8, per channel": _ptq(8, "percentile"),
    "int8, per tensor": _ptq(8, "percentile", per_channel=False),
    "int4, per channel": _ptq(4, "entropy"),
    "int4, per tensor": _ptq(4, "entropy", per_channel=False),
    "int3, per channel": _ptq(3, "entropy"),
    "int2, per channel": _ptq(2, "entropy"),
    **dict.fromkeys(("qat8", "qat4", "qat3", "qat2"), _qat),
    "half of the weights": _float(lambda layers: by_magnitude(layers, 0.5), sparse_bytes),
    "a tenth of the weights": _float(lambda layers: by_magnitude(layers, 0.9), sparse_bytes),
    "pruned_tenth": _trained(sparse_bytes),
    "2:4": _float(two_of_four, two_of_four_bytes, _half_of_most),
    "pruned_two_of_four": _trained(two_of_four_bytes, _half_of_most),
    "a quarter fewer channels": _float(lambda layers: by_channel(layers, 0.25), _dense_bytes),
    "low rank, 90 % of the energy": _float(lambda layers: low_rank(layers, 0.9), _dense_bytes),
    **dict.fromkeys(("student_alone", "student_distilled"), _trained(_dense_bytes)),
}
