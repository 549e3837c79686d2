// requires sm_80, and the headers of CUTLASS
// CUTLASS's implicit-GEMM convolution (CUTLASS 4.2, include/cutlass/conv), built by NVRTC alone.
//
// CUTLASS expects a host compiler for the C++ that fills `Params`. Its constructors are
// __host__ __device__, so one thread fills them on the GPU (`build`), and the launch passes the
// bytes on by value. What is #defined before this text: IN, OUT, OP, MATH, TILE, WARP, INSTRUCTION,
// STAGES, ALIGN (values a load), WIDTH (values a store).
#include <cutlass/cutlass.h>
#include <cutlass/conv/kernel/default_conv2d_fprop.h>
#include <cutlass/epilogue/thread/linear_combination.h>

using Layout = cutlass::layout::TensorNHWC;
using Conv = typename cutlass::conv::kernel::DefaultConv2dFprop<
    IN, Layout, IN, Layout, OUT, Layout, float, cutlass::arch::OP, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<TILE>, cutlass::gemm::GemmShape<WARP>,
    cutlass::gemm::GemmShape<INSTRUCTION>,
    cutlass::epilogue::thread::LinearCombination<OUT, WIDTH, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<4>, STAGES, cutlass::arch::MATH,
    cutlass::conv::IteratorAlgorithm::kOptimized, cutlass::conv::StrideSupport::kStrided,
    ALIGN, ALIGN>::Kernel;

// numbers[6]: bytes of Params, bytes of shared memory, threads, and the grid (x, y, z). With no
// room for the parameters (params is null) only the first three are told.
extern "C" __global__ void build(
    Conv::Params* params, int* numbers, IN* x, IN* w, OUT* y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
{
    numbers[0] = sizeof(Conv::Params);
    numbers[1] = sizeof(Conv::SharedStorage);
    numbers[2] = Conv::kThreadCount;
    if (!params) return;
    cutlass::conv::Conv2dProblemSize problem(
        i_n, i_h, i_w, i_c, k_c, k_h, k_w, o_h, o_w, p_h, p_w, s_h, s_w, 1, 1,
        cutlass::conv::Mode::kCrossCorrelation, 1, 1);
    Layout of_x = Layout::packed({i_n, i_h, i_w, i_c}), of_w = Layout::packed({k_c, k_h, k_w, i_c});
    Layout of_y = Layout::packed({i_n, o_h, o_w, k_c});
    Conv::Arguments arguments(problem, {x, of_x}, {w, of_w}, {y, of_y}, {y, of_y}, {1.0f, 0.0f});
    *params = Conv::Params(arguments, nullptr);
    dim3 grid = Conv::ThreadblockSwizzle().get_grid_shape(params->grid_tiled_shape);
    numbers[3] = grid.x;
    numbers[4] = grid.y;
    numbers[5] = grid.z;
}

extern "C" __global__ void __launch_bounds__(Conv::kThreadCount, 1)
convolve(__grid_constant__ const Conv::Params params)
{
    extern __shared__ int4 memory[];
    Conv()(params, *reinterpret_cast<Conv::SharedStorage*>(memory));
}
