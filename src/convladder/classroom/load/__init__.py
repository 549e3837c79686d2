"""Learners played over HTTP and websockets at a real hub, and what they cost.

`browser.py` and `kernel.py` are a learner's browser, `lesson.py` what it does; `hub.py` starts a
hub of its own; `rehearse.py` plays a lesson, which `audience.py` and `watch.py` look at, and
`report.py` holds against what was promised.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "hub": ["RehearsalHub"],
        "lesson": ["Diary", "Learner", "Plan"],
        "rehearse": ["Rehearsal", "needs", "rehearse"],
        "report": ["as_record", "lines", "missed"],
    },
)
