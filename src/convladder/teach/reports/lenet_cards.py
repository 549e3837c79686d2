"""What surprised at each rung of the LeNet-5 ladder, and the cards that say so."""

from __future__ import annotations

from collections.abc import Mapping

from ...bench.lenet_times import Times
from ...lenet.rungs import rungs
from ..display.explore import Explorer, explore
from ..models.lenet_forecast import Forecast
from ..plots.lenet_card import card_picture

SURPRISES = {
    "baseline": "Both parts of the forecast are too low. Kernels of one image leave the chip all "
    "but empty, and their threads wait for each load; and a launch with its arguments costs "
    "Python far more than an empty one.",
    "batched": "Twice the gain that was forecast. And the convolutions are slow for a reason that "
    "no count of traffic has: instructions that compute addresses.",
    "conv_tuned": "The forecast saw no gain: requests to shared memory took the place of requests "
    "to L1. What went were instructions, since sizes are constants now.",
    "fc_tuned": "That it went as forecast. It is the RTX 2060's largest step after batching, too.",
    "no_sync": "How little there was: seven waits. Two thirds of what the RTX 2060 gained here lie "
    "in its kernels and copies, which a wait cannot change; and its host waits as long as before, "
    "in cudaMemcpy.",
    "pinned": "The largest step since batching, for another way to ask for memory. On the RTX "
    "2060 it was a small one: there kernels took most of the time. The quicker the kernels, the "
    "more the copy matters.",
    "fc_coalesced": "Sectors and requests promised nothing. What counted are banks: L1 has them "
    "as shared memory has, and rows of 256 floats all begin in the same one, so that 32 lanes "
    "took 32 turns.",
    "overlap_fused": "It got slower. 48 launches and 32 copies take Python longer than they take "
    "the GPU, and queues that are empty do not overlap. On the RTX 2060 all this lay hidden "
    "behind kernels more than twenty times as long.",
    "graph": "The kernels, streams and copies of the rung before, started by one call: only now "
    "they pay. And a quarter of the time is left to the host, which looks for the largest of ten "
    "logits: no profile of the GPU had shown it.",
    "bytes": "More than the wire gave: the search for the largest logit has left the host. And "
    "the limit has changed, kernels take longer than the copy now.",
    "one_kernel": "For the first time arithmetic is the limit, and the forecast is too kind: a "
    "chunk's 125 blocks do not fill the chip. It hardly matters any more, since the wire is as "
    "slow.",
    "one_kernel_floats": "The same kernel, three times as slow: the wire is all. With images as "
    "PyTorch takes them nothing can be much faster than this, whoever writes the kernel.",
    "tensor_core": "The kernel takes a quarter of the time, and the whole six sevenths: the wire "
    "hides the rest. What is easy to make quicker is rarely what one waits for.",
}


def cards(forecasts: Mapping[str, Forecast], times: Times) -> Explorer:
    """The cards of the GPU's rungs, to step through: `forecasts` and `times` have them all."""
    ladder = rungs("gpu")

    def draw(rung: int):
        return card_picture(ladder, rung, forecasts, times, SURPRISES)

    return explore(draw, rung=(1, len(ladder)))
