"""Shows the source of this package's own functions, so that no code stands in two places."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]  # the folder that holds the package


class Source:
    """The text of one function, with the place where it lives as its first line."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.text}\n```"


def show(function: Any) -> Source:
    """The source of a function, class or module of this package, or of a `Method`'s run.

    Raises TypeError for what has no Python source in this package.
    """
    thing = inspect.unwrap(getattr(function, "run", function))
    try:
        place = Path(inspect.getsourcefile(thing)).relative_to(ROOT)
        text = textwrap.dedent(inspect.getsource(thing)).rstrip()
    except (TypeError, OSError, ValueError) as error:
        raise TypeError(
            f"show() got {function!r}: give it a function of this package, not its result"
        ) from error
    return Source(f"# {place.as_posix()}\n{text}")
