"""A kernel written in CUDA C++, called from Python."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.processor import available_cores
from .backend import chosen, native, time_limit, to_device
from .errors import LaunchError
from .launch_checks import Watch, checked, shape
from .report import Report
from .signature import parameters
from .source_file import kernels_shown, read_source

if TYPE_CHECKING:
    from ..replay import Replay

ANONYMOUS = "kernel.cu"


class Kernel:
    """One `__global__` function of a `.cu` source.

    `source_or_path`: the text, or the path of a file of it. `name`: the function, or an instance of
    a template ("conv<3, 16>"); one that is no template should be `extern "C"`. `backend`: "gpu",
    "emulator", or "auto" for a GPU where there is one.

    `kernel[grid, block](...)` or `kernel[grid, block, shared_bytes](...)` launches it on device
    arrays and numbers. Raises `CompileError`, `LaunchError`, and `KernelError` for a kernel that
    crashed or never ended.
    """

    def __init__(self, source_or_path: str | Path, name: str, backend: str = "auto"):
        self.source, self.file = _text(source_or_path)
        self.name = name
        self.backend = chosen(backend)
        taken = parameters(self.source, name, self.file)
        if self.backend == "gpu":
            from .cupy_kernel import OnGpu

            self._runs: Any = OnGpu(self.source, self.file, name, taken)
        else:
            from .emulator.launcher import Emulated

            self._runs = Emulated(self.source, self.file, name, taken)

    @property
    def parameters(self) -> list:
        """Return the parameters: name, type, dtype."""
        return self._runs.parameters

    def __getitem__(self, key: object) -> Callable[..., None]:
        launch = shape(key)

        def run(*arguments: object) -> None:
            values = checked(self.name, self.parameters, arguments, self._runs.array_type)
            self._runs.launch(launch, values, available_cores(), time_limit())

        return run

    def __call__(self, *arguments: object) -> None:
        raise LaunchError(f"{self.name} needs a launch: {self.name}[grid, block](...)")

    def set_constant(self, name: str, values: np.ndarray) -> None:
        """Fill the `__constant__` or `__device__` variable `name` of the source."""
        self._runs.set_constant(name, native(np.asarray(values)))

    def get_constant(self, name: str, dtype: object = np.float32) -> np.ndarray:
        """Return the values of the `__constant__` or `__device__` variable `name`, as one row.

        Kernels of one source share its variables, and launches and profiles leave them changed.
        """
        return self._runs.get_constant(name, np.dtype(dtype))

    def profile(
        self,
        grid: object,
        block: object,
        shared_bytes: int,
        *arguments: object,
        watch: tuple[int, int] = (0, 0),
    ) -> Report:
        """Run it on the emulator and count every access; the arrays get their results.

        `watch`: the block (its number in the grid) and warp whose lanes the report keeps.
        """
        launch = shape((grid, block, shared_bytes))
        values = checked(self.name, self.parameters, arguments, self._runs.array_type)
        return self._runs.profile(launch, values, time_limit(), Watch(watch[0], (watch[1],)))

    def replay(
        self,
        grid: object,
        block: object,
        shared_bytes: int,
        *arguments: object,
        of_block: int = 0,
        warps: Sequence[int] = (0,),
        steps: int = 1000,
        title: str = "",
    ) -> Replay:
        """Run it on the emulator and return what some warps of a block do, to be watched.

        It shows the first `steps` requests, and the first fault among them. Raises what a profile
        raises, and `LaunchError` for a block, a warp or a number of steps that cannot be shown.
        """
        from .launch_replay import launch_replay, watch_of

        launch = shape((grid, block, shared_bytes))
        watch = watch_of(launch, of_block, warps, steps)
        values = checked(self.name, self.parameters, arguments, self._runs.array_type)
        report = self._runs.profile(launch, values, time_limit(), watch)
        return launch_replay(report, self.parameters, values, self.source, watch, steps, title)

    def inspect(self, arch: str = "sm_90"):
        """Show what NVIDIA's compiler makes of it: registers, shared memory, spills, machine code.

        Returns an `Inspection`. Needs no GPU, but the extra `inspect`; see `inspect.inspect`.
        """
        from .inspect import inspect

        return inspect(self.source, self.name, arch, file=self.file)

    def __repr__(self) -> str:
        return f"Kernel({self.name!r} of {self.file}, {self.backend})"


def replay(
    kernel: Any, grid: object, block: object, shared_bytes: int, *arguments: Any, **more: Any
) -> Replay:
    """Return the replay of a kernel: a `Kernel`, or a source with one `__global__` function.

    NumPy arrays are copied to where the kernel runs; more: as of `Kernel.replay`.
    """
    if isinstance(kernel, str):
        names = re.findall(r"__global__[^;{(]*?(\w+)\s*\(", kernel)
        if len(names) != 1:
            raise LaunchError(
                f"the source has {len(names)} kernels ({', '.join(names)}): pass "
                "cuda.Kernel(source, name) instead"
            )
        kernel = Kernel(kernel, names[0], "emulator")
    if not isinstance(kernel, Kernel):
        raise LaunchError(
            f"{reprlib.repr(kernel)} is no kernel: pass a source, or cuda.Kernel(source, name)"
        )
    given = [
        to_device(a, kernel.backend) if isinstance(a, np.ndarray) and a.ndim else a
        for a in arguments
    ]
    return kernel.replay(grid, block, shared_bytes, *given, **more)


def _text(source_or_path: str | Path) -> tuple[str, str]:
    if isinstance(source_or_path, Path) or (
        "\n" not in source_or_path and source_or_path.endswith(".cu")
    ):
        path = Path(source_or_path)
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {str(source_or_path)!r} with a kernel")
        return kernels_shown(read_source(path)), path.name
    return kernels_shown(source_or_path), ANONYMOUS
