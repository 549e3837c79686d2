"""Lab 02, exercise 2: memory accesses by the naive rule."""

from ..exercise import Exercise, Misconception, edit
from .e1_macs_and_params import macs_and_params
from .layers import fits, layers


def naive_accesses(image, kernel, stride, padding, depthwise):
    count = 1
    if depthwise:
        count, image, kernel = image[2], (*image[:2], 1), (*kernel[:2], 1)
    macs, params = macs_and_params(image, kernel, stride, padding)
    k_h, k_w, k_c = kernel
    reads = macs
    writes = macs // (k_h * k_w * image[2])
    return count * (reads + writes + params)


DEPTHWISE = "count, image, kernel = image[2], (*image[:2], 1), (*kernel[:2], 1)"
SUM = "reads + writes + params"

EXERCISE = Exercise(
    name="naive_accesses",
    lab=2,
    task="Count memory accesses by the naive rule, also for a depthwise layer.",
    solution=naive_accesses,
    cases=lambda rng: [(*layer, depthwise) for depthwise in (False, True) for layer in layers(rng)],
    valid=fits,
    mend="`macs + o_h * o_w * k_c + params`; for a depthwise layer `i_c` times that of a layer "
    "with `i_c = k_c = 1`",
    misconceptions=[
        Misconception(
            "the image read once",
            edit("reads = macs", "reads = image[0] * image[1] * image[2]"),
            "Your total has each value of the image once.",
            "That is the compulsory count, the least possible. By the naive rule each output value "
            "reads its whole window anew.",
        ),
        Misconception(
            "windows shared by all filters",
            edit("reads = macs", "reads = macs // k_c"),
            "Depthwise layers are right, and so are layers with one filter. With more filters you "
            "have too few reads.",
            "By the naive rule the filters share nothing: each of the `k_c` values of an output "
            "pixel reads the window for itself.",
        ),
        Misconception(
            "outputs never written",
            edit(SUM, "reads + params"),
            "Your total lacks one access for each output value.",
            "A result is written to memory, and a write is an access too.",
        ),
        Misconception(
            "weights read for each output pixel",
            edit(SUM, "reads + writes + writes // k_c * params"),
            "Your total has the parameters once for each output pixel.",
            "The rule reads each weight and each bias once. Only windows are read again and again.",
        ),
        Misconception(
            "depthwise layers counted as full ones",
            edit(DEPTHWISE, "pass"),
            "Full layers are right. Depthwise layers come out as full ones would.",
            "A depthwise filter looks at its own channel alone. Such a layer is `i_c` small layers "
            "with one channel and one filter each.",
        ),
        Misconception(
            "one channel of a depthwise layer",
            edit("count, image, kernel = image[2],", "count, image, kernel = 1,"),
            "Full layers are right. For a depthwise layer you count a single channel.",
            "There are `i_c` channels, and each has reads, writes, weights and a bias of its own.",
        ),
    ],
)
