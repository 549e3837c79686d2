// MEC's lowering on a GPU: L[n,v,h,b,c] = x[n, h - p_h, s_w*v + b - p_w, c], zeros outside.
//
// What the MEC report's `im2col_cuda_mec` does for one unpadded image with stride 1, for every batch,
// stride and padding. Lowered along the width only: h runs over the padded rows, and output row h
// is made of the overlapping partition that begins s_h*h rows into L. L is k_h/s_h times smaller
// than im2col's matrix, so this kernel is that much faster.
//
// `depth` channels a pixel are stored, i_c or more; those beyond i_c are zeros. A GEMM wants its
// partitions, s_h*k_w*depth floats apart, on 16-byte boundaries: 7*3 floats are not, 7*4 are.
extern "C" __global__ void lower_mec(
    const float* __restrict__ x, float* __restrict__ L,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w, int depth)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int padded_h = i_h + 2 * p_h;
    if (i >= (unsigned)i_n * o_w * padded_h * k_w * depth) return;
    int c = i % depth;
    int b = i / depth % k_w;
    int h = i / depth / k_w % padded_h;
    int v = i / depth / k_w / padded_h % o_w;
    int n = i / depth / k_w / padded_h / o_w;
    int row = h - p_h, column = s_w * v + b - p_w;
    bool inside = c < i_c && row >= 0 && row < i_h && column >= 0 && column < i_w;
    L[i] = inside ? x[(((size_t)n * i_h + row) * i_w + column) * i_c + c] : 0.0f;
}
