"""A convolution's shapes, and every count that follows from them before anything is run."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "conv": ["FORM", "PAPER", "REPORT", "RESIDUAL_BLOCKS", "RESNET", "ConvProblem"],
        "shapes": ["Accesses"],
    },
)
