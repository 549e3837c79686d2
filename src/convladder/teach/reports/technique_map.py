"""The map: ways to be faster or smaller, with a figure for each.

A figure is counted (the same anywhere), recorded (with the machine), live (a chapter measures it on
the reader's machine) or cited (not run here). The ways are all that the two lists of "Compilers for
deep learning" (docs/sources.md) name: how to compute more efficiently, and how to infer in less
memory; and those of this course that the lists leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..plots.style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure
from ..table import Table, table

SAVES = ("arithmetic", "traffic", "memory", "waiting")
KINDS = {"counted": BLUE, "recorded": GREEN, "live": ORANGE, "cited": GREY}
# By the records that the figures come from.
LENET = SCALE = "NVIDIA H200, 2026-11-21"
STEPS = "NVIDIA H200, 2026-11-22"


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
HARDWARE, BITS, FEWER, PRODUCTS, LIGHT, DYNAMIC, PLACE, SPARSE, TOOLS, SPLIT = (
    "hardware",
    "fewer bits",
    "fewer weights",
    "fewer products",
    "light networks",
    "dynamic",
    "where bytes lie",
    "sparsity",
    "libraries and compilers",
    "several devices",
)

MAP: tuple[Way, ...] = (
    Way(
        HARDWARE,
        "GPU",
        A + T,
        "10,000 digits, images in and labels out, in 0.19 ms",
        "recorded",
        12,
        "many equal operations, enough of them to fill it",
        LENET,
    ),
    Way(
        HARDWARE,
        "ASIC (TPU)",
        A + T,
        "15 to 30 times a GPU or CPU of its day at inference",
        "cited",
        None,
        "one kind of network, in very large numbers",
        "Jouppi et al., ISCA 2017",
    ),
    Way(
        HARDWARE,
        "FPGA",
        W,
        "ten times less latency than GPUs on large RNNs, batch 1",
        "cited",
        None,
        "latency of single inputs; circuits that must change",
        "Fowers et al., ISCA 2018",
    ),
    Way(
        BITS,
        "FP16",
        A + T + M,
        "half of the bytes; tensor cores multiply float16",
        "counted",
        14,
        "on a GPU, nearly always",
    ),
    Way(
        BITS,
        "INT8 arithmetic",
        A + T + M,
        "a wide layer, timed beside float32",
        "live",
        14,
        "wide, deep layers, where the processor has dot products of bytes",
    ),
    Way(
        BITS,
        "post-training quantisation",
        M + T,
        "74.1 % of the bytes of LeNet-5's weights go",
        "counted",
        14,
        "first thing to try: needs no training, only calibration",
    ),
    Way(
        BITS,
        "quantisation-aware training",
        M + T,
        "2 bits a weight: 96.0 % right; 3 bits: 99.1 %",
        "counted",
        14,
        "below 8 bits, or where calibration loses too much",
    ),
    Way(
        FEWER,
        "pruning, single weights",
        A + M,
        "a tenth of the weights left: 97.4 % right",
        "counted",
        14,
        "storage and download; time, too, if few are left for a sparse kernel",
    ),
    Way(
        FEWER,
        "pruning, channels",
        A + T + M,
        "half of the channels: a quarter of the weights",
        "counted",
        14,
        "when it must also be faster: what is left is dense",
    ),
    Way(
        FEWER,
        "distillation",
        A + T + M,
        "an eighth of LeNet-5's bytes: 98.2 % right or more",
        "counted",
        14,
        "labels are dear, and a good large model exists",
    ),
    Way(
        FEWER,
        "low-rank factors",
        A + M,
        "half of LeNet-5's bytes, a sixth fewer MACs",
        "counted",
        14,
        "large square matrices",
    ),
    Way(
        PRODUCTS,
        "Winograd, F(4×4, 3×3)",
        A,
        "36 products for 144 of a 3×3 layer",
        "counted",
        17,
        "3×3 and 5×5, stride 1, enough tiles; a digit is lost",
    ),
    Way(
        PRODUCTS,
        "Fourier transform",
        A,
        "kernels of 3×3 to 15×15, timed beside direct ones",
        "live",
        17,
        "kernels of about 9×9 and more, stride 1",
    ),
    Way(
        LIGHT,
        "MobileNet: depthwise, pointwise",
        A + M,
        "8.4 times fewer MACs (3×3, 128 channels)",
        "counted",
        15,
        "phones; time falls by less, and maps between are wide",
    ),
    Way(
        LIGHT,
        "ShuffleNet: groups",
        A + M,
        "4 groups: 4 times fewer MACs",
        "counted",
        15,
        "as MobileNet; channels must be mixed afterwards",
    ),
    Way(
        LIGHT,
        "EfficientNet",
        A + M,
        "77.1 % top-1 with 0.39 GFLOP (ResNet-50: 76.0 %, 4.1)",
        "cited",
        None,
        "a budget of operations is given",
        "Tan & Le, ICML 2019",
    ),
    Way(
        LIGHT,
        "architecture search: MnasNet",
        A + W,
        "1.8 times as fast as MobileNetV2, 0.5 points better",
        "cited",
        None,
        "one device, many users",
        "Tan et al., CVPR 2019",
    ),
    Way(
        LIGHT,
        "MobileViT, TinyBERT",
        A + M,
        "TinyBERT: 7.5 times smaller, 9.4 times as fast as BERT-base",
        "cited",
        None,
        "transformers on small devices",
        "Jiao et al., EMNLP Findings 2020",
    ),
    Way(
        DYNAMIC,
        "early exit",
        A,
        "40 % of the MACs, 99.35 % right (all layers: 99.38 %)",
        "counted",
        15,
        "easy inputs are common; the peak of memory stays",
    ),
    Way(
        DYNAMIC,
        "conditional computation",
        A,
        "1,000 times the capacity at nearly the same cost",
        "cited",
        None,
        "very large models",
        "Shazeer et al., ICLR 2017",
    ),
    Way(
        PLACE,
        "memory pool, reuse",
        M,
        "25 to 54 % of the maps' bytes, three networks",
        "counted",
        15,
        "always: it costs nothing at run time",
    ),
    Way(
        PLACE,
        "operator fusion",
        T + M + W,
        "LeNet-5: 98,888 bytes of maps become 19,304",
        "counted",
        13,
        "always; then the kernels decide",
    ),
    Way(
        PLACE,
        "chunked computation",
        M,
        "9.6 % of the memory for 1.31 times the MACs",
        "counted",
        15,
        "large images; halos are the price",
    ),
    Way(
        PLACE,
        "gradient checkpointing",
        M,
        "9 maps for 18 in training; 27 % for 3.5 % more MACs at inference",
        "counted",
        15,
        "training; at inference only where a map waits",
    ),
    Way(
        PLACE,
        "cache optimisation",
        T + W,
        "1/689 of the sectors, 1/53 of the time",
        "recorded",
        7,
        "every kernel: it is most of this course",
        STEPS,
    ),
    Way(
        SPARSE,
        "sparse kernels, compressed rows",
        A + M,
        "a 1×1 layer at 5 to 70 % of its weights, timed beside dense",
        "live",
        14,
        "1×1 and fully connected layers with a third of "
        "their weights or fewer (Elsen et al., arXiv:1911.09723; XNNPACK)",
    ),
    Way(
        SPARSE,
        "2:4 sparse tensor cores",
        A + M,
        "2:4 of LeNet-5's products: 99.3 % right",
        "counted",
        14,
        "large products on Ampere or later, after training",
    ),
    Way(
        SPARSE,
        "sparse attention",
        A + M,
        "O(n·√n) for O(n²) values (no attention in this course)",
        "cited",
        None,
        "long sequences",
        "Child et al., arXiv:1904.10509",
    ),
    Way(
        TOOLS,
        "cuDNN, oneDNN",
        A + T,
        "our own microkernel beside oneDNN, layer by layer",
        "live",
        5,
        "always, unless your shape is one that they serve badly",
    ),
    Way(
        TOOLS,
        "ONNX Runtime",
        T + W,
        "the same fused graph as our passes, nodes 13 and 14",
        "recorded",
        13,
        "a trained network, any hardware",
        "onnxruntime 1.31, 2026-11-21",
    ),
    Way(
        TOOLS,
        "TVM",
        A + T,
        "1.2 to 3.8 times frameworks with libraries",
        "cited",
        13,
        "hardware or operators without a library",
        "Chen et al., OSDI 2018",
    ),
    Way(
        TOOLS,
        "TensorRT",
        A + T + W,
        "fusion and kernels timed on the very GPU; not run here",
        "cited",
        13,
        "NVIDIA GPUs in production",
        "TensorRT documentation",
    ),
    Way(
        SPLIT,
        "data parallel, data sharding",
        W,
        "640,000 digits: 3.3 times as fast on 4 GPUs",
        "recorded",
        16,
        "many inputs: nothing has to be exchanged",
        SCALE,
    ),
    Way(
        SPLIT,
        "pipeline parallel",
        M + W,
        "the weights in two parts, a bubble of one batch",
        "live",
        16,
        "the network is too large for one device, inputs come in a stream",
    ),
    Way(
        SPLIT,
        "model parallel (channels)",
        M,
        "half of the weights for each of two workers; all maps travel",
        "counted",
        16,
        "one layer is too large, links are very fast",
    ),
    Way(
        SPLIT,
        "model partition, one part after another",
        M,
        "of two parts, only the larger one's weights are loaded at a time",
        "counted",
        16,
        "no second device, and time to load",
    ),
    Way(
        SPLIT,
        "spatial sharding",
        M + W,
        "one image of 4096²: 3.96 times as fast on 4 GPUs",
        "recorded",
        16,
        "one image is too large, or must be done sooner",
        SCALE,
    ),
)


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
    """Return what each technique saves; the colour says where its figure comes from."""
    fig, ax = figure(8.8, 0.7 + 0.24 * len(ways))
    last = ""
    for row, way in enumerate(ways):
        if way.group != last:
            ax.axhline(row - 0.5, color="#BBBBBB", linewidth=0.7)
            ax.text(-6.5, row, way.group, fontsize=8, fontweight="bold", va="center")
            last = way.group
        ax.text(-0.45, row, way.name, ha="right", va="center", fontsize=8.5)
        for column, what in enumerate(SAVES):
            on = what in way.saves
            ax.plot(
                column, row, "o", markersize=8 if on else 4, color=KINDS[way.kind] if on else PALE
            )
        ax.text(3.6, row, way.figure, va="center", fontsize=8)
    for column, what in enumerate(SAVES):
        ax.text(column, -0.9, what, ha="center", fontsize=8.5, rotation=25)
    for column, (kind, colour) in enumerate(KINDS.items()):
        ax.text(3.6 + 1.6 * column, -1.2, f"● {kind}", color=colour, fontsize=8.5)
    ax.set(xlim=(-6.55, 10.9), ylim=(len(ways) - 0.4, -2.2))
    ax.set_axis_off()
    return Picture(
        fig,
        f"{len(ways)} techniques in rows, in groups, with what each of them saves "
        "of arithmetic, traffic, memory and waiting, and a figure.",
        colours=64,
    )
