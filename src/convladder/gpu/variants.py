"""The last rung with other register tiles, or pressed into fewer registers than it wants."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.problem import ConvProblem
from ..cuda.chips import chip_of
from ..cuda.occupancy import Occupancy, occupancy
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

ARCH = "sm_90"
# What NVRTC 13.0.88 gives a thread for ARCH: registers, and bytes of spills stored and loaded.
RECORDED_REGISTERS = {
    "1 pixel": (40, 0),
    "2 pixels": (51, 0),
    "4 pixels": (71, 0),
    "8 pixels": (167, 0),
    "8 pixels, 4 blocks an SM": (128, 0),
    "8 pixels, 6 blocks an SM": (80, 1180),
    "8 pixels, 8 blocks an SM": (64, 1916),
    "8 pixels, 12 blocks an SM": (40, 2872),
}


def compiled_registers(variant: Variant) -> tuple[int, int] | None:
    """Return registers and bytes of spills by this machine's NVRTC;
    None without the extra `inspect`.
    """
    from ..cuda.errors import MissingPackages
    from ..cuda.inspect import inspect

    try:
        inspection = inspect(variant.source, variant.kernel, ARCH)
    except MissingPackages:
        return None
    return inspection.registers, inspection.spill_bytes


def occupancy_of(variant: Variant, problem: ConvProblem) -> Occupancy:
    """Return how many of its blocks fit on an SM of ARCH at a time."""
    launch = variant.launch(problem)
    registers, _ = RECORDED_REGISTERS[variant.name]
    return occupancy(chip_of(ARCH), launch.block, registers, launch.shared)
