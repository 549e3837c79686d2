#pragma once
#error "<cooperative_groups.h> needs a GPU: the emulator runs CUDA-core code only"
