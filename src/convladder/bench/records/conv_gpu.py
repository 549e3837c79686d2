"""Records of convolution on GPUs, read: which method leads on which layer, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from statistics import median

from ...core.problem import ConvProblem
from ..libraries import HALF_INPUTS
from . import load_records

# From the most exact on. Who may use TF32 may use anything more exact; float16 has data of its own.
EXACT = (
    "gpu_naive",
    "gpu_coalesced",
    "gpu_shared",
    "gpu_register_tile",
    "gpu_vectorised",
    "gpu_im2col",
    "gpu_mec",
    "gpu_mec_aligned",
    "gpu_mec_lt",
    "gpu_mec_disjoint",
    "gpu_mec_pointers",
    "gpu_implicit_gemm",
    "gpu_cutlass",
    "gpu_cutlass_3xtf32",
    "cudnn float32 NCHW",
    "cudnn float32 NHWC",
)
PRECISIONS = {
    "float32": EXACT,
    "TF32": (*EXACT, "gpu_cutlass_tf32", "cudnn tf32 NHWC"),
    "float16": (*HALF_INPUTS, "cudnn float16 NHWC"),
}
OWN, LIBRARY, LOWERED, CUDNN = "own kernel", "CUTLASS", "lowering and cuBLAS", "cuDNN"


def gpu_record() -> dict:
    """Return the newest record with all that the chapters show.

    Raises LookupError where there is none.
    """
    for record in load_records("conv-gpu"):
        if "workspace" in record:
            return record
    raise LookupError("no GPU record with cuBLAS's workspace comes with this copy")


def gpu_layers(record: Mapping, batch: int = 1) -> dict[str, Mapping]:
    """Return name -> layer of the run with so many images.

    Raises LookupError naming those there are.
    """
    runs = {run["batch"]: run["layers"] for run in record["runs"]}
    if batch not in runs:
        raise LookupError(f"no run of batch {batch} in this record; it has {sorted(runs)}")
    return runs[batch]


def layer_of(record: Mapping, name: str, batch: int) -> dict:
    """Return one layer of a record. Raises ValueError naming what there is."""
    for run in record["runs"]:
        if run["batch"] == batch and name in run["layers"]:
            return run["layers"][name]
    there = ", ".join(
        f"{layer} (batch {run['batch']})" for run in record["runs"] for layer in run["layers"]
    )
    raise ValueError(f"no {name} with a batch of {batch} was recorded; there are {there}")


def speeds(record: Mapping, name: str, batch: int) -> dict[str, float]:
    """Return method -> FLOP/s on a layer, multiply-adds counted as of direct convolution."""
    layer = layer_of(record, name, batch)
    return {who: layer["flops"] / seconds_of(layer, who) for who in layer["entries"]}


def seconds_of(layer: Mapping, name: str, how: str = "graph") -> float | None:
    """Return the median of a layer's entry; None if it was not there. how: "graph" or "plain"."""
    entry = layer["entries"].get(name)
    return median(entry[how]) if entry else None


def fastest_cudnn(layer: Mapping, precision: str = "float32") -> str:
    """Return the name of cuDNN's entry in the faster of its layouts."""
    names = [name for name in layer["entries"] if name.startswith(f"cudnn {precision}")]
    return min(names, key=lambda name: seconds_of(layer, name))


def cudnn_seconds(layer: Mapping, precision: str = "float32") -> float:
    """Return the seconds of cuDNN in the faster of its layouts."""
    return seconds_of(layer, fastest_cudnn(layer, precision))


def cudnn_ratios(run: Mapping, name: str, precision: str = "float32") -> dict[str, float]:
    """Return how many times longer cuDNN takes than `name`, by layer, where `name` took part."""
    return {
        layer: cudnn_seconds(data, precision) / own
        for layer, data in run["layers"].items()
        if (own := seconds_of(data, name)) is not None
    }


@dataclass(frozen=True)
class Best:
    """The fastest: `lead` is the time of the fastest of another family over its own.

    `workspace`: bytes of the device that a call takes besides its result.
    """

    name: str
    seconds: float
    lead: float
    rival: str
    workspace: int

    @property
    def family(self) -> str:
        return family(self.name)


def family(name: str) -> str:
    """Return whose work a method is."""
    if name.startswith("cudnn"):
        return CUDNN
    if name.startswith("gpu_cutlass"):
        return LIBRARY
    return LOWERED if name.startswith(("gpu_im2col", "gpu_mec")) else OWN


def workspace(layer: Mapping, name: str) -> int:
    """Return bytes that one call took besides the result."""
    shape = ConvProblem.parse(layer["problem"]).output_shape
    item = 2 if name in PRECISIONS["float16"] else 4
    return max(0, layer["entries"][name]["peak"] - item * prod(shape))


def best(layer: Mapping, precision: str) -> Best:
    """Return the fastest of one layer of a record. `precision`: "float32", "TF32" or "float16"."""
    times = {
        name: median(layer["entries"][name]["graph"])
        for name in PRECISIONS[precision]
        if name in layer["entries"]
    }
    first = min(times, key=times.get)
    others = {name: t for name, t in times.items() if family(name) != family(first)}
    rival = min(others, key=others.get)
    return Best(first, times[first], others[rival] / times[first], rival, workspace(layer, first))


def method_map(record: Mapping) -> dict[tuple[str, int, str], Best]:
    """Return (layer, batch, precision) -> the fastest there."""
    return {
        (name, run["batch"], precision): best(layer, precision)
        for run in record["runs"]
        for name, layer in run["layers"].items()
        for precision in PRECISIONS
    }
