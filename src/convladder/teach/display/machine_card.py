"""The machine card: what this machine is, what it can do, and why the course asks."""

from __future__ import annotations

from ...measure import Roofline, machine
from ...measure.notice import busy, shared_text
from ...text import mark_disturbed
from .table import Table, table

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
    threads = f"{limits.threads} thread{'s' * (limits.threads > 1)}"
    rows = [
        ("processor", f"{m.cpu} ({m.arch}, {m.system})", "named beside every recorded figure"),
        ("cores", f"{m.cores}", "threads that can work at once (chapter 04)"),
        (
            "vectors",
            f"{m.isa}, {m.vector_bits} bits",
            f"{m.vector_bits // 32} float32 values an instruction (chapter 05)",
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
            "other versions, other figures",
        ),
        ("BLAS", m.blas, "what multiplies matrices when you write @"),
        ("GPU tier", m.tier, TIERS[m.tier].format(gpu=m.gpu, compiler=m.compiler)),
    ]
    if now := busy(limits.disturbed):
        rows.append(("now", now, "other programs slow yours down: figures may be off"))
    if how := shared_text():
        rows.append(("class", how, "learners measure side by side (chapter 04)"))
    return table(rows, ["part", "this machine", "why it matters"])
