"""What commonly raises an exception, in words for whoever wrote the line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..faults import FaultyKernel

_WORDS: tuple[tuple[str, str], ...] = (
    (
        r"IndexError: index (-?\d+) is out of bounds for axis (\d+) with size 0",
        r"Axis \2 is empty: there is no place \1.",
    ),
    (
        r"IndexError: index (-?\d+) is out of bounds for axis (\d+) with size 1$",
        r"Axis \2 has one place, number 0: there is no place \1.",
    ),
    (
        r"IndexError: index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        r"Axis \2 has \3 places, numbered from 0: there is no place \1.",
    ),
    (
        r"IndexError: too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
        r"The array has \1 axes, and is indexed by \2.",
    ),
    (
        r"IndexError: (?:list|tuple) index out of range",
        "The list or tuple is shorter than the index supposes: places are numbered from 0.",
    ),
    (
        r"ValueError: could not broadcast input array from shape \((.*?),?\) into shape \((.*?),?\)",
        r"What is written has the shape [\1], and its place has the shape [\2].",
    ),
    (
        r"ValueError: operands could not be broadcast together with (?:remapped )?shapes? (.*)",
        r"The two arrays have shapes that do not fit: \1. Sizes have to be equal, or 1, counted from "
        "the last axis.",
    ),
    (
        r"ValueError: cannot reshape array of size (\d+) into shape \((.*?),?\)",
        r"\1 values do not fill the shape [\2].",
    ),
    (
        r"ValueError: matmul: .*\(size (\d+) is different from (\d+)\).*",
        r"The inner sizes of the product differ: \2 on the left (its last axis), \1 on the right (the "
        "axis before its last one).",
    ),
    (
        r"ValueError: (?:all input array|all the input array) .*",
        "The arrays that are put together have different shapes.",
    ),
    (
        r"ValueError: setting an array element with a sequence.*inhomogeneous.*",
        "The items of a list have different lengths: no array has such a shape.",
    ),
    (
        r"ValueError: setting an array element with a sequence.*",
        "A place for one number is given several.",
    ),
    (
        r"ValueError: einstein sum subscripts string .*",
        "The letters of `einsum` do not fit the axes of the arrays, or each other.",
    ),
    (
        r"ValueError: The truth value of an array .*",
        "An `if`, `and`, `max` or the like is asked about a whole array: use `.any()`, `.all()`, "
        "`np.maximum`.",
    ),
    (
        r"TypeError: '(?:numpy\.)?float\d*' object cannot be interpreted as an integer",
        "A place or a count is a float: `/` gives floats, `//` whole numbers.",
    ),
    (
        r"TypeError: only integer(?: scalar)? arrays can be converted to a scalar index",
        "A float (`/` gives one, `//` a whole number), or an array, stands where one whole number "
        "belongs.",
    ),
    (
        r"TypeError: slice indices must be integers.*|IndexError: only integers, slices .*",
        "An index is no whole number: a float (`/` gives floats, `//` whole numbers), or something "
        "else.",
    ),
    (
        r"TypeError: unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'",
        r"`\1` is used between a `\2` and a `\3`.",
    ),
    (
        r"TypeError: can only concatenate (tuple|list) .*",
        r"`+` stands between a \1 and something else: take one of its items, `[0]` or `[1]`.",
    ),
    (
        r"TypeError: (.+) missing \d+ required positional arguments?: (.+)",
        r"\1 is called with too little: \2 is missing. A tuple is one argument; `*` hands its items "
        "over.",
    ),
    (r"TypeError: '(\w+)' object is not subscriptable", r"A `\1` has no items to index."),
    (r"TypeError: '(\w+)' object is not callable", r"A `\1` is called like a function."),
    (
        r"(?:AttributeError|TypeError): .*'?NoneType'?.*",
        "Something is None: a function without `return`, most often.",
    ),
    (
        r"NameError: name '(\w+)' is not defined.*",
        r"`\1` is not known here: misspelt, or never assigned.",
    ),
    (
        r"UnboundLocalError: .*variable '(\w+)'.*",
        r"`\1` is used before it has a value: it is assigned further down, or in a branch not taken.",
    ),
    (r"KeyError: (.*)", r"The dict has no key \1."),
    (r"ZeroDivisionError.*", "Something is divided by zero."),
    (
        r"ImportError: scipy .* required for linear algebra",
        "`@` and `np.dot` in compiled code need SciPy, which the course does without: write loops.",
    ),
    (r"RecursionError.*", "The function calls itself without an end."),
    (
        r"OverflowError: Python integer .* out of bounds for (\w+)",
        r"A number does not fit the dtype \1.",
    ),
    (
        r"(?:numpy\._core\._exceptions\.)?_?UFunc\w*Error: Cannot cast .* from dtype\('(\w+)'\) to "
        r"dtype\('(\w+)'\).*",
        r"A result of dtype \1 is to be stored in an array of dtype \2.",
    ),
)


_FAULTS = {
    "barrier": "Not all threads of the block come to the same barrier: some have left before, or "
    "are in another branch. A barrier is for all of them.",
    "misaligned": "A vector load or store needs an address that is a multiple of its own size.",
    "out of bounds": "A place is asked for that the array does not have: the index is wrong, the "
    "array is too small, or threads that have nothing to do go on.",
    "unwritten": "A place is read before anybody has written it: it was left out when the array "
    "was filled, or is read too early (`+=` reads, too), or the index is wrong.",
}


def fault_symptom(error: FaultyKernel) -> str:
    """Return what a kernel's first fault comes to, in words, or ""."""
    if not error.faults:
        return ""
    fault = error.faults[0]
    if "which end outside" in fault.message:
        return "A vector load or store takes all of its elements: the last one must be there too."
    if fault.kind != "race":
        return _FAULTS.get(fault.kind, "")
    if fault.line is None:
        return "Two threads touch one place, one of them writes, and nothing orders the two."
    if fault.line == fault.other_line:
        return (
            "Two threads come to one place by the same line. Its index should give each a "
            "place of its own, or one of them has nothing to do there, or they add up, which "
            "`atomicAdd` is for."
        )
    between = f"What line {fault.line} and line {fault.other_line} do to one place"
    if fault.block != fault.other_block:
        return f"{between} is done by two blocks, and no barrier orders blocks."
    if re.search(r"wait_prior|cp\.async\.wait|wait_group", error.source):
        return (
            f"{between} is ordered by nothing. A thread waits for copies of its own alone: the "
            "barrier that orders them for all stands behind that wait."
        )
    return (
        f"{between} is ordered by nothing: no barrier stands between them for both threads. "
        "One is missing, or the two should not meet there."
    )


