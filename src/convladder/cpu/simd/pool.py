"""Max-pooling on all threads."""

from __future__ import annotations

import numpy as np

from ...core.jit import numba, one_at_a_time


@one_at_a_time
@numba.njit(parallel=True, cache=True, nogil=True)
def max_pool(x, kernel, stride, out):
    """Do `cpu.pool.max_pool`; threads share the images, and each takes two rows of workspace.

    What lies between windows is compared as well: so rows are gone through in vectors, for any
    number of channels, and only what is kept is picked out of them.
    """
    k_c = x.shape[3]
    for n in numba.prange(out.shape[0]):
        line, wide = np.empty((2, x.shape[2] * k_c), np.float32)
        for h in range(out.shape[1]):
            first = x[n, h * stride[0]].ravel()
            for i in range(line.size):  # as in `cpu.pool`
                line[i] = first[i]
            for a in range(1, kernel[0]):
                seen = x[n, h * stride[0] + a].ravel()
                for i in range(line.size):
                    line[i] = seen[i] if seen[i] > line[i] or seen[i] != seen[i] else line[i]
            for i in range(line.size):
                wide[i] = line[i]
            for b in range(1, kernel[1]):
                beside = line[b * k_c :]
                for i in range(beside.size):
                    value = beside[i]
                    wide[i] = value if value > wide[i] or value != value else wide[i]
            for v in range(out.shape[2]):
                for c in range(k_c):
                    out[n, h, v, c] = wide[v * stride[1] * k_c + c]
