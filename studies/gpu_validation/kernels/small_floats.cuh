// Both 16-bit floating types: H, a pair H2, and names with theirs in them. Each function into a row
// of its own. Operands come as bits, so that they are the same for every compiler.
extern "C" __global__ void to_float(float* y, const H* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = NAMED(__, 2float)(a[i]);
}

extern "C" __global__ void from_float(H* y, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[0 * n + i] = NAMED(__float2, )(a[i]);
    y[1 * n + i] = NAMED(__float2, _rz)(a[i]);
    y[2 * n + i] = NAMED(__float2, _rd)(a[i]);
    y[3 * n + i] = NAMED(__float2, _ru)(a[i]);
    y[4 * n + i] = NAMED(__double2, )((double)a[i] * 1.0000000001);
}

extern "C" __global__ void to_whole(int* y, const H* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[0 * n + i] = NAMED(__, 2int_rn)(a[i]);
    y[1 * n + i] = NAMED(__, 2int_rz)(a[i]);
    y[2 * n + i] = NAMED(__, 2int_rd)(a[i]);
    y[3 * n + i] = NAMED(__, 2int_ru)(a[i]);
    y[4 * n + i] = NAMED(__, 2uint_rn)(a[i]);
    y[5 * n + i] = NAMED(__, 2short_rn)(a[i]);
    y[6 * n + i] = (int)(NAMED(__, 2ll_rd)(a[i]) >> 3);
    y[7 * n + i] = (int)a[i];
}

extern "C" __global__ void from_whole(H* y, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long long wide = (long long)a[i] * 4294967311LL;
    y[0 * n + i] = NAMED(__int2, _rn)(a[i]);
    y[1 * n + i] = NAMED(__int2, _rz)(a[i]);
    y[2 * n + i] = NAMED(__uint2, _ru)((unsigned)a[i]);
    y[3 * n + i] = NAMED(__short2, _rn)((short)a[i]);
    y[4 * n + i] = NAMED(__ll2, _rn)(wide);
    y[5 * n + i] = NAMED(__ull2, _rd)((unsigned long long)wide);
    y[6 * n + i] = H(a[i]);
}

extern "C" __global__ void arithmetic(H* y, const H* a, const H* b, const H* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    H u = a[i], v = b[i], w = c[i];
    y[0 * n + i] = u + v;
    y[1 * n + i] = u - v;
    y[2 * n + i] = u * v;
    y[3 * n + i] = __hfma(u, v, w);
    y[4 * n + i] = __hadd_sat(u, v);
    y[5 * n + i] = __hmul_sat(u, v);
    y[6 * n + i] = __hfma_sat(u, v, w);
    y[7 * n + i] = __hfma_relu(u, v, w);
    y[8 * n + i] = __hmax(u, v);
    y[9 * n + i] = __hmin(u, v);
    y[10 * n + i] = __hmax_nan(u, v);
    y[11 * n + i] = __hmin_nan(u, v);
    y[12 * n + i] = __habs(u);
    y[13 * n + i] = -v;
    y[14 * n + i] = __hsub_rn(u, v);
    w += u;
    y[15 * n + i] = w;
    w *= v;
    y[16 * n + i] = w;
}

extern "C" __global__ void quotients(H* y, const H* a, const H* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a[i] / b[i];
}

extern "C" __global__ void comparisons(unsigned* y, const H* a, const H* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    H u = a[i], v = b[i];
    y[0 * n + i] = __heq(u, v) | __hne(u, v) << 1 | __hlt(u, v) << 2 | __hle(u, v) << 3 |
                   __hgt(u, v) << 4 | __hge(u, v) << 5 | __hequ(u, v) << 6 | __hneu(u, v) << 7 |
                   __hltu(u, v) << 8 | __hleu(u, v) << 9 | __hgtu(u, v) << 10 |
                   __hgeu(u, v) << 11;
    y[1 * n + i] = (u == v) | (u != v) << 1 | (u < v) << 2 | (u <= v) << 3 | (u > v) << 4 |
                   (u >= v) << 5 | __hisnan(u) << 6 | (__hisinf(v) + 1) << 7;
}

extern "C" __global__ void pairs(H2* y, const H2* a, const H2* b, const H2* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    H2 u = a[i], v = b[i], w = c[i];
    y[0 * n + i] = u + v;
    y[1 * n + i] = __hsub2(u, v);
    y[2 * n + i] = __hmul2(u, v);
    y[3 * n + i] = __hfma2(u, v, w);
    y[4 * n + i] = __hfma2_relu(u, v, w);
    y[5 * n + i] = __hmax2(u, v);
    y[6 * n + i] = __hmin2(u, v);
    y[7 * n + i] = __lowhigh2highlow(u);
    y[8 * n + i] = PAIRED(__halves2, )(NAMED(__low2, )(u), NAMED(__high2, )(v));
    y[9 * n + i] = TWICE(__, )(v.x);
    y[10 * n + i] = PAIRED(__lows2, )(u, v);
    y[11 * n + i] = PAIRED(__floats2, _rn)(__low2float(u), __high2float(v));
    y[12 * n + i] = __heq2(u, v);
    y[13 * n + i] = __hgt2(u, v);
    y[14 * n + i] = __shfl_xor_sync(0xffffffffu, u, 1);
    y[15 * n + i] = TWICE(__, )(H(__hbeq2(u, v) ? 1.0f : __hblt2(u, v) ? 2.0f : 3.0f));
    y[16 * n + i] = PAIRED(__float22, _rn)(PAIRED(__, 2float2)(w));
    y[17 * n + i] = __hneg2(__habs2(v));
}

extern "C" __global__ void functions(H* y, const H* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    H u = a[i];
    y[0 * n + i] = hceil(u);
    y[1 * n + i] = hfloor(u);
    y[2 * n + i] = htrunc(u);
    y[3 * n + i] = hrint(u);
    y[4 * n + i] = hsqrt(u);
    y[5 * n + i] = hrcp(u);
    y[6 * n + i] = hrsqrt(u);
    y[7 * n + i] = hexp(u);
    y[8 * n + i] = hexp2(u);
    y[9 * n + i] = hlog(u);
    y[10 * n + i] = hlog2(u);
    y[11 * n + i] = hsin(u);
    y[12 * n + i] = hcos(u);
}

extern "C" __global__ void pairs_of_functions(H2* y, const H2* a, const H2* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[0 * n + i] = h2sqrt(a[i]);
    y[1 * n + i] = __h2div(a[i], b[i]);
    y[2 * n + i] = h2exp(a[i]);
}

// Sums of few digits, so that no order of the threads rounds otherwise.
extern "C" __global__ void sums(H* y, H2* z, const H* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&y[i % 3], a[i]);
    atomicAdd(&z[i % 2], PAIRED(__halves2, )(a[i], -a[i] - a[i]));
}
