#pragma once
#error "<cuda_bf16.h> needs a GPU: the emulator runs CUDA-core code only"
