"""A room's compiled kernels: loaded with no compiler, refused where others could write."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, which

import pytest

from convladder.journal import course_root
from tools.notebooks.execute import execute
from tools.notebooks.notebook import read
from convladder.classroom.warm import WarmError, close, warm
from convladder.cuda import gpu
from convladder.cuda.emulator import compiler, kept, toolchain

pytestmark = pytest.mark.skipif(sys.platform != "linux" or gpu(), reason="the emulator on Linux")

SCALE = """extern "C" __global__ void scale(float *y, float by) { y[threadIdx.x] *= by; }"""
# Another kernel than SCALE, as learners write them.
SHIFT = """extern "C" __global__ void shift(float *y, float by) { y[threadIdx.x] += by; }"""
LAUNCH = """
import sys
from convladder import cuda
y = cuda.to_device(__import__("numpy").arange(3, dtype="float32"))
cuda.Kernel(sys.argv[1], sys.argv[2])[1, 3](y, 2.0)
print(y.get().tolist())
"""


class Room:
    """A room's folder, a learner's own, and a compiler that notes each start, or fails if told."""

    def __init__(self, folder: Path):
        self.folder, self.shared, self.own = folder, folder / "shared", folder / "own"
        self.started = folder / "started"
        (folder / "bin").mkdir()
        shim = folder / "bin" / "g++"
        shim.write_text(
            f"#!/bin/sh\necho started >> {self.started}\n"
            f'[ -e {folder}/fails ] && exit 1\nexec {which("g++")} "$@"\n'
        )
        shim.chmod(0o755)
        self.path = f"{folder / 'bin'}:{os.environ['PATH']}"
        self.environment = {
            kept.SHARED: str(self.shared),
            kept.OWN: str(self.own),
            "PATH": self.path,
        }

    def launch(self, source: str, name: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-c", LAUNCH, source, name],
            text=True,
            check=False,
            env={**os.environ, **self.environment},
            capture_output=True,
        )

    def compiled(self) -> set[str]:
        return {path.name.partition("-")[0] for path in self.own.rglob("*.so")}


@pytest.fixture
def room(tmp_path, monkeypatch) -> Room:
    """One whose folder has the runtime and the kernel `scale`, under a compiler that fails."""
    if toolchain.compiler() != ("g++",):
        pytest.skip("the compiler is another than g++")
    made = Room(tmp_path)
    kernels = made.shared / "kernels"
    kernels.mkdir(parents=True)
    for file in (compiler.runtime(), compiler.build(SCALE, "kernel.cu", "scale", False)[0]):
        (kernels / file.name).write_bytes(file.read_bytes())
    headers = compiler._precompiled(tuple(toolchain.options(False)))
    copytree(headers, kernels / headers.name)
    answers = toolchain.answers()
    monkeypatch.setenv("PATH", made.path)
    kept.write_answers(kernels, ("g++",), answers)
    monkeypatch.undo()
    close(made.shared)
    (tmp_path / "fails").touch()
    return made


def test_a_kernel_of_the_room_is_loaded_and_no_compiler_is_started(room):
    done = room.launch(SCALE, "scale")
    assert (done.stdout, done.stderr) == ("[0.0, 2.0, 4.0]\n", "")
    assert not room.started.exists() and not room.compiled()


def test_another_kernel_is_compiled_into_the_learners_own_folder(room):
    (room.folder / "fails").unlink()
    done = room.launch(SHIFT, "shift")
    assert (done.stdout, done.stderr) == ("[2.0, 3.0, 4.0]\n", "")
    assert room.started.exists() and room.compiled() == {"shift"}


def test_another_compiler_than_the_rooms_is_asked_itself(room):
    shim = room.folder / "bin" / "g++"
    shim.write_text(shim.read_text() + "# upgraded\n")
    assert "NoBackend" in room.launch(SCALE, "scale").stderr and room.started.exists()


def loosened(room: Room, how: str) -> None:
    kernels = room.shared / "kernels"
    if how == "the folder":
        kernels.chmod(0o775)
    elif how == "above it":
        room.shared.chmod(0o777)
    elif how == "not there":
        room.environment[kept.SHARED] = str(room.folder / "nowhere")
    elif os.geteuid() != 0:
        pytest.skip("only root gives files away")
    else:
        os.chown(kernels, 61001, -1)


@pytest.mark.parametrize(
    "how, why",
    [
        ("the folder", "others may write in"),
        ("above it", "others may write in"),
        ("not there", "cannot be read"),
        ("another's", "belongs to neither root nor the owner of"),
    ],
)
def test_a_folder_that_others_can_change_is_refused_in_one_sentence(room, how, why):
    loosened(room, how)
    done = room.launch(SCALE, "scale")
    said = [line for line in done.stderr.splitlines() if kept.SHARED in line]
    assert len(said) == 1 and why in said[0] and "convladder classroom warm" in said[0]
    assert room.started.exists()  # the compiler is asked instead


def test_who_is_not_root_may_not_write_there_either(room, monkeypatch):
    kernels = room.shared / "kernels"
    assert kept.distrust(kernels) is None
    monkeypatch.setattr(os, "geteuid", lambda: 61001)
    monkeypatch.setattr(os, "access", lambda path, mode: path == kernels)
    assert kept.distrust(kernels) == f"you may write in {kernels}"


@pytest.mark.parametrize("mode, link", [(0o666, False), (0o444, True)])
def test_a_library_that_another_could_have_put_there_is_compiled_anew(room, mode, link):
    (library,) = (room.shared / "kernels").glob("scale-*.so")
    library.parent.chmod(0o755)
    if link:
        library.replace(room.folder / library.name)
        library.symlink_to(room.folder / library.name)
    else:
        library.chmod(mode)
    library.parent.chmod(0o555)
    (room.folder / "fails").unlink()
    assert room.launch(SCALE, "scale").stdout == "[0.0, 2.0, 4.0]\n"
    assert room.compiled() == {"scale"}


def test_a_folder_that_learners_cannot_reach_is_said_when_it_is_filled(tmp_path, monkeypatch):
    monkeypatch.setattr("convladder.classroom.warm.gpu_notebooks", lambda root, numbers: [])
    tmp_path.chmod(0o777)
    with pytest.raises(WarmError, match="learners cannot use it, since others may write in"):
        warm(tmp_path / "cache", course_root())


def test_a_chapter_that_there_is_not(tmp_path):
    with pytest.raises(WarmError, match="no chapter"):
        warm(tmp_path, course_root(), ["01"])


@pytest.mark.weekly  # a minute where nothing else runs
def test_chapter_06_from_a_rooms_folder_starts_no_compiler(tmp_path, monkeypatch):
    room = Room(tmp_path)
    monkeypatch.setenv("PATH", room.path)
    monkeypatch.setattr("convladder.classroom.warm._out_of_reach", lambda folder: None)
    toolchain.compiler.cache_clear()
    warm(room.shared, course_root(), ["06"])
    assert room.started.exists()
    room.started.unlink()
    (tmp_path / "fails").touch()
    for name, value in room.environment.items():
        monkeypatch.setenv(name, value)
    for path in ("course/06_first_kernels.ipynb", "solutions/06_first_kernels.ipynb"):
        execute(read(course_root() / path), course_root() / path)
    assert not room.started.exists() and not room.compiled()
