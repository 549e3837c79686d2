"""CUDA C++ features that the emulator runs beyond the plain language, and those that need a GPU.

`counts.features` has a kernel for each, which ran on a GPU with the same values; the tests see to
it that every name here stands in one of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    """A part of CUDA: the header that brings it ("" for none) and its most important names."""

    name: str
    header: str
    names: tuple[str, ...]


SUPPORTED = tuple(
    Feature(name, header, tuple(names.split()))
    for name, header, names in (
        ("shared memory and barriers", "",
         "__shared__ __syncthreads __syncthreads_count __syncthreads_and __syncthreads_or"),
        ("lanes of a warp", "",
         "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync "
         "__all_sync __match_any_sync __match_all_sync __reduce_add_sync __reduce_max_sync "
         "__reduce_or_sync __activemask __syncwarp"),
        ("whole numbers", "",
         "__popc __clz __ffs __brev __byte_perm __dp4a __mulhi __funnelshift_l __funnelshift_lc "
         "__funnelshift_r __funnelshift_rc"),
        ("atomic functions, for the device, a block or the system", "",
         "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicAnd "
         "atomicOr atomicXor atomicCAS atomicAdd_block atomicMax_system atomicCAS_block "
         "__threadfence __threadfence_block"),
        ("structures as parameters", "", "struct"),
        ("cooperative groups", "cooperative_groups.h",
         "this_thread_block tiled_partition thread_block_tile coalesced_threads this_grid "
         "binary_partition labeled_partition sync shfl shfl_up shfl_down shfl_xor any all "
         "ballot match_any match_all thread_rank num_threads meta_group_rank meta_group_size "
         "group_index"),
        ("reductions of a group", "cooperative_groups/reduce.h",
         "reduce plus less greater bit_and bit_or bit_xor"),
        ("scans of a group", "cooperative_groups/scan.h", "inclusive_scan exclusive_scan"),
        ("copies by a group", "cooperative_groups/memcpy_async.h", "memcpy_async wait wait_prior"),
        ("half and half2", "cuda_fp16.h",
         "__float2half __half2float __float2half_rz __half2int_rn __int2half_rn __hsub2 __hfma "
         "__hfma2 __hmul2 __h2div __hmax __hmin_nan __hfma_relu __hadd_sat __hlt __heq2 __hbeq2 "
         "__hisnan h2sqrt hexp hrcp __lowhigh2highlow __halves2half2 atomicAdd"),
        ("bfloat16 and bfloat162", "cuda_bf16.h",
         "__float2bfloat16 __bfloat162float __float2bfloat16_rz __bfloat162int_rn "
         "__int2bfloat16_rn __hsub2 __hfma __hfma2 __hmul2 __hmax __halves2bfloat162 "
         "__low2bfloat16 atomicAdd"),
        ("memory orders and scopes", "cuda/atomic",
         "cuda::atomic_ref cuda::atomic load store exchange fetch_add fetch_max "
         "compare_exchange_strong memory_order_relaxed memory_order_acquire "
         "memory_order_release thread_scope_block thread_scope_device atomic_thread_fence"),
        ("asynchronous copies", "cuda_pipeline.h",
         "__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior"),
        ("barriers with phases", "cuda/barrier",
         "cuda::barrier init arrive wait arrive_and_wait arrive_and_drop memcpy_async"),
        ("pipelines of a thread or a block", "cuda/pipeline",
         "cuda::make_pipeline cuda::pipeline_shared_state producer_acquire producer_commit "
         "consumer_wait consumer_release pipeline_consumer_wait_prior"),
        ("tensor cores: fragments of 16×16×16 in half precision", "mma.h",
         "wmma::fragment fill_fragment load_matrix_sync mma_sync store_matrix_sync"),
        ("tensor cores and the copy engine, an instruction a function",
         "convladder/tensor_core.cuh",
         "ldmatrix_x4 mma_m16n8k16 mbarrier_init mbarrier_arrive mbarrier_arrive_expect_tx "
         "mbarrier_wait_parity fence_proxy_async cp_async_bulk cp_async_bulk_tensor_2d"),
    )
)  # fmt: skip

ABSENT = (  # in words, for the table
    "PTX (asm)", "wgmma and tcgen05", "textures and surfaces",
    "clusters of blocks with distributed shared memory", "bulk copies by cuda::ptx, CUtensorMap",
    "launches inside a kernel (dynamic parallelism)", "barriers of the whole grid (grid.sync)",
    "tiles of more than 32 lanes", "cuda::barrier of more than a block",
    "NVIDIA's libraries for kernels (CUB, Thrust, CUTLASS, cuRAND)", "8-bit and smaller floats",
)  # fmt: skip
# A pattern in the source, and what it asks for.
GPU_ONLY = {
    r"\basm\b": "PTX ({})",
    r"<cuda_fp[468]\.h>|<curand\w*\.h>|<cooperative_groups/details/\w+\.h>"
    r"|<cuda/(?!(?:atomic|barrier|pipeline)>|std/)[^>]*>|<cuda/std/(?!(?:array|atomic|climits|cmath"
    r"|cstddef|cstdint|limits|type_traits|utility)>)[^>]*>|\b(?:block_tile_memory"
    r"|invoke_one(?:_broadcast)?)\b|(?<=\.)barrier_(?:arrive|wait)\b":
        "{}",
    r"<(?:cub|thrust|cutlass|cute)/[^>]*>": "NVIDIA's library {}",
    r"\b(?:cudaTextureObject_t|cudaSurfaceObject_t|tex[123]D\w*|texCubemap\w*|surf[123]D\w+)\b":
        "a texture or surface ({})",
    r"__cluster_dims__|\b(?:this_cluster|cluster_group|map_shared_rank)\b":
        "a cluster of blocks with distributed shared memory ({})",
    r"\b(?:CUtensorMap|memcpy_async_tx|barrier_(?:arrive|expect)_tx"
    r"|barrier_native_handle)\b": "a bulk copy or tensor map, TMA ({})",
    r"\b__mbarrier_\w+|\b__pipeline_arrive_on\b":
        "{} (cuda::barrier does the same here) as such",
    r"\b(?:multi_grid\w*|this_multi_grid)\b": "a group of several GPUs ({})",
    r"<<<": "a launch inside the source, {} (launch it from Python),",
    r"\bcuda(?:LaunchKernel\w*|DeviceSynchronize|StreamCreate\w*|GraphLaunch)\b":
        "a launch or stream inside a kernel, dynamic parallelism ({})",
}  # fmt: skip


_DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*", re.M)


def left_out(code: str) -> tuple[str, int] | None:
    """Return the first feature of the source `code` that only a GPU has, and its line; or None.

    What a macro stands for does not count: whether it is ever used, the compiler knows.
    """
    code = _DEFINE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), code)
    found = [
        (match.start(), what.format(match[0]))
        for pattern, what in GPU_ONLY.items()
        if (match := re.search(pattern, code))
    ]
    if not found:
        return None
    start, what = min(found)
    return what, code.count("\n", 0, start) + 1


def needs_gpu(what: str) -> str:
    """Return the sentence about what the emulator leaves out."""
    return f"{what} needs a GPU: the gpu tier runs it, the emulator does not"


class Supported:
    """The table of what the emulator runs, beyond the plain language, and what it does not."""

    def rows(self) -> list[tuple[str, str, str]]:
        """Return each part of CUDA with its header and names."""
        return [
            (each.name, f"<{each.header}>" if each.header else "", ", ".join(each.names))
            for each in SUPPORTED
        ]

    def __str__(self) -> str:
        lines = [
            f"{name}{' ' * bool(header)}{header}: {names}" for name, header, names in self.rows()
        ]
        return "\n".join([*lines, f"Only with a GPU: {'; '.join(ABSENT)}."])

    def _repr_markdown_(self) -> str:
        code = [
            (name, header and f"`{header}`", ", ".join(f"`{n}`" for n in names.split(", ")))
            for name, header, names in self.rows()
        ]
        return "\n".join(
            [
                "| part of CUDA | header | for example |",
                "| --- | --- | --- |",
                *(f"| {' | '.join(row)} |" for row in code),
                "",
                f"Only with a GPU: {'; '.join(ABSENT)}.",
            ]
        )


def features() -> Supported:
    """Return the CUDA features that the emulator runs, as a table that a notebook shows."""
    return Supported()
