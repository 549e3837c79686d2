"""Methods that run on a GPU, or on the emulator: one file a family, `kernels/*.cu` beside them.

Found by `core.registry`. A method's `run(x, w, problem)` takes and returns device arrays of
`convladder.cuda`, and its `prepare(w, problem)` takes the weights there; `conv2d` copies NumPy
arrays to the device and back.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "cutlass": ["STAND_INS", "Convolution"],
        "cutlass_tiles": ["HALF", "SIMT", "TF32", "TF32X3"],
        "epilogue": ["bias_relu_launch"],
        "gemm": ["Batch"],
        "implicit_gemm": ["Counted"],
        "languages": [
            "cute_implicit",
            "load_numba_cuda",
            "numba_implicit",
            "run_numba",
            "triton_implicit",
        ],
        "launch": ["KERNELS"],
        "layout_algebra": [
            "Layout",
            "coalesce",
            "divide",
            "implicit_layout",
            "lowered_layout",
            "mec_layout",
        ],
        "layouts": ["layout_launch", "layout_report"],
        "lowering": ["im2col_launch", "lower_mec", "mec_launch"],
        "reductions": ["histogram_launch", "products_launch", "sum_launch"],
        "rounded_products": ["format_errors", "format_products"],
        "staged": ["blur_launch"],
        "tile_choice": ["H200", "TILES", "choose", "plans", "predicted_cycles"],
        "tile_threads": ["loads_a_mac"],
        "untiled": ["coalesced_launch", "naive_launch"],
        "variants": ["ARCH", "RECORDED_REGISTERS", "VARIANTS", "compiled_registers"],
        "block_waves": ["lost", "plan_with", "stream_k_shares", "waves"],
    },
)
