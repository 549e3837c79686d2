"""The format of a replay: a trace says what happens, turn by turn, and knows nothing of why.

A trace is plain JSON, the same on every machine:

    {"format": "convladder replay", "version": 1, "alt": the story in words,
     "poster": the turn that is shown first, "pace": milliseconds of a turn, "scenes": [one or two]}

Two scenes stand side by side and run on one clock, which counts turns. A scene:

    {"title": ..., "arrays": [...], "steps": [...], "left_out": a sentence, or ""}
    and where it has them  "lanes": how many, "source": [lines], "rows": [names, for the time view]

An array is a grid of cells, numbered row by row:

    {"name": ..., "rows": 4, "cols": 32}
    and  "group": cells of a sector or a cache line, "banks": columns are banks,
         "values": [of each cell, a number, a text or null], "under": it stands below the last one

A step, of which every entry may be missing:

    "turns": how long it takes, 1 by default    "say": what happens    "line": of the source, from 1
    "read", "write", "wait", "fetch", "drop", "free": [[array, cells], ...]: cells that are read and
        written, that lanes still wait for, that come to a nearby memory and that leave it, and
        those that hold nothing from here on;
        a third entry has the lanes that do it, a fourth the values that are written
    "active": the lanes that take part
    "marks": [[array, cells, label], ...]: outlined and named
    "tally": {name: number}, as far as it changed
    "bars": [[row, turns, kind, label], ...] for the time view; kind: a name of KINDS
    "event": "barrier" or "fault", which the scrubber marks

Cells and lanes are runs, "0:32,40,48:64:4,7*3": as Python's slices; `*3` says it three times.
"""

from __future__ import annotations

import json
import operator
import re
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

FORMAT, VERSION = "convladder replay", 1
TOUCHES = ("read", "write", "wait", "fetch", "drop", "free")
KINDS = ("load", "store", "compute", "wait", "barrier")
EVENTS = ("barrier", "fault")
MOST_STEPS, MOST_CELLS, MOST_TURNS = 4000, 4096, 100_000  # of a scene
MOST_BYTES = 150_000  # of a trace
RUN = re.compile(r"(\d{1,9})(?::(\d{1,9}))?(?::(\d{1,9}))?(?:\*(\d{1,9}))?")
LIST = (list, tuple)
_TRACE = {"format": str, "version": int, "alt": str, "poster": int, "pace": int, "scenes": LIST}
_SCENE = {"title": str, "arrays": LIST, "steps": LIST, "left_out": str, "lanes": int,
          "source": LIST, "rows": LIST}  # fmt: skip
_ARRAY = {"name": str, "rows": int, "cols": int, "group": int, "banks": bool, "values": LIST,
          "under": bool}  # fmt: skip
_STEP = {**dict.fromkeys((*TOUCHES, "marks", "bars"), LIST), "turns": int, "say": str, "line": int,
         "active": str, "tally": dict, "event": str}  # fmt: skip
_TOUCH, _MARK, _BAR = (int, str, (str, type(None)), LIST), (int, str, str), (int, int, str, str)
_IN_WORDS = {int: "a whole number", str: "a text", LIST: "a list", dict: "a dict",
             bool: "True or False"}  # fmt: skip


class ReplayError(ValueError):
    """A trace that cannot be played; the text says why."""


