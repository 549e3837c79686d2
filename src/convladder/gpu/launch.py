"""A kernel of this package with all that its launch needs besides the arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..core.problem import ConvProblem
from ..cuda.source_file import read_source

KERNELS = Path(__file__).with_name("kernels")
THREADS = 256  # per block, where a kernel has one thread per value
MOST_VALUES = 2**32 - 1  # that such a kernel can number: its index is unsigned
SHARED_BYTES = 48 * 1024  # that every CUDA chip gives a block without being asked
DIMENSIONS = "I_N I_H I_W I_C K_H K_W K_C O_H O_W S_H S_W P_H P_W".split()


@dataclass(frozen=True)
class Launch:
    """`kernel` of `kernels/<file>`, its grid and block, and the numbers behind the arrays.

    `grid` and `block` are in blocks and threads along (x, y, z), `shared` in bytes of dynamic
    shared memory.
    """

    file: str
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    sizes: tuple[float, ...]

    def __call__(self, *arrays) -> None:
        """Launch on device arrays, in the order of the kernel's parameters."""
        compiled(self.file, self.kernel)[self.grid, self.block, self.shared](*arrays, *self.sizes)

    def profile(self, *arrays):
        """Return the emulator's report of this launch (`cuda.Kernel.profile`), on device arrays."""
        kernel = compiled(self.file, self.kernel)
        return kernel.profile(self.grid, self.block, self.shared, *arrays, *self.sizes)

    def replay(self, *arrays, **more):
        """Return the replay of this launch (`cuda.Kernel.replay`), on device arrays."""
        kernel = compiled(self.file, self.kernel)
        return kernel.replay(self.grid, self.block, self.shared, *arrays, *self.sizes, **more)


@cache
def compiled(file: str, kernel: str):
    """Return the kernel of that name (a template's with its arguments) as a `cuda.Kernel`."""
    from .. import cuda

    return cuda.Kernel(KERNELS / file, kernel)


def instance(template: str, *arguments: object) -> str:
    """Return the name of a template's instance: "conv<3, 16>"."""
    return f"{template}<{', '.join(map(str, arguments))}>"


def run_launch(
    launch_of: Callable[[ConvProblem], Launch | None], x, w, problem: ConvProblem
) -> object:
    """Return `y[i_n,o_h,o_w,k_c]` of the launch for a problem, float32; device arrays."""
    from .. import cuda

    y = cuda.empty(problem.output_shape)
    launch_of(problem)(x, w, y)
    return y


def source_with(file: str, defines: Mapping[str, object]) -> str:
    """Return the text of `kernels/<file>` with what it includes from there, behind `defines`."""
    text = read_source(KERNELS / file)
    return "".join(f"#define {name} {value}\n" for name, value in defines.items()) + text


def size_defines(problem: ConvProblem) -> dict[str, int]:
    """Return a problem's sizes as constants of a source, by name: all but the batch."""
    return dict(zip(DIMENSIONS[1:], dimensions(problem)[1:], strict=True))


def dimensions(problem: ConvProblem) -> tuple[int, ...]:
    """Return the 13 numbers that every convolution kernel takes first: those of `DIMENSIONS`."""
    p = problem
    return (*p.input_shape, p.k_h, p.k_w, p.k_c, p.o_h, p.o_w, *p.stride, *p.padding)


def value_launch(file: str, kernel: str, values: int, sizes: tuple[int, ...]) -> Launch:
    """Return a launch with one thread per value.

    Raises `ValueError` for more values than the kernel can number.
    """
    if values > MOST_VALUES:
        raise ValueError(
            f"{kernel} would write {values:,} values and can number {MOST_VALUES:,}; "
            "use a smaller image or batch"
        )
    return Launch(file, kernel, (-(-values // THREADS),), (THREADS,), 0, sizes)


def too_many(problem: ConvProblem) -> str | None:
    """Return why a kernel with a thread an output value refuses a problem, or None."""
    values = problem.pixels * problem.k_c
    if values <= MOST_VALUES:
        return None
    return f"it would write {values:,} values and can number {MOST_VALUES:,}; use a smaller batch"
