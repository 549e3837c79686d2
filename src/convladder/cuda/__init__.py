"""CUDA C++ on any machine: on a GPU where there is one, else on the CPU, with diagnostics."""

from .backend import backend, empty, gpu, shuffle_blocks, synchronize, time_limit, to_device
from .chips import CHIPS, Chip
from .emulator.features import features
from .errors import (
    CompileError,
    CudaError,
    EmulatorError,
    KernelError,
    LaunchError,
    MissingPackages,
    NoBackend,
)
from .faults import Fault
from .kernel import Kernel, replay
from .latency_hiding import issue_share, staged
from .memory_model import (
    FULL_CLOCK,
    bank_ways,
    blocked_place,
    ceiling,
    layout_sectors,
    sectors,
    strided_addresses,
    wavefronts,
)
from .report import Line, Report, Request, Traffic
from .tensor_map import TensorMap

__all__ = [
    "CHIPS",
    "FULL_CLOCK",
    "Chip",
    "CompileError",
    "CudaError",
    "EmulatorError",
    "Fault",
    "Kernel",
    "KernelError",
    "LaunchError",
    "Line",
    "MissingPackages",
    "NoBackend",
    "Report",
    "Request",
    "TensorMap",
    "Traffic",
    "backend",
    "bank_ways",
    "blocked_place",
    "ceiling",
    "empty",
    "features",
    "gpu",
    "issue_share",
    "layout_sectors",
    "replay",
    "sectors",
    "shuffle_blocks",
    "staged",
    "strided_addresses",
    "synchronize",
    "time_limit",
    "to_device",
    "wavefronts",
]