def error_symptom(error: BaseException) -> str:
    """Return what is commonly meant by an exception, or ""."""
    if "numba" in type(error).__module__:
        return _of_numba(str(error))
    text = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}".strip()
    for pattern, words in _WORDS:
        if found := re.match(pattern, text):
            return found.expand(words).replace("newaxis", "-1")  # NumPy's word for a size to find
    return ""


_OF_NUMBA = (
    (
        r"array index type float|getitem\(array\([^)]*\), (?:Tuple\([^)]*)?float",
        "A place in an array is a float: `/` gives floats, `//` whole numbers.",
    ),
    (
        r"Cannot determine Numba type of <class '(?:\w+\.)*(\w+)'>",
        r"Numba does not know what a `\1` is: hand the compiled function numbers and arrays.",
    ),
    (r"name '(\w+)' is not defined", r"`\1` is not known here: misspelt, or never assigned."),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'",
        r"`\3` is of two types: `\1` and `\2`. Compiled code wants one.",
    ),
    (
        r"Unknown attribute '(\w+)' of type (.+)",
        r"Numba has no `\1` for `\2`: write it as a loop, or call it outside.",
    ),
    (
        r"No implementation of function .*\n \n >>> (.+)",
        r"Numba cannot compile `\1`: write it as a loop, or call it outside.",
    ),
)


def _of_numba(text: str) -> str:
    """Return what its compiler means, which it says below its first line."""
    return next(
        (
            found.expand(words)
            for pattern, words in _OF_NUMBA
            if (found := re.search(pattern, text))
        ),
        "",
    )
