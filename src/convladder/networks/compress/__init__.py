"""Smaller networks: fewer bits, fewer weights, smaller networks, each with its figures.

`grids` and `calibrate` are quantisation's two questions; `quantised` is LeNet-5 in integers and
`executor` the same on the kernel of `int8`; `noise` and `accumulate` say where it loses digits.
`rounding`, `equalise` and `blocks` are what language models are stored by (GPTQ; SmoothQuant, AWQ;
MXFP4, NVFP4). `pruned`, `lowrank`, `half` leave something out; `studies.train` made the networks
that `store` loads. `scores` compares all of it; `sparse` multiplies by rows that hold only what is
not zero. Who is faster is measured in `bench` (`int8`) and `studies.gpu.formats`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "blocks": ["mxfp4", "nvfp4"],
        "equalise": ["activation_aware", "equalised", "smoothed", "stretched"],
        "executor": ["accuracy"],
        "grids": ["Grid", "fake_quantise", "grid", "weight_grid"],
        "int8.dots": ["Dot", "dot_fill", "host_dot"],
        "noise": ["sqnr"],
        "quantised": ["QuantisedLayer"],
        "rounding": ["weight_bytes", "weight_only"],
        "scores": ["TECHNIQUES", "technique"],
    },
)
