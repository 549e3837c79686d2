"""A pointwise convolution with bias, ReLU and a pool: what an exercise is made of."""

SOURCE = r"""
extern "C" __global__ void fused_pool(const float *x, const float *w, const float *bias,
                                      float *y, int i_h, int i_w, int i_c, int k_c)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    int q = blockIdx.y * blockDim.y + threadIdx.y, o_w = i_w / 2;
    if (q >= i_h / 2 * o_w || n >= k_c) return;
    const float *at = x + (q / o_w * 2 * i_w + q % o_w * 2) * i_c;
    float sum[4] = {};
    for (int c = 0; c < i_c; c++) {
        float v = w[c * k_c + n];
        sum[0] += at[c] * v;
        sum[1] += at[i_c + c] * v;
        sum[2] += at[i_w * i_c + c] * v;
        sum[3] += at[(i_w + 1) * i_c + c] * v;
    }
    float most = fmaxf(fmaxf(sum[0], sum[1]), fmaxf(sum[2], sum[3]));
    y[q * k_c + n] = fmaxf(most + bias[n], 0.0f);
}
"""
MOST = "fmaxf(fmaxf(sum[0], sum[1]), fmaxf(sum[2], sum[3]))"
LAST = "y[q * k_c + n] = fmaxf(most + bias[n], 0.0f);"
AGAIN = """volatile float *out = y;
    out[q * k_c + n] = 0;
    for (int i = 0; i < 4; i++)
        out[q * k_c + n] = fmaxf(out[q * k_c + n], sum[i] + bias[n]);"""
ONE_BY_ONE = """for (int i = 0; i < 4; i++)
        for (int c = 0; c < i_c; c++)
            sum[i] += at[(i / 2 * i_w + i % 2) * i_c + c] * w[c * k_c + n];
"""
LOOP = SOURCE[SOURCE.index("for (int c") : SOURCE.index("    float most")]
