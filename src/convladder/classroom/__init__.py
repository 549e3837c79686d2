"""What a room of learners on one machine needs, and who teaches there."""

import sys
from pathlib import Path

import lazy_loader

# It reads notebooks by `tools`, which lies beside src/: until the classroom is its own package.
sys.path.append(str(Path(__file__).resolve().parents[3]))

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "roster": ["Learner", "RosterError", "read"],
        "syllabus": ["Entry", "Session", "Syllabus", "SyllabusError"],
        "turn": ["prepare"],
    },
)
