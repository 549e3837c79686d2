"""What JupyterLab writes to a notebook's file, started by `convladder lab`.

A picture with controls is live only with its kernel. In a file, JupyterLab would look for the
controls, find none, and show an error in place of the picture. So the file holds the picture, and
a sentence on how to get the controls back.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
AGAIN = "Run this cell to move the picture."


def keep_pictures(model: Mapping[str, Any], **_: Any) -> None:
    """Take the controls out of every output that has a picture as well, in place.

    A hook of Jupyter's contents manager (`pre_save_hook`), which calls it with the file's model.
    """
    if model.get("type") != "notebook" or not isinstance(model.get("content"), Mapping):
        return
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
