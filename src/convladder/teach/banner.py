"""The banners: where kernels run here, or workers, and which figures are of this machine."""

from __future__ import annotations

import re
from html import escape
from importlib.util import find_spec

from .. import cuda
from ..core.install import install_text
from ..core.text import count_text, mark_disturbed
from ..measure import Roofline, machine
from ..measure.load_warning import busy, shared_text
from .saved_outputs import show_saved_outputs
from .table import Table, table

TIER_SENTENCES = {
    "gpu": (
        "Kernels run on {gpu}.",
        "Times without a label are measured on this GPU as the cell runs.",
        "Accesses are counted by the emulator, which runs the same source on the processor.",
    ),
    "emulator": (
        "No GPU here: {compiler} compiles the same CUDA source, and it runs on the processor.",
        "Accesses are counted as on a GPU. Results match a GPU's except in the last digits, "
        "unless threads race; `profile` says whether they do.",
        "Times measured here would say nothing about a GPU, so the times shown were recorded on "
        "one.",
    ),
    "recorded": (
        "No GPU and no C++ compiler here, so CUDA source cannot run.",
        "Cells that need it show what they showed when the chapter was saved, and say so.",
        "`convladder doctor` names the command that adds a compiler; then run the chapter again.",
    ),
}
WORKERS = {
    "here": (
        "Workers are processes on this machine, started by Dask.",
        "Times without a label are measured on this machine as the cell runs.",
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
    return Banner(current, [sentence.format(**names) for sentence in TIER_SENTENCES[current]])


def workers_banner() -> Banner:
    """Return where the workers of chapter 18 run. Without Dask it also prepares the notebook.

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


TIERS = {
    "gpu": "GPU chapters run on {gpu}, and their times are live",
    "emulator": "no GPU: CUDA source will be compiled by {compiler} and run on the processor",
    "recorded": "no GPU and no C++ compiler: GPU chapters show records of other machines",
}


def machine_card(limits: Roofline) -> Table:
    """Return this machine in a table: parts, limits as measured in `limits`,
    and what each is good for.
    """
    m = machine()
    caches = ", ".join(f"{name} {size >> 10:,} KiB" for name, size in m.caches.items())
    peak = mark_disturbed(f"{limits.flops_per_s / 1e9:,.0f} GFLOP/s", limits.disturbed)
    bandwidth = mark_disturbed(f"{limits.bytes_per_s / 1e9:,.1f} GB/s", limits.disturbed)
    threads = count_text(limits.threads, "thread")
    rows = [
        ("processor", f"{m.cpu} ({m.arch}, {m.system})", "named beside every recorded figure"),
        ("cores", f"{m.cores}", "threads that can work at once (chapter 04)"),
        (
            "vectors",
            f"{m.isa}, {m.vector_bits} bits",
            f"{m.vector_bits // 32} float32 values per instruction (chapter 05)",
        ),
        ("caches", caches or "not told", "what stays near a core is cheap to read again"),
        ("FMA peak", f"{peak} on {threads}", "measured: the most arithmetic"),
        (
            "copy bandwidth",
            f"{bandwidth} on {threads}",
            "measured: the most traffic, read plus written",
        ),
        (
            "software",
            f"Python {m.python}, NumPy {m.numpy}, Numba {m.numba}",
            "other versions, other times",
        ),
        ("BLAS", m.blas_text, "what multiplies matrices when you write @"),
        ("GPU tier", m.tier, TIERS[m.tier].format(gpu=m.gpu, compiler=m.compiler)),
    ]
    if now := busy(limits.disturbed):
        rows.append(("now", now, "other programs slow yours down: figures may be off"))
    if how := shared_text():
        rows.append(("class", how, "learners measure side by side (chapter 04)"))
    return table(rows, ["part", "this machine", "why it matters"])
