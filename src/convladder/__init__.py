"""ConvLadder: making convolution fast, one measured rung at a time.

A *problem* (shapes), a *method* (one way to compute it), a *measurement* (is it right, how fast,
how many bytes, how near the limit). Arrays are NHWC float32: `x[i_n,i_h,i_w,i_c]`,
`w[k_h,k_w,i_c,k_c]`, `y[i_n,o_h,o_w,k_c]`.
"""

from .convolve import conv2d
from .problem import PAPER, REPORT, ConvProblem
from .registry import Ladder, Method, get_method, methods

__version__ = "0.1.0"
__all__ = [
    "PAPER",
    "REPORT",
    "ConvProblem",
    "Ladder",
    "Method",
    "conv2d",
    "get_method",
    "machine",
    "methods",
]


def machine():
    """What this machine is: processor, cores, vector width, versions, and what stands in for a GPU.

    Returns `convladder.measure.Machine`.
    """
    from .measure import machine  # only here: `import convladder` needs nothing but numpy

    return machine()
