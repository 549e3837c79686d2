"""Without a compiler, or workers, a cell shows what was saved for it; any other error stays one."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_notebook, new_output

from convladder import cuda
from convladder.teach import saved_outputs
from convladder.teach.banner import banner

ROOT = Path(__file__).parents[2]
MOVED = {"text/plain": "82", saved_outputs.WIDGET: {"model_id": "gone"}}
SAVED = {
    "y = launch()\nprint(y + 1)": [new_output("stream", name="stdout", text="42\n")],
    "y * 2": [new_output("execute_result", MOVED, execution_count=1)],
}


@pytest.fixture
def shell(tmp_path, monkeypatch, capsys):
    """A notebook's shell, in a folder with a saved notebook."""
    made = InteractiveShell()
    cells = [new_code_cell(source, outputs=outputs) for source, outputs in SAVED.items()]
    nbformat.write(new_notebook(cells=cells), tmp_path / "06_saved.ipynb")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("IPython.get_ipython", lambda: made)
    saved_outputs.show_saved_outputs()

    def launch():
        raise cuda.NoBackend("no compiler")

    made.push({"launch": launch})
    return made


def run(shell, capsys, cell):
    result = shell.run_cell(cell)
    return result, capsys.readouterr().out


def test_a_cell_that_cannot_run_shows_what_was_saved(shell, capsys):
    result, out = run(shell, capsys, "y = launch()\nprint(y + 1)")
    assert result.success and saved_outputs.SAVED in out and out.endswith("42\n")


def test_so_does_a_cell_that_needs_its_values_even_half_made_ones(shell, capsys):
    run(shell, capsys, "y = 0\nother = 1")
    run(shell, capsys, "import math\ny = 41\ny = launch()\nprint(y + 1)")  # nothing saved
    result, out = run(shell, capsys, "y * 2")
    assert result.success and "82" in out and saved_outputs.SAVED in out
    assert shell.user_ns["other"] == 1 and "y" not in shell.user_ns
    assert run(shell, capsys, "math.floor(2.5)")[0].result == 2  # imports stay


def test_a_cell_of_the_readers_own_says_that_nothing_is_saved(shell, capsys):
    result, out = run(shell, capsys, "launch()")
    assert result.success and saved_outputs.NOTHING in out


def test_without_dask_a_cell_with_workers_shows_what_was_saved(shell, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    _, out = run(
        shell, capsys, "from convladder.networks.scale import team\nwith team(2) as mates: pass"
    )
    assert saved_outputs.NO_WORKERS in out and saved_outputs.NO_COMPILER not in out
    assert saved_outputs.NO_WORKERS in run(shell, capsys, "mates")[1]
    run(shell, capsys, "y = launch()")
    assert saved_outputs.NO_COMPILER in run(shell, capsys, "y * 2")[1]


def test_a_notebook_that_was_saved_here_tells_it_once(shell, capsys, tmp_path):
    told = {"text/plain": f"{saved_outputs.NO_COMPILER} {saved_outputs.SAVED}"}
    half, whole = (new_output("stream", name="stdout", text=text) for text in ("half\n", "42\n"))
    cell = new_code_cell("launch()", outputs=[half, new_output("display_data", told), whole])
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "06_saved.ipynb")
    out = run(shell, capsys, "launch()")[1]
    assert out.count("'text/plain'") == 1 and "half" not in out and out.endswith("42\n")


def test_a_copy_without_outputs_has_those_of_the_package(tmp_path, monkeypatch):
    course = tmp_path / "course"
    course.mkdir()
    mine = new_output("stream", name="stdout", text="mine")
    cells = [new_code_cell("y * 2"), new_code_cell("mine", outputs=[mine])]
    nbformat.write(new_notebook(cells=cells), course / "06_a.ipynb")
    (course / "Untitled.ipynb").write_text("")  # no notebook: passed over
    monkeypatch.setattr(saved_outputs, "CHECKOUT", tmp_path / "none")
    monkeypatch.setattr(saved_outputs, "SHIPPED", tmp_path / "outputs.json")
    saved_outputs.SHIPPED.write_text(json.dumps({"y * 2": SAVED["y * 2"], "mine": []}))
    found = saved_outputs.saved_outputs(course)
    assert found["y * 2"][0]["data"]["text/plain"] == "82" and found["mine"][0]["text"] == ["mine"]
    saved_outputs.SHIPPED.unlink()
    monkeypatch.setattr(saved_outputs, "CHECKOUT", ROOT)
    assert saved_outputs.saved_outputs(course)["from convladder.teach import banner\n\nbanner()"]


def test_other_cells_run_as_ever(shell, capsys):
    result, out = run(shell, capsys, "a = 6\na * 7")
    assert result.result == 42 and "42" in out and saved_outputs.NO_COMPILER not in out
    assert run(shell, capsys, "# only a comment")[0].success


@pytest.mark.parametrize("cell, kind", [("1 / 0", ZeroDivisionError), ("nowhere", NameError)])
def test_any_other_error_is_an_error(shell, capsys, cell, kind):
    result = shell.run_cell(cell)
    capsys.readouterr()
    assert isinstance(result.error_in_exec, kind)


def none():
    raise cuda.NoBackend("none")


@pytest.mark.parametrize(
    "backend, compiler, tier, prepared",
    [
        (lambda: "gpu", None, "gpu", True),  # counts need the emulator there too
        (lambda: "emulator", "g++ 12", "emulator", False),
        (none, None, "recorded", True),
    ],
)
def test_the_banner_names_the_tier_and_prepares_if_need_be(
    monkeypatch, backend, compiler, tier, prepared
):
    calls = []
    monkeypatch.setattr(cuda, "backend", backend)
    module = sys.modules["convladder.teach.banner"]
    monkeypatch.setattr(
        module, "machine", lambda: SimpleNamespace(gpu="NVIDIA Test", compiler=compiler)
    )
    monkeypatch.setattr(module, "show_saved_outputs", lambda: calls.append(1))
    shown = banner()
    assert shown.tier == tier and bool(calls) == prepared
    assert f"<b>{tier}</b>" in shown._repr_html_() and str(shown).startswith(f"CUDA tier: {tier}\n")
    assert ("NVIDIA Test" in str(shown)) == (tier == "gpu")
