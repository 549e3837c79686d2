"""Errors about kernels, worded so that a learner can act on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.machine_error import MachineError

SHOWN = 5  # errors of one source


class CudaError(Exception):
    """An error of this package. In a notebook its text stands alone, without the calls before."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class NoBackend(CudaError, MachineError):
    """There is neither a GPU nor a C++ compiler."""


class EmulatorError(CudaError, MachineError):
    """The compiler, the folder of compiled kernels or the worker fails, whatever the kernel."""


class MissingPackages(CudaError, MachineError):
    """The request needs packages of an extra; the text has the command that adds them."""


class CompileError(CudaError, ValueError):
    """The compiler refuses a source: `lines` holds (line of the source, message).

    The line is None for what the compiler says of no line.
    """

    def __init__(self, text: str, lines: Sequence[tuple[int | None, str]] = ()):
        super().__init__(text)
        self.lines = list(lines)

    @classmethod
    def on_lines(cls, file: str, source: str, found: Sequence[tuple[int, str]]) -> CompileError:
        """Return the error that shows the first `SHOWN` of (line, message), with the lines."""
        lines, shown = source.splitlines(), []
        for line, message in found[:SHOWN]:
            quoted = f"\n    {lines[line - 1].strip()}" if 0 < line <= len(lines) else ""
            shown.append(f"{file}, line {line}: {message}{quoted}")
        return cls("\n".join(shown), found)


class LaunchError(CudaError, ValueError):
    """A launch that cannot be: its sizes or its arguments."""


class KernelError(CudaError, RuntimeError):
    """A kernel that crashed, hung or ran for too long; `faults` says where."""

    def __init__(self, text: str, faults: Sequence[Any] = ()):
        super().__init__(text)
        self.faults = list(faults)


class NotOnHost(CudaError, TypeError):
    """An array in device memory where one in the host's memory belongs."""
