"""The page with all replays: below each link to a notebook, the next replay that it stores."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nbformat import NotebookNode

from ..replays import replays

PAGE = "docs/watch.md"
ITEM = re.compile(r"(?m)^- (\[[^\]]*\]\(\.\./(\S+)\.ipynb\).*(?:\n  .*)*)$")


def watch_page(text: str, notebooks: Mapping[str, NotebookNode]) -> str:
    """Return the page's text with its replays. notebooks: by name, "course/03_mec".

    Raises `ValueError` for a replay that the page leaves out, or has not.
    """
    left = {name: [each[0] for each in replays(nb)] for name, nb in notebooks.items()}

    def play(item: re.Match) -> str:
        if not left.get(item[2]):
            raise ValueError(f"{PAGE} names a replay more than {item[2]} stores")
        return f'{item[1]}\n\n<div style="margin-bottom: 2em">\n{left[item[2]].pop(0)}\n</div>\n'

    page = ITEM.sub(play, text)
    if missing := [name for name, more in left.items() if more]:
        raise ValueError(f"{PAGE} leaves out replays of {', '.join(missing)}")
    return page
