"""What a cell shows: sources, tables, predictions, photos, banners, pictures that move."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={
    "banner": ["Banner", "banner"],
    "excerpt": ["Excerpt", "excerpt"],
    "explore": ["Explorer", "explore"],
    "machine_card": ["machine_card"],
    "photo": ["photo"],
    "prediction": ["Versus", "versus"],
    "show": ["Source", "show", "show_changes"],
    "table": ["Table", "table"],
})
