"""Outputs of the last commit come back where the code is the same."""

import subprocess

from tools.notebooks.notebook import read, write
from tools.notebooks.restore import restore

from .conftest import notebook, stream


def test_only_unchanged_cells_get_their_outputs_back(tmp_path):
    path = tmp_path / "course" / "01_a.ipynb"
    write(notebook(("print(1)", [stream("1 ms")]), ("print(2)", [stream("2 ms")])), path)
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm a"):
        subprocess.run(["git", *words.split()], cwd=tmp_path, check=True)
    run = notebook("x = 1", ("print(1)", [stream("3 ms")]), ("print(2, 0)", [stream("4 ms")]))
    write(run, path)
    write(run, path.with_name("02_new.ipynb"))
    restore(tmp_path)
    assert [cell.outputs for cell in read(path).cells] == [[], [stream("1 ms")], [stream("4 ms")]]
    assert read(path.with_name("02_new.ipynb")) == run
