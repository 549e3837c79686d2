"""Lab 02, exercise 1: MACs and parameters."""

from ..exercise import Exercise, Misconception, edit
from .layers import fits, layers


def macs_and_params(image, kernel, stride, padding):
    (i_h, i_w, i_c), (k_h, k_w, k_c) = image, kernel
    (s_h, s_w), (p_h, p_w) = stride, padding
    o_h = (i_h + 2 * p_h - k_h) // s_h + 1
    o_w = (i_w + 2 * p_w - k_w) // s_w + 1
    weights = k_h * k_w * i_c * k_c
    return o_h * o_w * weights, weights + k_c


HEIGHT, WIDTH = "(i_h + 2 * p_h - k_h) // s_h + 1", "(i_w + 2 * p_w - k_w) // s_w + 1"
MACS, PARAMS = "o_h * o_w * weights", "weights + k_c"

EXERCISE = Exercise(
    name="macs_and_params",
    lab=2,
    task="Count the multiply-accumulates of a layer, and its parameters with bias.",
    solution=macs_and_params,
    cases=layers,
    valid=fits,
    mend="`weights = k_h * k_w * i_c * k_c`; then `o_h * o_w * weights` MACs and `weights + k_c` "
    "parameters",
    misconceptions=[
        Misconception(
            "input pixels in place of output pixels",
            edit(HEIGHT, "i_h", WIDTH, "i_w"),
            "Your MACs are right only where the output is as large as the image.",
            "A window is multiplied for each output pixel. Stride, padding and kernel decide how "
            "many there are.",
            mend="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`, and `o_w` likewise",
        ),
        Misconception(
            "FLOPs in place of MACs",
            edit(MACS, f"2 * {MACS}"),
            "Your MACs are twice the right number.",
            "One MAC is a multiplication and the addition that goes with it: two FLOPs.",
        ),
        Misconception(
            "one filter's MACs",
            edit(MACS, "o_h * o_w * k_h * k_w * i_c"),
            "Your MACs are right for a single filter. With more they are too few.",
            "Each filter multiplies the whole window with weights of its own.",
        ),
        Misconception(
            "biases left out",
            edit(PARAMS, "weights"),
            "The MACs are right. Some parameters are missing.",
            "Besides its weights, each filter has a bias that is added to its sums.",
        ),
    ],
)
