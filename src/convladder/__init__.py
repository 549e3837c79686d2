"""ConvLadder: making convolution fast, one measured rung at a time.

A *problem* (shapes), a *method* (one way to compute it), a *measurement* (is it right, how fast,
how many bytes, how near the limit). Arrays are NHWC float32: `x[i_n,i_h,i_w,i_c]`,
`w[k_h,k_w,i_c,k_c]`, `y[i_n,o_h,o_w,k_c]`.
"""

import os as _os

import lazy_loader

if _os.path.expanduser("~") == "~":  # no HOME, and a user whom the system does not know
    # As a system user's: libraries then find no home, where else they would raise.
    _os.environ["HOME"] = "/nonexistent"

__version__ = "1.0.0"
__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "core.problem": ["PAPER", "REPORT", "ConvProblem"],
        "core.registry": ["Ladder", "Method", "get_method", "methods"],
        "functional": ["conv2d", "conv2d_input_grad", "conv2d_weight_grad", "conv_transpose2d"],
        "measure.hardware": ["machine"],
    },
)
