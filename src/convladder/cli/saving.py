"""The hook that saves a notebook's file in a JupyterLab started by `convladder lab`.

A picture with controls is live only with its kernel. In a file, JupyterLab would look for the
controls, find none, and show an error in place of the picture. So the file holds the picture, and
a sentence on how to get the controls back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from ..core.picture_html import picture_html

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
AGAIN = "Run this cell to move the picture."


class Notebooks(AsyncLargeFileManager):
    """Jupyter's files: a stored picture gets its words again where a page is opened."""

    async def get(self, path: str, *args: Any, **named: Any) -> dict[str, Any]:
        """Return a file's model. Raises what Jupyter's own does."""
        model = await super().get(path, *args, **named)
        if model["type"] == "notebook" and model["content"] is not None:
            for cell in model["content"].get("cells", []):
                for output in cell.get("outputs", []):
                    say_alt(output)
        return model


def say_alt(output: MutableMapping[str, Any]) -> None:
    """Add a picture's words to an output as JupyterLab reads them: it gives a bare PNG none."""
    about = output.get("metadata", {}).get("image/png", {})
    if about.get("alt") and "text/html" not in output["data"]:
        data = "".join(_joined(output["data"].get("image/png")).split())
        output["data"]["text/html"] = picture_html(about["alt"], data, about.get("width"))


def keep_pictures(
    model: Mapping[str, Any], path: str = "", contents_manager: Any = None, **_: Any
) -> None:
    """Take the controls out of every output that has a picture as well, in place; and keep what
    the file says of its language, which JupyterLab completes by the version of whoever opens it.

    A hook of Jupyter's contents manager (`pre_save_hook`), which calls it with the file's model.
    """
    if model.get("type") != "notebook" or not isinstance(model.get("content"), Mapping):
        return
    before = _language(Path(getattr(contents_manager, "root_dir", ""), path.lstrip("/")))
    if before is not None and "language_info" in model["content"].get("metadata", {}):
        model["content"]["metadata"]["language_info"] = before
    for cell in model["content"].get("cells", []):
        outputs = cell.get("outputs", [])
        views = [output for output in outputs if without_view(output)]
        if views and not any(_text(output) == AGAIN for output in outputs):
            outputs.append(
                {"output_type": "display_data", "metadata": {}, "data": {"text/plain": AGAIN}}
            )


def without_view(output: MutableMapping[str, Any]) -> bool:
    """Leave an output's picture once, without its controls; return whether it had these."""
    if "image/png" not in output.get("data", {}):
        return False
    if _joined(output["data"].get("text/html")).startswith(("<img alt=", "<style>")):
        del output["data"]["text/html"]  # the same picture once more, for those who do not see
    output.get("metadata", {}).pop(WIDGET_VIEW, None)
    return output["data"].pop(WIDGET_VIEW, None) is not None


def _text(output: Mapping[str, Any]) -> str:
    return _joined(output.get("data", {}).get("text/plain"))


def _joined(text: Any) -> str:
    return "".join(text) if isinstance(text, list) else text or ""


def _language(path: Path) -> Any:
    """Return the language of a notebook's file; None where there is no such file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["metadata"].get("language_info")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
