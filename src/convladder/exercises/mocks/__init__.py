"""Stand-ins in NumPy and Python for what a laptop lacks: pools, cuBLAS, tensor cores, Dask."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "copy_engines": ["Costs", "RehearsalGpu", "equal_chunks"],
        "cublas": ["ColumnMajorBlas"],
        "on_device": ["run_on_device"],
        "tensor_cores": ["TensorCores"],
    },
)
