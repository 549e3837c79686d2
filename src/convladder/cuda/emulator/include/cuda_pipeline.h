#pragma once
#error "<cuda_pipeline.h> needs a GPU: the emulator runs CUDA-core code only"