def whole(value: Any, name: str) -> int:
    """Return a whole number as an int. Raises `ReplayError` for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise ReplayError(f"{name}={value!r} is not a whole number") from None


def runs(numbers: Iterable[int]) -> str:
    """Return whole numbers as runs: [0, 1, 2, 8, 8] is "0:3,8*2"."""
    numbers, told, at = [int(n) for n in numbers], [], 0
    while at < len(numbers):
        first, end = numbers[at], at + 1
        step = numbers[end] - first if end < len(numbers) else 0
        while step >= 0 and end < len(numbers) and numbers[end] - numbers[end - 1] == step:
            end += 1
        count = end - at
        if step == 0:
            told.append(f"{first}*{count}" if count > 1 else f"{first}")
        elif count > 2:
            told.append(f"{first}:{first + step * (count - 1) + 1}" + f":{step}" * (step > 1))
        else:
            end = at + 1
            told.append(f"{first}")
        at = end
    return ",".join(told)


def numbers(text: str) -> list[int]:
    """Return the whole numbers of runs. Raises `ReplayError` for another text."""
    found: list[int] = []
    for each in filter(None, text.split(",")):
        run = RUN.fullmatch(each)
        if run is None:
            raise ReplayError(f"{each!r} is no run of cells; 0:32, 0:64:2 and 7*3 are some")
        first, stop, step, times = (int(part) if part else None for part in run.groups())
        cells = range(first, first + 1 if stop is None else stop, step or 1)
        if len(found) + len(cells) * (times or 1) > MOST_CELLS:
            raise ReplayError(f"{each!r} has more than {MOST_CELLS:,} cells")
        found += [*cells] * (times or 1)
    return found


class Scene:
    """Writes a scene step by step. Steps beyond what a trace may hold are counted, not kept."""

    def __init__(
        self,
        title: str,
        source: Sequence[str] = (),
        lanes: int = 0,
        rows: Sequence[str] = (),
        most_bytes: int = MOST_BYTES // 2 - 2000,
    ) -> None:
        self.title, self.source, self.lanes, self.rows = title, list(source), lanes, list(rows)
        self.arrays: list[dict] = []
        self.steps: list[dict] = []
        self.skipped = 0
        self._room = most_bytes
        self._tally: dict[str, Any] = {}

    def array(self, name: str, rows: int, cols: int, **more: Any) -> int:
        """Add a grid of `rows` x `cols` cells and return its number. more: see the format."""
        entry = {"name": name, "rows": rows, "cols": cols} | {k: v for k, v in more.items() if v}
        self.arrays.append(entry)
        return len(self.arrays) - 1

    def step(self, say: str = "", tally: dict[str, Any] | None = None, **more: Any) -> bool:
        """Add a step; False where there is no room for it.

        Cells and lanes are given as whole numbers, one or many; more: see the format.
        """
        entry: dict[str, Any] = {"say": say} if say else {}
        for name, given in more.items():
            if name in (*TOUCHES, "marks"):
                given = [_touch(*each) for each in given]
            elif name == "active":
                given = runs(given)
            if given not in (None, "", [], ()):
                entry[name] = given
        changed = {k: v for k, v in (tally or {}).items() if self._tally.get(k) != v}
        if changed:
            entry["tally"] = changed
        size = len(dumped(entry)) + 1
        if self.skipped or size > self._room or len(self.steps) == MOST_STEPS:
            self.skipped += 1
            return False
        self._room -= size
        self._tally |= changed
        self.steps.append(entry)
        return True

    @property
    def turns(self) -> int:
        """Return how many turns its steps take."""
        return sum(step.get("turns", 1) for step in self.steps)

    def as_json(self) -> dict:
        """Return the scene as the format has it."""
        count = len(self.steps)
        left = f"The first {count:,} of {count + self.skipped:,} steps are shown."
        scene = {"title": self.title, "arrays": self.arrays, "steps": self.steps}
        more = {"lanes": self.lanes, "source": self.source, "rows": self.rows}
        return (
            scene
            | {name: value for name, value in more.items() if value}
            | {"left_out": left if self.skipped else ""}
        )


def _touch(array: int, cells: Any, *more: Any) -> list:
    def as_runs(given: Any) -> str:
        return runs([given] if isinstance(given, int) else given)

    if more and not isinstance(more[0], str) and more[0] is not None:  # lanes, no label
        more = (as_runs(more[0]), *more[1:])
    return [array, as_runs(cells), *more]


def dumped(value: Any) -> str:
    """Return a trace or a part of it as text, the same for the same trace."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def check_trace(trace: Any) -> None:
    """Raise `ReplayError`, with a sentence, unless `trace` can be played."""
    for wrong in _wrong(trace):
        raise ReplayError(wrong)


def _wrong(trace: Any) -> Iterator[str]:
    if not isinstance(trace, dict) or trace.get("format") != FORMAT:
        yield "this is no replay: its format is not " + repr(FORMAT)
    if trace.get("version") != VERSION:
        yield (
            f"this replay has version {trace.get('version')!r} of the format, and this player "
            f"knows version {VERSION}: make the replay anew"
        )
    yield from _wrong_types(trace, _TRACE, ("alt", "scenes"))
    if not trace["alt"].strip():
        yield "alt is empty: tell the story in a sentence or two"
    if trace.get("pace", 1) < 1:
        yield f"pace is {trace['pace']}: a turn takes 1 millisecond at least"
    scenes = trace["scenes"]
    if len(scenes) not in (1, 2):
        yield f"a replay has one scene or two, not {len(scenes)}"
    for scene in scenes:
        yield from _wrong_types(scene, _SCENE, ("title", "arrays", "steps"))
        for wrong in _wrong_scene(scene):
            yield f"{scene['title']!r}: {wrong}"
    size = len(dumped(trace).encode())
    if size > MOST_BYTES:
        yield f"the trace takes {size:,} bytes, and {MOST_BYTES:,} are the most"


