"""Max-pooling of NHWC maps."""

from __future__ import annotations

from .epilogue import compiled


@compiled
def max_pool(x, kernel, stride, out):
    """`out[n,o_h,o_w,c]` = the largest value of each window of `kernel` pixels."""
    for n in range(out.shape[0]):
        for h in range(out.shape[1]):
            for v in range(out.shape[2]):
                best = out[n, h, v]
                best[:] = x[n, h * stride[0], v * stride[1]]
                for a in range(kernel[0]):
                    for b in range(kernel[1]):
                        seen = x[n, h * stride[0] + a, v * stride[1] + b]
                        for c in range(best.shape[0]):
                            best[c] = max(best[c], seen[c])
