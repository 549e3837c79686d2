"""What the notebooks use to teach: checks, sources, tables, pictures, and pictures that move."""

from convladder.teach.check import check
from convladder.teach.explore import explore
from convladder.teach.photo import photo
from convladder.teach.plots.style import Picture
from convladder.teach.show import show
from convladder.teach.table import table
from convladder.teach.versus import versus

__all__ = ["Picture", "check", "explore", "photo", "show", "table", "versus"]
