"""Watch it run: a program's loops and accesses as a trace, and a player that shows it.

`trace.py` is the format, with a checker, and `Scene`, which writes it. `replay.py` shows a trace in
a notebook by `player.js`; `loops.py` records loop nests of Python. Kernels are recorded by
`convladder.cuda`, and the course's own scenes stand in `convladder.teach.replays`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "loops": ["trace_loops"],
        "replay": ["Replay"],
        "trace": ["ReplayError", "Scene", "check_trace"],
    },
)
