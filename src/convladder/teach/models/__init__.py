"""What the chapters compute with on paper: caches, warps, tiles, layouts, forecasts."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    "convladder",
    submod_attrs={
        "networks.compress.int8.dots": ["dot_fill"],
        "cpu.assembly": ["compiled_loop", "main_loop"],
        "cuda.memory_model": [
            "bank_ways",
            "blocked_place",
            "ceiling",
            "layout_sectors",
            "sectors",
            "strided_addresses",
            "wavefronts",
        ],
        "gpu.languages": [
            "cute_implicit",
            "load_numba_cuda",
            "numba_implicit",
            "run_numba",
            "triton_implicit",
        ],
        "gpu.layout_algebra": [
            "Layout",
            "coalesce",
            "divide",
            "implicit_layout",
            "lowered_layout",
            "mec_layout",
        ],
        "gpu.waves": ["lost", "plan_with", "stream_k_shares", "waves"],
        "networks.lenet.forecast": [
            "TENSOR_FLOPS_PER_S",
            "TILED_MACS",
            "counted_launches",
            "forecast",
            "forecast_parts",
        ],
        "measure.page_walk": ["step_seconds"],
        "measure.register_tile": ["PROCESSORS", "known_isas", "tile_code", "tile_rate"],
        "networks.memory.cheap_layers": ["light_layers"],
        "networks.memory.planners": ["PUZZLE"],
        "core.number_formats": ["halves", "rounded"],
        "core.problem": ["RESIDUAL_BLOCKS"],
        "teach.plots.counting_cost": ["VGG16", "design", "input_reads", "misses", "review"],
        "teach.plots.cublas_mec": ["measured_memory", "predicted_memory"],
        "teach.plots.first_kernels": ["issue_share", "issue_slots", "staged"],
        "teach.plots.gpu_memory": [
            "ARCH",
            "RECORDED_REGISTERS",
            "compiled_registers",
            "registers_table",
        ],
        "teach.plots.implicit_gemm": ["loads_a_mac"],
        "teach.plots.lenet": ["chip_limits"],
        "teach.plots.microkernel": ["layout_rates"],
        "teach.plots.small_memory": ["compare_planners", "puzzle"],
        "teach.plots.tensor_cores": ["format_errors", "format_products"],
        "teach.plots.winograd": ["largest_error", "rounding_errors", "winograd_with"],
    },
)
