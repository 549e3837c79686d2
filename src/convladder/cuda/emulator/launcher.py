"""One kernel on the emulator: built, launched, traced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..backend import block_seed
from ..errors import KernelError, LaunchError
from ..faults import array_names, faults_of, unset
from ..launch_checks import Shape, Watch, no_such_variable, too_much
from ..report import Report
from ..signature import Parameter, first_line
from ..tensor_map import TensorMap
from .arrays import DeviceArray
from .compiler import build, never_set, warnings_near
from .debug_lines import line_of
from .diagnostics import undefined
from .preprocess import has_sized_arrays, uses_dynamic, variables
from .runtime_faults import join_faults, was_stopped
from .worker_client import process

_LETTERS = {
    ("f", 4): "float32",
    ("f", 8): "float64",
    ("h", 2): "float16",
    ("g", 2): "uint16",
    ("b", 1): "bool",
    **{("i", n): f"int{8 * n}" for n in (1, 2, 4, 8)},
    **{("u", n): f"uint{8 * n}" for n in (1, 2, 4, 8)},
}
SECOND = 1.0  # seconds for the check of indices, where a launch was stopped already


@dataclass
class _Variables:
    """The variables of one source: their values, and which library of which worker holds them."""

    constants: dict[str, np.ndarray] = field(default_factory=dict)
    held_by: tuple[int, Path] | None = None


_variables_of: dict[str, _Variables] = {}  # by source: kernels of one source share them


class Emulated:
    """A kernel as the emulator runs it.

    `file` is what faults call the source; `parameters` come from it, those that a template decides
    from the compiler. `traced`: which of its two forms to compile at once, the other when needed.
    """

    array_type = DeviceArray

    def __init__(
        self,
        source: str,
        file: str,
        name: str,
        parameters: Sequence[Parameter],
        traced: bool = False,
    ):
        self.source, self.file, self.name = source, file, name
        self._has_sized = has_sized_arrays(source, name)
        self._own = _variables_of.setdefault(source, _Variables()) if variables(source) else None
        library, _ = build(source, file, name, traced, False)
        answer = process().ask("parameters", path=str(library))
        if missing := re.search(r"undefined symbol: (\w+)", answer.get("error", "")):
            raise undefined(_unmangled(missing[1]), source, file)
        self._most_threads = process().ask("most_threads", path=str(library))["answer"]
        self.parameters = [
            _known(p, *described) for p, described in zip(parameters, answer["answer"], strict=True)
        ]

    def set_constant(self, name: str, values: np.ndarray) -> None:
        """Fill a variable of the source. Raises `LaunchError` if there is none such."""
        values = np.ascontiguousarray(values)
        at, size = self._variable(name)
        if values.nbytes > size:
            raise too_much(name, size, values)
        self._own.constants[name] = values.copy()
        process().ask("write", at=at, data=values.tobytes().hex())

    def get_constant(self, name: str, dtype: object) -> np.ndarray:
        """Return the values of a variable of the source, without axes' structure, as `dtype`.

        Raises `LaunchError` if there is none such.
        """
        at, size = self._variable(name)
        held = process().ask("read", at=at, size=size)["answer"]
        return np.frombuffer(bytes.fromhex(held), dtype).copy()

    def _variable(self, name: str) -> tuple[int, int]:
        """The address and the bytes of a variable, where its values are."""
        process().ready()
        if self._own and self._anew():
            self._bring_variables(self.library(traced=False))
        found = self._places(self._own.held_by[1]) if self._own else {}
        if name not in found:
            raise no_such_variable(self.file, name, found)
        return found[name]

    def _places(self, library: Path) -> dict[str, tuple[int, int]]:
        told = process().ask("variables", path=str(library))["answer"]
        return {name: (at, size) for name, at, size in told}

    def _anew(self) -> bool:
        """Whether no library of the worker holds the variables' values."""
        return self._own.held_by is None or self._own.held_by[0] != process().generation

    def _bring_variables(self, library: Path, stay: bool = True) -> None:
        """Give a library the values that the source's variables have by now.

        They `stay` there, or are a copy for a run that changes nothing.
        """
        if self._own is None:
            return
        if self._anew():
            places = self._places(library)
            for name, values in self._own.constants.items():
                process().ask("write", at=places[name][0], data=values.tobytes().hex())
        elif (holder := self._own.held_by[1]) != library:
            process().ask("copy_variables", path=str(library), other=str(holder))
        if stay:
            self._own.held_by = process().generation, library

    def launch(self, shape: Shape, arguments: Sequence[Any], cores: int, time_limit: float) -> None:
        """Run it. Raises `KernelError` for what a kernel must not do, where it shows."""
        answer = self._run(shape, arguments, cores, time_limit)
        for p, value in zip(self.parameters, arguments, strict=True):
            if p.pointer and not p.constant and value is not None:
                value.known = True
        if faults := faults_of(answer, self, arguments):
            raise KernelError("\n".join(map(str, faults)), faults)
        if beside := answer.get("beside"):
            names = array_names(self.parameters, arguments)
            arrays = self._arrays(arguments)
            where = "; ".join(
                f"{names[n]}[{at // arrays[n].dtype.itemsize}], of {arrays[n].size} elements"
                for n, at in beside
            )
            raise KernelError(
                f"{self.name} wrote outside its arrays ({where}). kernel.profile(grid, block, "
                "shared_bytes, ...) tells which thread did, and on which line"
            )

    def profile(
        self, shape: Shape, arguments: Sequence[Any], time_limit: float, watch: Watch
    ) -> Report:
        """Run it watched, and return what the runtime counted. Raises `KernelError`."""
        arrays = self._arrays(arguments) if self._has_sized else []
        before = [value.bytes().copy() for value in arrays]
        if self._has_sized:
            process().ready()
            library, _ = build(self.source, self.file, self.name, False, True)
            self._bring_variables(library, stay=False)
        answer = self._asked(shape, arguments, 1, time_limit, traced=True, watch=watch)
        if self._has_sized and not answer["interrupted"]:
            after = [value.bytes().copy() for value in arrays]
            _fill(arrays, before)
            if was_stopped(answer):  # nobody waits for it a second time
                time_limit = min(time_limit, SECOND)
            checked = self._asked(shape, arguments, 1, time_limit, traced=False, checked=True)
            _fill(arrays, after)
            answer["faults"] = join_faults(answer.get("faults", ()), checked, self)
        self._judge(answer, shape, arguments, time_limit, traced=True)
        report = Report.of(answer, self, shape, arguments)
        report.faults += [
            unset(self.file, line, name)
            for line, name in never_set(self.library(True), self.source, self.file)
        ]
        return report

    def _run(self, shape: Shape, arguments: Sequence[Any], cores: int, time_limit: float) -> dict:
        answer = self._asked(shape, arguments, cores, time_limit, traced=False)
        self._judge(answer, shape, arguments, time_limit, traced=False)
        return answer

    def _asked(
        self,
        shape: Shape,
        arguments: Sequence[Any],
        cores: int,
        time_limit: float,
        traced: bool,
        checked: bool = False,
        watch: Watch = Watch(),
    ) -> dict:
        if 0 < self._most_threads < (threads := int(np.prod(shape.block))):
            raise LaunchError(
                f"{self.name} is compiled for {self._most_threads} threads per block "
                f"(__launch_bounds__); block={shape.block} has {threads}"
            )
        library, fibers = build(self.source, self.file, self.name, traced, checked)
        process().ready()
        if not checked or (self._own and self._anew()):
            self._bring_variables(library, stay=not checked)
        answer = process().ask(
            "launch",
            time_limit,
            module=str(library),
            grid=shape.grid,
            block=shape.block,
            shared_bytes=shape.shared_bytes,
            cores=cores,
            fibers=fibers,
            traced=traced,
            checked=checked,
            watch=(watch.block, sum(1 << n for n in watch.warps if n < 32), watch.whole),
            seed=block_seed(),
            arguments=[
                _sent(p, value) for p, value in zip(self.parameters, arguments, strict=True)
            ],
        )
        self._tell_of_printing(answer, library)
        return answer

    def _judge(
        self,
        answer: dict,
        shape: Shape,
        arguments: Sequence[Any],
        time_limit: float,
        traced: bool,
    ) -> None:
        """Raise `KernelError` where the launch has not come to its end."""
        if "signal" in answer:
            faults = faults_of(answer, self, arguments, traced)
            words = "\n".join(map(str, faults)) or (
                f"{self.message_prefix}: it crashed, most likely since an array of a thread's "
                "own, or one in shared memory, is written far beyond its end."
            )
            if all(fault.kind == "crash" and fault.line is None for fault in faults):
                words += self._suspects()
            if shape.shared_bytes == 0 and uses_dynamic(self.source, self.name):
                words += (
                    " It uses dynamic shared memory, and this launch asks for none: "
                    "kernel[grid, block, shared_bytes]."
                )
            if answer.get("interrupted"):
                words += " It was interrupted."
            elif faults and faults[0].kind == "endless":
                words += f" It was stopped after {time_limit:g} s (cuda.time_limit sets that)."
            raise KernelError(words, faults)

    @property
    def message_prefix(self) -> str:
        """Return the start of a message without a line: the kernel, and where it begins."""
        return (
            f"{self.file}, kernel {self.name} (from line {first_line(self.source, self.name)} on)"
        )

    def _suspects(self) -> str:
        found = "".join(
            f" Line {line}, says the compiler: {message}."
            for line, message in warnings_near(self.source, self.file, self.name)
        )
        return found or (
            " kernel.profile(grid, block, shared_bytes, ...) looks at each access to "
            "arrays that are passed or shared, and at each index into a thread's "
            "own."
        )

    def _tell_of_printing(self, answer: dict, library: Path) -> None:
        """Printed is no more than a page can show; what became of the rest is said."""
        if "printed" in answer:
            calls, shown, site = answer["printed"]
            line = line_of(library, self.file, site)
            print(
                f"{self.file}, line {line}: printf was called {calls:,} times; the first "
                f"{shown:,} are shown. Let one thread print, or look at an array's values."
            )

    def _arrays(self, arguments: Sequence[Any]) -> list[DeviceArray]:
        return [
            value.array if isinstance(value, TensorMap) else value
            for value in arguments
            if isinstance(value, DeviceArray | TensorMap)
        ]

    def library(self, traced: bool) -> Path:
        """Return its compiled form."""
        return build(self.source, self.file, self.name, traced, False)[0]


