"""Small launches that have one habit of memory each: chapter 08 counts them and times them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from .launch import Launch, compiled

FILE = "probes.cu"
THREADS = 128
SIDE = 5  # of the blurring kernels' windows, as `#define`d in the source
TILE = 32  # rows and columns of the tiles whose rows are summed


@dataclass(frozen=True, eq=False)
class Probe:
    """One launch of a kernel of `probes.cu`: `inputs` go to the device, one array comes back.

    `expected` is that array. `constants` fill variables of the source beforehand.
    """

    launch: Launch
    inputs: tuple[np.ndarray, ...]
    expected: np.ndarray
    constants: Mapping[str, np.ndarray] = field(default_factory=dict)

    def arrays(self) -> list:
        """Put the kernel's arrays on the device, the result's last, and set the constants."""
        from .. import cuda

        for name, values in self.constants.items():
            compiled(FILE, self.launch.kernel).set_constant(name, values)
        return [*map(cuda.to_device, self.inputs), cuda.empty(self.expected.shape)]

    def ready(self) -> Callable[[], None]:
        """Return a call that launches it, which has been judged once.

        Raises `RuntimeError` if the result is not `expected`.
        """
        arrays = self.arrays()
        self.launch(*arrays)
        if not np.allclose(arrays[-1].get(), self.expected, rtol=1e-5, atol=1e-4):
            raise RuntimeError(f"{self.launch.kernel} is wrong; this is a defect of the package")
        return lambda: self.launch(*arrays)

    def profile(self):
        """Return the emulator's report of this launch."""
        return self.launch.profile(*self.arrays())

    def replay(self, **more):
        """Return the replay of this launch; more: as of `cuda.Kernel.replay`."""
        return self.launch.replay(*self.arrays(), **more)


def _ramp(*shape: int) -> np.ndarray:
    """Small numbers of both signs, with no short period."""
    return (np.arange(np.prod(shape)) % 8191 / 4096 - 1).astype(np.float32).reshape(shape)


def strided(n: int = THREADS, stride: int = 1, offset: int = 0, threads: int = THREADS) -> Probe:
    """Copy with `n` threads, a float each; what they read lies `stride` floats apart.

    threads: of a block.
    """
    a = _ramp((n - 1) * stride + offset + 1)
    launch = Launch(FILE, "strided", (-(-n // threads),), (threads,), 0, (n, stride, offset))
    return Probe(launch, (a,), a[offset::stride])


def by_fours(n: int = 4 * THREADS) -> Probe:
    """Copy `n` floats, a multiple of 4, of which each thread takes four at a time."""
    a = _ramp(n)
    launch = Launch(FILE, "by_fours", (-(-n // (4 * THREADS)),), (THREADS,), 0, (n,))
    return Probe(launch, (a,), a)


def four_scalars(n: int = 4 * THREADS) -> Probe:
    """Copy `n` floats, of which each thread takes four, one at a time."""
    a = _ramp(n)
    launch = Launch(FILE, "four_scalars", (-(-n // (4 * THREADS)),), (THREADS,), 0, (n,))
    return Probe(launch, (a,), a)


def row_sums(pitch: int, blocks: int = 1) -> Probe:
    """Sum the rows of `blocks` tiles of 32×32, whose rows lie `pitch` floats apart."""
    a = _ramp(blocks, TILE, TILE)
    launch = Launch(FILE, f"row_sums<{pitch}>", (blocks,), (TILE,), 0, ())
    return Probe(launch, (a,), a.sum(2))


def blur(weights_in: str, rows: int = 20, columns: int = 36) -> Probe:
    """Blur by a window of 5×5 an image of one channel; `weights_in` is "global" or "constant"."""
    x, w = _ramp(rows, columns), _ramp(SIDE, SIDE) + np.float32(0.5)
    o_h, o_w = rows - SIDE + 1, columns - SIDE + 1
    grid, block = (-(-o_w // 32), -(-o_h // 8)), (32, 8)
    y = sum(w[a, b] * x[a : a + o_h, b : b + o_w] for a in range(SIDE) for b in range(SIDE))
    launch = Launch(FILE, f"blur_{weights_in}", grid, block, 0, (columns, o_h, o_w))
    if weights_in == "constant":
        return Probe(launch, (x,), y, {"weights": w.ravel()})
    return Probe(launch, (x, w), y)
