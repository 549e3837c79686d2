"""The labs' exercises, imported when first asked for.

A lab is a package with a module for each exercise (lab01/e1_output_shape.py, ...), or one module
where it is short (lab00.py). The names give the order.
"""

from importlib import import_module
from pkgutil import walk_packages

from ..grading.exercise import EXERCISES, Exercise


def load_exercises() -> dict[str, Exercise]:
    """All exercises by name, in the order of the labs and within each."""
    for name in sorted(module.name for module in walk_packages(__path__, f"{__name__}.")):
        import_module(name)
    return EXERCISES