def _wrong_types(entry: Any, types: dict[str, Any], needed: Iterable[str] = ()) -> Iterator[str]:
    """Say what is missing from a part of the trace, unknown, or of another type."""
    if not isinstance(entry, dict):
        yield f"{reprlib.repr(entry)} is in place of a dict with {', '.join(types)}"
    for name in needed:
        if name not in entry:
            yield f"{name!r} is missing"
    for name, value in entry.items():
        if name not in types:
            yield f"the format has no {name!r}; it has {', '.join(types)}"
        if not _fits(value, types[name]):
            yield f"{name} is {reprlib.repr(value)}; it must be {_IN_WORDS[types[name]]}"


def _fits(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _wrong_rows(step: dict, name: str, types: tuple, least: int, form: str) -> Iterator[str]:
    for row in step.get(name, ()):
        fits = isinstance(row, LIST) and least <= len(row) <= len(types)
        if not fits or not all(map(_fits, row, types)):
            yield f"{name} has {reprlib.repr(row)}; write {form}"


def _wrong_scene(scene: dict) -> Iterator[str]:
    steps, arrays = scene["steps"], scene["arrays"]
    for array in arrays:
        yield from _wrong_types(array, _ARRAY, ("name", "rows", "cols"))
        if min(array["rows"], array["cols"]) < 1:
            yield f"{array['name']} has {array['rows']} × {array['cols']} cells; 1 × 1 is the least"
    if not 0 < len(steps) <= MOST_STEPS:
        yield f"it has {len(steps):,} steps; 1 to {MOST_STEPS:,} are possible"
    sizes = [array["rows"] * array["cols"] for array in arrays]
    if sum(sizes) > MOST_CELLS:
        yield f"its arrays have {sum(sizes):,} cells, and {MOST_CELLS:,} are the most"
    for array, size in zip(arrays, sizes):
        if len(array.get("values", [])) not in (0, size):
            yield f"{array['name']} has {size} cells and {len(array['values'])} values"
    for number, step in enumerate(steps):
        for wrong in _wrong_types(step, _STEP):
            yield f"step {number}: {wrong}"
    turns = [step.get("turns", 1) for step in steps]
    if min(turns, default=1) < 1 or sum(turns) > MOST_TURNS:
        yield f"steps take whole turns, 1 or more, and {MOST_TURNS:,} together at most"
    for number, step in enumerate(steps):
        for wrong in _wrong_step(step, scene, sizes):
            yield f"step {number}: {wrong}"


def _wrong_step(step: dict, scene: dict, sizes: list[int]) -> Iterator[str]:
    lanes, rows, lines = (len(scene.get(k, ())) if k != "lanes" else scene.get(k, 0)
                          for k in ("lanes", "rows", "source"))  # fmt: skip
    for name in TOUCHES:
        yield from _wrong_rows(step, name, _TOUCH, 2, "[array, cells, lanes, values]")
    yield from _wrong_rows(step, "marks", _MARK, 2, "[array, cells, label]")
    yield from _wrong_rows(step, "bars", _BAR, 3, "[row, turns, kind, label]")
    if not 1 <= step.get("line", 1) <= max(lines, 1):
        yield f"there is no line {step['line']} in the source"
    if step.get("event", EVENTS[0]) not in EVENTS:
        yield f"there is no event {step['event']!r}"
    if max(numbers(step.get("active", "")), default=-1) >= lanes:
        yield f"there is no lane {max(numbers(step['active']))}"
    for name in (*TOUCHES, "marks"):
        for array, cells, *more in step.get(name, ()):
            if not 0 <= array < len(sizes):
                yield f"there is no array {array}"
            found = numbers(cells)
            if found and max(found) >= sizes[array]:
                yield f"there is no cell {max(found)} in {scene['arrays'][array]['name']}"
            if name == "marks":
                continue
            by = numbers(more[0]) if more and more[0] else []
            if max(by, default=-1) >= lanes:
                yield f"there is no lane {max(by)}"
            for same in [by] * bool(by) + more[1:]:
                if len(same) != len(found):
                    yield f"{name} has {len(found)} cells, and lanes or values of {len(same)}"
    for row, taken, kind, *_ in step.get("bars", ()):
        if not 0 <= row < rows or kind not in KINDS or taken < 1:
            yield f"the bar {[row, taken, kind]} has no such row or kind, or takes no turn"
