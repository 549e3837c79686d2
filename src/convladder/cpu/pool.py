"""Max-pooling of NHWC maps."""

from __future__ import annotations

import numpy as np

from .epilogue import compiled


@compiled
def max_pool(x, kernel, stride, out):
    """Write to `out[n,o_h,o_w,c]` the largest value of each window of `kernel` pixels.

    A window with a NaN gives NaN, as with NumPy's and PyTorch's; the second comparison is for that.
    """
    k_c = x.shape[3]
    line = np.empty(x.shape[2] * k_c, np.float32)
    for n in range(out.shape[0]):
        for h in range(out.shape[1]):
            # Down first: whole rows lie side by side, and the compiler makes vectors of them.
            first = x[n, h * stride[0]].ravel()
            for i in range(line.size):  # line[:] = first takes Numba three seconds to compile
                line[i] = first[i]
            for a in range(1, kernel[0]):
                seen = x[n, h * stride[0] + a].ravel()
                for i in range(line.size):
                    line[i] = seen[i] if seen[i] > line[i] or seen[i] != seen[i] else line[i]
            for v in range(out.shape[2]):
                for c in range(k_c):
                    best = line[v * stride[1] * k_c + c]
                    for b in range(1, kernel[1]):
                        value = line[(v * stride[1] + b) * k_c + c]
                        best = value if value > best or value != value else best
                    out[n, h, v, c] = best
