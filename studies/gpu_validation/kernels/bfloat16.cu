// requires sm_80
#include <cuda_bf16.h>
#define H __nv_bfloat16
#define H2 __nv_bfloat162
#define NAMED(before, after) before##bfloat16##after
#define PAIRED(before, after) before##bfloat162##after
#define TWICE(before, after) before##bfloat162bfloat162##after
#include "small_floats.cuh"
