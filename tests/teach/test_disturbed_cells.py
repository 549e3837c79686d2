"""A cell is marked if its figures were disturbed, or come from figures that were."""

from types import SimpleNamespace

import numpy as np
import pytest

from convladder.measure import timing
from convladder.teach import disturbed_cells
from convladder.teach.disturbed_cells import DisturbedCells


@pytest.fixture
def cells():
    found = DisturbedCells()
    found.measure()
    assert found.marks("race = compare(calls)\nprint(race)")
    return found


@pytest.mark.parametrize(
    "cell", ["versus(prediction, race.ratio('a', 'b'))", "def show():\n    return race"]
)
def test_a_cell_that_reads_a_disturbed_figure_is_marked(cells, cell):
    assert cells.marks(cell)


@pytest.mark.parametrize("cell", ["race = 3\nprint(race)", "print('race')", "other.race"])
def test_other_cells_are_not(cells, cell):
    assert not cells.marks(cell)


@pytest.mark.parametrize(
    "cell, name",
    [
        ("a, *b = race", "b"),
        ("t = {n: each for n, each in race.items()}", "t"),
        ("rows = []\nfor each in race:\n    rows.append(each)", "rows"),
        ("gains = {}\nfor k in (1, 2):\n    gains[k]['x'] = race", "gains"),
        ("total = 0\ntotal += race", "total"),
        ("print(y := race)", "y"),
    ],
)
def test_names_made_from_it_hold_disturbed_figures_too(cells, cell, name):
    assert cells.marks(cell)
    assert cells.marks(f"print({name})")


def test_a_new_measurement_clears_the_name(cells):
    assert not cells.marks("race = compare(calls)")
    assert not cells.marks("print(race)")


def test_statements_beside_it_stay_clean(cells):
    assert cells.marks("print(race)\nclean = 3")
    assert not cells.marks("print(clean)")


def test_of_a_cell_that_measures_other_statements_stay_clean():
    cells = DisturbedCells(names := {"np": np})
    names |= {"timed": cells.measure, "Table": type("Table", (), {"of": staticmethod(tuple)})}
    cell = "x = 3\ny = [\n    timed()\n]\nz = Table.of(y), np.sum(x)"
    exec(cell, names)
    assert cells.marks(cell)
    assert cells.marks("z")
    assert not cells.marks("x, np.pi, Table.of('')")
    assert not cells.marks("[y for y in range(3)]\nlambda y: y\n")


@pytest.mark.parametrize("reader", [True, False])
def test_below_a_cell_with_a_reader(monkeypatch, capsys, reader):
    called = {}
    monkeypatch.setattr(timing, "disturbed_listeners", listeners := [])
    monkeypatch.setattr(disturbed_cells, "disturbed_listeners", listeners)
    monkeypatch.setattr(disturbed_cells, "journal_path", lambda: "here" if reader else None)
    shell = SimpleNamespace(
        events=SimpleNamespace(register=called.__setitem__),
        transform_cell=lambda cell: cell,
        user_global_ns={},
    )
    disturbed_cells.listen(shell)

    def run(cell):
        called["post_run_cell"](SimpleNamespace(info=SimpleNamespace(raw_cell=cell)))
        return capsys.readouterr().out

    assert run("x = 1") == ""
    timing.reported(timing.timing_of([timing.Sample(1.0, disturbed=True)], 1))
    assert run("x = timed(f)").startswith("(disturbed) Figures of this cell") == reader
    assert run("print(x)") == "(disturbed)\n" * reader
    assert run("x = ") == ""
