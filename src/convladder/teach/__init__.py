"""What the notebooks use to teach: checks, sources, tables, pictures, and pictures that move."""

from convladder.teach.check import check

__all__ = ["check"]
