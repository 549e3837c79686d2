"""LeNet-5 on the 10,000 test images of MNIST: one network, a ladder of methods, each judged.

`images()`, `labels()` and `weights()` ship with the package; see `data/README.md`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "climb": ["climb_rung"],
        "digits": ["images", "labels", "training", "weights"],
        "forecasts": [
            "TENSOR_FLOPS_PER_S",
            "TILED_MACS",
            "counted_launches",
            "forecast",
            "forecast_parts",
        ],
        "gpu.no_sync": ["NoSync"],
        "gpu.one_kernel": ["BLOCK_IMAGES", "BLOCK_SHARED_BYTES"],
        "gpu.session": ["GpuSession"],
        "network": ["CONV1", "CONV2", "FULL", "MACS", "Weights", "check_images"],
        "reference": ["Judgement", "judge", "logits"],
        "rungs": ["get_rung", "rungs"],
    },
)
