"""Lab 02, exercise 3: the least time of a layer, by the roofline."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit
from .layers import fits

LAYERS = [
    ((2, 2, 1), (1, 1, 1), (1, 1), (0, 0)),
    ((12, 18, 3), (3, 5, 4), (2, 3), (1, 2)),  # strides that don't divide evenly
    ((56, 48, 24), (11, 9, 20), (1, 1), (5, 4)),  # arithmetic decides
    ((28, 24, 4), (3, 3, 3), (1, 1), (1, 1)),  # arithmetic on one core, traffic on many
    ((1, 1, 4096), (1, 1, 1000), (1, 1), (0, 0)),
    ((30, 26, 8), (1, 1, 5), (2, 3), (0, 0)),  # most pixels are in no window
]


def least_seconds(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    (i_h, i_w, i_c), (k_h, k_w, k_c) = image, kernel
    o_h = (i_h + 2 * padding[0] - k_h) // stride[0] + 1
    o_w = (i_w + 2 * padding[1] - k_w) // stride[1] + 1
    flops = 2 * o_h * o_w * k_h * k_w * i_c * k_c
    moved = 4 * (i_h * i_w * i_c + k_h * k_w * i_c * k_c + o_h * o_w * k_c)
    return max(flops / flops_per_s, moved / bytes_per_s)


def cases(rng):
    """One core, then many cores, whose rates are drawn (FLOP/s, bytes/s)."""
    many = whole(rng, 1500, 2500) * 1e9, whole(rng, 40, 60) * 1e9
    return [(*layer, rates) for rates in ((100e9, 20e9), many) for layer in LAYERS]


TIMES = "max(flops / flops_per_s, moved / bytes_per_s)"

EXERCISE = Exercise(
    name="least_seconds",
    lab=2,
    task="Predict the least time of a layer from a machine's two limits.",
    solution=least_seconds,
    cases=cases,
    inputs=lambda fill, image, kernel, stride, padding, rates: (
        *(image, kernel, stride, padding),
        *rates,
    ),
    valid=lambda image, kernel, stride, padding, rates: (
        fits(image, kernel, stride, padding) and min(rates) > 0
    ),
    mend="`max(2 * macs / flops_per_s, 4 * values / bytes_per_s)`",
    misconceptions=[
        Misconception(
            "a sum of two times",
            edit(TIMES, "flops / flops_per_s + moved / bytes_per_s"),
            "Your time is the sum of the arithmetic's time and the traffic's.",
            "A processor computes while it loads, so the slower of the two decides alone.",
        ),
        Misconception(
            "the smaller of two times",
            edit("max(", "min("),
            "Your time belongs to the limit that doesn't bind.",
            "A layer is done when its arithmetic and its traffic are both done. The roofline takes "
            "the smaller of two rates, but the larger of two times.",
        ),
        Misconception(
            "MACs in place of FLOPs",
            edit("2 * o_h * o_w", "o_h * o_w"),
            "Where arithmetic decides, your time is too short.",
            "The peak is in FLOP/s, and a MAC is two FLOPs: a multiplication and an addition.",
        ),
        Misconception(
            "values in place of bytes",
            edit("4 * (i_h", "(i_h"),
            "Where traffic decides, your time is too short.",
            "The bandwidth is in bytes per second, and a float32 has four bytes.",
        ),
        Misconception(
            "windows read anew",
            edit("i_h * i_w * i_c", "o_h * o_w * k_h * k_w * i_c"),
            "Your traffic counts a pixel once for each window that it is in.",
            "Compulsory traffic is what no method can avoid. A pixel can stay in a cache, so each "
            "value of the image counts once.",
            mend="`4 * (i_h * i_w * i_c + k_h * k_w * i_c * k_c + o_h * o_w * k_c)` bytes",
        ),
        Misconception(
            "an array left out of the traffic",
            [
                edit(term, "")
                for term in (" + k_h * k_w * i_c * k_c", " + o_h * o_w * k_c", "i_h * i_w * i_c + ")
            ],
            "Where traffic decides, your time is too short.",
            "Three arrays move: the image and the weights are read, the output is written.",
            mend="`4 * (i_h * i_w * i_c + k_h * k_w * i_c * k_c + o_h * o_w * k_c)` bytes",
        ),
    ],
)
