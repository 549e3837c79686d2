"""The replays of the chapters, a file per chapter: each writes its scene step by step."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "im2col": ["im2col_replay"],
    },
)
