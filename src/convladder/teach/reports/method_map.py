"""Which method a GPU's record has fastest, for each layer, batch and precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from statistics import median

from ...bench.libraries import HALF_INPUTS
from ...problem import ConvProblem

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
SHORT = {
    "gpu_implicit_gemm": "implicit GEMM",
    "gpu_tensor_core": "mma",
    "gpu_wgmma": "wgmma",
    "gpu_cutlass": "SIMT",
    "gpu_cutlass_tf32": "TF32",
    "gpu_cutlass_3xtf32": "3xTF32",
    "gpu_cutlass_half": "float16",
    "gpu_cutlass_hopper": "float16, TMA",
    "gpu_im2col": "im2col",
    "gpu_mec": "MEC",
    "gpu_mec_lt": "MEC, cuBLASLt",
    "gpu_mec_pointers": "MEC, by addresses",
    "gpu_mec_aligned": "MEC, aligned",
    "gpu_mec_disjoint": "MEC, disjoint",
    "cudnn float32 NCHW": "NCHW",
    "cudnn float32 NHWC": "NHWC",
    "cudnn tf32 NHWC": "TF32",
    "cudnn float16 NHWC": "float16",
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


def method_label(name: str) -> str:
    """Return "cuDNN NCHW", "CUTLASS TF32", "implicit GEMM"."""
    short = SHORT.get(name, name.removeprefix("gpu_"))
    return f"{family(name)} {short}" if family(name) in (CUDNN, LIBRARY) else short


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


def method_map(
    record: Mapping, precisions: Sequence[str] = tuple(PRECISIONS)
) -> dict[tuple[str, int, str], Best]:
    """Return (layer, batch, precision) -> the fastest there."""
    return {
        (name, run["batch"], precision): best(layer, precision)
        for run in record["runs"]
        for name, layer in run["layers"].items()
        for precision in precisions
    }
