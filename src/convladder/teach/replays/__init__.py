"""The replays of the chapters that no program makes by itself, written step by step.

Loop nests and kernels are recorded where they stand, by `trace_loops` and `cuda.replay`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "lowering": ["im2col_replay", "implicit_replay", "mec_replay"],
        "networks": ["all_reduce_replay", "arena_replay"],
        "tiles": ["fragment_replay", "register_tile_replay", "winograd_replay"],
        "waiting": ["engines_replay", "false_sharing_replay", "race_replay", "stages_replay"],
    },
)
