"""Several GPUs of one host: a process for each, which talk through NCCL (needs torch, CuPy)."""
