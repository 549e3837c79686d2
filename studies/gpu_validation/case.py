"""A launch as data: the kernel, its arguments, and what its results must be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

KERNELS = Path(__file__).with_name("kernels")


@dataclass(frozen=True)
class Fresh:
    """An argument for memory on the device that nobody has written yet."""

    shape: tuple[int, ...]
    dtype: type = np.float32


@dataclass(frozen=True, eq=False)
class Mapped:
    """An argument for the tensor map of a matrix, whose boxes are so many rows and columns."""

    matrix: np.ndarray
    box: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Case:
    """One launch of `kernel` of the file `source`.

    `arguments` are in the kernel's order: NumPy arrays are copied to the device, `Fresh` are
    allocated there, `Mapped` become tensor maps, numbers and structures (arrays without axes) are
    passed as they are. `results` maps the place of an argument to
    what it must hold afterwards, with NaN where it does not matter. `constants` fill variables of
    the source.
    """

    name: str
    source: Path
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple
    results: dict[int, np.ndarray]
    shared: int = 0
    constants: Mapping[str, np.ndarray] = field(default_factory=dict)

    def on_device(self, backend: str = "auto") -> list:
        """Return the arguments of one launch, arrays on the device."""
        from convladder import cuda

        return [
            cuda.empty(argument.shape, argument.dtype, backend)
            if isinstance(argument, Fresh)
            else cuda.TensorMap(cuda.to_device(argument.matrix, backend), argument.box)
            if isinstance(argument, Mapped)
            else cuda.to_device(argument, backend)
            if isinstance(argument, np.ndarray) and argument.ndim
            else argument
            for argument in self.arguments
        ]

    def kernel_on(self, backend: str = "auto"):
        """Return its `cuda.Kernel` on a backend."""
        from convladder import cuda

        kernel = cuda.Kernel(self.source, self.kernel, backend=backend)
        for name, values in self.constants.items():
            kernel.set_constant(name, values)
        return kernel

    def launch(self, backend: str = "auto") -> str | None:
        """Run it; what is wrong with the results, or None."""
        arguments = self.on_device(backend)
        self.kernel_on(backend)[self.grid, self.block, self.shared](*arguments)
        return self.wrong(arguments)

    def profile(self):
        """Return the emulator's report of this launch and what is wrong in its results, or None."""
        arguments = self.on_device("emulator")
        report = self.kernel_on("emulator").profile(self.grid, self.block, self.shared, *arguments)
        return report, self.wrong(arguments)

    def wrong(self, arguments: list) -> str | None:
        """Return the difference from `results` beyond rounding, or None."""
        for place, expected in self.results.items():
            got = arguments[place].get()
            cared = ~np.isnan(expected) if expected.dtype.kind == "f" else np.full(got.shape, True)
            if got.shape != expected.shape:
                return f"argument {place} has shape {got.shape}, not {expected.shape}"
            if not np.allclose(got[cared], expected[cared], rtol=1e-5, atol=1e-5):
                return f"argument {place} holds other values than it must"
        return None


@dataclass(frozen=True, eq=False)
class Broken:
    """A launch with one fault.

    `kind` is the list of a `cuda` report that must name it, or "limits" where the launch itself is
    refused. `thread`: the first that does wrong, as (block, thread) along x, y, z; None where
    the order of threads decides. `tool` of compute-sanitizer looks for such faults; None where none
    of them does, and the fault is judged by what CUDA's guide promises.
    """

    case: Case
    kind: str
    tool: str | None
    thread: tuple[tuple[int, int, int], tuple[int, int, int]] | None = None

    @property
    def name(self) -> str:
        """Return the name of the case, its kernel's where that is enough."""
        return self.case.name

    @property
    def lines(self) -> tuple[int, ...]:
        """Return the source's lines, counted from 1, that are marked with this kernel's name."""
        marked = re.compile(rf"// <- {self.case.kernel}$")
        text = self.case.source.read_text().splitlines()
        return tuple(number for number, line in enumerate(text, 1) if marked.search(line))
