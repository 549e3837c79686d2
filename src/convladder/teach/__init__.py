"""What the notebooks use to teach, in seven packages.

`grading` judges answers to `exercises`; `display` shows sources, tables, predictions and pictures
that move; `plots` draws the pictures; `models` has what chapters compute with on paper, `mocks`
stand-ins for pools, cuBLAS, copy engines and Dask; `reports` shows records.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "display.banner": ["banner", "workers_banner"],
        "display.excerpt": ["excerpt"],
        "display.explore": ["explore"],
        "display.machine_card": ["machine_card"],
        "display.photo": ["photo"],
        "display.prediction": ["versus"],
        "display.show": ["show", "show_changes"],
        "display.table": ["table"],
        "display.where": ["progress"],
        "grading.check": ["check"],
        "grading.kernel_traffic": ["contest", "stage_contest", "traffic"],
        "plots.style": ["Picture"],
    },
)


def _begin() -> None:
    from ..journal.here import shell

    if (kernel := shell()) is not None:
        from .display.noted import begin

        begin(kernel)


_begin()
