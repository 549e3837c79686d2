"""Measurement that cannot lie: right before fast, threads stated, limits measured."""

from .ascent import Result, climb, results_as_dict
from .bandwidth import copy_bandwidth
from .hardware import Machine, machine
from .limits import Roofline, roofline
from .memory import RESOLUTION, Memory, workspace
from .peak import fma_peak
from .pinning import available_cores, threads
from .timer import Comparison, Timing, compare, timed

__all__ = [
    "RESOLUTION",
    "Comparison",
    "Machine",
    "Memory",
    "Result",
    "Roofline",
    "Timing",
    "available_cores",
    "climb",
    "compare",
    "copy_bandwidth",
    "fma_peak",
    "machine",
    "results_as_dict",
    "roofline",
    "threads",
    "timed",
    "workspace",
]
