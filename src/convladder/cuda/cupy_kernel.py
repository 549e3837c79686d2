"""The same kernel on a GPU, through CuPy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .emulator.arrays import DeviceArray
from .emulator.preprocess import variables
from .errors import CompileError, LaunchError
from .headers import include_options
from .launch_checks import Shape, Watch, checked, no_such_variable, too_much
from .report import Report
from .signature import Parameter, c_linkage
from .tensor_map import TensorMap

_MESSAGE = re.compile(r"\((?P<line>\d+)\): (?:catastrophic )?error:?\s*(?:#\S+ )?(?P<text>.*)")
AT_ONCE = 48 * 1024  # bytes of dynamic shared memory that need no asking


class OnGpu:
    """A kernel compiled by NVRTC for the current device."""

    def __init__(self, source: str, file: str, name: str, parameters: Sequence[Parameter]):
        import cupy

        self.array_type = cupy.ndarray
        self.parameters = list(parameters)
        self.source, self.file, self.name = source, file, name
        template = "<" in name
        structures = {
            n: p for n, p in enumerate(parameters) if not (p.pointer or p.dtype or template)
        }
        sizes = [
            *((v, v) for v in variables(source)),
            *((f"parameter_{n}", p.type) for n, p in structures.items()),
        ]
        try:
            self._module = cupy.RawModule(
                code=source + "".join(_size_of(*each) for each in sizes),
                options=("-std=c++17", *include_options(source)),
                # By its C++ name, which NVRTC looks up, unless the machine code has that name.
                name_expressions=None if c_linkage(source, name) else [name],
            )
            self._function = self._module.get_function(name)
        except cupy.cuda.compiler.CompileException as error:
            raise _compile_error(str(error), source, file) from None
        except cupy.cuda.driver.CUDADriverError as error:
            raise CompileError(f"the GPU does not take {file}'s kernel {name!r}: {error}") from None

        for n, p in structures.items():
            size = self._size_of(f"parameter_{n}")
            self.parameters[n] = replace(p, dtype=np.dtype(f"V{size}"))

    def _size_of(self, name: str) -> int:
        import cupy

        place, size = self._module.get_global(f"convladder_size_of_{name}"), np.zeros((), np.uint64)
        cupy.cuda.runtime.memcpy(size.ctypes.data, place.ptr, 8, 2)
        return int(size)

    def launch(self, shape: Shape, arguments: Sequence[Any], cores: int, time_limit: float) -> None:
        """Start it; the GPU runs on by itself. `cores` and `time_limit` are the emulator's."""
        import cupy

        if shape.shared_bytes > AT_ONCE:
            self._function.max_dynamic_shared_size_bytes = shape.shared_bytes
        try:
            given = tuple(a.encoded() if isinstance(a, TensorMap) else a for a in arguments)
            self._function(shape.grid, shape.block, given, shared_mem=shape.shared_bytes)
        except cupy.cuda.driver.CUDADriverError as error:
            raise LaunchError(f"the GPU refuses to launch {self.name}: {error}") from None

    def set_constant(self, name: str, values: np.ndarray) -> None:
        """Fill a variable of the source."""
        import cupy

        values = np.ascontiguousarray(values)
        place, room = self._variable(name)
        if values.nbytes > room:
            raise too_much(name, room, values)
        cupy.cuda.runtime.memcpy(place.ptr, values.ctypes.data, values.nbytes, 1)

    def get_constant(self, name: str, dtype: object) -> np.ndarray:
        """Return the values of a variable of the source."""
        import cupy

        place, size = self._variable(name)
        held = np.zeros(size, np.uint8)
        cupy.cuda.runtime.memcpy(held.ctypes.data, place.ptr, size, 2)
        return held.view(dtype)

    def _variable(self, name: str) -> tuple[Any, int]:
        """The place of a variable, and its bytes."""
        if name not in (known := variables(self.source)):
            raise no_such_variable(self.file, name, known)
        return self._module.get_global(name), self._size_of(name)

    def profile(
        self, shape: Shape, arguments: Sequence[Any], time_limit: float, watch: Watch
    ) -> Report:
        """Run it on the emulator, with copies of arrays and variables, then copied back.

        Raises `KernelError`, and `LaunchError` for numbers that a template's types do not hold.
        """
        from .emulator.launcher import Emulated

        twin = Emulated(self.source, self.file, self.name, self.parameters)
        for name in variables(self.source):
            twin.set_constant(name, self.get_constant(name, np.uint8))
        copies: list[Any] = [
            on_emulator(value)
            if isinstance(value, self.array_type)
            else TensorMap(on_emulator(value.array), value.box)
            if isinstance(value, TensorMap)
            else value
            for value in arguments
        ]
        # Once more: the emulator also knows the types that a template decides.
        report = twin.profile(
            shape, checked(self.name, twin.parameters, copies, twin.array_type), time_limit, watch
        )
        for value, copy in zip(arguments, copies, strict=True):
            if isinstance(value, self.array_type):
                value.set(copy.get())
        for name, kind in variables(self.source).items():
            if kind == "device":
                self.set_constant(name, twin.get_constant(name, np.uint8))
        return report


def on_emulator(array) -> DeviceArray:
    """Return a copy of a GPU's array in the emulator's memory."""
    copy = DeviceArray(array.shape, array.dtype)
    copy.set(array.get())
    return copy


def _size_of(name: str, what: str) -> str:
    """CuPy does not tell the size of a variable; the module itself does, behind the source."""
    return f'\nextern "C" __device__ unsigned long long convladder_size_of_{name} = sizeof({what});'


def _compile_error(told: str, source: str, file: str) -> CompileError:
    """NVRTC's words for lines of the source, each with that line."""
    found = [(int(m["line"]), m["text"].removeprefix(": ")) for m in _MESSAGE.finditer(told)]
    if not found:
        return CompileError(f"{file} does not compile: {told[:600]}")
    return CompileError.on_lines(file, source, found)
