"""The course as a web book: a static site of the chapters, labs, solutions and the glossary.

`convladder book` is the way in. `stage` writes what Sphinx reads, `build` the site, `check` judges
it, and `draw_frames` draws what the pictures with controls show. Needs the extra `book`, but for
`stage`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "build": ["BookError", "Built", "build"],
        "check": ["check"],
        "frames": ["draw_frames"],
        "stage": ["stage"],
    },
)
