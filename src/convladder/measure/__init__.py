"""Measurement that cannot lie: right before fast, threads stated, limits measured."""

from .bandwidth import copy_bandwidth
from .hardware import Machine, machine
from .limits import Roofline, roofline
from .memory import RESOLUTION, Memory, workspace
from .peak import chain_rate, fma_peak, peak_after
from .pinning import available_cores, threads
from .timer import Comparison, Timing, compare, timed

__all__ = [
    "RESOLUTION",
    "Comparison",
    "Machine",
    "Memory",
    "Roofline",
    "Timing",
    "available_cores",
    "chain_rate",
    "compare",
    "copy_bandwidth",
    "fma_peak",
    "machine",
    "peak_after",
    "roofline",
    "threads",
    "timed",
    "workspace",
]
