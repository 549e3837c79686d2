#pragma once
#include "cuda/std/cstdint"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
namespace cooperative_groups { using namespace cl_groups; }
