"""What the chapters compute with on paper: caches, warps, tiles, layouts, forecasts."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "arena_planning": ["compare_planners"],
        "arena_puzzle": ["PUZZLE", "puzzle"],
        "assembly": ["compiled_loop", "main_loop"],
        "block_design": ["design", "review"],
        "block_tile": ["loads_a_mac"],
        "cheap_convs": ["light_layers"],
        "formats": ["format_errors", "format_products", "halves", "rounded"],
        "gpu_memory": ["measured_memory", "predicted_memory"],
        "lanes_in_use": ["dot_fill"],
        "layout_race": ["layout_rates"],
        "layout_sectors": ["blocked_place", "layout_sectors"],
        "layouts": [
            "Layout",
            "coalesce",
            "divide",
            "implicit_layout",
            "lowered_layout",
            "mec_layout",
        ],
        "lenet_forecast": [
            "TENSOR_FLOPS_PER_S",
            "TILED_MACS",
            "bank_ways",
            "chip_limits",
            "counted_launches",
            "forecast",
            "forecast_parts",
        ],
        "lru_cache": ["input_reads", "misses"],
        "networks": ["RESIDUAL_BLOCKS", "VGG16"],
        "page_walk": ["step_seconds"],
        "python_kernels": ["load_numba_cuda"],
        "register_tiles": ["PROCESSORS", "known_isas", "tile_code", "tile_rate"],
        "registers": ["ARCH", "RECORDED_REGISTERS", "compiled_registers", "registers_table"],
        "same_kernel": ["cute_implicit", "numba_implicit", "run_numba", "triton_implicit"],
        "schedules": ["issue_share", "issue_slots", "staged"],
        "sm_limits": ["ceiling"],
        "tile_rounding": ["largest_error", "rounding_errors", "winograd_with"],
        "warps": ["sectors", "spread"],
        "waves": ["lost", "plan_with", "stream_k_shares", "waves"],
    },
)
