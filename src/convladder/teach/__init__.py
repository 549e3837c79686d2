"""What the notebooks use to teach: checks, sources, tables, pictures, and pictures that move."""

from .banner import banner
from .check import check
from .contest import contest, traffic
from .explore import explore
from .photo import photo
from .plots.style import Picture
from .show import show
from .table import table
from .versus import versus

__all__ = ["Picture", "banner", "check", "contest", "explore", "photo", "show", "table",
           "traffic", "versus"]
