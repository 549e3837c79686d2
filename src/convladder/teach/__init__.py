"""The names that notebooks import to teach, from the files of this folder.

`plots` has the pictures and tables, `explore` gives them controls, `replays` plays programs. A
reader answers with `versus` (predictions), `puzzles` and, in labs, `check`, which is grading's;
`contest` and `your_ladder` compare the result. `banner`, `table`, `source` and `course_map` write
on a page; `prediction_cells`, `running_cell`, `disturbed_cells` and `saved_outputs` act around a
cell.
"""

import builtins

import lazy_loader

from ..core.photo import photo
from ..grading import check
from ..grading.traffic import traffic

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "banner": ["banner", "machine_card", "workers_banner"],
        "contest": ["contest", "stage_contest"],
        "course_map": ["progress"],
        "explore": ["explore"],
        "plots.style": ["Picture"],
        "puzzles": ["puzzle"],
        "source": ["excerpt", "show", "show_changes"],
        "table": ["table"],
        "versus": ["versus"],
        "your_ladder": ["YourLadder"],
    },
)
__all__ += ["check", "photo", "traffic"]


def _begin() -> None:
    from ..journal.notebook_context import is_script_of_a_notebook, shell

    if (kernel := shell()) is not None:
        from .prediction_cells import begin

        begin(kernel)
    elif is_script_of_a_notebook():
        print("(A notebook as a script shows verdicts alone; `convladder lab` opens notebooks.)")
        vars(builtins).setdefault("display", print)  # which IPython gives to notebooks


_begin()
