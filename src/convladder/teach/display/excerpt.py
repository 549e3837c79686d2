"""Shows a part of a kernel's source, so that no code stands in two places."""

from __future__ import annotations

import textwrap

from .show import kernel_file


class Excerpt:
    """Lines of a `.cu` file; the first line says which."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```c++\n{self.text}\n```"


def excerpt(file: str, begin: str, end: str) -> Excerpt:
    """Return a kernel's lines from the first with `begin` in it to the next with `end`.

    file: as `show` takes it. Raises ValueError where there is no such file, or no such lines.
    """
    lines = kernel_file(file).read_text(encoding="utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if begin in line), len(lines))
    last = next((i for i, line in enumerate(lines[first:], first) if end in line), None)
    if last is None:
        raise ValueError(f"{file} has no line with {begin!r} and, there or later, {end!r}")
    text = textwrap.dedent("\n".join(lines[first : last + 1]))
    return Excerpt(f"// {file}, lines {first + 1} to {last + 1}\n{text}")
