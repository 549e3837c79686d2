"""Training on several devices, counted: bytes that each holds, and bytes that each sends."""

from __future__ import annotations

from dataclasses import dataclass

# Mixed precision with Adam, bytes a weight: float16 weights and gradients, and the optimiser's
# float32 copy of the weights, momentum and variance. S. Rajbhandari et al., "ZeRO: Memory
# Optimizations Toward Training Trillion Parameter Models" (SC 2020), section 3.1.
WEIGHTS, GRADIENTS, OPTIMISER = 2, 2, 12
STAGES = {
    0: "plain data parallel",
    1: "optimiser's state shared out",
    2: "and gradients",
    3: "and weights (FSDP)",
}


@dataclass(frozen=True)
class TrainingMemory:
    """Bytes of one device: of weights, gradients and the optimiser's state. No maps."""

    weights: float
    gradients: float
    optimiser: float

    @property
    def total(self) -> float:
        """Return the bytes of all three."""
        return self.weights + self.gradients + self.optimiser


def training_memory(params: int, devices: int, stage: int = 0) -> TrainingMemory:
    """Return a device's memory for `params` weights, trained by `devices` in a stage of ZeRO.

    Stage 1 shares out the optimiser's state, 2 the gradients as well, 3 the weights too. Raises
    `ValueError` for another stage, or for no devices.
    """
    _check(devices, stage)
    weights, gradients, optimiser = (
        params * size / (devices if stage >= shared else 1)
        for size, shared in ((WEIGHTS, 3), (GRADIENTS, 2), (OPTIMISER, 1))
    )
    return TrainingMemory(weights, gradients, optimiser)


COLLECTIVES = "all-gather", "reduce-scatter", "all-reduce"


def collective_bytes(what: str, size: float, devices: int) -> float:
    """Return the bytes that each device sends and receives in a collective on `size` bytes.

    `(n-1)/n` of the array: in a reduce-scatter each device adds up one piece of it for all, in an
    all-gather each hands its piece to all. An all-reduce is both, one after the other, and no way
    of doing it sends less: P. Patarasuk & X. Yuan, "Bandwidth optimal all-reduce algorithms for
    clusters of workstations" (JPDC 2009). Raises `ValueError` for another name, or no devices.
    """
    if what not in COLLECTIVES:
        raise ValueError(f"{what!r} is no collective; there are {', '.join(COLLECTIVES)}")
    _check(devices, 0)
    return (2 if what == "all-reduce" else 1) * size * (devices - 1) / devices


def all_reduce_bytes(size: float, devices: int) -> float:
    """Return `collective_bytes` of an all-reduce."""
    return collective_bytes("all-reduce", size, devices)


def sent_bytes(params: int, devices: int, stage: int = 0) -> float:
    """Return the bytes that each device sends in a step, with float16 weights and gradients.

    In stages 0 to 2 as much as an all-reduce of the gradients; in stage 3 half as much again, since
    weights must be gathered for the forward pass and for the backward pass. Raises as
    `training_memory` does.
    """
    _check(devices, stage)
    times = 1.5 if stage == 3 else 1.0
    return times * all_reduce_bytes(GRADIENTS * params, devices)


def _check(devices: int, stage: int) -> None:
    if devices < 1:
        raise ValueError(f"devices={devices}; use 1 or more")
    if stage not in STAGES:
        raise ValueError(f"stage={stage}; ZeRO has stages {', '.join(map(str, STAGES))}")
