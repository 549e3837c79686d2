"""What the microkernel is made of: its blocking, its tile in LLVM IR, a thread's share, the crew.

Kept apart from `cpu/`, whose modules the registry imports: these need Numba, half a second of it.
"""
