"""One-off measurements behind the course: each makes a record that the package reads.

`python -m studies NAME`, from the repository root, measures one of `studies.STUDIES`, prints its
result and writes the record. A study is a module with `FOLDER`, the folder of its records,
`measure(progress)`, which returns the record, and `lines(record)`, a summary to print.
"""

STUDIES = {
    "ablation": "gpu.ablation",
    "compiled": "gpu.compiled",
    "conv": "gpu.conv_record",
    "counts": "gpu_validation.counts",
    "features": "gpu_validation.features",
    "formats": "gpu.formats",
    "language": "gpu_validation.language",
    "profiles": "gpu_validation.lenet_counters",
    "small-kernels": "gpu.small_kernels",
    "winograd": "gpu.winograd",
}
