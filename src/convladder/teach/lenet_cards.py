"""What surprised at each rung of the LeNet-5 ladder, and the cards that say so."""

from __future__ import annotations

from collections.abc import Mapping

from ..lenet.recorded import Times
from ..lenet.rungs import rungs
from .explore import Explorer, explore
from .forecast import Forecast
from .plots.lenet_card import card_picture

SURPRISES = {
    "baseline": "Launches and waits are not even half of it. A thread of the first product reads "
    "256 weights one after the other, each from far away, and hardly anybody else is there to use "
    "the time.",
    "batched": "Twice the gain that the counts gave: alone on the chip the baseline's kernels were "
    "slower than any count says. Now the products take longer than the convolutions, with a sixth "
    "of their arithmetic.",
    "conv_tuned": "The counts saw next to no gain: a pass of shared memory costs what a pass of L1 "
    "did. But the plain convolutions waited for their loads, and waiting is in no count.",
    "fc_tuned": "That it went as forecast. This is also the seed's largest step after batching.",
    "no_sync": "How little there was: seven waits. Most of what the seed gained here is in its "
    "kernels and copies, which a wait more or less cannot change; its copy waits where the waits "
    "had waited.",
    "pinned": "The largest step since batching, for another way to ask for memory; on the RTX 2060 "
    "one of the smallest, since there kernels took most of the time. The quicker the kernels, the "
    "more the copy matters.",
    "fc_coalesced": "Sectors alone would have promised nothing, since L1 serves four a clock and "
    "had time for them. What counted is lines: a request that touches 32 of them takes 32 passes.",
    "overlap_fused": "It got slower. The kernels need less, and copies do run beside them; but 48 "
    "launches and 32 copies on four streams take Python longer than they take the GPU. On the "
    "RTX 2060 all this lay hidden behind kernels ten times as long.",
    "graph": "The kernels, streams and copies of the rung before, started by one call: only now "
    "they pay. And that a quarter of the time is nobody's: the host, which looks for the largest "
    "of ten logits.",
    "bytes": "More than the wire gave: the search for the largest logit left the host with it. And "
    "the limit has changed: kernels take longer than the copy now.",
    "one_kernel": "For the first time arithmetic is the limit, and the forecast is too kind: not "
    "every clock has its multiply-add. It hardly matters any more: the wire is as slow.",
    "one_kernel_floats": "The same kernel, three times as slow: the wire is all. With images as "
    "PyTorch takes them nothing can be much faster than this, whoever writes the kernel.",
    "tensor_core": "A quarter of the kernel's time, and a seventh of the whole: the wire hides the "
    "rest. What is easy to make quicker is rarely what one waits for.",
}


def cards(forecasts: Mapping[str, Forecast], times: Times) -> Explorer:
    """The cards of the GPU's rungs, to step through: `forecasts` and `times` have them all."""
    ladder = rungs("gpu")

    def draw(rung: int):
        return card_picture(ladder, rung, forecasts, times, SURPRISES)

    return explore(draw, rung=(1, len(ladder)))
