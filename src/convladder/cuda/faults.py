"""A kernel's faults in words: the threads, the line, the access, the other access."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .tensor_map import TensorMap


@dataclass(frozen=True)
class Fault:
    """One mistake of a kernel, the first time that it was made; `count` says how often it was.

    `kind`: "race", "out of bounds", "unwritten" (read, but never written), "misaligned",
    "barrier", "shared memory", "constant", "warp", "copy" (asynchronous), "trap", "crash",
    "stack" (used up), "division" (by zero), "printf" (its arguments), "endless" or "too long" (to
    be watched). `thread` and `block` are
    (x, y, z), `line` is of the source. `array`: the parameter or shared array, with `index` its
    element and `shape` its sides; of a thread's own array the text before the bracket (`own`,
    `two[i]`). A race names the other thread with its block, and its line;
    `same_value` if both stored the same. `called_from`: the line that calls the function with
    `line`, where the emulator knows it.
    """

    kind: str
    message: str
    line: int | None
    thread: tuple[int, int, int]
    block: tuple[int, int, int]
    array: str | None = None
    index: tuple[int, ...] | None = None
    shape: tuple[int, ...] | None = None
    other_line: int | None = None
    other_thread: tuple[int, int, int] | None = None
    other_block: tuple[int, int, int] | None = None
    count: int = 1
    same_value: bool = False
    called_from: int | None = None

    def __str__(self) -> str:
        return self.message


def unset(file: str, line: int, name: str) -> Fault:
    """Return the fault of a local variable that is read before it has a value, by any thread."""
    words = f"{file}, line {line}: {name} is read before anything was assigned to it."
    return Fault("unwritten", words, line, (0, 0, 0), (0, 0, 0), name)


MOST_STEPS = 16  # in millions, of a thread that is watched (runtime/trace.cpp)

_KINDS = {
    "unwritten": "unwritten", "ended before a barrier": "barrier", "barriers apart": "barrier",
    "static shared memory": "shared memory", "stores to a constant": "constant",
    "lanes that never come": "warp", "not in its own mask": "warp",
    "value of no lane": "warp", "copy under way": "copy", "copy without wait": "copy",
    "copy of a size": "copy", "copy beside shared memory": "copy",
    "barrier without count": "barrier", "too many arrivals": "barrier",
    "arrivals that never come": "barrier", "bytes that never come": "barrier",
    "bulk copy of a size": "copy", "barrier without fence": "barrier",
    "neither parity": "barrier",
}  # fmt: skip


def faults_of(
    answer: dict, kernel: Any, arguments: Sequence[object], traced: bool = False
) -> list[Fault]:
    """Return the faults in the runtime's report on a launch of `kernel`, an `Emulated`."""
    from .emulator.debug_lines import line_of
    from .emulator.runtime_faults import distinct_faults

    library = kernel.library(traced)
    for entry in answer.get("faults", ()):
        if entry["kind"] in ("endless", "crash") and "last" in answer:
            # Not on a line of the source: in what it called last, most likely.
            calls = (answer["printed"][2] if "printed" in answer else None, answer["last"])
            entry["site"] = next(
                (site for site in (entry["site"], *calls) if line_of(library, kernel.file, site)),
                None,
            )
    found = [
        _fault(entry, kernel, arguments, traced)
        for entry in distinct_faults(answer, kernel, traced)
    ]
    # Whoever reads too early, by a race, finds nothing written: that is said by the race.
    raced = {(f.array, line) for f in found if f.kind == "race" for line in (f.line, f.other_line)}
    return [f for f in found if f.kind != "unwritten" or (f.array, f.line) not in raced]


