"""The ground floor: a problem, its methods, the oracle that judges them, and what all packages use.

`text` says figures as a person does, `install` how this package came here, `progress` what takes
long; `photo` and `picture_html` are images.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "network_layers": ["RESIDUAL_BLOCKS", "RESNET", "VGG16"],
        "number_formats": ["halves", "rounded"],
        "problem": [
            "FORM",
            "PAPER",
            "REPORT",
            "Accesses",
            "ConvProblem",
        ],
        "reference": ["ErrorModel", "compare", "conv2d_float64", "random_arrays"],
        "registry": ["choose", "predicted_costs"],
        "text": ["bytes_text", "rate_text", "seconds_text"],
        "winograd_transforms": ["Tiles", "growth", "matrices", "numbers"],
    },
)
