"""The still picture of a replay: one turn, as the player draws it, where no script may run."""

from __future__ import annotations

import io
from typing import Any

from .trace import numbers

WIDTHS = {1: 620, 2: 900}  # by the number of scenes, in CSS pixels; `player.js` has the same sizes
LANE, WIRES, NAME, GAP, MARGIN = 14, 58, 20, 24, 4
COLOURS = {"read": "#0072b2", "write": "#e69f00", "fault": "#d55e00", "soft": "#59616b"}
CELL, NEAR, WAS_READ, WAS_WRITTEN, EDGE = "#e9edf0", "#bfe0f5", "#d3e5f1", "#f8e3b6", "#b4bac2"


def poster(trace: dict) -> bytes:
    """Return the trace's telling turn as a PNG."""
    import matplotlib.style
    from matplotlib.figure import Figure

    matplotlib.style.use("default")
    count = len(trace["scenes"])
    wide = (WIDTHS[count] - 24 * (count - 1)) // count
    scenes = [_Still(scene, wide, trace["poster"]) for scene in trace["scenes"]]
    high = max(scene.height for scene in scenes)
    figure = Figure(figsize=(WIDTHS[count] / 96, high / 96))
    for n, scene in enumerate(scenes):
        left = n * (wide + 24) / WIDTHS[count]
        axes = figure.add_axes((left, 0, wide / WIDTHS[count], 1))
        axes.set(xlim=(0, wide), ylim=(high, 0))
        axes.axis("off")
        scene.draw(axes)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=120, metadata={"Software": None})
    return _few_colours(written)


