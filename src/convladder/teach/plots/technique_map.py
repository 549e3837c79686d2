"""Chapter 99: every technique of the course on one map, with what it saves and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..table import Table, table
from .style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure, lettering

SAVES = ("arithmetic", "traffic", "memory", "waiting")
KINDS = {"counted": BLUE, "recorded": GREEN, "live": ORANGE, "cited": GREY}
# By the records that the figures come from.
LENET = SCALE = "NVIDIA H200, 2026-11-21"
STEPS = "NVIDIA H200, 2026-11-29"


@dataclass(frozen=True)
class Way:
    """One technique. `saves`: of SAVES; `kind`: of KINDS; `chapter`: its number, None if not run.

    `source`: of a cited figure; the machine and day of a recorded one.
    """

    group: str
    name: str
    saves: tuple[str, ...]
    figure: str
    kind: str
    chapter: int | None
    reach: str
    source: str = ""


A, T, M, W = ((name,) for name in SAVES)
HARDWARE, BITS, FEWER, PRODUCTS = "hardware", "fewer bits", "fewer weights", "fewer products"
LIGHT, DYNAMIC, PLACE, SPARSE = "light networks", "dynamic", "where bytes lie", "sparsity"
TOOLS, SPLIT = "libraries and compilers", "several devices"

MAP: tuple[Way, ...] = (
    Way(HARDWARE, "GPU", A + T, "10,000 digits, images in and labels out, in 0.19 ms", "recorded",
        14, "many identical operations, enough of them to fill it", LENET),
    Way(HARDWARE, "ASIC (TPU)", A + T, "15 to 30 times a GPU or CPU of its day at inference",
        "cited", None, "one kind of network, in very large numbers", "Jouppi et al., ISCA 2017"),
    Way(HARDWARE, "FPGA", W, "ten times less latency than GPUs on large RNNs, batch 1", "cited",
        None, "latency of single inputs; circuits that must change", "Fowers et al., ISCA 2018"),
    Way(BITS, "FP16", A + T + M, "half of the bytes; tensor cores multiply float16", "counted", 16,
        "on a GPU, nearly always; bfloat16 where values range widely"),
    Way(BITS, "INT8 arithmetic", A + T + M, "a wide layer, timed beside float32", "live", 16,
        "wide, deep layers, where the processor has dot products of bytes"),
    Way(BITS, "post-training quantisation", M + T, "74.1 % of the bytes of LeNet-5's weights saved",
        "counted", 16, "first thing to try: needs no training, only calibration"),
    Way(BITS, "block formats: MXFP4, NVFP4", A + T + M,
        "fc1 of LeNet-5 in 4.5 bits per weight: 20.5 dB, int4 19.9", "counted", 16,
        "large matrix products on Blackwell or later"),
    Way(BITS, "quantisation-aware training", M + T,
        "2 bits per weight: 96.0 % right; 3 bits: 99.1 %", "counted", 16,
        "below 8 bits, or where calibration loses too much"),
    Way(FEWER, "pruning, single weights", A + M, "a tenth of the weights left: 97.4 % right",
        "counted", 16, "storage and download; time, too, if few are left for a sparse kernel"),
    Way(FEWER, "pruning, channels", A + T + M, "half of the channels: a quarter of the weights",
        "counted", 16, "when it must also be faster: what is left is dense"),
    Way(FEWER, "distillation", A + T + M, "an eighth of LeNet-5's bytes: 98.2 % right or more",
        "counted", 16, "labels are expensive, and a good large model exists"),
    Way(FEWER, "low-rank factors", A + M, "half of LeNet-5's bytes, a sixth fewer MACs", "counted",
        16, "large square matrices"),
    Way(PRODUCTS, "Winograd, F(4×4, 3×3)", A, "36 products instead of 144, 3×3 kernel", "counted",
        6, "small kernels, stride 1, enough tiles; a digit is lost"),
    Way(PRODUCTS, "Fourier transform", A, "kernels of 3×3 to 15×15, timed beside direct ones",
        "live", 6, "kernels of about 9×9 or more, stride 1"),
    Way(LIGHT, "MobileNet: depthwise, pointwise", A + M, "8.4 times fewer MACs (3×3, 128 channels)",
        "counted", 17, "phones; time falls by less, and the maps between are wide"),
    Way(LIGHT, "ShuffleNet: groups", A + M, "4 groups: 4 times fewer MACs", "counted", 17,
        "as for MobileNet; channels must be mixed afterwards"),
    Way(LIGHT, "EfficientNet", A + M, "77.1 % top-1 with 0.39 GMAC (ResNet-50: 76.0 %, 4.1)",
        "cited", None, "the budget of operations is fixed", "Tan & Le, arXiv:1905.11946"),
    Way(LIGHT, "architecture search: MnasNet", A + W,
        "1.8 times as fast as MobileNetV2, 0.5 points better", "cited", None,
        "one device, many users", "Tan et al., CVPR 2019"),
    Way(LIGHT, "MobileViT, TinyBERT", A + M,
        "TinyBERT: 7.5 times smaller, 9.4 times as fast as BERT-base", "cited", None,
        "transformers on small devices", "Jiao et al., EMNLP Findings 2020"),
    Way(DYNAMIC, "early exit", A, "40 % of the MACs, 99.35 % right (all layers: 99.38 %)",
        "counted", 17, "easy inputs are common; peak memory stays the same"),
    Way(DYNAMIC, "conditional computation", A, "1,000 times the capacity at nearly the same cost",
        "cited", None, "very large models", "Shazeer et al., ICLR 2017"),
    Way(PLACE, "memory pool, reuse", M, "25 to 54 % of the maps' bytes saved, three networks",
        "counted", 17, "always: it costs nothing at run time"),
    Way(PLACE, "operator fusion", T + M + W, "LeNet-5: 98,888 bytes of maps become 19,304",
        "counted", 15, "always; then the kernels decide"),
    Way(PLACE, "chunked computation", M, "9.6 % of the memory for 1.31 times the MACs", "counted",
        17, "large images; halos are the price"),
    Way(PLACE, "gradient checkpointing", M,
        "training: 9 maps, not 18; inference: 27 % less for 3.5 % more MACs", "counted", 17,
        "training; at inference only where a map waits"),
    Way(PLACE, "cache optimisation", T + W, "1/689 of the sectors, 1/53 of the time", "recorded", 8,
        "every kernel: it is most of this course", STEPS),
    Way(PLACE, "tiled attention: FlashAttention", T + M,
        "GPT-2 with 1,024 tokens: trained 3 times as fast", "cited", 17, "attention, always",
        "Dao et al., NeurIPS 2022"),
    Way(PLACE, "shared heads in the KV cache", T + M,
        "8,192 tokens of Llama 3 70B: 2.7 GB, not 21.5", "counted", 17,
        "text models that were trained that way"),
    Way(SPARSE, "sparse kernels, compressed rows", A + M,
        "a 1×1 layer with 5 to 70 % of its weights, timed beside dense", "live", 16,
        "1×1 and fully connected layers with a third of their weights or fewer "
        "(Elsen et al., arXiv:1911.09723; XNNPACK)"),
    Way(SPARSE, "2:4 sparse tensor cores", A + M, "LeNet-5's fc layers in 2:4: 99.3 % right",
        "counted", 16, "large matrix products on Ampere or later, after training"),
    Way(SPARSE, "sparse attention", A + M, "O(n·√n) values, not O(n²); not run here", "cited", None,
        "long sequences", "Child et al., arXiv:1904.10509"),
    Way(TOOLS, "cuDNN, oneDNN", A + T, "our own microkernel beside oneDNN, layer by layer", "live",
        5, "always, unless your shape is one that they serve badly"),
    Way(TOOLS, "ONNX Runtime", T + W, "the same graph as our passes on two of three networks",
        "recorded", 15, "a trained network, any hardware", "onnxruntime 1.32, 2026-11-30"),
    Way(TOOLS, "TVM", A + T, "1.2 to 3.8 times as fast as frameworks with libraries", "cited", 15,
        "hardware or operators without a library", "Chen et al., OSDI 2018"),
    Way(TOOLS, "TensorRT", A + T + W, "fusion and kernels timed on the GPU itself; not run here",
        "cited", 15, "NVIDIA GPUs in production", "TensorRT documentation"),
    Way(SPLIT, "data parallel, data sharding", W, "640,000 digits: 3.3 times as fast on 4 GPUs",
        "recorded", 18, "many inputs: nothing has to be exchanged", SCALE),
    Way(SPLIT, "FSDP (stage 3 of ZeRO)", M, "7.5 billion weights, 64 devices: 120 GB become 1.9",
        "counted", 18, "training a network that one device cannot hold"),
    Way(SPLIT, "pipeline parallel", M + W, "the weights in two parts, a bubble of one batch",
        "live", 18, "the network is too large for one device, inputs come in a stream"),
    Way(SPLIT, "model parallel (channels)", M,
        "half of the weights for each of two workers; all maps travel", "counted", 18,
        "one layer is too large, links are very fast"),
    Way(SPLIT, "model partition, one part after another", M,
        "two parts: at most the larger one's weights are in memory", "counted", 18,
        "no second device, but time to load"),
    Way(SPLIT, "spatial sharding", M + W, "one image of 4096²: 3.96 times as fast on 4 GPUs",
        "recorded", 18, "one image is too large, or must be done sooner", SCALE),
)  # fmt: skip


def technique_map_table(group: str | None = None) -> Table:
    """Return the map, or one group of it, as a table; what each saves is in the pictures."""
    rows = [
        (way.name, way.figure, origin(way), way.reach) for way in MAP if group in (None, way.group)
    ]
    return table(rows, ("technique", "a figure", "from", "reach for it when"))


def origin(way: Way) -> str:
    """Return where a figure comes from, in words."""
    where = f"chapter {way.chapter:02}" if way.chapter else "not run here"
    return ", ".join(filter(None, (where, way.kind, way.source)))


def technique_map_pictures() -> list[Picture]:
    """Return the map in two pictures, each as high as a screen."""
    cut = next(at for at, way in enumerate(MAP) if way.group == DYNAMIC)
    return [_picture(MAP[:cut]), _picture(MAP[cut:])]


def _picture(ways: Sequence[Way]) -> Picture:
    """Return a picture of each technique's saving; the colour says where its figure comes from."""
    fig, ax = figure(8.8, 0.7 + 0.24 * len(ways))
    last = ""
    for row, way in enumerate(ways):
        if way.group != last:
            ax.axhline(row - 0.5, color="#BBBBBB", linewidth=0.7)
            ax.text(-6.5, row, way.group, fontsize=8, fontweight="bold", va="center")
            last = way.group
        ax.text(-0.45, row, way.name, ha="right", va="center", fontsize=8.5)
        for column, what in enumerate(SAVES):
            size, colour = (8, KINDS[way.kind]) if what in way.saves else (4, PALE)
            ax.plot(column, row, "o", markersize=size, color=colour)
        ax.text(3.6, row, way.figure, va="center", fontsize=8)
    for column, what in enumerate(SAVES):
        ax.text(column, -0.9, what, ha="center", fontsize=8.5, rotation=25)
    for column, (kind, colour) in enumerate(KINDS.items()):
        ax.text(3.6 + 1.6 * column, -1.2, f"● {kind}", color=lettering(colour), fontsize=8.5)
    ax.set(xlim=(-6.55, 10.9), ylim=(len(ways) - 0.4, -2.2))
    ax.set_axis_off()
    return Picture(
        fig,
        f"{len(ways)} techniques in rows, in groups, with what each of them saves "
        "of arithmetic, traffic, memory and waiting, and a figure.",
        colours=64,
    )
