"""What the notebooks use to teach: checks, sources, tables, pictures, and pictures that move."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={
    "display.banner": ["banner"],
    "display.excerpt": ["excerpt"],
    "display.explore": ["explore"],
    "display.machine_card": ["machine_card"],
    "display.photo": ["photo"],
    "display.prediction": ["versus"],
    "display.show": ["show", "show_changes"],
    "display.table": ["table"],
    "grading.check": ["check"],
    "grading.traffic": ["contest", "stage_contest", "traffic"],
    "plots.style": ["Picture"],
})
