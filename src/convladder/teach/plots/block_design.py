"""Lab 02: a block of layers that a reader designs, by the rules, on paper and timed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.problem import ConvProblem
from ...core.text import bytes_text, seconds_text
from ...cpu.depthwise import depthwise_conv2d
from ...functional import conv2d
from ...measure import compare
from .axes import behind, name_rows, seconds_axis
from .counting_cost import NOMINAL
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure, ink

IMAGE = (56, 56, 64)  # what comes in: i_h, i_w, i_c
OUTPUT = (28, 28, 128)  # what must come out
SEEN = 7  # pixels of the image, in each direction, that an output pixel must depend on
NARROWEST = 64  # channels between layers
MOST_WEIGHTS = 30_000
MOST_BYTES = 2**30  # compulsory bytes of a layer from which on nobody would run it here
DEPTHWISE = "depthwise "
LAYER = re.compile(r"(depthwise )?\d+x\d+(?(1)|x\d+)(,s\d+(x\d+)?)?(,p\d+(x\d+)?)?")

# The course's own entries: from the plain one to the textbook's depthwise separable stack.
ENTRIES = {
    "one 7x7": ["7x7x128,s2,p3"],
    "two 3x3": ["3x3x128,s2,p1", "3x3x128,s1,p1"],
    "separable 3x3, twice": ["depthwise 3x3,s2,p1", "1x1x128", "depthwise 3x3,s1,p1", "1x1x128"],
}


@dataclass(frozen=True)
class BlockLayer:
    """One layer: `times` problems of `problem`'s shape (a depthwise one has a channel each)."""

    problem: ConvProblem
    times: int = 1

    @property
    def output(self) -> tuple[int, int, int]:
        return self.problem.o_h, self.problem.o_w, self.times * self.problem.k_c

    @property
    def macs(self) -> int:
        return self.times * self.problem.macs

    @property
    def weights(self) -> int:
        return self.times * self.problem.params

    @property
    def compulsory_bytes(self) -> int:
        return self.times * self.problem.compulsory_bytes()

    @property
    def seconds(self) -> float:
        """Return the least time on the nominal machine."""
        return max(2 * self.macs / NOMINAL.flops_per_s, self.compulsory_bytes / NOMINAL.bytes_per_s)


def design(texts: Sequence[str], image: tuple[int, int, int] = IMAGE) -> list[BlockLayer]:
    """Return the layers that `texts` describe, each fed with the one before's output.

    A text is `3x3x128,s2,p1` (kernel and filters, stride, padding) or `depthwise 3x3,s2,p1`.
    Raises `ValueError` that names a text which is neither, does not fit what comes in, or asks
    for more than a GiB of arrays.
    """
    layers: list[BlockLayer] = []
    for text in texts:
        h, w, c = layers[-1].output if layers else image
        deep = text.startswith(DEPTHWISE)
        kernel, *rest = text.removeprefix(DEPTHWISE).split(",")
        how = "write it like 3x3x128,s2,p1 or depthwise 3x3,s2,p1"
        if not LAYER.fullmatch(text.replace(", ", ",")):
            raise ValueError(f"layer {text!r} is not a valid layer; {how}")
        form = f"{h}x{w}x1,{kernel}x1" if deep else f"{h}x{w}x{c},{kernel}"
        try:
            problem = ConvProblem.parse(",".join([form, *rest]))
        except ValueError as error:
            raise ValueError(
                f"layer {text!r}, fed with {h}x{w}x{c}, does not work ({error}); {how}"
            ) from None
        layers.append(BlockLayer(problem, c if deep else 1))
        if layers[-1].compulsory_bytes > MOST_BYTES:
            raise ValueError(
                f"layer {text!r}, fed with {h}x{w}x{c}, has arrays of "
                f"{bytes_text(layers[-1].compulsory_bytes)}; stay below "
                f"{bytes_text(MOST_BYTES)}"
            )
    return layers


