"""The banners: where kernels run here, or workers, and which figures are of this machine."""

from __future__ import annotations

import re
from html import escape
from importlib.util import find_spec

from ... import cuda
from ...measure import machine
from ...text import install_text
from .saved import show_saved_outputs

MEANS = {
    "gpu": (
        "Kernels run on {gpu}.",
        "Times without a label are of this GPU, measured as the cell runs.",
        "Accesses are counted by the emulator, which runs the same source on the processor.",
    ),
    "emulator": (
        "No GPU here: {compiler} compiles the same CUDA source, and it runs on the processor.",
        "Accesses are counted as on a GPU, and results are a GPU's, unless threads race: `profile` "
        "tells whether they do.",
        "Times would not be a GPU's: those shown are recorded, with the GPU and the day.",
    ),
    "recorded": (
        "No GPU and no C++ compiler here, so CUDA source cannot run.",
        "Cells that need it show what they showed when the chapter was saved, and say so.",
        "`convladder doctor` names the command that adds a compiler; then run the chapter again.",
    ),
}
WORKERS = {
    "here": (
        "Workers are processes of this machine, which Dask starts.",
        "Times without a label are of this machine, measured as the cell runs.",
    ),
    "recorded": (
        "The package distributed, which starts them, is not installed here.",
        "Cells that need workers show what they showed when the chapter was saved, and say so.",
        "To run them, restart the kernel after: {install}",
    ),
}
COLOURS = {"gpu": "#009E73", "emulator": "#0072B2", "here": "#009E73", "recorded": "#E69F00"}


class Banner:
    """The tier, in a word and in some sentences. what: runs in it."""

    def __init__(self, tier: str, sentences: list[str], what: str = "CUDA tier") -> None:
        self.tier, self.sentences, self.what = tier, sentences, what

    def __repr__(self) -> str:
        return "\n".join([f"{self.what}: {self.tier}", *self.sentences])

    def _repr_html_(self) -> str:
        text = "<br>".join(
            re.sub("`(.+?)`", r"<code>\1</code>", escape(sentence)) for sentence in self.sentences
        )
        return (
            f'<div style="border-left: 6px solid {COLOURS[self.tier]}; padding: 6px 14px; '
            'margin: 4px 0; color: var(--jp-ui-font-color1, inherit)">'
            f"{self.what}: <b>{self.tier}</b><br>{text}</div>"
        )


def tier() -> str:
    """Return "gpu", "emulator", or "recorded" where neither is there."""
    try:
        return cuda.backend()
    except cuda.NoBackend:
        return "recorded"


def banner() -> Banner:
    """Return where CUDA kernels run here. Without a C++ compiler it also prepares the notebook.

    Then a cell that needs one shows the outputs saved with the notebook instead of an error.
    """
    current, card = tier(), machine()
    if current == "recorded" or card.compiler is None:
        show_saved_outputs()
    names = {"gpu": card.gpu, "compiler": card.compiler or "the compiler of the package ziglang"}
    return Banner(current, [sentence.format(**names) for sentence in MEANS[current]])


def workers_banner() -> Banner:
    """Return where the workers of chapter 16 run. Without Dask it also prepares the notebook.

    Then a cell that needs them shows the outputs saved with the notebook instead of an error.
    """
    current = "here" if find_spec("distributed") else "recorded"
    if current == "recorded":
        show_saved_outputs()
    return Banner(
        current,
        [sentence.format(install=install_text("scale")) for sentence in WORKERS[current]],
        "Workers",
    )
