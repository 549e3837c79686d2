"""Measurement that cannot lie: right before fast, threads stated, limits measured."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "bandwidth": ["copy_bandwidth"],
        "chains": ["Chains"],
        "cuda.cupti": ["profiled"],
        "cuda.profile": ["profile_from_dict", "profile_records"],
        "gil": ["lets_go"],
        "hardware": ["Machine", "machine"],
        "interference": ["calls_after", "counting_seconds", "sleeping_seconds"],
        "limits": ["Roofline", "roofline", "share_of_peak"],
        "memory": ["RESOLUTION", "Memory", "workspace"],
        "neighbours": ["clock_ratios", "neighbours"],
        "peak": ["chain_rate", "fma_peak", "peak_after"],
        "pinning": ["available_cores", "threads"],
        "process_memory": ["resident_after"],
        "timer": ["compare", "rest", "timed"],
        "timings": ["Comparison", "Timing"],
    },
)
