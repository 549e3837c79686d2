// What only Hopper (sm_90a) has, an instruction a function: warpgroups that multiply from shared
// memory, registers that change hands, clusters of blocks, and the copy engine's way back.

// What wgmma is told of a matrix in shared memory: where it begins, 1024 bytes from eight rows to
// the next eight, 128-byte swizzle. 16 columns on are 32 bytes, 2 in the units of the address.
// Rows of 32 halves (WIDE) lie closer, with a swizzle of 64 bytes.
template <int WIDE = 64> __device__ __forceinline__ unsigned long long descriptor(unsigned at)
{
    constexpr unsigned long long SWIZZLE = WIDE == 64 ? 1 : 2;
    return (unsigned long long)(at >> 4 & 0x3FFF) | 1ull << 16 | (unsigned long long)WIDE << 32
        | SWIZZLE << 62;
}
// d[64, N] += a[64, 16] * b[N, 16], over the registers of one warpgroup: N is 8 times the first side
// of d. The instruction names each register, hence the macros.
#define FOUR(i) "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 1), FOUR(i + 2), FOUR(i + 3)
#define WGMMA(N, REGISTERS, A, B, ...)                                                             \
    __device__ __forceinline__ void wgmma(float (&d)[N / 8][4], unsigned long long a,              \
                                          unsigned long long b)                                    \
    {                                                                                              \
        asm volatile("wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 {" REGISTERS "}, "    \
                     A ", " B ", 1, 1, 1, 0, 0;\n" : __VA_ARGS__ : "l"(a), "l"(b));                \
    }
#define R0 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define R16 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define R32 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define R48 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define R64 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define R80 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define R96 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111"
#define R112 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
WGMMA(32, R0, "%16", "%17", SIXTEEN(0))
WGMMA(64, R0 ", " R16, "%32", "%33", SIXTEEN(0), SIXTEEN(4))
WGMMA(96, R0 ", " R16 ", " R32, "%48", "%49", SIXTEEN(0), SIXTEEN(4), SIXTEEN(8))
WGMMA(128, R0 ", " R16 ", " R32 ", " R48, "%64", "%65", SIXTEEN(0), SIXTEEN(4), SIXTEEN(8),
      SIXTEEN(12))
WGMMA(256, R0 ", " R16 ", " R32 ", " R48 ", " R64 ", " R80 ", " R96 ", " R112, "%128", "%129",
      SIXTEEN(0), SIXTEEN(4), SIXTEEN(8), SIXTEEN(12), SIXTEEN(16), SIXTEEN(20), SIXTEEN(24),
      SIXTEEN(28))
__device__ __forceinline__ void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
}
__device__ __forceinline__ void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}
template <int LEFT> __device__ __forceinline__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;\n" :: "n"(LEFT) : "memory");
}
// A warpgroup gives registers back, or takes what others gave.
template <int COUNT> __device__ __forceinline__ void registers_down()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" :: "n"(COUNT));
}
template <int COUNT> __device__ __forceinline__ void registers_up()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" :: "n"(COUNT));
}
__device__ __forceinline__ void group_sync(int group)  // the 128 threads of a warpgroup
{
    asm volatile("bar.sync %0, 128;\n" :: "r"(group) : "memory");
}
__device__ __forceinline__ int cluster_rank()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n" ::: "memory");
}
__device__ __forceinline__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
    fence_proxy_async();
}
// At the barrier that lies in the same place in block `rank` of the cluster.
__device__ __forceinline__ void arrive_in_cluster(mbarrier* b, int rank)
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n}\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(b)), "r"(rank) : "memory");
}
// As cp_async_bulk_tensor_2d, to the same place in each block of `mask`, whose barriers learn of it.
__device__ __forceinline__ void copy_to_cluster(void* to, const TensorMap* map, int column, int row,
                                                mbarrier* b, unsigned short mask)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(map), "r"(column), "r"(row),
                    "r"((unsigned)__cvta_generic_to_shared(b)), "h"(mask) : "memory");
}
// A box from shared memory to its place in the matrix; what lies outside is left out.
__device__ __forceinline__ void bulk_store_2d(const TensorMap* map, const void* from, int column,
                                              int row)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n"
                 :: "l"(map), "r"(column), "r"(row), "r"((unsigned)__cvta_generic_to_shared(from))
                 : "memory");
}
__device__ __forceinline__ void bulk_commit()
{
    asm volatile("cp.async.bulk.commit_group;\n" ::: "memory");
}
template <int LEFT> __device__ __forceinline__ void bulk_wait_read()  // until all but LEFT are read
{
    asm volatile("cp.async.bulk.wait_group.read %0;\n" :: "n"(LEFT) : "memory");
}
// A warpgroup's 64 x 64 sums as halves, rows of 128 bytes, swizzled: four 8 x 8 matrices at a time.
__device__ __forceinline__ void store_swizzled(__half* to, const float (*sum)[4], int warp, int lane)
{
    #pragma unroll
    for (int j = 0; j < 8; j += 2) {
        unsigned r[4];
        #pragma unroll
        for (int i = 0; i < 4; i++) {
            __half2 pair = __floats2half2_rn(sum[j + i / 2][i % 2 * 2], sum[j + i / 2][i % 2 * 2 + 1]);
            r[i] = *(unsigned*)&pair;
        }
        int row = warp * 16 + lane % 16, chunk = j + lane / 16;
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};\n"
                     :: "r"((unsigned)__cvta_generic_to_shared(to + row * 64 + (chunk ^ row % 8) * 8)),
                        "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    }
}
// Channels c to c + 63 of so many pixels as the map says, swizzled: those that windows from (h, v)
// of image n on have `down` and `right` of their corners. Zeros where that is outside the image.
__device__ __forceinline__ void copy_windows(void* to, const TensorMap* map, int c, int v, int h,
                                             int n, int right, int down, mbarrier* b)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col"
                 ".mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %8};\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(map), "r"(c), "r"(v), "r"(h), "r"(n),
                    "r"((unsigned)__cvta_generic_to_shared(b)),
                    "h"((unsigned short)right), "h"((unsigned short)down) : "memory");
}
