"""Records of reference machines, and the one way to read and write them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "store": ["records"],
    },
)
