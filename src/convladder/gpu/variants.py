"""The last rung with other register tiles, or pressed into fewer registers than it wants."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.problem import ConvProblem
from .launch import KERNELS, Launch
from .tiled import vectorised_launch

OWN = 3  # blocks on an SM that the rung itself asks room for
BOUNDS = f"__launch_bounds__(THREADS, {OWN})"


@dataclass(frozen=True)
class Variant:
    """`pixels` a thread (1, 2, 4, 8); `blocks`: that must fit on an SM at a time, None: any.

    The compiler keeps to `blocks` by giving each thread fewer registers, and spills the rest.
    """

    pixels: int
    blocks: int | None = None

    @property
    def name(self) -> str:
        held = "" if self.blocks in (None, OWN) else f", {self.blocks} blocks an SM"
        return f"{self.pixels} pixel{'s' * (self.pixels > 1)}{held}"

    @property
    def kernel(self) -> str:
        return f"conv_vectorised<{self.pixels}>"

    @property
    def source(self) -> str:
        """Return the text of `vectorised.cu`, with `blocks` in its launch bounds."""
        held = "" if self.blocks is None else f", {self.blocks}"
        text = (KERNELS / "vectorised.cu").read_text(encoding="utf-8")
        return text.replace(BOUNDS, f"__launch_bounds__(THREADS{held})")

    def launch(self, problem: ConvProblem) -> Launch:
        """Return its grid, block, shared memory, sizes. Raises `ValueError` if no tile fits."""
        found = vectorised_launch(problem, most=self.pixels)
        if found is None or found.kernel != self.kernel:
            raise ValueError(f"{problem}: no tile of {self.pixels} pixels a thread fits")
        return found

    def ready(self, problem: ConvProblem):
        """Return a function of the device arrays x, w and y that launches it."""
        from .. import cuda

        launch, kernel = self.launch(problem), cuda.Kernel(self.source, self.kernel)
        run = kernel[launch.grid, launch.block, launch.shared]
        return lambda *arrays: run(*arrays, *launch.sizes)


VARIANTS = (
    *(Variant(pixels) for pixels in (1, 2, 4)),
    *(Variant(8, blocks) for blocks in (OWN, 4, 6, 8, 12)),
)