def faults(layers: Sequence[BlockLayer]) -> list[str]:
    """Return which rules of the exercise a block breaks, a sentence each."""
    objections = []
    output = layers[-1].output if layers else IMAGE
    if output != OUTPUT:
        objections.append(f"It gives {output}; it should give {OUTPUT}.")
    seen, step = [1, 1], [1, 1]
    for layer in layers:
        p = layer.problem
        for axis, (kernel, stride) in enumerate(((p.k_h, p.s_h), (p.k_w, p.s_w))):
            seen[axis] += (kernel - 1) * step[axis]
            step[axis] *= stride
    if min(seen) < SEEN:
        objections.append(
            f"An output pixel sees {seen[0]} x {seen[1]} pixels; it should see "
            f"{SEEN} x {SEEN} at least."
        )
    narrowest = min((layer.output[2] for layer in layers), default=NARROWEST)
    if narrowest < NARROWEST:
        objections.append(f"One layer has {narrowest} channels; {NARROWEST} is the fewest.")
    if all(layer.times > 1 for layer in layers):
        objections.append("No layer mixes the channels.")
    weights = sum(layer.weights for layer in layers)
    if weights > MOST_WEIGHTS:
        objections.append(f"It has {weights:,} weights; {MOST_WEIGHTS:,} is the most.")
    return objections


def review(texts: object) -> str:
    """Return a block's description and the rules that it breaks, in words;
    a sentence for one that is none.
    """
    if texts is ... or texts is None:
        return "Exercise 6 has not been attempted. Below are the course's entries."
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        return "my_block should be a list of texts, one per layer. Below are the course's entries."
    try:
        layers = design(texts)
    except ValueError as error:
        return f"{str(error)[0].upper()}{str(error)[1:]}. Below are the course's entries."
    lines = [
        f"{text:<24}{layer.macs:>11,} MACs {layer.weights:>8,} weights "
        f"{layer.compulsory_bytes:>10,} bytes {1e6 * layer.seconds:>6.0f} µs"
        for text, layer in zip(texts, layers)
    ]
    return "\n".join(lines + (faults(layers) or ["Within the rules."]))


def runner(layers: Sequence[BlockLayer], seed: int = 0):
    """Return a function without arguments that runs the block on random arrays, made beforehand."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((1, *IMAGE), dtype=np.float32)
    weights = []
    for layer in layers:
        k_h, k_w, i_c, k_c = layer.problem.kernel_shape
        shape = (k_h, k_w, i_c, k_c) if layer.times == 1 else (k_h, k_w, layer.times)
        weights.append(rng.standard_normal(shape, dtype=np.float32))

    def run() -> np.ndarray:
        y = x
        for layer, w in zip(layers, weights):
            p = layer.problem
            y = (
                conv2d(y, w, stride=p.stride, padding=p.padding)
                if layer.times == 1
                else depthwise_conv2d(y, w, p)
            )
        return y

    return run


YOURS = "your block"


def blocks_leaderboard(mine: Sequence[str] | None = None) -> Picture:
    """Draw the course's entries and `mine`, each with its least time on paper and its time here.

    A block that breaks a rule is shown pale. What is no block (`...`, None, or texts that
    `review` has a complaint about) is left out.
    """
    blocks = {name: design(texts) for name, texts in ENTRIES.items()}
    try:
        blocks[YOURS] = design(mine)
    except (TypeError, ValueError, AttributeError):
        pass
    measured = compare(
        {name: runner(block) for name, block in blocks.items()}, budget=0.2, threads=1
    )
    return _picture(blocks, {name: t.median for name, t in measured.timings.items()})


def _picture(blocks: Mapping, measured: Mapping[str, float]) -> Picture:
    paper = {name: sum(layer.seconds for layer in block) for name, block in blocks.items()}
    order = sorted(blocks, key=lambda name: (bool(faults(blocks[name])), paper[name]))
    fig, ax = figure(8.2, 0.9 + 0.62 * len(order))
    low = 1e-5
    for row, name in enumerate(order):
        broken = bool(faults(blocks[name]))
        colour = PALE if broken else ORANGE if name == YOURS else BLUE
        ax.barh(row, paper[name] - low, left=low, height=0.55, color=colour)
        weights = sum(layer.weights for layer in blocks[name])
        label = f"{seconds_text(paper[name])} on paper, {weights:,} weights"
        behind(ax, label + ", breaks a rule" * broken, low, row, color=ink(colour))
        ax.plot(measured[name], row, "D", color="black", clip_on=False)
        behind(ax, f" {seconds_text(measured[name])} here", measured[name], row)
    high = max(*paper.values(), *measured.values())
    ax.set(xscale="log", xlim=(low, high * 4))
    ax.set_xlabel("time (log scale; bar: least on the nominal machine, diamond: measured here)")
    seconds_axis(ax.xaxis, low, high * 4)
    name_rows(ax, order)
    ax.spines.bottom.set_color(GREY)
    kept = [name for name in order if not faults(blocks[name])]
    return Picture(
        fig,
        f"Blocks by their least time on paper: {', '.join(order)}. Within the "
        f"rules: {', '.join(kept) or 'none'}.",
    )