def _fault(entry: dict, kernel: Any, arguments: Sequence[object], traced: bool) -> Fault:
    """Return the fault of an entry: a dictionary, see `emulator/runtime_faults.py`."""
    from .emulator.debug_lines import caller_of, line_of

    library, entry = kernel.library(traced), {**entry, "traced": traced}
    entry |= _null_pointer(entry, kernel, arguments)
    line = line_of(library, kernel.file, entry["site"])
    other_line = line_of(library, kernel.file, entry.get("other_site"))
    caller = caller_of(library, kernel.file, entry["site"])
    caller = None if caller == line else caller  # of a function that isn't of the source
    name, shape, index, itemsize = _place(entry, kernel, arguments)
    names = _names(entry, kernel, arguments)
    other_thread, other_block = (
        tuple(entry[key]) if key in entry else None for key in ("other_thread", "other_block")
    )
    fault = Fault(
        _KINDS.get(entry["kind"], entry["kind"]), "", line, tuple(entry["thread"]),
        tuple(entry["block"]), name, index, shape, other_line,
        other_thread, other_block, entry["count"], entry.get("same", False), caller,
    )  # fmt: skip
    words = _words(entry, fault, entry["size"] // max(itemsize, 1))
    where = f"{kernel.file}, line {line}" if line else kernel.message_prefix
    more = entry["count"] - 1
    often = f" (and {more} more like it)" if more else ""
    one = f"; {' and '.join(names)} are one array" if len(names) > 1 else ""
    values = {**fault.__dict__, "message": f"{where}: {words}{often}{one}."}
    return Fault(**values)


def _place(entry: dict, kernel: Any, arguments: Sequence[object]) -> tuple:
    """Name, shape and index of the array that was touched, and bytes of one element."""
    if "subscript" in entry:
        return entry["text"], entry["sides"] or None, (entry["offset"],), 1
    if "shared" in entry:
        element, sides = entry["element"], tuple(entry["sides"])
        if "alone" in entry and 0 <= entry["offset"] < element:
            return entry["shared"], None, None, element
        at = entry["offset"] // max(element, 1)
        inside = len(sides) > 1 and 0 <= at < np.prod(sides)
        index = tuple(map(int, np.unravel_index(at, sides))) if inside else (at,)
        return entry["shared"], sides or None, index, element
    if entry["array"] < 0 and (far := _far(entry, kernel, arguments)):
        return _place({**entry, **far}, kernel, arguments)
    if entry["array"] < 0:
        return None, None, None, 1
    p, value = _arrays(kernel.parameters, arguments)[entry["array"]]
    itemsize = value.dtype.itemsize
    at = entry["offset"] // itemsize
    inside = 0 <= at < value.size and len(value.shape) > 1
    index = tuple(map(int, np.unravel_index(at, value.shape))) if inside else (at,)
    return p.name, value.shape, index, itemsize


def _names(entry: dict, kernel: Any, arguments: Sequence[object]) -> list[str]:
    """Of the parameters to which the array of a race was passed."""
    if "shared" in entry or entry["kind"] != "race" or entry["array"] < 0:
        return []
    pointers = _arrays(kernel.parameters, arguments)
    return [p.name for p, value in pointers if value is pointers[entry["array"]][1]]


def _arrays(parameters: Sequence[Any], arguments: Sequence[object]) -> list[tuple]:
    """Return the arrays that were passed, each with its parameter, as the runtime counts them."""
    return [
        (p, value.array if isinstance(value, TensorMap) else value)
        for p, value in zip(parameters, arguments, strict=True)
        if value is not None and (p.pointer or isinstance(value, TensorMap))
    ]


def array_names(parameters: Sequence[Any], arguments: Sequence[object]) -> list[str]:
    """Return the parameters' names of the arrays that were passed, null pointers left out."""
    return [p.name for p, _ in _arrays(parameters, arguments)]


WRAP = 2**32  # an unsigned index below 0 becomes the last before this
NEAR = 64 << 20  # bytes: as far as an array is blamed


def _far(entry: dict, kernel: Any, arguments: Sequence[object]) -> dict | None:
    """Return which array is meant by an access far away from all: the one that is near but for a
    wrapped index, or the only one that the line subscripts. None if neither is clear."""
    from .emulator.debug_lines import line_of
    from .emulator.subscripts import subscripts

    if "far" not in entry or "null" in entry:
        return None
    names = array_names(kernel.parameters, arguments)
    meant = [
        ({"array": which} if isinstance(which, int) else {"shared": which, "sides": sides}, *place)
        for which, sides, *place in entry["far"]
    ]
    found = sorted(meant, key=lambda each: abs(each[1] - WRAP * each[2]))[:1]
    if not found or abs(found[0][1] - WRAP * found[0][2]) >= NEAR:
        line = line_of(kernel.library(entry["traced"]), kernel.file, entry["site"])
        kinds = (entry["store"],) if entry["traced"] else (False, True)
        on_line = {name for name, stored in subscripts(kernel.source, line) if stored in kinds}
        found = [
            each
            for each in meant
            if (each[0]["shared"] if "shared" in each[0] else names[each[0]["array"]]) in on_line
        ]
    if len(found) != 1:
        return None
    if not -WRAP // 2 <= found[0][1] // max(found[0][2], 1) < WRAP:
        return None
    which, at, element = found[0]
    return {**which, "offset": at, "element": element}


def _null_pointer(entry: dict, kernel: Any, arguments: Sequence[object]) -> dict:
    """Return which parameter is meant by an access to an address that only a null pointer has."""
    names = [p.name for p, value in zip(kernel.parameters, arguments, strict=True) if value is None]
    if "far" not in entry or not names or not 0 <= entry["offset"] < NEAR:
        return {}
    return {"null": f"{' or '.join(names)}, which is a null pointer (None)"}


def _outside(fault: Fault) -> bool:
    """Return whether the place named lies outside; else what begins there ends outside."""
    if len(fault.index) < len(fault.shape):  # counted over the whole array
        return not 0 <= fault.index[0] < np.prod(fault.shape)
    return not all(0 <= at < side for at, side in zip(fault.index, fault.shape, strict=True))


# By kind: what the thread does. size: in bytes; other: a thread, on other_line.
_SENTENCES = {
    "unwritten": "reads {element}, which nothing has written",
    "misaligned": "{does} {size} bytes{begin} at an address that is not a multiple of {size}",
    "ended before a barrier":
        "waits at a barrier that thread {other} never reaches: it has ended",
    "barriers apart":
        "waits at this barrier, thread {other} at another one (line {other_line})",
    "stores to a constant": "writes to constant memory, which kernels can only read",
    "lanes that never come": "waits for lanes of its warp that never come here",
    "not in its own mask": "calls with a mask that leaves out its own lane",
    "value of no lane": "asks for the value of a lane of its warp that does not take part",
    "copy under way":
        "{does} {element} while a copy is still on its way there, begun by thread {other} (line "
        "{other_line}); commit it and wait for it first, then let all threads meet at a barrier",
    "copy without wait": "begins an asynchronous copy, and nothing waits for it",
    "copy of a size": "copies {size} bytes asynchronously; 4, 8 and 16 are possible",
    "bulk copy of a size": "copies {size} bytes in bulk; multiples of 16 are possible",
    "copy beside shared memory":
        "copies asynchronously to a place outside of all shared memory, which is where such "
        "copies go",
    "barrier without count":
        "uses a barrier in shared memory before init told it how many arrivals to expect",
    "barrier without fence":
        "begins a copy for a barrier of which the copy engine may know nothing yet: call "
        "fence_proxy_async() after mbarrier_init",
    "too many arrivals":
        "arrives at a barrier in shared memory that expects no more arrivals in this phase",
    "neither parity": "waits at an mbarrier for a parity that is neither 0 nor 1",
    "arrivals that never come":
        "waits at a barrier in shared memory for arrivals that never come",
    "bytes that never come":
        "waits at an mbarrier for bytes that never come: all have arrived, but the copies bring "
        "another number of bytes than was announced",
    "trap": "stopped the kernel (__trap or a failed assert)",
    "too long":
        f"was still running here after {MOST_STEPS} million steps and accesses, more than can be "
        "watched; perhaps a loop never ends",
    "stack":
        "has used up its stack: a function calls itself without end, or its local arrays are too "
        "large, or written beyond their end",
    "printf":
        "gives printf what its format does not fit: %d takes an int, %f a float, %s a string, "
        "each its own argument",
    "division":
        "divides a whole number by zero (or the least one by -1); a GPU would go on with some "
        "arbitrary value",
}  # fmt: skip


def _words(entry: dict, fault: Fault, elements: int) -> str:
    """Return the fault in words. elements: that were touched at once, by a vector load or store."""
    who = f"thread {_three(fault.thread)} of block {_three(fault.block)}"
    does = "writes" if entry["store"] else "reads"
    name = fault.array or "memory"
    element = f"{name}[{', '.join(map(str, fault.index))}]" if fault.index else name
    match entry["kind"]:
        case "out of bounds":
            return f"{who} {_out_of_bounds(entry, fault, does, name, element, elements)}"
        case "race":
            return _race(entry, fault, who, element)
        case "static shared memory":
            return (
                f"with {name} the kernel declares {entry['size']} bytes of shared memory; 49152 "
                "are possible this way (more as extern __shared__, asked for at launch)"
            )
        case "endless" if fault.line:
            return f"{who} was still running here: perhaps a loop never ends"
        case "endless":
            return f"{who} was still running: look for a loop or a function that never ends"
        case kind if kind in _SENTENCES:
            sentence = _SENTENCES[kind].format(
                does=does,
                element=element,
                size=entry["size"],
                begin=f" from {element} on," if fault.array else "",
                other=fault.other_thread and _three(fault.other_thread),
                other_line=fault.other_line,
            )
            return f"{who} {sentence}"
    if "null" in entry:
        return f"{who} touched memory through {entry['null']}"
    near = f" while it touched {element}{_wrapped(fault)}" if fault.array else ""
    return (
        f"{who} crashed{near}; most often by an index far outside an array, or a pointer that "
        "leads nowhere"
    )


def _out_of_bounds(
    entry: dict, fault: Fault, does: str, name: str, element: str, elements: int
) -> str:
    """Return what the thread does with an element that there is not."""
    if fault.array is None and fault.shape:
        return f"takes index {fault.index[0]} of an array that has {fault.shape[0]} elements"
    if fault.array is None:
        return f"{does} through {entry['null']}" if "null" in entry else f"{does} where no array is"
    size = " x ".join(map(str, fault.shape)) if fault.shape else None
    room = f", which has {size} elements" if size else ""
    if fault.index and size and elements > 1 and not _outside(fault):  # the rest of it lies outside
        return f"{does} {elements} elements from {element} on, which end outside {name}{room}"
    return f"{does} {element}, outside {name}{room}{_wrapped(fault)}"


def _race(entry: dict, fault: Fault, who: str, element: str) -> str:
    apart = fault.other_block != fault.block
    block = f" of block {_three(fault.other_block)}" if apart else ""
    also = f"thread {_three(fault.other_thread)}{block} (line {fault.other_line})"
    between = (
        ", and nothing in between orders the two blocks" if apart else " with no barrier in between"
    )
    if entry["same"]:
        return (
            f"{who} and {also} write the same value to {element}{between}; that often goes "
            "well, but nothing promises it: let one of them write"
        )
    mixed = (
        " (atomics are safe among themselves only)"
        if "atomic" in (entry["does"], entry["did"])
        else ""
    )
    if entry["does"] == "read":
        return f"{who} reads {element}, which {also} has written{between}{mixed}"
    touches = {"read": "reads", "write": "writes", "atomic": "changes"}[entry["did"]]
    return (
        f"{who} writes {element}, and {also} also {touches if apart else 'touches'} it"
        f"{between}{mixed}"
    )


def _wrapped(fault: Fault) -> str:
    wrapped = fault.index and len(fault.index) == 1 and WRAP - NEAR <= fault.index[0] < WRAP
    return " (an unsigned number has gone below 0)" if wrapped else ""


def _three(sides: tuple[int, int, int]) -> str:
    return f"({', '.join(map(str, sides))})"
