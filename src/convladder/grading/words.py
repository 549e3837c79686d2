"""The sentences of a check: for a symptom, a case, a value. Nothing else decides by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.problem import ConvProblem
from .sandbox import Opaque

if TYPE_CHECKING:
    from .compare import Symptom
    from .smallest import Simplification

SHOWN = 40  # values of an array that are shown

STAGES = {  # how far an answer came, by the kind of its symptom
    "not attempted": "not attempted",
    "not yours": "not your own code",
    "not judged": "could not be judged",
    "signature": "wrong shape or type",
    "type": "wrong shape or type",
    "shape": "wrong shape or type",
    "dtype": "wrong shape or type",
    "length": "wrong values",
    "keys": "wrong values",
    "value": "wrong values",
    "refused": "wrong values",
    "raised": "raised an exception",
    "time": "takes too long",
    "unfinished": "did not wait",
    "misused": "not used as it should be",
    "changed": "touches its input",
    "view": "touches its input",
    "again": "reuses its result",
    "not contiguous": "wrong memory order",
    "fault": "faulty kernel",
    "crash": "faulty kernel",
    "compile": "does not compile",
    "launch": "cannot be launched",
    "budget": "over budget",
}
COUNTS = {
    "workspace": "bytes of workspace",
    "global_load_requests": "load requests to global memory",
    "global_load_sectors": "sectors loaded from global memory",
    "global_store_requests": "store requests to global memory",
    "global_store_sectors": "sectors stored to global memory",
    "shared_requests": "requests to shared memory",
    "shared_conflicts": "bank conflicts",
    "global_atomics": "atomic operations on global memory",
    "exposed_bytes": "bytes that reach shared memory with no asynchronous copy beside the sums",
    "asynchronous_bytes": "bytes copied asynchronously",
    "barriers": "barriers in the source",
}


def sentence(s: Symptom) -> str:
    """Return the sentence for a symptom."""
    e, where = s.evidence, s.where
    at = f" at {where}" if where else ""
    match s.kind:
        case "not attempted":
            return "Replace the `...` with your own code."
        case "not yours":
            return f"`{where}` is the course's own code. Write this step yourself."
        case "not judged":
            return (
                f"This machine can't judge it: {e['said']}. Your answer may be right. "
                "`convladder doctor` says what is missing or fails, and what to do."
            )
        case "signature":
            return f"Your function must take ({', '.join(e['parameters'])}), in this order."
        case "type":
            if where == "your answer":
                return f"Your answer is {kind(e['got'])}; it should be {kind(e['expected'])}."
            hint = " Is there a `return`?" if e["got"] is None else ""
            return f"`{where}` is {kind(e['got'])}; it should be {kind(e['expected'])}.{hint}"
        case "shape":
            return f"`{where}` has shape {shape(e['got'])}, not {shape(e['expected'])}." + _lost(e)
        case "dtype":
            return f"`{where}` is {e['got'].dtype}, not {e['expected'].dtype}."
        case "length":
            items = f"{len(e['got'])} item{'s' * (len(e['got']) != 1)}"
            return f"`{where}` has {items}, not {len(e['expected'])}." + _lost(e)
        case "keys":
            return f"`{where}` {'has no' if e['missing'] else 'should have no'} key {e['key']!r}."
        case "value":
            more = ""
            if e.get("size", 1) > 1:
                are = "is" if e["count"] == 1 else "are"
                more = f" {e['count']:,} of {e['size']:,} values {are} wrong."
            if isinstance(e["got"], float | np.floating) and np.isnan(e["got"]):
                more += " Memory that nothing has written is NaN here; so is inf - inf."
            wrong = f"`{where}` is {value(e['got'])}, not {value(e['expected'])}."
            return wrong + more + _lost(e)
        case "raised":
            return f"Your function raised{at}: {e['said']}."
        case "time":
            left = (
                " It is in compiled code, or waits for something, and goes on in the background: "
                "restart the kernel."
            )
            why = "Is there a loop that never ends, or far too much work?"
            return f"Your function {e['said']}{at}. {why}" + left * e["left"]
        case "unfinished":
            return (
                "Your function returned while its threads were still at work. Wait for them: "
                "`thread.join()` or `future.result()` of each, or leave the pool's `with` block."
            )
        case "changed":
            return f"Your function changed its argument `{where}`. Work on a copy."
        case "view":
            return (
                f"Right values, but the result shares memory with `{where}`: writing to it would "
                "change the argument. Return an array of its own."
            )
        case "not contiguous":
            return (
                f"Right values, but not in the order of the axes in memory: the strides are "
                f"{list(e['strides'])} bytes. Return a C-contiguous array."
            )
        case "again":
            return f"Right at first, but a second call {e['said']}."
        case "misused":
            return f"Your function {e['said']}"
        case "refused":
            return e["said"] + _lost(e)
        case "fault":
            return f"Your kernel has a fault. {e['said']}{_lines(e['lines'])}"
        case "crash":
            return f"Your kernel was stopped. {e['said']}{_lines(e['lines'])}"
        case "compile":
            return f"Your kernel doesn't compile: {e['said']}"
        case "launch":
            return f"Your kernel can't be launched: {e['said']}."
        case "budget":
            over = "; ".join(_over(count, *numbers) for count, numbers in e.items())
            line = f" Most come from {where}." if where else ""
            return f"Right values, but with {over}.{line}"
        case "factor":
            times = e["times"]
            part = f"1/{1 / times:.4g} of" if 0 < times < 1 else f"{times:.4g} times"
            return f"Every wrong result is {part} the right one."
        case "order":
            return f"The values are right, but in another order. {needs(e['steps'])}".rstrip()
        case "needs":
            return needs(e["steps"])
    raise ValueError(f"no words for {s.kind!r}")


def within(budget: dict[str, int]) -> str:
    """Return the limits kept: ", within 40 requests to shared memory, without bank conflicts"."""
    limits = " and ".join(_many(most, count) for count, most in budget.items() if most)
    none = (
        ", with no workspace" if count == "workspace" else f", without {COUNTS[count]}"
        for count, most in budget.items()
        if not most
    )
    return (f", within {limits}" if limits else "") + "".join(none)


def _over(count: str, used: int, most: int) -> str:
    enough = f"{most:,} {'is' if most == 1 else 'are'} enough" if most else "none is allowed"
    return f"{_many(used, count)}, and {enough}"


def _many(number: int, count: str) -> str:
    """Return a number of a count, the first of whose plurals goes for 1: "1 bank conflict"."""
    name = re.sub(r"s\b", "", COUNTS[count], count=1) if number == 1 else COUNTS[count]
    return f"{number:,} {name}"


def needs(steps: list[Simplification]) -> str:
    """Name the settings, or else the sizes, on which the mistake depends, two at most."""
    settings = [step for step in steps if step.is_setting]
    told = [
        f"{'all of ' * isinstance(step.was, list | tuple)}`{step.name}` = {value(step.now)}"
        for step in settings or steps
        if step.name
    ]
    return f"This case comes out right with {', and with '.join(told[:2])}." if told else ""


def code(v: Any) -> str:
    """Return an argument as Python that can be pasted and run, where it is small enough."""
    if isinstance(v, ConvProblem):  # a stride of 1 and no padding go without saying
        usual = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1}
        said = {each.name: getattr(v, each.name) for each in fields(v)}
        listed = (f"{n}={each!r}" for n, each in said.items() if each != usual.get(n, ...))
        return f"ConvProblem({', '.join(listed)})"
    if isinstance(v, dict):
        return f"{{{', '.join(f'{key!r}: {code(each)}' for key, each in v.items())}}}"
    if not isinstance(v, np.ndarray):
        return repr(v.item() if isinstance(v, np.generic) else v)
    if v.size and v.dtype == np.float32 and (v.ravel() == np.arange(1, v.size + 1)).all():
        return f"np.arange(1, {v.size + 1}, dtype=np.float32).reshape{v.shape}"
    if v.size > SHOWN:
        return f"{v.dtype} {shape(v)}"
    return f"np.array({one_line(np.array2string(v, separator=', '))}, np.{v.dtype})"


def value(v: Any) -> str:
    """Return a result as it reads best: a small array whole, a large one by its shape."""
    if isinstance(v, np.ndarray) and v.ndim:
        if not 0 < v.size <= SHOWN:
            return f"{v.dtype} array of shape {shape(v)}"
        flat = np.squeeze(v) if v.ndim > 2 else v  # axes of length 1 would give empty lines
        rows = np.array2string(_rounded(flat), precision=4, suppress_small=True)
        return rows if v.ndim == 1 else f"{rows}  shape {shape(v)}"
    if isinstance(v, float | np.floating):
        return f"{float(v):.6g}"
    if isinstance(v, tuple | list):
        inside = ", ".join(one_line(value(each)) for each in v)
        return f"({inside}{',' * (len(v) == 1)})" if isinstance(v, tuple) else f"[{inside}]"
    if isinstance(v, Opaque):
        return kind(v)
    return _written(v.item() if isinstance(v, np.generic) else v, repr)


def shape(array: np.ndarray) -> str:
    """Return an array's shape as "[2, 3]"."""
    return f"[{', '.join(map(str, array.shape))}]"


