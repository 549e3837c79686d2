"""One-off measurements behind the course: each makes a record that the package reads.

`python -m studies NAME`, from the repository root, measures one of `studies.STUDIES`, prints its
result and writes the record. A study is a module with `FOLDER`, the folder of its records,
`measure(progress)`, which returns the record, and `lines(record)`, a summary to print.
"""

STUDIES = {
    "ablation": "gpu.ablation",
    "compiled": "gpu.compiled",
    "compiled-cpu": "cpu.compiled",
    "conv": "gpu.conv_record",
    "counts": "gpu_validation.counts",
    "features": "gpu_validation.features",
    "formats": "gpu.formats",
    "gemm": "gpu.gemm",
    "int8": "cpu.int8",
    "language": "gpu_validation.language",
    "networks": "cpu.networks",
    "networks-gpu": "gpu.networks",
    "profiles": "gpu_validation.lenet_counters",
    "scale": "cpu.scale",
    "scaling": "cpu.scaling",
    "several-gpus": "gpu.several_gpus",
    "small-kernels": "gpu.small_kernels",
    "winograd": "gpu.winograd",
}
