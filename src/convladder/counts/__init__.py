"""What a GPU's own tools count and find, beside what the emulator does, kernel by kernel.

`cases()` lists small launches: access patterns, the kernels of chapters 06 and 07. On an NVIDIA
GPU, `convladder record --counts` runs them under Nsight Compute, and those of `faults` under
compute-sanitizer, and writes what `convladder.bench.counts.recorded()` reads. The tests compare the
emulator with that.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "case": ["Case", "Fresh"],
        "listing": ["cases"],
    },
)
