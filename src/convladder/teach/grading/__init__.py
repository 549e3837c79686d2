"""How an answer is judged: run, compared, recognised, told."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={
    "check": ["check"],
    "traffic": ["contest", "stage_contest", "traffic"],
})
