"""Every comparison of the course: judged, timed in paired rounds, kept. A module each."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={
    "compare": ["contests_of", "geometric_mean"],
    "ladder": ["climb"],
    "libraries.conv": ["peers"],
})
