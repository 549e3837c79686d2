"""Measurement that cannot lie: right before fast, threads stated, limits measured."""

from .ascent import Result, climb, results_as_dict
from .bandwidth import copy_bandwidth
from .contests import Contest, contest
from .hardware import Machine, machine
from .limits import Roofline, roofline
from .memory import RESOLUTION, Memory, workspace
from .peak import chain_rate, fma_peak, peak_after
from .pinning import available_cores, threads
from .record import contests_as_dict, records
from .timer import Comparison, Timing, compare, timed

__all__ = [
    "RESOLUTION",
    "Comparison",
    "Contest",
    "Machine",
    "Memory",
    "Result",
    "Roofline",
    "Timing",
    "available_cores",
    "chain_rate",
    "climb",
    "compare",
    "contest",
    "contests_as_dict",
    "copy_bandwidth",
    "fma_peak",
    "machine",
    "peak_after",
    "records",
    "results_as_dict",
    "roofline",
    "threads",
    "timed",
    "workspace",
]
