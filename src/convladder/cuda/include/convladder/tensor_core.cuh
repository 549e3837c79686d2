// Tensor cores, barriers in shared memory and the copy engine, an instruction a function.
//
// Each function is one PTX instruction and has its name (PTX ISA 8.7: "Warp-level matrix
// instructions", "mbarrier", "Data movement"). The emulator has a header of the same name and
// functions, so that a kernel which uses them runs there too.
#pragma once

// ---- a warp's matrix instructions (sm_80) ----

// Four 8 x 8 matrices of 16-bit values from shared memory. Lane l gives the address of row l % 8 of
// matrix l / 8, 16 bytes; it receives values 2 * (l % 4) and the next of row l / 4 of each matrix.
__device__ __forceinline__ void ldmatrix_x4(unsigned (&r)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory");
}
// c[16, 8] += a[16, 16] * b[16, 8]: float16 factors, float32 sums. With g = lane / 4, t = lane % 4:
// c: (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1); b: pairs along k, from (2t, g), (2t + 8, g);
// a: pairs along k, from (g, 2t), (g + 8, 2t), (g, 2t + 8), (g + 8, 2t + 8).
__device__ __forceinline__ void mma_m16n8k16(float (&c)[4], const unsigned (&a)[4],
                                             const unsigned (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// ---- barriers in shared memory (sm_90) ----

// A phase ends when so many have arrived as `init` says and all announced bytes have come.
typedef unsigned long long mbarrier;

__device__ __forceinline__ void mbarrier_init(mbarrier* b, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(b)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void mbarrier_arrive(mbarrier* b)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
}
// Arrives, and announces bytes that copies will bring in this phase.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(mbarrier* b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(b)), "r"(bytes) : "memory");
}
// Waits until the phase of this parity has ended: 0 for the first, 1 for the second, 0 ...
__device__ __forceinline__ void mbarrier_wait_parity(mbarrier* b, int parity)
{
    asm volatile("{\n.reg .pred ended;\n"
                 "again:\nmbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@!ended bra again;\n}\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(b)), "r"(parity) : "memory");
}
// Between what threads wrote to shared memory, barriers too, and the copy engine's use of it.
__device__ __forceinline__ void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

// ---- the copy engine, TMA (sm_90) ----

// How a matrix lies in global memory, and which box of it a copy brings; cuda.TensorMap makes it.
struct alignas(64) TensorMap { unsigned long long words[16]; };

// `bytes`, a multiple of 16, from global to shared memory; `b` learns of their coming.
__device__ __forceinline__ void cp_async_bulk(void* to, const void* from, int bytes, mbarrier* b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes),
                    "r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
}
// The map's box whose first value stands at (row, column); zeros where that is outside the matrix.
__device__ __forceinline__ void cp_async_bulk_tensor_2d(void* to, const TensorMap* map, int column,
                                                        int row, mbarrier* b)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(map), "r"(column), "r"(row),
                    "r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
}
