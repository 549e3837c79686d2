"""What a submitted notebook holds: its code, the verdicts stored in it, and signs of tampering."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_CELLS = 1000
MOST_SOURCE = 1 << 20  # characters of a cell
_CHECK = re.compile(r"""\bcheck\(\s*["'](\w+)["']""")
# What no lab needs, and what somebody would use who wants another verdict than the right one.
_SIGNS = {
    "convladder.teach.grading": "uses the code that judges", "convladder.teach.exercises":
    "uses the exercises' own code", "convladder.classroom": "uses the grader's own code",
    "ctypes": "reaches into memory", "gc": "looks for objects in memory", "sys": "", "os": "",
    "subprocess": "starts processes", "socket": "opens a connection",
    "urllib": "opens a connection", "requests": "opens a connection",
    "multiprocessing": "starts processes", "tracemalloc": "reaches into measuring",
    "pickle": "pickles", "builtins": "changes Python's own functions", "importlib":
    "loads code by name", "inspect": "looks into the callers", "signal": "sends signals",
    "mmap": "reaches into memory", "resource": "changes limits",
}  # fmt: skip
_CALLS = {
    "exec": "runs text as code",
    "eval": "runs text as code",
    "compile": "runs text as code",
    "__import__": "loads code by name",
    "setattr": "replaces attributes",
    "open": "opens files",
    "globals": "reaches for its own names",
}
_ATTRIBUTES = {
    "_getframe": "looks into the callers",
    "settrace": "watches the interpreter",
    "setprofile": "watches the interpreter",
    "_exit": "ends its process",
    "fork": "starts processes",
    "kill": "ends processes",
    "system": "starts processes",
    "modules": "reaches for loaded modules",
    "__globals__": "reaches into functions",
    "__subclasses__": "looks for objects in memory",
    "__code__": "reaches into functions",
    "__reduce__": "changes how it is pickled",
    "environ": "reads the environment",
}


class NotANotebook(Exception):
    """What was handed in is no notebook; the text says why."""


@dataclass(frozen=True)
class Notebook:
    """code: (number, source) of its code cells, counted from 1, text cells too. stored: the stage
    that its outputs show for an exercise. checked: how often its code names an exercise."""

    code: tuple[tuple[int, str], ...]
    stored: Mapping[str, str]
    # The cell and the exercises after which nothing is left to hand over; 0 if that is not known.
    final: tuple[int, frozenset[str]] = (0, frozenset())
    checked: Counter = field(default_factory=Counter)

    @property
    def signs(self) -> tuple[str, ...]:
        """Return what a person should look at, in words: never a proof of anything."""
        found: dict[str, None] = {}
        for number, source in self.code:
            found |= dict.fromkeys(f"cell {number} {words}" for words in signs(source))
        return tuple(found)


def parse(data: bytes) -> Notebook:
    """Return the notebook in `data`. Raises NotANotebook."""
    try:
        cells = json.loads(data.decode("utf-8-sig"))["cells"]
    except UnicodeDecodeError:
        raise NotANotebook("is no notebook: it is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise NotANotebook("is no notebook: it is not JSON") from None
    except (KeyError, TypeError):
        raise NotANotebook("is no notebook: it has no cells") from None
    if not isinstance(cells, list) or len(cells) > MOST_CELLS:
        raise NotANotebook(f"is no notebook: its cells are no list, or more than {MOST_CELLS:,}")
    code, stored, checked, last, final = [], {}, Counter(), {}, (0, frozenset())
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = _text(cell.get("source"))
        if len(source) > MOST_SOURCE:
            raise NotANotebook(f"has a cell of {len(source):,} characters, number {number}")
        if source.strip():
            code.append((number, source))
        names = _CHECK.findall(source)
        checked.update(set(names))
        if names:
            bare = not all(
                re.match(r"\s*(?:el)?if\b", line)
                for line in source.splitlines()
                if _CHECK.search(line)
            )
            last |= {name: number for name in names if bare or name not in last}
            once = len(set(names)) == len(names)
            final = (number, frozenset(names)) if bare and once else final
        outputs = cell.get("outputs")
        for stage in _stages(outputs if isinstance(outputs, list) else [], names):
            stored.update([stage])
    # What stands behind the last check measures and draws, and is of no use here.
    end = max(last.values(), default=MOST_CELLS)
    final = final if final[0] == end else (0, frozenset())
    return Notebook(tuple(each for each in code if each[0] <= end), stored, final, checked)


def signs(source: str) -> Iterable[str]:
    """Yield what in a cell's code no lab needs."""
    lines = "\n".join(
        "pass" if line.lstrip().startswith(("%", "!", "?")) else line
        for line in source.splitlines()
    )
    if any(line.lstrip().startswith("!") for line in source.splitlines()):
        yield "starts processes"
    try:
        tree = ast.parse(lines)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            yield from {
                words
                for known, words in _SIGNS.items()
                if words and f"{name}.".startswith(f"{known}.")
            }
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from filter(None, [_CALLS.get(node.func.id)])
        if isinstance(node, ast.Attribute):
            yield from filter(None, [_ATTRIBUTES.get(node.attr)])
            if node.attr in ("check", "grade", "judge", "examine") and isinstance(
                node.ctx, ast.Store
            ):
                yield "replaces what judges"
        if isinstance(node, (ast.FunctionDef, ast.Name)):
            name, new = (
                (node.name, True)
                if isinstance(node, ast.FunctionDef)
                else (node.id, isinstance(node.ctx, ast.Store))
            )
            if new and name in ("check", "Verdict"):
                yield f"gives `{name}` another meaning"


def _stages(outputs: list, names: list[str]) -> Iterable[tuple[str, str]]:
    """Yield (exercise, stage) of the verdicts that outputs show."""
    for output in outputs:
        data = output.get("data") if isinstance(output, dict) else None
        texts = [data.get("text/plain")] if isinstance(data, dict) else []
        if isinstance(output, dict) and output.get("output_type") == "stream":
            texts.append(output.get("text"))
        for text in map(_text, texts):
            for name, stage in re.findall(r"^(\w+): ([a-z ]+)$", text, re.M):
                if name in names:
                    yield name, stage


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
