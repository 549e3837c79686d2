"""Max-pooling on all threads, with what follows it."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(parallel=True, cache=True, nogil=True)
def finish_pool(y, bias, relu, pool, out):
    """Do `max_pool` by windows that do not overlap, then bias and ReLU.

    Neither changes which value of a channel is the largest, so they go over what is left only.
    Threads share the images.
    """
    k_c = y.shape[3]
    for n in numba.prange(out.shape[0]):
        line = np.empty(y.shape[2] * k_c, np.float32)
        for h in range(out.shape[1]):
            line[:] = y[n, h * pool[0]].ravel()
            for a in range(1, pool[0]):
                seen = y[n, h * pool[0] + a].ravel()
                for i in range(line.size):
                    line[i] = seen[i] if seen[i] > line[i] or seen[i] != seen[i] else line[i]
            for v in range(out.shape[2]):
                for c in range(k_c):
                    best = line[v * pool[1] * k_c + c]
                    for b in range(1, pool[1]):
                        value = line[(v * pool[1] + b) * k_c + c]
                        best = value if value > best or value != value else best
                    best += bias[c]
                    out[n, h, v, c] = np.float32(0) if relu and best < 0 else best
