"""Pictures that follow their controls, without a browser."""

import base64
import re
import sys
from importlib import import_module
from types import SimpleNamespace

import ipywidgets as widgets
import pytest

from convladder.teach import Picture, explore
from convladder.teach.plots.style import figure

VIEW = "application/vnd.jupyter.widget-view+json"


def draw(row, kind, copy):
    if row == 3 and kind == "broken":
        raise ValueError("row 3 is broken")
    fig, ax = figure(2, 1)
    ax.plot([0, row], linestyle="-" if kind == "line" else ":")
    ax.set_title(f"{kind} {copy}")
    return Picture(fig, f"row {row}, {kind}, {copy}")


def is_png(value):
    return png(value)[:4] == b"\x89PNG"


def png(value):
    """Return the picture that the widget's HTML holds."""
    return base64.b64decode(re.search('base64,([^"]+)', value)[1])


@pytest.fixture
def explorer():
    shown = explore(draw, row=(1, 5), kind=["line", "dots", "broken"], copy=False)
    shown._repr_mimebundle_()
    return shown


def test_nothing_is_rendered_before_it_is_shown():
    explorer = explore(draw, row=(1, 5), kind=["line"], copy=False)
    explorer.controls["row"].value = 4
    assert not explorer.image.value and explorer.picture.alt == "row 4, line, False"
    explorer._repr_mimebundle_()
    assert png(explorer.image.value) == explorer.picture.png
    assert 'alt="row 4, line, False"' in explorer.image.value


def test_numbers_stand_in_their_order_and_begin_with_the_first_given():
    explorer = explore(
        lambda size, on: draw(size, "line", on),
        units={"size": "rows"},
        size=[4, 1, 2.5],
        on=["b", "a"],
    )
    size, on = explorer.controls["size"], explorer.controls["on"]
    assert [value for _, value in size.options] == [1, 2.5, 4] and size.value == 4
    assert [value for _, value in on.options] == ["b", "a"] and on.value == "b"
    assert size.description == "size (rows)"
    links = explore(lambda wait: draw(1, wait, True), wait=["1 ms", "10 µs", "2 s"])
    wait = links.controls["wait"]
    assert [value for _, value in wait.options] == ["10 µs", "1 ms", "2 s"] and wait.value == "1 ms"
    with pytest.raises(ValueError, match="no control 'row' to have a unit: the controls are size"):
        explore(draw, units={"row": "pixels"}, size=(1, 2))


@pytest.mark.parametrize("control, value", [("row", 2), ("copy", True)])
def test_each_control_changes_the_picture_and_back(explorer, control, value):
    first, start = explorer.image.value, explorer.controls[control].value
    explorer.controls[control].value = value
    assert explorer.image.value != first and is_png(explorer.image.value)
    explorer.controls[control].value = start
    assert explorer.image.value == first


def test_one_bundle_holds_the_widget_and_the_first_picture(explorer):
    first = png(explorer.image.value)
    explorer.controls["row"].value = 4
    data, metadata = explorer._repr_mimebundle_()
    assert data[VIEW]["model_id"] == explorer.box.model_id
    assert base64.b64decode(data["image/png"]) == first
    assert data["text/plain"] == "Picture: row 1, line, False"
    assert metadata["image/png"]["alt"] == "row 1, line, False"


def test_error_in_draw_is_a_sentence_and_the_next_move_mends_it(explorer, capfd):
    explorer.controls["kind"].value = "broken"
    explorer.controls["row"].value = 3
    told = "There is no picture for row = 3, kind = broken, copy = False: row 3 is broken"
    assert explorer.note.value == told
    explorer.controls["row"].value = 2
    assert explorer.note.value == ""
    assert capfd.readouterr() == ("", "")


def test_error_in_the_first_picture_leaves_a_page_that_stands():
    explorer = explore(draw, row=(3, 5), kind=["broken"], copy=True)
    data, _ = explorer._repr_mimebundle_()
    assert "row 3 is broken" in data["text/plain"] and "image/png" not in data
    explorer.controls["row"].value = 4
    assert is_png(explorer.image.value)


def test_controls_suit_their_values():
    specs = dict(n=(2, 10, 4), few=[1, 2], many=list(range(9)), on=True)
    made = explore(lambda **values: draw(1, "line", False), **specs).controls
    assert (made["n"].min, made["n"].max, made["n"].step, made["n"].value) == (2, 10, 4, 2)
    assert isinstance(made["few"], widgets.ToggleButtons) and made["few"].value == 1
    assert isinstance(made["many"], widgets.Dropdown) and made["many"].value == 0
    assert isinstance(made["on"], widgets.Checkbox) and made["on"].value is True


@pytest.mark.parametrize("spec", [3, (0.5, 1.5), [], "abc"])
def test_unknown_control_is_refused(spec):
    with pytest.raises(ValueError, match="control 'n'"):
        explore(draw, n=spec)


@pytest.mark.parametrize("host", ["vscode", "colab", None])
def test_a_host_that_loses_the_controls_finds_the_picture(monkeypatch, host):
    """Its file keeps them, and nobody takes them out; JupyterLab's does not, and needs no more."""
    kernel = SimpleNamespace(user_ns={"__vsc_ipynb_file__": "x"} if host == "vscode" else {})
    monkeypatch.setattr(import_module("convladder.teach.explore"), "shell", lambda: kernel)
    if host == "colab":
        monkeypatch.setitem(sys.modules, "google.colab", kernel)
    data, _ = explore(draw, row=(1, 4), kind=["line"], copy=False)._repr_mimebundle_()
    assert ("text/html" in data) is (host is not None)
    if host:
        assert png(data["text/html"]) == base64.b64decode(data["image/png"])
