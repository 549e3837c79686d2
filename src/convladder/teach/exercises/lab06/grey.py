"""A thread for each pixel: what an exercise of lab 06 is made of."""

from __future__ import annotations

from .sources import edited

SOURCE = r"""
extern "C" __global__ void grey(const float *x, float *y, int i_h, int i_w)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    int h = blockIdx.y * blockDim.y + threadIdx.y;
    if (h >= i_h || w >= i_w) return;
    int at = h * i_w + w;
    y[at] = 0.299f * x[3 * at] + 0.587f * x[3 * at + 1] + 0.114f * x[3 * at + 2];
}
"""
ALL_PIXELS = edited(
    SOURCE,
    (
        SOURCE[SOURCE.index("    int w") : SOURCE.index("    y[at]")],
        "    for (int at = 0; at < i_h * i_w; at++)\n    ",
    ),
)
X, Y = "blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.y * blockDim.y + threadIdx.y"
SUMMED = SOURCE[: SOURCE.index("    y[at]")] + (
    "    float weight[3] = {0.299f, 0.587f, 0.114f};\n    y[at] = 0.0f;\n"
    "    for (int c = 0; c < 3; c++)\n        y[at] += weight[c] * x[3 * at + c];\n}\n"
)
BOUNDS = "    if (h >= i_h || w >= i_w) return;\n"
