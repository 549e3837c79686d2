"""Measurement that cannot lie: right before fast, threads stated, limits measured."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={
    "aftermath": ["calls_after", "sleeping_seconds"],
    "bandwidth": ["copy_bandwidth"],
    "cuda.cupti": ["profiled"],
    "cuda.profile": ["profile_from_dict", "profile_records"],
    "gil": ["lets_go"],
    "hardware": ["Machine", "machine"],
    "limits": ["Roofline", "roofline"],
    "memory": ["RESOLUTION", "Memory", "workspace"],
    "peak": ["Chains", "chain_rate", "fma_peak", "peak_after"],
    "pinning": ["available_cores", "threads"],
    "resident": ["resident_after"],
    "sharing": ["counting_seconds"],
    "timer": ["Comparison", "Timing", "compare", "rest", "timed"],
})
