"""Shows the source of this package's functions and kernels, so that no code stands twice."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]  # the folder that holds the package
KERNELS = Path(__file__).parents[1] / "gpu" / "kernels"


class Source:
    """The text of one function or kernel, with the place where it lives as its first line."""

    def __init__(self, text: str, language: str = "python") -> None:
        self.text, self.language = text, language

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```{self.language}\n{self.text}\n```"


def show(function: Any) -> Source:
    """The source of a function, class or module of this package, or of a `Method`'s run.

    A text names a kernel's file: show("naive.cu"). Raises TypeError for what has no Python source
    in this package, ValueError for a file that is none of its kernels.
    """
    if isinstance(function, str) and function.endswith(".cu"):
        return _kernel(function)
    thing = inspect.unwrap(getattr(function, "run", function))
    try:
        place = Path(inspect.getsourcefile(thing)).relative_to(ROOT)
        text = textwrap.dedent(inspect.getsource(thing)).rstrip()
    except (TypeError, OSError, ValueError) as error:
        raise TypeError(
            f"show() got {function!r}: give it a function of this package, not its result"
        ) from error
    return Source(f"# {place.as_posix()}\n{text}")


def _kernel(file: str) -> Source:
    files = {path.name: path for path in sorted(KERNELS.glob("*.cu"))}
    if file not in files:
        raise ValueError(f"show() got {file!r}, which is no kernel of this package; there are "
                         f"{', '.join(files)}")
    text = files[file].read_text(encoding="utf-8").rstrip()
    return Source(f"// {files[file].relative_to(ROOT).as_posix()}\n{text}", "c++")