class _Still:
    """A scene at one turn: what has happened, and where everything stands."""

    def __init__(self, scene: dict, width: int, turn: int) -> None:
        self.scene, self.width = scene, width
        self.step: dict[str, Any] = {}
        self.state: dict[tuple[int, int], str] = {}
        self.values = [list(a.get("values", [])) for a in scene["arrays"]]
        self.tally: dict[str, Any] = {}
        begins = 0
        for step in scene["steps"]:
            if begins > turn:
                break
            self.step = step
            self._pass(step)
            begins += step.get("turns", 1)
        self.over = begins <= turn
        self._lay_out()

    def _pass(self, step: dict) -> None:
        colours = {"read": WAS_READ, "fetch": NEAR, "write": WAS_WRITTEN, "drop": WAS_READ}
        self.tally |= step.get("tally", {})
        for touch, colour in colours.items():
            for array, cells, *more in step.get(touch, ()):
                for n, cell in enumerate(numbers(cells)):
                    kept = touch == "read" and self.state.get((array, cell)) in (NEAR, WAS_WRITTEN)
                    if not kept:
                        self.state[array, cell] = colour
                    if touch == "write" and len(more) > 1:
                        self.values[array][cell] = more[1][n]

    def _lay_out(self) -> None:
        x, y = 0, 46
        bottom, lanes = y, self.scene.get("lanes", 0)
        self.lane = min(LANE, self.width // lanes) if lanes else 0
        if lanes:
            self.lanes_y = y + NAME - 4
            y = bottom = self.lanes_y + self.lane + WIRES
        self.places = []
        left = under = beside = before = 0
        marks = [mark for step in self.scene["steps"] for mark in step.get("marks", ())]
        named = {number for number, _, label in marks if label}
        for number, array in enumerate(self.scene["arrays"]):
            most = 32 if array.get("values") else 14 if array["cols"] > 16 else 20
            side = max(3, min(most, (self.width - 2 * MARGIN) // array["cols"]))
            tall = max(2, min(side, 420 // array["rows"]))
            wide = max(side * array["cols"], 7 * len(array["name"]))
            if array.get("under"):
                x, y = left, under
            if x and x + wide > self.width:
                x, y = 0, bottom + 6
            self.places.append((x + MARGIN, y + NAME, side, tall))
            left, under = x, y + NAME + tall * array["rows"] + 8 + 14 * (number in named)
            x = beside = max(x + wide + GAP, beside if array.get("under") else 0)
            bottom = max(bottom, under - 4)
            y = before = before if array.get("under") else y
        self.height = bottom + 26

    def draw(self, axes: Any) -> None:
        """Draw it on axes that count pixels."""
        said = "" if self.over else self.step.get("say", "")
        self._text(axes, 0, 14, self.scene["title"], size=10, weight="bold", color="#1b1f24")
        self._text(axes, 0, 34, said, color=COLOURS["soft"])
        lit = {}
        for kind in ("wait", "read", "write") if not self.over else ():
            for array, cells, *_ in self.step.get(kind, ()):
                lit |= {(array, cell): kind for cell in numbers(cells)}
        for number in range(len(self.places)):
            self._array(axes, number, lit)
        if self.lane:
            self._lanes(axes)
        for array, cells, label in self.step.get("marks", ()) if not self.over else ():
            self._mark(axes, array, numbers(cells), label)
        told = "     ".join(f"{value} {name}" for name, value in self.tally.items())
        self._text(axes, 0, self.height - 6, told, size=9.5, weight="bold", color="#1b1f24")
        look: dict[str, Any] = {"color": COLOURS["read"], "ha": "right"}
        self._text(axes, self.width - 2, self.height - 6, "run the cell to play ▶", **look)

    def _text(
        self, axes: Any, x: float, y: float, text: str, size: float = 8.5, **more: Any
    ) -> None:
        axes.text(x, y, text, fontsize=size, parse_math=False, **more)

    def _box(self, axes: Any, x: float, y: float, w: float, h: float, **more: Any) -> None:
        from matplotlib.patches import Rectangle

        axes.add_patch(Rectangle((x, y), w, h, **more))

    def _array(self, axes: Any, number: int, lit: dict) -> None:
        array, (x, y, side, tall) = self.scene["arrays"][number], self.places[number]
        cols = array["cols"]
        self._text(axes, x, y - 6, array["name"], weight="bold", color=COLOURS["soft"])
        for cell in range(array["rows"] * cols):
            left, top = x + cell % cols * side, y + cell // cols * tall
            kind = lit.get((number, cell))
            colour = COLOURS.get(kind, self.state.get((number, cell), CELL))
            if kind == "wait":
                look = {"facecolor": CELL, "edgecolor": COLOURS["fault"]}
                self._box(axes, left + 0.5, top + 0.5, side - 2, tall - 2, **look)
            else:
                self._box(axes, left, top, side - 1, tall - 1, facecolor=colour)
            value = self.values[number][cell] if self.values[number] else None
            if value not in (None, "") and side >= 14:
                colour = "white" if kind == "read" else "#1b1f24"
                place = left + side / 2, top + tall / 2 + 4
                shown = str(value).replace("-", "−")
                self._text(axes, *place, shown, 9, color=colour, ha="center")
        if group := array.get("group"):
            for cell in range(0, array["rows"] * cols, group):
                left, top = x + cell % cols * side - 0.5, y + cell // cols * tall - 0.5
                wide = min(group, cols - cell % cols) * side
                self._box(axes, left, top, wide, tall, fill=False, edgecolor=EDGE, linewidth=0.7)

    def _lanes(self, axes: Any) -> None:
        name = "a warp: 32 lanes" if self.scene["lanes"] == 32 else f"{self.scene['lanes']} lanes"
        self._text(axes, 0, self.lanes_y - 6, name, weight="bold", color=COLOURS["soft"])
        on = {}
        for kind in ("wait", "read", "write") if not self.over else ():
            for array, cells, *more in self.step.get(kind, ()):
                pairs = zip(numbers(more[0]) if more and more[0] else (), numbers(cells))
                on |= {lane: (kind, array, cell) for lane, cell in pairs}
        active = numbers(self.step.get("active", "")) if not self.over else []
        for lane in range(self.scene["lanes"]):
            kind, array, cell = on.get(lane, ("", 0, 0))
            left = lane * self.lane
            idle = COLOURS["soft"] if lane in active and kind != "wait" else CELL
            colour = COLOURS.get(kind, idle) if kind != "wait" else CELL
            look = {"facecolor": colour, "edgecolor": EDGE, "linewidth": 0.7}
            self._box(axes, left, self.lanes_y, self.lane - 2, self.lane - 2, **look)
            if kind in ("read", "write"):
                x, y, side, tall = self.places[array]
                cols = self.scene["arrays"][array]["cols"]
                end = x + (cell % cols + 0.5) * side, y + cell // cols * tall
                start = left + self.lane / 2, self.lanes_y + self.lane - 2
                axes.plot(*zip(start, end), color=COLOURS[kind], linewidth=0.9, alpha=0.7)

    def _mark(self, axes: Any, array: int, cells: list[int], label: str) -> None:
        x, y, side, tall = self.places[array]
        cols = self.scene["arrays"][array]["cols"]
        across, down = [cell % cols for cell in cells], [cell // cols for cell in cells]
        left, top = x + min(across) * side - 1, y + min(down) * tall - 1
        wide = (max(across) - min(across) + 1) * side + 1
        high = (max(down) - min(down) + 1) * tall + 1
        colour = COLOURS["fault"] if self.step.get("event") == "fault" else "#1b1f24"
        self._box(axes, left, top, wide, high, fill=False, edgecolor=colour, linewidth=2)
        if label:
            look: dict[str, Any] = {
                "color": colour,
                "weight": "bold",
                "backgroundcolor": "#ffffffd0",
            }
            self._text(axes, left + 2, top + high + 16, label, **look)


def _few_colours(png: io.BytesIO) -> bytes:
    from PIL import Image  # comes with Matplotlib

    written = io.BytesIO()
    image = Image.open(png).convert("RGB")
    image.quantize(48, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        written, format="png", optimize=True
    )
    return written.getvalue()
