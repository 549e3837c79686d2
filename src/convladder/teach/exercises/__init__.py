"""The labs' exercises, one module a lab (lab01.py, lab02.py ...), imported when first asked for."""

from importlib import import_module
from pkgutil import iter_modules

from ..exercise import EXERCISES, Exercise


def load_exercises() -> dict[str, Exercise]:
    """All exercises by name, in the order of the labs."""
    for module in sorted(iter_modules(__path__), key=lambda module: module.name):
        import_module(f"{__name__}.{module.name}")
    return EXERCISES
