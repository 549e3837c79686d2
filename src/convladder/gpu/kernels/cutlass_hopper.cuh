// requires sm_90a, and the headers of CUTLASS
// CUTLASS 3's implicit-GEMM convolution for Hopper (CUTLASS 4.2, include/cutlass/conv/collective):
// the tensor memory accelerator (TMA) gathers im2col's rows into shared memory, wgmma multiplies
// them there. Built by NVRTC alone; this file is what that takes.
//
// A host compiler would fill `Params` and have the driver encode the three tensor maps in it. Here
// one thread on the GPU fills all but the maps (`build`), which is why __host__ becomes __device__,
// and says where they belong; cutlass_hopper.py has the driver encode them. So what CUTLASS would
// hand to the driver goes nowhere (Nowhere), and the driver's types need names but no meaning.
// #defined before this text: TILE_M (pixels), TILE_N (channels), CLUSTER (blocks along the pixels
// that share their weights), STAGES, BLOCKS (a multiprocessor).
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
namespace std {  // what CUTLASS takes from there, NVRTC having no such headers
template <class T> inline constexpr bool is_integral_v = ::cuda::std::is_integral_v<T>;
template <class T> inline constexpr bool is_pointer_v = ::cuda::std::is_pointer_v<T>;
template <class...> using void_t = void;
}
#undef __host__
#define __host__ __device__

struct Nowhere {
    template <class... T> __device__ int operator()(T&&...) const { return 0; }
};
#define CUTLASS_CUDA_DRIVER_WRAPPER_CALL(function) Nowhere{}
#define CUTLASS_CUDA_DRIVER_WRAPPER_DECL(...)
using CUresult = int;
using CUtensorMapDataType = int;
using CUtensorMapInterleave = int;
using CUtensorMapL2promotion = int;
using CUtensorMapFloatOOBfill = int;
using CUtensorMapSwizzle = int;
enum { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_INITIALIZED = 3,
       CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_INVALID_CONTEXT = 201 };
enum { CU_TENSOR_MAP_INTERLEAVE_NONE };
namespace cute::TMA {
template <class T> __device__ int to_CUtensorMapDataType() { return 0; }
template <class T> __device__ int to_CUtensorMapL2promotion(T) { return 0; }
template <class T> __device__ int to_CUtensorMapFloatOOBfill(T) { return 0; }
template <class T, class U> __device__ int to_CUtensorMapSwizzle(T, U) { return 0; }
}
using cute::TMA::to_CUtensorMapFloatOOBfill;
using cute::TMA::to_CUtensorMapL2promotion;

#include <cutlass/cutlass.h>
#include <cute/arch/copy_sm90_desc.hpp>
namespace cute {  // under NVRTC the two kinds of map are two types, of which it expects one
CUTE_DEVICE void prefetch_tma_descriptor(Im2ColTmaDescriptor const* map)
{
    prefetch_tma_descriptor(reinterpret_cast<TmaDescriptor const*>(map));
}
}
#include <cute/tensor.hpp>
#include <cutlass/gemm/dispatch_policy.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/conv/convolution.h>
#include <cutlass/conv/convnd_problem_shape.hpp>
#include <cutlass/conv/dispatch_policy.hpp>
#include <cutlass/conv/collective/collective_builder.hpp>
#include <cutlass/conv/kernel/conv_universal.hpp>

using cute::Int;
using cute::Shape;
using Half = cutlass::half_t;
using Nhwc = cutlass::layout::TensorNHWC;
using Cluster = Shape<Int<CLUSTER>, Int<1>, Int<1>>;
using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp,
    Shape<Int<TILE_M>, Int<TILE_N>, Int<64>>, Cluster,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, void, Nhwc, 8, Half, Nhwc, 8,
    cutlass::epilogue::TmaWarpSpecialized>::CollectiveOp;
using Mainloop = typename cutlass::conv::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, cutlass::conv::Operator::kFprop,
    Half, Nhwc, 8, Half, Nhwc, 8, float,
    Shape<Int<TILE_M>, Int<TILE_N>, Shape<Int<64>>>, Cluster,
    cutlass::conv::collective::StageCount<STAGES>,
    cutlass::conv::KernelImplicitTmaWarpSpecializedSm90>::CollectiveOp;
using Problem = cutlass::conv::ConvProblemShape<cutlass::conv::Operator::kFprop, 2>;
using Conv = cutlass::conv::kernel::ConvUniversal<Problem, Mainloop, Epilogue>;

// numbers[11]: bytes of Params, bytes of shared memory, threads, the grid (x, y, z), where in
// Params the maps of x, w and y belong, and the pixels and channels that one store of y takes.
// With no room for the parameters (params is null) only the first three are told.
extern "C" __global__ void build(
    Conv::Params* params, int* numbers, Half* x, Half* w, Half* y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
{
    numbers[0] = sizeof(Conv::Params);
    numbers[1] = Conv::SharedStorageSize;
    numbers[2] = Conv::MaxThreadsPerBlock;
    if (!params) return;
    Problem problem(cutlass::conv::Mode::kCrossCorrelation, {i_n, i_h, i_w, i_c},
                    {k_c, k_h, k_w, i_c}, {p_h, p_w}, {p_h, p_w}, {s_h, s_w}, {1, 1}, 1);
    typename Epilogue::StrideD of_y{};
    cute::get<0, 0>(of_y) = k_c;
    cute::get<0, 1>(of_y) = int64_t(k_c) * o_w;
    cute::get<0, 2>(of_y) = int64_t(k_c) * o_w * o_h;
    auto made = Conv::to_underlying_arguments(
        typename Conv::Arguments{problem, {x, w}, {{1.0f, 0.0f}, nullptr, of_y, y, of_y}, {}},
        nullptr);
    memcpy(params, &made, sizeof(made));
    dim3 grid = Conv::get_grid_shape(made);
    auto place = [&](auto const& copy) {
        return int((char const*)copy.get_tma_descriptor() - (char const*)&made);
    };
    numbers[3] = grid.x;
    numbers[4] = grid.y;
    numbers[5] = grid.z;
    numbers[6] = place(made.mainloop.tma_load_a);
    numbers[7] = place(made.mainloop.tma_load_b);
    numbers[8] = place(made.epilogue.tma_store_d);
    numbers[9] = cute::size<0>(typename Epilogue::EpilogueTile{});
    numbers[10] = cute::size<1>(typename Epilogue::EpilogueTile{});
}

extern "C" __global__ void __launch_bounds__(Conv::MaxThreadsPerBlock, BLOCKS)
__cluster_dims__(CLUSTER, 1, 1) convolve(__grid_constant__ const Conv::Params params)
{
    extern __shared__ char memory[];
    Conv()(params, memory);
}
