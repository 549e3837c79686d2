"""Chapter 07's sums and histograms: how many atomic operations one result of many threads costs."""

from __future__ import annotations

from .launch import Launch

FILE = "reductions.cu"
THREADS = 256
SUMS = ("atomic", "block", "warps")
HISTOGRAMS = ("global", "private")


def sum_launch(kind: str, n: int, blocks: int | None = None) -> Launch:
    """Return the launch that adds `n` floats to one, by a kind of `SUMS`.

    Takes `x[n]` and `total[1]`, which the sum is added to. blocks: for "warps" alone, fewer than
    cover `n`. Raises ValueError for another kind, or for too few blocks.
    """
    if kind not in SUMS:
        raise ValueError(f"{kind!r} is no kind of sum; there are {', '.join(SUMS)}")
    whole = -(-n // THREADS)
    if blocks is not None and kind != "warps" and blocks < whole:
        raise ValueError(f"{blocks} blocks: the sum {kind!r} needs {whole}, one thread per value")
    return Launch(FILE, f"sum_{kind}", (blocks or whole,), (THREADS,), 0, (n,))


def histogram_launch(kind: str, n: int, blocks: int = 8) -> Launch:
    """Return the launch that counts `n` bytes in 256 bins, by a kind of `HISTOGRAMS`.

    Takes `x[n]` uint8 and `bins[256]` uint32, which the counts are added to. Raises ValueError for
    another kind.
    """
    if kind not in HISTOGRAMS:
        raise ValueError(f"{kind!r} is no kind of histogram; there are {', '.join(HISTOGRAMS)}")
    return Launch(FILE, f"histogram_{kind}", (blocks,), (THREADS,), 0, (n,))


def products_launch(n: int) -> Launch:
    """Return the launch in which thread i multiplies `trips[i]` values.

    Takes `trips[n]` int32, `x[most, n]` and `y[n]` float32.
    """
    return Launch(FILE, "products", (-(-n // THREADS),), (THREADS,), 0, (n,))
