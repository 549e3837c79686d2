"""Where arrays lie: lifetimes, and plans that put them all into one arena.

`tiles` runs a stack of layers piece by piece, `recompute` makes arrays twice in place of keeping
them (`training` shows where that pays), `early_exit` skips layers for images that are easy.
`caching` is an allocator that keeps what is freed, `kv_cache` what attention keeps of a text.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "caching": ["CachingAllocator"],
        "cheap_layers": ["light_layers"],
        "halo": ["field", "spans"],
        "kv_cache": ["Attention", "cache_bytes"],
        "lifetimes": ["Block", "lifetimes", "live_bytes", "lower_bound"],
        "planners": [
            "PLANNERS",
            "PUZZLE",
            "Plan",
            "best",
            "best_fit",
            "first_fit",
            "in_order",
            "in_place",
            "naive",
            "overlaps",
            "search",
            "two_ends",
        ],
        "recompute": ["blocks_of", "extra_layers", "training_steps"],
        "stack": ["Conv", "MaxPool", "slides"],
        "tiles": ["Tiled"],
        "training": ["Chain"],
    },
)
