"""The course's comparisons: judged, timed in paired rounds, kept. A module each.

What the benchmarks share: `rounds` judges, then times in paired rounds; `result` is the outcome;
`metadata` begins a record; `records` keeps them, and reads them; `libraries` are the others in the
race; `conv_cpu` and `conv_gpu` do convolutions, `conv_tables` prints. `benchmark` says what a file
has to offer for `convladder record` to find it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "device_memory": ["measured_memory", "predicted_memory"],
        "int8": ["compare_techniques"],
        "ladder": ["climb"],
        "layouts": ["layout_rates"],
        "libraries.conv": ["peers"],
        "records": ["load_records", "newest"],
        "records.ablation": [
            "ARGUMENTS",
            "FUSED",
            "ONE_PASS",
            "SHIPPED",
            "TWO_PASSES",
            "WHOLE",
            "ablation_rows",
        ],
        "records.conv_cpu": ["cpu_ahead", "runs_by_auto", "runs_of"],
        "records.conv_gpu": [
            "CUDNN",
            "cudnn_ratios",
            "fastest_cudnn",
            "gpu_layers",
            "gpu_record",
            "layer_of",
            "method_map",
            "seconds_of",
            "speeds",
        ],
        "records.formats": ["format_rates"],
        "records.gemm": ["rates"],
        "records.lenet": ["chip_limits", "library_times"],
        "records.profiles": [
            "copy_rate",
            "first_over_usual",
            "profile_records",
            "roofline_points",
        ],
        "records.scaling": ["scaling_gains"],
        "records.several_gpus": ["collective_us", "gpu_cut_gain", "gpu_run"],
        "records.winograd_gpu": ["auto_means", "gpu_ahead", "winograd_gpu_record"],
        "rounds": ["geometric_mean"],
        "winograd_tiles": ["compare_tiles"],
    },
)
