"""The parts of the microkernel: its blocking, its tile in LLVM IR, a share, the threads.

Kept apart from `cpu/`, whose modules the registry imports: these need Numba, half a second of it.
"""
