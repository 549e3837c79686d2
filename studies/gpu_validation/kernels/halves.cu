#include <cuda_fp16.h>
#define H __half
#define H2 __half2
#define NAMED(before, after) before##half##after
#define PAIRED(before, after) before##half2##after
#define TWICE(before, after) before##half2half2##after
#include "small_floats.cuh"
