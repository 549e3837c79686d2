"""README's picture: one layer on one processor and on one GPU, as a ladder on an axis of log time.

Four SVG files, for wide and narrow pages, light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

from convladder import REPORT
from convladder.bench.records import newest
from convladder.core.text import seconds_text

IDEAS = {  # rung or method -> its short name, and what it does
    "six loops, plain Python": ("six Python loops", "the definition"),
    "six loops, compiled": ("compiled loops", "same lines, no interpreter"),
    "im2col and one product": ("im2col", "becomes a matrix product"),
    "MEC": ("MEC", "copies a seventh of that"),
    "MEC on every core": ("MEC, all cores", "shares the rows"),
    "microkernel": ("microkernel", "copies nothing"),
    "gpu_naive": ("thread per output", "the obvious kernel"),
    "gpu_coalesced": ("coalesced", "neighbours read neighbours"),
    "gpu_shared": ("shared memory", "loads tiles once"),
    "gpu_register_tile": ("register tile", "16 outputs per thread"),
    "gpu_vectorised": ("vector loads", "four at a time"),
    "gpu_implicit_gemm": ("implicit GEMM", "a matrix nobody writes"),
}
LIBRARIES = {"PyTorch": "PyTorch", "ONNX Runtime": "ONNX Runtime", "cuDNN": "cudnn float32"}
INK = {
    "light": ("#1f2328", "#59636e", "#d1d9e0", "#0072b2", "#b84f00"),
    "dark": ("#f0f6fc", "#9198a1", "#3d444d", "#56b4e9", "#f0a030"),
}
DECADE, FASTEST = 78, 2.3e-5  # pixels for ten times the time; seconds at the top
FONT = "Segoe UI,Helvetica,Arial,sans-serif"


@dataclass(frozen=True)
class Placement:
    """Where things stand from left to right, in pixels, and the size of letters."""

    width: int
    tick: int
    left: int
    right: int
    size: float
    time: int
    share: int
    ideas: bool


LAYOUTS = {
    "": Placement(860, 54, 230, 310, 15, 556, 632, True),
    "narrow-": Placement(400, 40, 160, 190, 11.5, 347, 400, False),
}


@dataclass(frozen=True)
class LadderSide:
    """One of the two ladders. times: seconds by method; least: seconds at the machine's peak."""

    title: str
    machine: str
    day: str
    times: Mapping[str, float]
    least: float
    words_at: float  # seconds, beside which the title stands


def sides() -> tuple[LadderSide, LadderSide]:
    """Return the newest records of a processor and of a GPU."""
    cpu, gpu, steps = newest("rungs"), newest("conv-gpu"), newest("steps")
    layer = gpu["runs"][0]["layers"]["report"]
    on_gpu = {name: median(entry["graph"]) for name, entry in layer["entries"].items()}
    on_cpu = {name: each["seconds"] for name, each in cpu["layers"][str(REPORT)].items()}
    where = f"{cpu['machine']['cpu']}, {cpu['machine']['cores']} cores"
    least = REPORT.flops / cpu["flops_per_s"]
    least_gpu = layer["flops"] / steps["limits"]["flops_per_s"]
    return (
        LadderSide("one processor", where, cpu["date"], on_cpu, least, 2),
        LadderSide("one GPU", gpu["card"]["gpu"], gpu["date"], on_gpu, least_gpu, 2.2e-4),
    )


def svg(ladders: tuple[LadderSide, LadderSide], theme: str, part: str) -> str:
    """Return the picture for a theme of `INK` and a layout of `LAYOUTS`."""
    at = LAYOUTS[part]
    height = _y(max(ladders[0].times.values())) + 26
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {at.width} {height:.0f}" '
    parts = "".join(_parts(ladders, INK[theme], at))
    return f'{head}width="{at.width}" font-family="{FONT}">{parts}</svg>\n'


