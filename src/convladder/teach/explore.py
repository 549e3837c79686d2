"""A picture with controls: the reader moves a parameter and sees what it does."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import ipywidgets as widgets

from ..grading.sandbox import error_text
from ..journal.notebook_context import shell
from .plots.style import Picture

DRAWING = "convladder-drawing"  # class of a picture that waits for the next one
AGAIN = "Run this cell to move the picture."
FEW = 5  # choices that fit side by side as buttons
PREFIXES = "nµm kMGT"  # each a thousand times the one before
AMOUNT = re.compile(r"(\d+(?:\.\d+)?) ([nµmkMGT]?)(?:s|B|B/s)")
NOTATION = re.compile("[a-z]_[a-z]")  # k_h, s_w, i_c: written as everywhere in the course
APART = {"width": "auto", "margin": "2px 24px 2px 2px"}  # buttons of two choices are told apart


class Explorer:
    """The result of explore(): shows itself as widgets, and as the first picture elsewhere.

    controls: the widget of each parameter, by name. picture: that of the controls' values, or
    None; first: that of their first values. image: the widget, which holds the picture, rendered,
    and its alt text, from when the explorer is shown.
    """

    def __init__(self, draw: Callable[..., Picture], controls: dict[str, widgets.Widget]) -> None:
        self.controls = controls
        self.image = widgets.HTML()  # an Image could not say what it shows
        self.note = widgets.HTML()
        self._draw = lru_cache(maxsize=128)(lambda *values: draw(**dict(zip(controls, values))))
        self._is_shown = False
        self._start = tuple(control.value for control in controls.values())
        self._update()
        self.first = self.picture
        for control in controls.values():
            control.observe(lambda change: self._update(), names="value")
        self.box = widgets.VBox(
            [
                widgets.HBox(list(controls.values()), layout=widgets.Layout(flex_flow="row wrap")),
                self.image,
                self.note,
            ]
        )

    def _update(self) -> None:
        values = tuple(control.value for control in self.controls.values())
        if self._is_shown:
            self.image.add_class(DRAWING)  # told to the page before the next picture is there
        try:
            self.picture, self.note.value = self.attempt(values)
        finally:
            self.image.remove_class(DRAWING)
        if self.picture is None:
            self.image.layout.display = "none"  # the last picture is not of these values
            return
        self.image.layout.display = None
        if self._is_shown:
            self.image.value = _img(self.picture)

    def attempt(self, values: tuple) -> tuple[Picture | None, str]:
        """Return the picture of these values, or why there is none."""
        try:
            picture = self._draw(*values)
            if self._is_shown:
                picture.png  # noqa: B018 - rendered here, where an error is told
        except Exception as error:  # a reader who moves a slider must not meet a traceback
            state = ", ".join(f"{name} = {value}" for name, value in zip(self.controls, values))
            why = str(error) if isinstance(error, ValueError) else error_text(error)
            return None, f"There is no picture for {state}: {why}"
        return picture, ""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        self._is_shown = True
        self._update()
        first, why = self.attempt(self._start)
        data, metadata = first._repr_mimebundle_() if first else ({"text/plain": why}, {})
        # By hand: ipywidgets 7, which some hosted notebooks have, gives no such bundle.
        if first and _is_kept_by_host():
            data["text/html"] = f"{_img(first)}<br>{AGAIN}"
        view = {"version_major": 2, "version_minor": 0, "model_id": self.box.model_id}
        return {**data, "application/vnd.jupyter.widget-view+json": view}, metadata


def _img(picture: Picture) -> str:
    return f"<style>.{DRAWING} img {{ opacity: 0.35 }}</style>{picture.html}"


def _is_kept_by_host() -> bool:
    """Return whether the notebook is saved by VS Code or Colab, which keep the controls in the file
    and do not find them again: then the bundle holds the picture as HTML too, to fall back to.
    JupyterLab, as `convladder lab` starts it, takes the controls out.
    """
    kernel = shell()
    return kernel is not None and (
        "google.colab" in sys.modules or "__vsc_ipynb_file__" in kernel.user_ns
    )


def explore(
    draw: Callable[..., Picture], *, units: Mapping[str, str] | None = None, **controls: Any
) -> Explorer:
    """Return `draw(**values)` as a picture that follows its controls. Make it a cell's last
    expression.

    draw: takes the controls' values by name, returns a Picture.
    controls: (lowest, highest) or (lowest, highest, step) of whole numbers for a slider, a list
        of values for a choice, True or False for a tick box. The first picture has the lowest,
        the first and the given value; it is also what a page without widgets shows. Numbers to
        choose from, and texts such as "10 GB/s", stand in their order, whichever is the first.
    units: of controls by name, shown behind it.
    Raises ValueError for any other control, and for the unit of one that is not there.
    """
    units = units or {}
    if unknown := sorted(set(units) - set(controls)):
        raise ValueError(
            f"there is no control {unknown[0]!r} to have a unit: the controls are "
            + ", ".join(controls)
        )
    labels = {
        name: (name if NOTATION.fullmatch(name) else name.replace("_", " "))
        + (f" ({units[name]})" if name in units else "")
        for name in controls
    }
    return Explorer(draw, {name: _control(labels[name], spec) for name, spec in controls.items()})


def _amount(value: Any) -> float | None:
    """Return a number, or what a text such as "10 GB/s" or "100 µs" tells of; None for others."""
    if type(value) in (int, float):
        return float(value)
    found = AMOUNT.fullmatch(value) if isinstance(value, str) else None
    return float(found[1]) * 1000.0 ** PREFIXES.index(found[2] or " ") if found else None


def _control(name: str, spec: Any) -> widgets.Widget:
    style = {"description_width": "initial"}
    if isinstance(spec, bool):
        return widgets.Checkbox(value=spec, description=name, indent=False)
    if isinstance(spec, tuple) and len(spec) in (2, 3) and all(type(n) is int for n in spec):
        lowest, highest, step = (*spec, 1)[:3]
        return widgets.IntSlider(
            min=lowest, max=highest, step=step, value=lowest, description=name, style=style
        )
    if isinstance(spec, list) and spec:
        amounts = [_amount(value) for value in spec]
        ordered = spec if None in amounts else sorted(spec, key=_amount)
        options = [(str(value), value) for value in ordered]
        if len(spec) <= FEW:
            return widgets.ToggleButtons(
                options=options,
                value=spec[0],
                description=name,
                layout=widgets.Layout(**APART),
                style={**style, "button_width": "auto"},
            )
        return widgets.Dropdown(options=options, value=spec[0], description=name, style=style)
    raise ValueError(
        f"control {name!r} is {spec!r}: give (lowest, highest) or (lowest, highest, "
        "step) as whole numbers, a list of values, or True or False"
    )
