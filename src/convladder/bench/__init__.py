"""The course's comparisons: judged, timed in paired rounds, kept. A module each.

What the benchmarks share: `rounds` judges, then times in paired rounds; `result` is the outcome;
`metadata` begins a record; `records` reads and writes them; `libraries` are the others in the
race; `conv_cpu` and `conv_gpu` do convolutions, `conv_analysis` reads their records by layer,
`conv_tables` prints. `benchmark` says what a file has to offer for `convladder record` to find it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "conv_analysis": ["runs_of"],
        "conv_cpu": ["compare_tiles"],
        "int8": ["compare_techniques"],
        "ladder": ["climb"],
        "libraries.conv": ["peers"],
        "profiles": ["profile_records"],
        "records": ["load_records"],
        "rounds": ["geometric_mean"],
        "scaling": ["scaling_gains"],
    },
)
