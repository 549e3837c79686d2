"""Records as the chapters show them: tables and sentences, with machine and day."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={
    "all_reduce": [
        "all_reduce_ms", "all_reduce_run", "all_reduce_table", "received_sentence"],
    "compiled": ["compiled_gpu_table", "compiled_records", "compiled_table"],
    "counters": ["counted_traffic_table", "counters_table", "launches_of", "roofline_points"],
    "first_look": ["first_look"],
    "cpu": [
        "cpu_provenance", "cpu_table", "libraries_of", "missed_goals", "run_lines",
        "threads_text"],
    "gpu": [
        "ablation_label", "fastest_cudnn", "gpu_layers", "gpu_provenance", "gpu_record",
        "gpu_source", "layer_of", "speeds", "versions_text",
    ],
    "l1": ["l1_table"],
    "languages": ["languages_run", "languages_table"],
    "ledger": ["Ledger", "percent"],
    "lenet": [
        "climb_rung", "lenet_runs", "lenet_times_table", "library_times", "rung_cards",
        "rung_gain_table",
    ],
    "method_map": ["CUDNN", "method_label", "method_map"],
    "predictions": ["my_predictions"],
    "profiles": [
        "calls_table", "device_table", "profile_runs", "profile_sentence", "profiles_of",
        "programs_table", "rung_profiles", "rung_timeline",
    ],
    "scale": [
        "cuts_leaderboard", "cuts_traffic_table", "rates_table", "several_gpus_gain",
        "several_gpus_picture", "several_gpus_table", "teams_table",
    ],
    "small_kernels": ["small_kernels_run", "small_kernels_table"],
    "steps": ["gpu_peaks", "memory_step_times", "memory_steps_source"],
    "technique_map": ["technique_map_pictures", "technique_map_table"],
    "threads": [
        "again", "amdahl_limit", "parts_disturbed", "parts_verdict", "peak_disturbed",
        "sharing_verdict",
    ],
    "timing_mistakes": [
        "copy_rate", "first_over_usual", "first_run_table", "mistake_runs", "waiting_table",
    ],
    "winograd": [
        "cpu_ahead", "cpu_auto_missed", "cpu_layer_goals", "gpu_ahead", "gpu_choices_table",
        "gpu_layer_goals", "gpu_means", "gpu_missed", "winograd_gpu_record",
    ],
})
