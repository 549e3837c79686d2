// Behind the text of the emulator's cl_rounding.h: for how many floats, of all that there are, does
// it round otherwise than the GPU? To nearest, to zero, down, up; half first.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void differing(unsigned long long* count)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    unsigned wrong[8] = {};
    for (unsigned long long i = first; i < 1ull << 32; i += threads) {
        float f = __uint_as_float((unsigned)i);
        wrong[0] += cl_half_bits(f) != __half_as_ushort(__float2half_rn(f));
        wrong[1] += cl_half_bits(f, cl_to_zero) != __half_as_ushort(__float2half_rz(f));
        wrong[2] += cl_half_bits(f, cl_down) != __half_as_ushort(__float2half_rd(f));
        wrong[3] += cl_half_bits(f, cl_up) != __half_as_ushort(__float2half_ru(f));
        wrong[4] += cl_bfloat16_bits(f) != __bfloat16_as_ushort(__float2bfloat16_rn(f));
        wrong[5] += cl_bfloat16_bits(f, cl_to_zero) !=
                    __bfloat16_as_ushort(__float2bfloat16_rz(f));
        wrong[6] += cl_bfloat16_bits(f, cl_down) != __bfloat16_as_ushort(__float2bfloat16_rd(f));
        wrong[7] += cl_bfloat16_bits(f, cl_up) != __bfloat16_as_ushort(__float2bfloat16_ru(f));
    }
    for (int k = 0; k < 8; k++) atomicAdd(&count[k], (unsigned long long)wrong[k]);
}
