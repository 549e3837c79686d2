"""The kernel of `same_kernel` in each language, bound to arrays on a GPU and ready to be called."""

from __future__ import annotations

from collections.abc import Callable

from ..problem import ConvProblem
from .same_kernel import (
    SIDE,
    TRITON_TILE,
    cute_implicit,
    numba_implicit,
    require_plain,
    same_launch,
    triton_implicit,
)

CUDA, NUMBA, CUTE, TRITON = LANGUAGES = "CUDA C++", "numba.cuda", "CuTe DSL", "Triton"


def bound(language: str, problem: ConvProblem, x, w, y) -> Callable[[], None]:
    """Return what launches a language's kernel on CuPy's arrays, on the null stream.

    `x[1,i_h,i_w,i_c]`, `w[k_h,k_w,i_c,k_c]`, `y[1,o_h,o_w,k_c]`, all float32. It compiles here, or
    when called first. Raises ValueError for another language or problem, and ImportError where the
    language is not installed.
    """
    require_plain(problem)
    try:
        bind = _BOUND[language]
    except KeyError:
        raise ValueError(f"language={language!r}; there are {', '.join(LANGUAGES)}") from None
    p = problem
    return bind(p, x.reshape(-1), w.reshape(p.window, p.k_c), y.reshape(p.pixels, p.k_c))


def _cuda(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    launch = same_launch(problem)
    return lambda: launch(x, w, y)


def _numba(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    from numba import cuda

    p, kernel = problem, numba_implicit(cuda)
    launch = kernel[(-(-p.k_c // SIDE), -(-p.pixels // SIDE)), (SIDE, SIDE)]
    arrays = [cuda.as_cuda_array(each) for each in (x, w, y)]
    return lambda: launch(*arrays, p.i_w, p.i_c, p.k_w, p.o_w, *p.stride)


def _cute(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    import cutlass
    from cutlass import cute, memory  # noqa: F401 - the kernel takes it from `cutlass`
    from cutlass.cute.runtime import from_dlpack

    arrays = [from_dlpack(each) for each in (x, w, y)]
    launch = cute.compile(cute_implicit(cutlass, cute, problem), *arrays)
    return lambda: launch(*arrays)


def _triton(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    import torch
    import triton
    from triton import language

    p, (bm, bn, bk) = problem, TRITON_TILE
    kernel = triton_implicit(triton, language)[-(-p.pixels // bm), -(-p.k_c // bn)]
    arrays = [torch.from_dlpack(each) for each in (x, w, y)]
    return lambda: kernel(
        *arrays,
        p.pixels,
        p.k_c,
        p.window,
        p.i_w,
        p.i_c,
        p.k_w,
        p.o_w,
        *p.stride,
        BM=bm,
        BN=bn,
        BK=bk,
    )


_BOUND = {CUDA: _cuda, NUMBA: _numba, CUTE: _cute, TRITON: _triton}
