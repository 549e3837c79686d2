"""A line that tells of progress: in a notebook alone, and gone at the end."""

from types import SimpleNamespace

import IPython
import IPython.display
import pytest

from convladder.teach.running_cell import progress


def test_elsewhere_nothing_is_shown(capsys):
    with progress("timing") as step:
        step("one")
    assert capsys.readouterr() == ("", "")


def test_in_a_notebook_the_line_changes_and_goes(monkeypatch):
    shown = []
    line = SimpleNamespace(update=lambda html: shown.append(html.data))
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setattr(
        IPython.display, "display", lambda html, display_id: shown.append(html.data) or line
    )
    with pytest.raises(KeyError), progress("timing <rungs>") as step:
        step("graph")
        raise KeyError
    assert shown == ["timing &lt;rungs&gt;", "timing &lt;rungs&gt;, 0 s: graph", ""]
