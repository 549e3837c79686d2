// Tensor cores, which <mma.h> and <convladder/tensor_core.cuh> open: a warp's matrices lie in the
// registers of its lanes, and each lane computes the sums that are its own. Barriers that count
// bytes, and the copy engine, which <convladder/tensor_core.cuh> opens.
#pragma once

// Value `k` of a row of A, of lane's registers as mma.m16n8k16 deals them; of a column of B likewise.
CL_PLAIN static float cl_half_at(const char (*all)[16], int lane, int reg, int odd) {
    unsigned short bits;
    __builtin_memcpy(&bits, all[lane] + 4 * reg + 2 * odd, 2);
    return cl_half_value(bits);
}
// c[16, 8] += a[16, 16] * b[16, 8]. A product of halves is exact, and so is a sum of 16 of them in
// 64 bits unless they differ by 2^30; a GPU cuts sums off sooner.
CL_PLAIN static void cl_mma(float *c, const unsigned *a, const unsigned *b, const void *site) {
    alignas(16) char all_a[32][16], all_b[32][16];
    cl_collect(0xffffffffu, a, 16, all_a, site);
    cl_collect(0xffffffffu, b, 8, all_b, site);
    const int lane = cl_now->cl_lane;
    for (int i = 0; i < 4; i++) {
        const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        double sum = c[i];
        for (int k = 0; k < 16; k++)
            sum += (double)cl_half_at(all_a, row % 8 * 4 + k % 8 / 2, row / 8 + k / 8 * 2, k % 2) *
                   cl_half_at(all_b, column * 4 + k % 8 / 2, k / 8, k % 2);
        c[i] = (float)sum;
    }
}

namespace cl_tensor_core {
// Lane l's 16 bytes are row l % 8 of matrix l / 8: read where the kernel calls it, dealt out here.
CL_PLAIN static void cl_deal(unsigned (&r)[4], const uint4 &row) {
    alignas(16) char all[32][16];
    cl_collect(0xffffffffu, &row, 16, all, CL_SITE);
    for (int i = 0; i < 4; i++)
        __builtin_memcpy(r + i, all[i * 8 + cl_now->cl_lane / 4] + cl_now->cl_lane % 4 * 4, 4);
}
__forceinline__ void ldmatrix_x4(unsigned (&r)[4], const void *row) {
    const uint4 values = *(const uint4 *)row;
    cl_deal(r, values);
}
CL_PLAIN static void mma_m16n8k16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    cl_mma(c, a, b, CL_SITE);
}

typedef unsigned long long mbarrier;
CL_PLAIN static void mbarrier_init(mbarrier *b, int arrivals) {
    cl_phase_init(b, arrivals, CL_SITE);
}
CL_PLAIN static void mbarrier_arrive(mbarrier *b) { cl_phase_arrive(b, 1, 0, CL_SITE); }
CL_PLAIN static void mbarrier_arrive_expect_tx(mbarrier *b, int bytes) {
    cl_phase_expect(b, bytes, CL_SITE);
    cl_phase_arrive(b, 1, 0, CL_SITE);
}
CL_PLAIN static void mbarrier_wait_parity(mbarrier *b, int parity) {
    cl_phase_wait_parity(b, parity, CL_SITE);
}
CL_FN void fence_proxy_async() { cl_proxy_fence(); }

CL_PLAIN static void cp_async_bulk(void *to, const void *from, int bytes, mbarrier *b) {
    cl_bulk_copy(to, from, bytes, 0, b, CL_SITE);
}
// As cuda.TensorMap fills it for the emulator: an address, then sizes in values.
struct alignas(64) TensorMap {
    unsigned long long cl_at, cl_rows, cl_columns, cl_box_rows, cl_box_columns, cl_unused[11];
};
CL_PLAIN static void cp_async_bulk_tensor_2d(void *to, const TensorMap *map, int column, int row,
                                             mbarrier *b) {
    const int chunks = (int)map->cl_box_columns / 8;  // of 16 bytes
    for (int r = 0; r < (int)map->cl_box_rows; r++)
        for (int chunk = 0; chunk < chunks; chunk++) {
            const long long from_row = row + r, from = column + chunk * 8;
            long long there = (long long)map->cl_columns - from;
            there = there > 8 ? 8 : there;
            if (from_row < 0 || from_row >= (long long)map->cl_rows || from < 0 || there < 0)
                there = 0;
            const int place = chunks == 8 ? chunk ^ r % 8 : chunk;  // the swizzle of 128 bytes
            cl_bulk_copy((char *)to + (r * chunks + place) * 16,
                         (const char *)map->cl_at +
                             (there ? (from_row * (long long)map->cl_columns + from) * 2 : 0),
                         16, 16 - 2 * there, b, CL_SITE);
        }
}
}  // namespace cl_tensor_core

