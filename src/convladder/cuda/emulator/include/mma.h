#pragma once
#error "<mma.h> needs a GPU: the emulator runs CUDA-core code only"
