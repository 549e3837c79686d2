// im2col on a GPU: matrix[n,h,v][a,b,c] = x[n, s_h*h + a - p_h, s_w*v + b - p_w, c], zeros outside.
//
// A thread per value of the matrix, numbered as it lies in memory: stores are coalesced, and loads
// are runs of k_w*i_c neighbours. The matrix is k_h*k_w/(s_h*s_w) times the image, and every byte
// of it is written here only to be read once by a GEMM.
extern "C" __global__ void lower_im2col(
    const float* __restrict__ x, float* __restrict__ matrix,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned window = k_h * k_w * i_c;
    if (i >= (unsigned)i_n * o_h * o_w * window) return;
    unsigned within = i % window, pixel = i / window;
    int c = within % i_c, b = within / i_c % k_w, a = within / i_c / k_w;
    int v = pixel % o_w, h = pixel / o_w % o_h, n = pixel / o_w / o_h;
    int row = s_h * h + a - p_h, column = s_w * v + b - p_w;
    bool inside = row >= 0 && row < i_h && column >= 0 && column < i_w;
    matrix[i] = inside ? x[(((size_t)n * i_h + row) * i_w + column) * i_c + c] : 0.0f;
}
