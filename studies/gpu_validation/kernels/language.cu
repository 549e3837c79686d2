// What CUDA adds to the language, each function into a row of its own. Run on the emulator and on
// a GPU, which must give the same bits.
//
// requires sm_80

struct Window {
    char rows, columns;
    short stride;
    float weights[3];
    double scale;
    struct { int begin, end; } part;
};

extern "C" __global__ void words(unsigned* y, const unsigned* a)
{
    int t = threadIdx.x, n = blockDim.x;
    unsigned u = a[t], v = a[(t + 7) % n], by = 3 * t;
    y[0 * n + t] = __funnelshift_l(u, v, by);
    y[1 * n + t] = __funnelshift_lc(u, v, by);
    y[2 * n + t] = __funnelshift_r(u, v, by);
    y[3 * n + t] = __funnelshift_rc(u, v, by);
    y[4 * n + t] = __popc(u);
    y[5 * n + t] = __clz((int)(u >> t % 32));
    y[6 * n + t] = __ffs((int)(u << t % 32));
    y[7 * n + t] = __brev(u);
    y[8 * n + t] = __byte_perm(u, v, 0x7531u ^ t * 0x1111u);
    y[9 * n + t] = __dp4a((int)u, (int)v, -t);
    y[10 * n + t] = __mulhi((int)u, (int)v);
    y[11 * n + t] = __umulhi(u, v);
    y[12 * n + t] = __sad((int)u, (int)v, t);
    y[13 * n + t] = __popcll((unsigned long long)u << 32 | v);
}

extern "C" __global__ void lanes(unsigned* y, const int* a)
{
    int t = threadIdx.x, n = blockDim.x, v = a[t];
    unsigned all = 0xffffffffu;
    int same;
    __syncwarp();
    y[0 * n + t] = __shfl_sync(all, v, t + 3);
    y[1 * n + t] = __shfl_up_sync(all, v, 3, 8);
    y[2 * n + t] = __shfl_down_sync(all, v, 5, 16);
    y[3 * n + t] = __shfl_xor_sync(all, v, 9);
    y[4 * n + t] = __ballot_sync(all, v > 0);
    y[5 * n + t] = __any_sync(all, v == a[40]);
    y[6 * n + t] = __all_sync(all, v > -900);
    y[7 * n + t] = __reduce_add_sync(all, v);
    y[8 * n + t] = __reduce_max_sync(all, v);
    y[9 * n + t] = __reduce_or_sync(all, (unsigned)v);
    y[10 * n + t] = __match_any_sync(all, v % 5);
    y[11 * n + t] = __match_all_sync(all, t < 32 ? 7 : v, &same);
    y[11 * n + t] += same;
    y[12 * n + t] = __match_any_sync(all, (double)(v % 3));
    y[13 * n + t] = __match_all_sync(all, t / 32 == 1 ? 2.5f : (float)v, &same);
    y[13 * n + t] += same;
    if (t % 5 < 2)
        y[14 * n + t] = __activemask();
    else
        y[14 * n + t] = __activemask() ^ 1u;
    __syncwarp();
    if (t % 32 >= 8) y[15 * n + t] = __reduce_add_sync(0xffffff00u, v);
}

extern "C" __global__ void barriers(int* y, const int* a)
{
    __shared__ int s[96];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = a[t];
    __syncthreads();
    y[0 * n + t] = s[n - 1 - t];
    y[1 * n + t] = __syncthreads_count(a[t] > 0);
    y[2 * n + t] = __syncthreads_and(a[t] > -1000);
    y[3 * n + t] = __syncthreads_or(a[t] == a[77]);
}

extern "C" __global__ void atomics(int* y, unsigned* z, float* f, unsigned long long* w,
                                   const int* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = a[i];
    unsigned u = (unsigned)v;
    atomicAdd(&y[0], v);
    atomicSub(&y[1], v);
    atomicMin(&y[2], v);
    atomicMax(&y[3], v);
    atomicMax_system(&y[4], -v);
    atomicAdd_block(&y[5 + blockIdx.x], v);
    atomicMin_block(&y[7 + blockIdx.x], v);
    if (i == 17) atomicExch(&y[9], v);
    if (i == 18) atomicExch_system(&y[10], v);
    atomicCAS(&y[11], 0, 5);
    atomicCAS_block(&y[12 + blockIdx.x], 0, 6);
    __threadfence_block();
    __threadfence();
    atomicInc(&z[0], 100u);
    atomicDec(&z[1], 50u);
    atomicAnd(&z[2], u | 0xff0f00ffu);
    atomicOr(&z[3], u & 0x0ff0u);
    atomicXor(&z[4], u);
    atomicXor_system(&z[5], u * 3u);
    atomicAdd(&f[0], (float)v);
    atomicAdd_block(&f[1 + blockIdx.x], (float)(v % 16) * 0.5f);
    atomicAdd(&w[0], (unsigned long long)u << 20);
    atomicMax(&w[1], (unsigned long long)u * u);
}

extern "C" __global__ void structures(float* y, Window p, float4 v, const float* a)
{
    int t = threadIdx.x;
    if (t < p.part.begin || t >= p.part.end) return;
    float sum = 0.0f;
    for (int c = 0; c < p.columns; c++) sum += p.weights[c] * a[t * p.stride + c * p.rows];
    y[t] = (float)(sum * p.scale) + v.w - v.x;
}
