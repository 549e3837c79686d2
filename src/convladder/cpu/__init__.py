"""Methods that run on the processor: a file each, found by `convladder.core.registry`."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "assembly": ["compiled_loop", "main_loop"],
        "batchnorm": ["batchnorm", "fold_batchnorm"],
        "cache_model": ["input_reads", "misses"],
        "depthwise": ["depthwise_conv2d"],
        "direct": ["add_tile"],
        "epilogue": ["relu", "scale_shift", "scale_shift_relu"],
        "gemm": ["Blocks", "blocks_with", "gemm", "gemm_tile", "moved", "predicted_blocks"],
        "isa": ["EXTENSIONS", "host_extensions", "host_isa"],
        "layouts": [
            "blocked_kernel",
            "conv_blocked",
            "conv_nchw",
            "conv_nhwc",
            "from_blocked",
            "to_blocked",
        ],
        "loops": ["convolve_image", "loops_numba"],
        "microkernel": ["convolve", "pack"],
        "simd.blocking": ["Tile", "clips", "tile_for"],
        "simd.gemm": ["five_loops"],
        "winograd_rounding": ["largest_error", "rounding_errors", "winograd_with"],
    },
)
