"""Convolution of bytes with int8 weights: sums in int32, four products in one lane of a register.

    packed = pack(q, problem, x_zero=..., bias=..., multiplier=..., y_zero=...)
    y = convolve(x, packed, problem)

`pack` once, `convolve` often; Numba is loaded by the first call.
"""

from .convolve import Packed, convolve, pack

__all__ = ["Packed", "convolve", "pack"]
