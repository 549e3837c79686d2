"""The emulator: CUDA C++ compiled for this processor, run block by block."""
