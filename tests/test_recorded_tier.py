"""Every chapter with a banner runs to its end without what the banner tells of: neither GPU nor
compiler, or no Dask."""

import sys
from pathlib import Path

import pytest
from jupyter_client.provisioning import local_provisioner

from convladder.cuda import gpu
from convladder.measure.quick import VARIABLE
from convladder.teach.saved_outputs import NO_COMPILER, NO_WORKERS
from tools.notebooks.execute import execute
from tools.notebooks.notebook import read

from .forked_kernels import Kernel

BY_MODELS = {"11_tensor_cores", "13_profiling"}  # their texts need no kernel to be run
LIMIT = 600  # seconds for a cell, beside other programs
COURSE = Path(__file__).parents[1] / "course"
CHAPTERS = [
    path for path in sorted(COURSE.glob("*.ipynb")) if '"banner()"\n' in path.read_text("utf-8")
]


def test_there_are_such_chapters():
    # The kernel's way out, and the probes'.
    assert {COURSE / "07_first_kernels.ipynb", COURSE / "08_gpu_memory.ipynb"} < {*CHAPTERS}


def text(cell):
    return "".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", [])
    )


@pytest.mark.skipif(gpu(), reason="there is a GPU here")
@pytest.mark.weekly
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_it_runs_and_shows_what_was_recorded(path, monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, "1")  # what is measured besides is not looked at
    monkeypatch.setenv("PATH", str(tmp_path))  # no g++, clang++ or c++ in it
    monkeypatch.delenv("CXX", raising=False)
    if sys.platform == "linux":
        monkeypatch.setattr(local_provisioner, "launch_kernel", Kernel)
    saved = [text(cell) for cell in read(path).cells]
    ran = execute(read(path), path, LIMIT).cells
    assert any("CUDA tier: recorded" in text(cell) for cell in ran)
    replaced = [
        (text(cell), before) for cell, before in zip(ran, saved) if NO_COMPILER in text(cell)
    ]
    assert bool(replaced) == (path.stem not in BY_MODELS)
    for now, before in replaced:
        assert before in now


@pytest.mark.weekly
@pytest.mark.parametrize("folder", ["course", "labs"])
def test_without_dask_the_chapter_of_workers_shows_what_was_recorded(folder, monkeypatch, tmp_path):
    (tmp_path / "distributed.py").write_text('raise ModuleNotFoundError("hidden")')
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name: None if name == 'distributed' else find(name)\n"
    )
    monkeypatch.setenv(VARIABLE, "1")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = COURSE.parent / folder / "18_scale_out.ipynb"
    saved = [text(cell) for cell in read(path).cells]
    ran = execute(read(path), path, LIMIT).cells
    assert any("Workers: recorded" in text(cell) for cell in ran)
    replaced = [
        (text(cell), before) for cell, before in zip(ran, saved) if NO_WORKERS in text(cell)
    ]
    assert len(replaced) >= (5 if folder == "course" else 1)
    for now, before in replaced:
        assert before in now
