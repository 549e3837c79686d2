"""Chapter 12's ladder: `c[m,n] = a[m,k]·b[n,k]ᵀ` in float16 with float32 sums, a rung a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ..cuda.headers import cuda_headers, include_options
from ..cuda.source_file import read_source
from .launch import KERNELS

DEPTH = 64  # of a slice along k


@dataclass(frozen=True)
class HalfRung:
    """One kernel: `kernel` of `kernels/<file>`, and how it is launched.

    `tile` is a block's part of the result, `box` how many columns of B a copy brings; `capability`
    the least compute capability, `only` a chip whose own instructions it has ("sm_90a").
    """

    name: str
    file: str
    kernel: str
    tile: tuple[int, int]
    threads: int
    shared: int = 0
    capability: int = 80
    only: str = ""
    cluster: int = 1
    persistent: bool = False

    @property
    def mapped(self) -> bool:
        """Return whether the copy engine brings A and B, by tensor maps."""
        return self.capability >= 90

    def refusal(self, m: int, n: int, k: int) -> str | None:
        """Return why these sizes are refused, or None."""
        rows, columns = self.tile
        if self.persistent:
            rows, columns = 1, 8  # the copy engine leaves out what is outside
        if m % rows or n % columns or k % DEPTH:
            return (
                f"{self.name} takes m in multiples of {rows}, n of {columns} and k of {DEPTH}; "
                f"these are {m}, {n} and {k}"
            )
        return None


SLICE = 2 * (128 + 128) * DEPTH  # bytes of a tile of A and one of B
WIDE_SLICE = 2 * (128 + 256) * DEPTH
PARTS = 4 * 2 * 64 * 64  # of results on their way to memory


def pipelined(stages: int, wide: bool) -> HalfRung:
    """Return the rung with `stages` slices in shared memory: cp.async fetches the next ones while
    one is multiplied. wide: results leave through shared memory, 16 bytes a lane."""
    return HalfRung(
        "wide stores" if wide else f"cp.async, {stages} stages",
        "hgemm_pipelined.cu",
        f"hgemm_pipelined<{stages}, {str(wide).lower()}>",
        (128, 128),
        256,
        max(stages * SLICE, 2 * 128 * (128 + 8)),
    )


def specialised(columns: int, stages: int, cluster: int, band: int) -> HalfRung:
    """Return the last rung with tiles of 128 × `columns`: one warpgroup fetches, two multiply, and
    blocks take tile after tile."""
    return HalfRung(
        "specialised warpgroups" + ("" if columns == 256 else f", 128×{columns}"),
        "hgemm_specialised.cu",
        f"hgemm_specialised<{columns}, {stages}, {cluster}, {band}>",
        (128, columns),
        384,
        stages * 2 * (128 + columns) * DEPTH + PARTS,
        90,
        "sm_90a",
        cluster,
        True,
    )


RUNGS = (
    # A warp multiplies 16×16×16 from global memory.
    HalfRung("wmma", "hgemm_wmma.cu", "hgemm_wmma", (64, 64), 512),
    # A block brings tiles into shared memory.
    HalfRung("shared tiles", "hgemm_shared.cu", "hgemm_shared", (128, 128), 256),
    # Chunks trade places, and no bank is asked twice.
    HalfRung("swizzle, ldmatrix", "hgemm_ldmatrix.cu", "hgemm_ldmatrix", (128, 128), 256),
    pipelined(2, False),
    pipelined(3, False),
    pipelined(4, False),
    pipelined(3, True),
    # The copy engine brings tiles, a barrier tells when.
    HalfRung(
        "TMA, mbarrier",
        "hgemm_tma.cu",
        "hgemm_tma<3>",
        (128, 128),
        256,
        max(3 * SLICE, 2 * 128 * 136),
        90,
    ),
    # Four warps multiply 64×256×16 straight from shared memory.
    HalfRung(
        "wgmma",
        "hgemm_wgmma.cu",
        "hgemm_wgmma<256, 4>",
        (128, 256),
        256,
        4 * WIDE_SLICE,
        90,
        "sm_90a",
    ),
    specialised(256, 4, 2, 8),
)


def source(rung: HalfRung) -> str:
    """Return the kernel's text, what it includes from its folder in its place."""
    return read_source(KERNELS / rung.file)


