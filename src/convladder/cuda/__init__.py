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
from .report import Line, Report, Request, Traffic
from .tensor_map import TensorMap

__all__ = [
    "CHIPS",
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
    "empty",
    "features",
    "gpu",
    "replay",
    "shuffle_blocks",
    "synchronize",
    "time_limit",
    "to_device",
]
