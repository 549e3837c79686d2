"""The learner's journal: what was opened, checked and predicted, in a file of their own.

Nothing is sent anywhere. `tell` adds a line and never fails; `events` reads them; `Standing` says
what they come to. `CONVLADDER_PROGRESS` names another file, or is "off".
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={
    "event": ["CHECKED", "OPENED", "PREDICTED", "Event"],
    "here": ["cell_digest", "notebook_cell"],
    "log": ["events", "export", "forget", "tell"],
    "place": ["OFF", "VARIABLE", "place"],
    "standing": ["Standing", "standing"],
})
