"""What a room of learners on one machine needs, and who teaches there."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "roster": ["Learner", "RosterError", "read"],
        "syllabus": ["Entry", "Session", "Syllabus", "SyllabusError"],
        "turn": ["prepare"],
    },
)