// nvcuda::wmma for 16 x 16 x 16 in half precision: fragments lie as those of mma.m16n8k16.
namespace cl_nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    static_assert(!__is_same(Use, Use), "cl_gpu_only(a wmma fragment other than 16 x 16 x 16 of __half, or float sums)");
};
// Each value of A and B is there twice, as on a GPU.
template <class Layout> struct fragment<matrix_a, 16, 16, 16, cl_fp16::__half, Layout> {
    enum { num_elements = 16 };
    typedef cl_fp16::__half element_type, storage_element_type;
    cl_fp16::__half x[16];
};
template <class Layout> struct fragment<matrix_b, 16, 16, 16, cl_fp16::__half, Layout> {
    enum { num_elements = 16 };
    typedef cl_fp16::__half element_type, storage_element_type;
    cl_fp16::__half x[16];
};
template <> struct fragment<accumulator, 16, 16, 16, float> {
    enum { num_elements = 8 };
    typedef float element_type, storage_element_type;
    float x[8];
};
template <> struct fragment<accumulator, 16, 16, 16, cl_fp16::__half> {
    enum { num_elements = 8 };
    typedef cl_fp16::__half element_type, storage_element_type;
    cl_fp16::__half x[8];
};
template <class F> CL_FN void fill_fragment(F &f, const typename F::element_type &value) {
    for (int i = 0; i < F::num_elements; i++) f.x[i] = value;
}
// Two values that lie side by side in memory are moved at once.
template <class T> struct alignas(2 * sizeof(T)) cl_pair { T a, b; };
template <class T> CL_FN void cl_two(const T *p, T &a, T &b, unsigned ld, bool along) {
    if (along) {
        const cl_pair<T> pair = *(const cl_pair<T> *)p;
        a = pair.a;
        b = pair.b;
    } else {
        a = p[0];
        b = p[ld];
    }
}
// The lines (rows of A, columns of B) l and l + 8, `along` which k runs in memory. From shared memory
// a GPU's compiler makes this one ldmatrix, as sm_90's machine code shows.
CL_FN void cl_load(cl_fp16::__half *x, const cl_fp16::__half *p, unsigned ld, bool along,
                   int line_step, int half_step) {
    if (along && cl_is_shared(p)) {
        const int i = cl_now->cl_lane / 8, line = cl_now->cl_lane % 8 + i / line_step % 2 * 8;
        unsigned r[4];
        const uint4 values = *(const uint4 *)(p + line * ld + i / half_step % 2 * 8);
        cl_tensor_core::cl_deal(r, values);
        __builtin_memcpy(x, r, 16);
    } else {
        const int g = cl_now->cl_lane / 4, t = cl_now->cl_lane % 4 * 2;
        for (int i = 0; i < 4; i++) {
            const int line = g + i / line_step % 2 * 8, k = t + i / half_step % 2 * 8;
            cl_two(p + (along ? line * ld + k : k * ld + line), x[2 * i], x[2 * i + 1], ld, along);
        }
    }
    for (int i = 0; i < 8; i++) x[8 + i] = x[i];
}
template <class L>
CL_FN void load_matrix_sync(fragment<matrix_a, 16, 16, 16, cl_fp16::__half, L> &f,
                            const cl_fp16::__half *p, unsigned ld) {
    cl_load(f.x, p, ld, __is_same(L, row_major), 1, 2);
}
template <class L>
CL_FN void load_matrix_sync(fragment<matrix_b, 16, 16, 16, cl_fp16::__half, L> &f,
                            const cl_fp16::__half *p, unsigned ld) {
    cl_load(f.x, p, ld, __is_same(L, col_major), 2, 1);
}
// Sums 2j and 2j + 1 of 8: row g or g + 8, columns 2t and 2t + 1, of either half.
template <class T, class P, class F>
CL_FN void cl_each(P *p, unsigned ld, layout_t layout, F move) {
    const int g = cl_now->cl_lane / 4, t = cl_now->cl_lane % 4 * 2;
    for (int j = 0; j < 4; j++) {
        const int row = g + j % 2 * 8, column = t + j / 2 * 8;
        const bool along = layout == mem_row_major;
        move(2 * j, p + (along ? row * ld + column : column * ld + row), along);
    }
}
template <class T>
CL_FN void load_matrix_sync(fragment<accumulator, 16, 16, 16, T> &f, const T *p, unsigned ld,
                            layout_t layout) {
    cl_each<T>(p, ld, layout, [&](int i, const T *at, bool along) {
        cl_two(at, f.x[i], f.x[i + 1], ld, along);
    });
}
template <class T>
CL_FN void store_matrix_sync(T *p, const fragment<accumulator, 16, 16, 16, T> &f, unsigned ld,
                             layout_t layout) {
    cl_each<T>(p, ld, layout, [&](int i, T *at, bool along) {
        if (along) {
            const cl_pair<T> pair = {f.x[i], f.x[i + 1]};
            *(cl_pair<T> *)at = pair;
        } else {
            at[0] = f.x[i];
            at[ld] = f.x[i + 1];
        }
    });
}
template <class T, class U, class LA, class LB>
CL_PLAIN void mma_sync(fragment<accumulator, 16, 16, 16, T> &d,
                       const fragment<matrix_a, 16, 16, 16, cl_fp16::__half, LA> &a,
                       const fragment<matrix_b, 16, 16, 16, cl_fp16::__half, LB> &b,
                       const fragment<accumulator, 16, 16, 16, U> &c) {
    for (int half = 0; half < 2; half++) {
        float sum[4];
        for (int i = 0; i < 4; i++) sum[i] = (float)c.x[half * 4 + i];
        cl_mma(sum, (const unsigned *)a.x, (const unsigned *)(b.x + half * 4), CL_SITE);
        for (int i = 0; i < 4; i++) d.x[half * 4 + i] = T(sum[i]);
    }
}
}  // namespace wmma
}  // namespace cl_nvcuda