def _parts(
    ladders: tuple[LadderSide, LadderSide], ink: tuple[str, ...], at: Placement
) -> Iterator[str]:
    strong, soft, faint, *colours = ink
    rungs = {name for side in ladders for name in IDEAS if name in side.times}
    yield _text(0, 14, f"One layer, {len(rungs)} ways to compute it", strong, at.size, "start", 600)
    yield _text(at.time, 38, "time", soft, 0.85 * at.size)
    yield _text(at.share, 38, "of peak", soft, 0.85 * at.size)
    for power in range(-4, 3):
        y = _y(10**power)
        yield _line(at.tick + 6, y, at.left, y, faint, 1)
        yield _text(
            at.tick,
            y,
            seconds_text(10**power).replace(".00", "").replace(".0", ""),
            soft,
            0.85 * at.size,
        )
    free = math.inf  # labels of close rungs stand apart
    for side, colour in zip(ladders, colours, strict=True):
        found = sorted(((side.times[m], m) for m in IDEAS if m in side.times), reverse=True)
        for x in (at.left, at.right):
            yield _line(x, _y(found[0][0]) + 9, x, _y(found[-1][0]) - 9, colour, 3)
        title, small = _y(side.words_at), 0.85 * at.size
        yield _text(at.left - 10, title, side.title, colour, at.size, weight=600)
        yield _text(at.left - 10, title + 1.2 * at.size, side.machine, soft, small)
        yield _text(at.left - 10, title + 2.4 * at.size, side.day, soft, small)
        for seconds, method in found:
            free, share = min(_y(seconds), free - 1.2 * at.size), 100 * side.least / seconds
            name, idea = IDEAS[method]
            digits = f"{share:.{1 if share < 1 else 2}g} %"
            weight = 600 if at.ideas else 400
            yield _line(at.left, _y(seconds), at.right, _y(seconds), colour, 5)
            yield _text(at.right + 10, free, name, strong, at.size, "start", weight)
            yield _text(at.time, free, seconds_text(seconds), colour, at.size, weight=600)
            yield _text(at.share, free, digits, soft, at.size)
            if at.ideas:
                yield _text(at.share + 18, free, idea, soft, 0.87 * at.size, "start")
        above = math.inf
        for seconds, name in sorted(_libraries(side), reverse=True):
            y = _y(seconds)
            above = min(y, above - at.size)
            yield _line(at.left - 7, y, at.right + 7, y, strong, 2, "2 4")
            words = f"{name} {seconds_text(seconds)}"
            yield _text(at.left - 10, above, words, strong, 0.85 * at.size)


def _libraries(side: LadderSide) -> Iterator[tuple[float, str]]:
    """Yield seconds and name of each library, in the faster of its layouts."""
    for name, key in LIBRARIES.items():
        if ways := [each for way, each in side.times.items() if way.startswith(key)]:
            yield min(ways), name


def _y(seconds: float) -> float:
    return 66 + math.log10(seconds / FASTEST) * DECADE


def _text(x, y, words, colour, size, anchor="end", weight=400) -> str:
    return (
        f'<text x="{x}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}" fill="{colour}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{words}</text>'
    )


def _line(x, y, to, end, colour, thick, dash="none") -> str:
    return (
        f'<path d="M{x} {y:.1f}L{to} {end:.1f}" stroke="{colour}" stroke-width="{thick}" '
        f'stroke-dasharray="{dash}"/>'
    )


def pictures() -> dict[str, str]:
    """Return the four files' names and contents."""
    ladders = sides()
    return {
        f"ladder-{part}{theme}.svg": svg(ladders, theme, part)
        for theme, part in product(INK, LAYOUTS)
    }


def draw(folder: Path) -> list[Path]:
    """Write the four files into a folder; return their paths."""
    paths = []
    for name, content in pictures().items():
        paths.append(folder / name)
        paths[-1].write_text(content, encoding="utf-8")
    return paths