@cache
def _function(rung: HalfRung):
    """The kernel compiled for this GPU, with room for its shared memory."""
    import cupy

    from .nvrtc import allow_shared, built, module

    arch = rung.only or f"sm_{cupy.cuda.Device().compute_capability}"
    text = source(rung)
    options = [*include_options(text), f"-I{cuda_headers('cuda_fp16.h')}"]
    code, name = built(text, arch, options, rung.kernel)
    function = module(code).get_function(name)
    allow_shared(function, rung.shared)
    return function


def launch(rung: HalfRung, a, b, c):
    """Return a function that computes `c[m,n] = a[m,k]·b[n,k]ᵀ` of float16 arrays; needs a GPU.

    Raises `ValueError` for sizes that the rung does not take.
    """
    from ..cuda.tensor_map import TensorMap
    from .chip import chip

    (m, k), n = a.shape, b.shape[0]
    if reason := rung.refusal(m, n, k):
        raise ValueError(reason)
    rows, columns = rung.tile
    grid = (-(-n // columns), -(-m // rows))
    arrays = [a, b, c]
    if rung.mapped:
        boxes = [(rows, DEPTH), (columns // rung.cluster, DEPTH), (64, DEPTH)]
        maps = [TensorMap(*each).encoded() for each in zip(arrays, boxes, strict=True)]
        arrays = maps if rung.persistent else [*maps[:2], c]
    if rung.persistent:
        tiles = -(-m // (rows * rung.cluster)) * grid[0] * rung.cluster
        most = chip().multiprocessors // rung.cluster * rung.cluster
        grid = (min(tiles, most), 1)
    arguments = (*arrays, *(np.int32(size) for size in (m, n, k)))
    function = _function(rung)
    return lambda: function(grid, (rung.threads,), arguments, shared_mem=rung.shared)


def profile(rung: HalfRung, sizes: tuple[int, int, int] = (128, 128, 128), text: str | None = None):
    """Run a rung on the emulator, on random values; return its report and its largest error.

    text: another source of the same kernel. The error is relative to the largest result. Raises
    `ValueError` for a rung that only a GPU runs, and for sizes that it does not take.
    """
    from .. import cuda

    m, n, k = sizes
    if reason := f"{rung.name} needs a GPU ({rung.only})" if rung.only else rung.refusal(m, n, k):
        raise ValueError(reason)
    random = np.random.default_rng(12)
    a = (random.standard_normal((m, k)) + 0.25).astype(np.float16)
    b = random.standard_normal((n, k)).astype(np.float16)
    arrays = [cuda.to_device(each, "emulator") for each in (a, b)]
    c = cuda.empty((m, n), np.float16, "emulator")
    rows, columns = rung.tile
    if rung.mapped:
        arrays = [cuda.TensorMap(arrays[0], (rows, DEPTH)),
                  cuda.TensorMap(arrays[1], (columns, DEPTH))]  # fmt: skip
    kernel = cuda.Kernel(text or source(rung), rung.kernel, backend="emulator")
    grid = (n // columns, m // rows)
    report = kernel.profile(grid, rung.threads, rung.shared, *arrays, c, *map(np.int32, sizes))
    right = a.astype(np.float64) @ b.T.astype(np.float64)
    return report, float(abs(c.get() - right).max() / abs(right).max())


def named(name: str) -> HalfRung:
    """Return the rung of that name. Raises `ValueError`, which lists them, for another."""
    found = {rung.name: rung for rung in RUNGS}
    if name not in found:
        raise ValueError(f"there is no rung {name!r}; there are {', '.join(found)}")
    return found[name]
