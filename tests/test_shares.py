"""How processes share the suite: see conftest.py at the root."""

import runpy
from pathlib import Path

from convladder.exercises import exercise_names, load_exercise

from .exercises.test_exercises import proof_of

ROOT = Path(__file__).parents[1]
group_of = runpy.run_path(str(ROOT / "conftest.py"))["group_of"]


def test_a_notebook_and_a_file_stay_whole_and_a_labs_proofs_are_apart():
    assert group_of("course/03_mec.ipynb::Cell 7") == "course/03_mec.ipynb"
    name = "tests/cpu/test_threads.py"
    assert group_of(f"{name}::test_x[a::b-lab03-c]") == name
    file = "tests/exercises/test_exercises.py"
    assert (ROOT / file).exists() and group_of(f"{file}::test_a_list") == file
    groups = {group_of(f"{file}::test_x[{proof_of(name)}-0]") for name in exercise_names()}
    labs = {load_exercise(name).lab for name in exercise_names()}
    assert len(labs) > 17 and groups == {f"{file} of lab {lab:02}" for lab in labs}
