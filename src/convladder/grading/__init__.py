"""Judge an answer to an exercise: `check(name, answer)`. Begin with `check.py`, downwards."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "check": ["Interrupted", "Verdict", "check", "grade"],
        "traffic": ["traffic"],
    },
)
