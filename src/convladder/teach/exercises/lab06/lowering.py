"""MEC's lowering, a thread for each value: what an exercise of lab 06 is made of."""

SOURCE = r"""
extern "C" __global__ void lower(const float *x, float *L, int i_h, int i_w, int i_c,
                                 int k_w, int o_w, int s_w, int p_h, int p_w)
{
    int padded_h = i_h + 2 * p_h;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_w * padded_h * k_w * i_c) return;
    int c = i % i_c;
    int b = i / i_c % k_w;
    int row = i / (i_c * k_w) % padded_h - p_h;
    int w = i / (i_c * k_w * padded_h);
    int column = s_w * w + b - p_w;
    bool inside = row >= 0 && row < i_h && column >= 0 && column < i_w;
    L[i] = inside ? x[(row * i_w + column) * i_c + c] : 0.0f;
}
"""
INSIDE = "row >= 0 && row < i_h && column >= 0 && column < i_w"
STORE = "L[i] = inside ? x[(row * i_w + column) * i_c + c] : 0.0f;"
