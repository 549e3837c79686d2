"""What a GPU's own tools count and find, beside what the emulator does, kernel by kernel.

`listing` has small launches: access patterns, the kernels of chapters 07 and 08. On an NVIDIA GPU,
`python -m studies counts` runs them under Nsight Compute, and those of `faults` under
compute-sanitizer, and writes the record that `counts.recorded()` reads. The tests compare the
emulator with that.
"""
