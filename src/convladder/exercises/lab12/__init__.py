"""Lab 12: a tensor-core GEMM: fragments, a swizzle, a pipeline, phases, fewer wavefronts."""
