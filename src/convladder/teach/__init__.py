"""What the notebooks use to teach: checks, sources, tables, pictures, and pictures that move."""

from .display.banner import banner
from .display.explore import explore
from .display.photo import photo
from .display.prediction import versus
from .display.show import show
from .display.table import table
from .grading.check import check
from .grading.traffic import contest, traffic
from .plots.style import Picture

__all__ = ["Picture", "banner", "check", "contest", "explore", "photo", "show", "table",
           "traffic", "versus"]
