"""Measurement that cannot lie: right before fast, threads stated, limits measured."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "cuda.cupti": ["profiled"],
        "cuda.profile": ["profile_from_dict"],
        "hardware": ["Machine", "machine"],
        "limits": ["blas_peak", "copy_bandwidth", "Roofline", "roofline", "share_of_peak"],
        "memory": ["RESOLUTION", "Memory", "workspace"],
        "page_walk": ["step_seconds"],
        "peak": ["chain_rate", "fma_peak", "peak_after"],
        "pinning": ["available_cores", "threads"],
        "process_memory": ["resident_after"],
        "register_tile": ["PROCESSORS", "known_isas", "tile_code", "tile_rate"],
        "thread_experiments": [
            "calls_after",
            "clock_ratios",
            "counting_seconds",
            "neighbours",
            "releases_gil",
            "sleeping_seconds",
        ],
        "thread_scaling": [
            "im2col_parts",
            "parts_verdict",
            "peak_disturbed",
            "product_gains",
            "read_again",
            "sharing_verdict",
        ],
        "timing": ["Comparison", "Timing", "compare", "rest", "timed"],
    },
)