def kind(v: Any) -> str:
    """Return a description: "a float32 array of shape [2, 3]", "the float 2.5", "None"."""
    if v is None:
        return "None"
    if isinstance(v, np.ndarray):
        return f"an array of {v.dtype}, shape {shape(v)}"
    if isinstance(v, Real):
        return f"the {type(v).__name__} {_written(v, str)}"
    if isinstance(v, tuple | list | dict):
        return f"a {type(v).__name__} of {len(v)}"
    if isinstance(v, str):
        return "a string"
    name = v.name if isinstance(v, Opaque) else type(v).__name__
    return "a function" if name in ("function", "method", "CPUDispatcher") else f"a {name}"


def _written(v: Any, write: Callable[[Any], str]) -> str:
    """Return `write(v)`, or a remark where Python refuses: a whole number has too many digits."""
    try:
        return write(v)
    except ValueError:
        return "of more digits than can be shown"


def _lost(e: dict[str, Any]) -> str:
    return f" A task of yours raised {e['lost']}, and nobody asked." if e.get("lost") else ""


def _lines(lines: dict[int, str]) -> str:
    return "".join(f"\n  line {number}: {line}" for number, line in lines.items())


def _rounded(v: np.ndarray) -> np.ndarray:
    """Return an array without "-0.", so that it reads the same on every machine."""
    return v + 0.0 if v.dtype.kind == "f" else v


def one_line(several: str) -> str:
    return re.sub(r"\s*\n\s*", " ", several)
