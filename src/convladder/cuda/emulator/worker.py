"""The process in which kernels run, so that one that crashes or hangs takes nothing with it.

Started by worker_client.py as a script, with Python's own library only. Requests and replies are
lines of JSON over two pipes; what a kernel prints goes to standard output.
"""

import ctypes
import itertools
import json
import os
import resource
import sys
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_void_p

STACK = 8 << 20  # bytes at most: a recursion without end would take all memory before it crashed


class KernelWorker:
    """The runtime, the modules and arrays that it has loaded."""

    def __init__(self, runtime: str, replies: int):
        library = ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
        for name, result, arguments in (
            ("cl_start", None, [c_int]),
            ("cl_array_map", c_void_p, [c_char_p, c_size_t]),
            ("cl_array_unmap", None, [c_void_p, c_size_t]),
            ("cl_prepare", c_void_p, [c_void_p] * 2 + [c_uint] * 2 + [c_int] * 3 + [c_void_p]),
            ("cl_add_array", None, [c_void_p] * 2 + [c_size_t, c_void_p, c_int] + [c_size_t] * 2),
            ("cl_shuffle", None, [c_void_p, c_uint]),
            ("cl_set_arguments", None, [c_void_p, c_void_p]),
            ("cl_watch", None, [c_void_p, c_uint, c_uint, c_int]),
            ("cl_launch", c_char_p, [c_void_p]),
        ):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        library.cl_start(replies)
        self.library = library
        self.modules, self.arrays, self.flags = {}, {}, {}

    def module(self, path: str) -> ctypes.CDLL:
        if path not in self.modules:
            self.modules[path] = ctypes.CDLL(path)
        return self.modules[path]

    def parameters(self, path: str) -> list[list]:
        """Return each parameter's pointer, constant, letter, bytes, alignment (cl_launch.h)."""

        class LaunchParameter(ctypes.Structure):
            _fields_ = [
                ("pointer", ctypes.c_char),
                ("constant", ctypes.c_char),
                ("letter", ctypes.c_char),
                ("size", c_int),
                ("alignment", c_int),
            ]

        found = (LaunchParameter * 256)()
        count = self.module(path).cl_parameters(found, 256)
        return [
            [p.pointer != b"\0", p.constant != b"\0", p.letter.decode(), p.size, p.alignment]
            for p in found[:count]
        ]

    def most_threads(self, path: str) -> int:
        """Return the most threads of a block, as the kernel was told; 0 if it was not."""
        return self.module(path).cl_most_threads()

    def variables(self, path: str) -> list[list]:
        """Return the source's variables in constant or global memory: name, address, bytes."""

        class Variable(ctypes.Structure):
            _fields_ = [
                ("name", c_char_p),
                ("at", c_void_p),
                ("size", c_size_t),
                ("element", c_size_t),
                ("sides", c_void_p),
            ]

        function = self.module(path).cl_variables
        function.restype = ctypes.POINTER(Variable)
        named = itertools.takewhile(lambda variable: variable.name is not None, function())
        return [[variable.name.decode(), variable.at, variable.size] for variable in named]

    def write(self, at: int, data: str) -> None:
        """Fill memory with bytes in hexadecimal."""
        ctypes.memmove(at, bytes.fromhex(data), len(data) // 2)

    def read(self, at: int, size: int) -> str:
        """Return bytes of memory in hexadecimal."""
        return ctypes.string_at(at, size).hex()

    def copy_variables(self, path: str, other: str) -> None:
        """Fill the variables of a module from those of another one of the same source."""
        places = {name: at for name, at, _ in self.variables(path)}
        for name, at, size in self.variables(other):
            ctypes.memmove(places[name], at, size)

    def launch(
        self,
        module: str,
        grid: list,
        block: list,
        shared_bytes: int,
        cores: int,
        fibers: bool,
        traced: bool,
        checked: bool,
        watch: list,
        seed: int | None,
        arguments: list,
    ) -> str:
        """Launch a kernel and return the runtime's report, already JSON."""
        three = c_uint * 3
        launch = self.library.cl_prepare(
            three(*grid),
            three(*block),
            shared_bytes,
            cores,
            fibers,
            traced,
            checked,
            self.module(module)._handle,
        )
        self.library.cl_watch(launch, *watch)
        if seed is not None:
            self.library.cl_shuffle(launch, seed)
        values: list[ctypes.Array | c_void_p] = []
        taken = self.parameters(module)
        for argument, (*_, element, alignment) in zip(arguments, taken, strict=True):
            if argument[0] == "value":
                values.append(placed(bytes.fromhex(argument[1]), alignment))
                continue
            kind, number, path, size, known, constant, *words = argument
            at = c_void_p(self._array(number, path, size))
            if kind == "map":  # its first word is the array's address
                values.append(placed(bytes(at) + bytes.fromhex(words[0])[8:], alignment))
                element = alignment = 2
            else:
                values.append(at)
            flags = self._flags(number, size, known) if traced else None
            self.library.cl_add_array(launch, at, size, flags, constant, element, alignment)
        places = (c_void_p * (len(values) + 1))(*map(ctypes.addressof, values))
        self.library.cl_set_arguments(launch, places)
        report = self.library.cl_launch(launch).decode()
        ctypes.CDLL(None).fflush(None)
        return report

    def _array(self, number: int, path: str, size: int) -> int:
        if number not in self.arrays:
            at = self.library.cl_array_map(path.encode(), size)
            if not at:
                raise OSError(f"cannot map an array of {size} bytes")
            self.arrays[number] = at, size
        return self.arrays[number][0]

    def _flags(self, number: int, size: int, known: bool):
        """A flag for each byte that was written; None if all were."""
        if known:
            self.flags.pop(number, None)
            return None
        if number not in self.flags:
            self.flags[number] = (ctypes.c_uint8 * size)()
        return self.flags[number]

    def forget(self, numbers: list) -> None:
        for number in numbers:
            self.flags.pop(number, None)
            if number in self.arrays:
                self.library.cl_array_unmap(*self.arrays.pop(number))


def placed(value: bytes, alignment: int) -> ctypes.Array:
    """Return a parameter's bytes where its type may lie: compilers move 64 of them at once."""
    room = ctypes.create_string_buffer(len(value) + alignment)
    held = (ctypes.c_char * len(value)).from_buffer(room, -ctypes.addressof(room) % alignment)
    held.raw = value
    return held


def main(runtime: str, requests: int, replies: int) -> None:
    """Serve until the pipe of requests is closed."""
    now, most = resource.getrlimit(resource.RLIMIT_STACK)
    if not 0 <= now <= STACK:  # -1 has no limit
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, most))
    try:
        worker = KernelWorker(runtime, replies)
    except OSError as error:
        os.write(replies, json.dumps({"fatal": str(error)}).encode() + b"\n")
        return
    with os.fdopen(requests, "r") as lines:
        for line in lines:
            request = json.loads(line)
            what = request.pop("do")
            try:
                answer = getattr(worker, what)(**request)
                text = answer if what == "launch" else json.dumps({"answer": answer})
            except OSError as error:
                text = json.dumps({"error": str(error)})
            os.write(replies, text.encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
