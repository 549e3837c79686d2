"""Smaller networks: fewer bits, fewer weights, smaller networks, each with its figures.

`grids` and `calibrate` are quantisation's two questions; `quantised` is LeNet-5 in integers and
`machine` the same on the kernel of `int8`; `noise` and `accumulate` say where it loses digits, and
`equalise` where one scale would. `pruned`, `lowrank`, `half` leave something out; `studies.train`
made the networks that `store` loads. `scores` compares all of it; `sparse` multiplies by rows that
hold only what is not zero. Who is faster is measured in `bench` (`compressed`, `int8`, `formats`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "adaround": ["weight_bytes", "weight_only"],
        "equalise": ["equalised", "stretched"],
        "grids": ["Grid", "fake_quantise", "grid", "weight_grid"],
        "int8.dots": ["Dot", "host_dot"],
        "executor": ["accuracy"],
        "noise": ["layer_sqnr", "sqnr", "weight_sqnr"],
        "quantised": ["QuantisedLayer"],
        "scores": ["TECHNIQUES", "technique", "technique_scores"],
    },
)
