"""A chapter as reveal.js slides, from what its notebook stores: nothing is run, nothing fetched.

`convladder slides` is the way in. `sections` cuts a notebook up, `stage` makes slides of a section,
`fit` decides how large they are and what must be shortened, `deck` writes the pages. One sentence
for each section is written by hand, in `texts/NN.toml`. Needs the extra `slides`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "deck": ["Made", "build"],
        "sections": ["Section", "sections"],
        "stage": ["staged"],
        "texts": ["SlidesError", "sentences"],
    },
)