def _fill(arrays: Sequence[DeviceArray], contents: Sequence[np.ndarray]) -> None:
    for value, held in zip(arrays, contents, strict=True):
        value.bytes()[:] = held


def _unmangled(symbol: str) -> str:
    """The name that a linker's symbol ends in, without namespaces and types: _Z5twicef, twice."""
    name, rest = symbol, re.sub(r"^_ZN?K?", "", symbol)
    while rest != symbol and (length := re.match(r"\d+", rest)):
        end = length.end() + int(length[0])
        name, rest = rest[length.end() : end], rest[end:]
    return name


def _known(p: Parameter, pointer: bool, constant: bool, letter: str, size: int, *_) -> Parameter:
    kind = f"V{size}" if letter == "s" and not pointer else _LETTERS.get((letter, size))
    given = p.dtype is not None and (kind is None or kind[0] != "V")
    dtype = p.dtype if given or kind is None else np.dtype(kind)
    return Parameter(p.name, p.type, pointer, constant or (p.constant and not pointer), dtype)


def _sent(p: Parameter, value: Any) -> list:
    if isinstance(value, DeviceArray):
        return ["array", value.number, value.path, value.nbytes, value.known, p.constant]
    if isinstance(value, TensorMap):
        return ["map", *_sent(p, value.array)[1:5], True, value.words(0).tobytes().hex()]
    return ["value", bytes(8).hex() if value is None else value.tobytes().hex()]  # a null pointer
