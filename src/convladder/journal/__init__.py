"""The learner's journal: what was opened, checked and predicted, in a file of their own.

`tell` adds a line and never fails; `events` reads them; `Progress` says what they come to.
`CONVLADDER_PROGRESS` names another file, or is "off".

Nothing is sent anywhere, unless a class has a board and the learner calls `join`, which asks.
`leave` ends it, `shared` shows what was sent, `unshare` deletes it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "consent": ["board_of", "join", "leave", "shared", "unshare"],
        "event": ["CHECKED", "GUESSED", "OPENED", "PREDICTED", "RUNG", "Event"],
        "last_download": ["course_root", "remember"],
        "notebook_context": ["cell_digest", "notebook_cell"],
        "log": ["events", "export", "forget", "tell"],
        "location": ["OFF", "VARIABLE", "journal_path"],
        "learner_progress": ["Progress", "learner_progress"],
    },
)
